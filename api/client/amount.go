package client

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

var amountForm = regexp.MustCompile(`^-?[0-9]+\.[0-9]{2}$`)

// toOere returns an amount in øre, exactly.
func toOere(amount string) (*big.Int, error) {
	if !amountForm.MatchString(amount) {
		return nil, fmt.Errorf("%q is not an amount", amount)
	}
	oere, _ := new(big.Int).SetString(strings.Replace(amount, ".", "", 1), 10)
	return oere, nil
}

// fromOere returns the amount with two decimals.
func fromOere(oere *big.Int) string {
	digits := fmt.Sprintf("%03d", new(big.Int).Abs(oere))
	sign := ""
	if oere.Sign() < 0 {
		sign = "-"
	}
	whole := len(digits) - 2
	return sign + digits[:whole] + "." + digits[whole:]
}
