package format

import "math/big"

// Sum adds up amounts exactly. Its zero value is 0.
type Sum struct{ low, high int64 } // in øre: low plus high times sumUnit

// sumUnit is so much greater than any amount that low cannot overflow.
const sumUnit = 1_000_000_000_000_000_000

// Add adds an amount in its canonical form: digits, a point, two decimals, and a
// leading '-' where negative.
func (s *Sum) Add(amount []byte) {
	var ore int64
	for _, c := range amount {
		if c >= '0' && c <= '9' {
			ore = ore*10 + int64(c-'0')
		}
	}
	if amount[0] == '-' {
		ore = -ore
	}
	s.low += ore
	for ; s.low >= sumUnit; s.low -= sumUnit {
		s.high++
	}
	for ; s.low <= -sumUnit; s.low += sumUnit {
		s.high--
	}
}

// AddSum adds another sum.
func (s *Sum) AddSum(other Sum) {
	s.high += other.high
	s.low += other.low
	if s.low >= sumUnit {
		s.low, s.high = s.low-sumUnit, s.high+1
	}
	if s.low <= -sumUnit {
		s.low, s.high = s.low+sumUnit, s.high-1
	}
}

// equals reports whether the sum is an amount in its canonical form.
func (s Sum) equals(amount []byte) bool {
	var other Sum
	other.Add(amount)
	s.AddSum(Sum{low: -other.low, high: -other.high})
	return s.low == 0 && s.high == 0
}

// String returns the sum in kroner, with two decimals.
func (s Sum) String() string {
	ore := new(big.Int).Mul(big.NewInt(s.high), big.NewInt(sumUnit))
	ore.Add(ore, big.NewInt(s.low))
	return new(big.Rat).SetFrac(ore, big.NewInt(100)).FloatString(2)
}
