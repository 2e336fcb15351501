//go:build !race

package secrets

// BcryptCost is the bcrypt cost of keys and passwords: tens of milliseconds of a
// processor.
const BcryptCost = 10
