package demodata

import (
	"fmt"
	"math/rand/v2"
)

// cvrWeights are the modulus 11 weights of a CVR's first seven digits. The check
// digit has weight 1.
var cvrWeights = [7]int{2, 7, 6, 5, 4, 3, 2}

// cvr generates a CVR with a valid check digit. It is at the top of the range, far
// from the numbers that are being issued, so that it is unlikely to be the number of
// a real company.
func cvr(r *rand.Rand) string {
	return withCheckDigit(func() string { return fmt.Sprintf("9%06d", r.IntN(1_000_000)) })
}

// withCheckDigit returns the first of the made numbers of 7 digits that has a check
// digit, with it. One in eleven has none.
func withCheckDigit(next func() string) string {
	for {
		digits := next()
		sum := 0
		for i, weight := range cvrWeights {
			sum += weight * int(digits[i]-'0')
		}
		if check := (11 - sum%11) % 11; check < 10 {
			return fmt.Sprintf("%s%d", digits, check)
		}
	}
}
