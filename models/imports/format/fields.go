package format

import "fmt"

// field is one of the fields of a record that a layout has to find.
type field int

const (
	fieldCVR field = iota
	fieldRegNumber
	fieldAccountNumber
	fieldTransferType
	fieldDispositionDate
	fieldCount
	fieldAmount
	fieldTotal // how many there are
)

var fieldNames = [fieldTotal]string{
	"cvr", "regNumber", "accountNumber", "transferType", "dispositionDate", "count", "amountDkk",
}

const (
	cvrDigits        = 8
	regDigits        = 4
	accountDigits    = 10
	transferTypeMost = 100
	countMost        = 1<<53 - 1
)

// isDigits reports whether text consists of least to most ASCII digits.
func isDigits(text []byte, least, most int) bool {
	if len(text) < least || len(text) > most {
		return false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func checkCVR(text []byte) (reason string) {
	if isDigits(text, cvrDigits, cvrDigits) {
		return ""
	}
	return fmt.Sprintf("expected exactly 8 digits, found %s", quoted(text))
}

func checkRegNumber(text []byte) (reason string) {
	if isDigits(text, regDigits, regDigits) {
		return ""
	}
	return "expected exactly 4 digits, found " + described(text)
}

func checkAccountNumber(text []byte) (reason string) {
	if isDigits(text, 1, accountDigits) {
		return ""
	}
	return "expected 1 to 10 digits, found " + described(text)
}

func checkTransferType(text []byte) (reason string) {
	if len(text) == 0 {
		return "must not be empty"
	}
	if len(text) > transferTypeMost && characters(text) > transferTypeMost {
		return fmt.Sprintf("expected at most %d characters, found %s", transferTypeMost, quoted(text))
	}
	return ""
}

// parseCount reads an integer from 0 to countMost.
func parseCount(text []byte) (count int64, reason string) {
	for _, c := range text {
		if c < '0' || c > '9' || count > countMost/10 {
			count = countMost + 1
			break
		}
		count = count*10 + int64(c-'0')
	}
	if len(text) == 0 || count > countMost {
		return 0, fmt.Sprintf("expected an integer from 0 to %d, found %s", int64(countMost), quoted(text))
	}
	return count, ""
}

// withoutZeros takes leading zeros off a number that is filled up to a greater
// width than it can have.
func withoutZeros(text []byte, most int) []byte {
	for len(text) > most && text[0] == '0' {
		text = text[1:]
	}
	return text
}

// described tells of a bank number that it must not show.
func described(text []byte) string {
	switch {
	case len(text) == 0:
		return "nothing"
	case isDigits(text, 1, 1):
		return "1 digit"
	case isDigits(text, 1, len(text)):
		return fmt.Sprintf("%d digits", len(text))
	}
	return fmt.Sprintf("%d characters, not all digits", characters(text))
}
