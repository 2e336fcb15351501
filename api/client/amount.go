package client

import (
	"fmt"
	"math/big"
	"regexp"
)

var amountForm = regexp.MustCompile(`^-?[0-9]+\.[0-9]{2}$`)

// parseAmount returns an amount exactly. Its FloatString(2) is the text again.
func parseAmount(text string) (*big.Rat, error) {
	if !amountForm.MatchString(text) {
		return nil, fmt.Errorf("%q is not an amount", text)
	}
	amount, _ := new(big.Rat).SetString(text) // the form has been checked
	return amount, nil
}
