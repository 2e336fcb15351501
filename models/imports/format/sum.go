package format

import "math/big"

// Sum adds up amounts exactly. Its zero value is 0.
type Sum struct{ ore big.Int }

// Add adds an amount in its canonical form: digits, a point, two decimals, and a
// leading '-' where negative.
func (s *Sum) Add(amount []byte) {
	var ore int64
	for _, c := range amount {
		if isDigit(c) {
			ore = ore*10 + int64(c-'0')
		}
	}
	if amount[0] == '-' {
		ore = -ore
	}
	s.ore.Add(&s.ore, big.NewInt(ore))
}

// String returns the sum in kroner, with two decimals.
func (s *Sum) String() string {
	return new(big.Rat).SetFrac(&s.ore, big.NewInt(100)).FloatString(2)
}
