//go:build race

package secrets

import "golang.org/x/crypto/bcrypt"

// BcryptCost is the lowest cost under the race detector, which slows bcrypt down
// fifty times: requests would miss their deadlines.
const BcryptCost = bcrypt.MinCost
