//go:build !race

package models

// bcryptCost is of keys and passwords: some tens of milliseconds of a core.
const bcryptCost = 10
