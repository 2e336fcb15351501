//go:build !race

package models

// BcryptCost is the bcrypt cost of keys and passwords: tens of milliseconds of a
// processor.
const BcryptCost = 10
