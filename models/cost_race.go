//go:build race

package models

import "golang.org/x/crypto/bcrypt"

// bcryptCost is the least under the race detector, which makes bcrypt fifty times
// slower: requests would run into their deadlines.
const bcryptCost = bcrypt.MinCost
