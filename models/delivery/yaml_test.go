package delivery

import (
	"bytes"
	"fmt"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

func ebcdicOf(t testing.TB, records int) (*Layout, []byte) {
	layout, err := ParseLayout([]byte(`
format: fixed
encoding: ibm1047
line_end: none
width: 70
fields:
  cvr: {start: 1, length: 8}
  regNumber: {start: 9, length: 4}
  accountNumber: {start: 13, length: 10}
  transferType: {start: 23, length: 10}
  dispositionDate: {start: 33, length: 8, date_format: YYYYMMDD}
  count: {start: 41, length: 10}
  amountDkk: {start: 51, length: 15, decimals: 2, sign: {start: 66, length: 1, negative: D, positive: K}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	for i := range records {
		fmt.Fprintf(&file, "%08d%04d%010d%-10s%s%010d%015d%s%4s", 10_000_000+i, i%10_000, i, "KØB", "20260131", i%500, i, "K", "")
	}
	encoded, err := charmap.CodePage1047.NewEncoder().Bytes(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return layout, encoded
}
