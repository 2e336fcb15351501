package imports

import "math/big"

// sum adds up amounts exactly. Its zero value is 0.
type sum struct{ low, high int64 } // in øre: low plus high times sumUnit

// sumUnit is so much greater than any amount that low cannot overflow.
const sumUnit = 1_000_000_000_000_000_000

// add adds an amount in its canonical form: digits, a point, two decimals, and a
// leading '-' where negative.
func (s *sum) add(amount []byte) {
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

func (s *sum) addSum(other sum) {
	s.high += other.high
	s.low += other.low
	if s.low >= sumUnit {
		s.low, s.high = s.low-sumUnit, s.high+1
	}
	if s.low <= -sumUnit {
		s.low, s.high = s.low+sumUnit, s.high-1
	}
}

// String returns the sum in kroner, with two decimals.
func (s sum) String() string {
	ore := new(big.Int).Mul(big.NewInt(s.high), big.NewInt(sumUnit))
	ore.Add(ore, big.NewInt(s.low))
	return new(big.Rat).SetFrac(ore, big.NewInt(100)).FloatString(2)
}
