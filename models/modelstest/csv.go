package modelstest

import (
	"fmt"
	"strings"
	"testing"
)

// DeliveryHeader is the header line of a csv delivery.
const DeliveryHeader = "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"

// Record returns a good line of a csv delivery.
func Record(cvr string) string { return cvr + ",1234,0012345678,CARD,2026-01-31,3,1234.50\n" }

// DeliveryFile writes a csv delivery of these lines, each with its line end, and
// returns its path.
func DeliveryFile(t testing.TB, lines ...string) string {
	t.Helper()
	return File(t, "delivery.csv", DeliveryHeader+strings.Join(lines, ""))
}

// CompaniesCSV returns the text of a companies file with CVRs that count up.
func CompaniesCSV(firstCVR, count int) string {
	var text strings.Builder
	text.WriteString("cvr,name\n")
	for i := range count {
		fmt.Fprintf(&text, "%08d,Company %d\n", firstCVR+i, i)
	}
	return text.String()
}
