package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/imports/format"
)

// identityOf reads a file that must be good.
func identityOf(t *testing.T, layout *format.Layout, text string) format.Identity {
	t.Helper()
	_, identity, err := layout.Identify(strings.NewReader(text), func(*format.Record) error { return nil }, func(bad format.BadLine) error {
		require.Fail(t, "a bad line", "%+v in %q", bad, text)
		return nil
	})
	require.NoError(t, err)
	return identity
}

const identityHeader = "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"

// Two files have the same hash exactly if their records have the same places and
// fields, however the files write them.
func TestRecordsHash(t *testing.T) {
	t.Parallel()
	text := identityHeader + "10000001,1234,1,CARD,2026-01-31,3,1234.50\n10000002,1234,1,KØB,2026-01-31,0,-1.00\n"
	expected := identityOf(t, format.CSV(), text).RecordsSHA256
	for name, same := range map[string]string{
		"CRLF":               strings.ReplaceAll(text, "\n", "\r\n"),
		"byte-order mark":    "\ufeff" + text,
		"semicolons":         strings.ReplaceAll(text, ",", ";"),
		"a blank line after": text + "\n",
		"quotes":             strings.Replace(text, "CARD", `"CARD"`, 1),
		"spaces":             strings.Replace(text, "CARD", " CARD ", 1),
		"amount":             strings.Replace(text, "1234.50", "1234.5", 1),
		"no last line end":   strings.TrimSuffix(text, "\n"),
	} {
		identity := identityOf(t, format.CSV(), same)
		require.Equal(t, expected, identity.RecordsSHA256, name)
		require.Empty(t, identity.Names)
	}
	lines := strings.SplitAfter(text, "\n")
	for name, other := range map[string]string{
		"cvr":           strings.Replace(text, "10000001", "10000003", 1),
		"regNumber":     strings.Replace(text, "1234", "1235", 1),
		"accountNumber": strings.Replace(text, ",1,", ",01,", 1),
		"transferType":  strings.Replace(text, "CARD", "card", 1),
		"date":          strings.Replace(text, "01-31", "01-30", 1),
		"count":         strings.Replace(text, ",3,", ",4,", 1),
		"amount":        strings.Replace(text, ".50", ".51", 1),
		"fewer":         strings.Join(lines[:2], ""),
		"twice":         text + lines[1],
		"order":         lines[0] + lines[2] + lines[1],
		"another place": lines[0] + "\n" + lines[1] + lines[2],
	} {
		require.NotEqual(t, expected, identityOf(t, format.CSV(), other).RecordsSHA256, name)
	}
}

// An OS delivery is identified by the supplier's CVR and the delivery id of its OS1,
// and a file with several of them by the list. A blank id identifies nothing.
func TestOSIdentity(t *testing.T) {
	t.Parallel()
	file := func(ids ...string) (text string) {
		for _, id := range ids {
			text += "OS121" + pad("KORTNET", 14) + pad("1", 9) + pad(id, 20) + "   " + "12345674" + "0" + pad("", 20) + "\n" +
				"OS929    " + "0000000000" + "000000000000" + "000000" + "99999999999999" + "12345674" + pad("", 21) + "\n"
		}
		return text
	}
	require.Equal(t, []string{"supplierCvr=12345674, deliveryId=D 1"}, identityOf(t, format.OS(), file("D 1")).Names)
	require.Equal(t, []string{"supplierCvr=12345674, deliveryId=D1", "supplierCvr=12345674, deliveryId=D2"}, identityOf(t, format.OS(), file("D1", "D2", "D1")).Names)
	require.Empty(t, identityOf(t, format.OS(), file("D1", "")).Names)
}

func pad(text string, width int) string { return text + strings.Repeat(" ", width-len(text)) }

// A layout's identity names fields of lines before the records, of the records
// themselves, or fixed texts.
func TestLayoutIdentity(t *testing.T) {
	t.Parallel()
	layout := func(identity string) *format.Layout {
		parsed, err := format.ParseLayout([]byte("format: delimited\ndelimiter: ';'\ncolumns: 8\nrecords: {prefix: R}\nignore: T\nidentity:\n" + identity + `
fields:
  cvr: {column: 2}
  regNumber: {column: 3}
  accountNumber: {column: 4}
  transferType: {column: 5}
  dispositionDate: {column: 6}
  count: {column: 7}
  amountDkk: {column: 8, decimal_separator: "."}
`))
		require.NoError(t, err)
		return parsed
	}
	const record = "R;10000001;1234;1;CARD;2026-01-31;1;1.00\n"
	header := layout("  network: {value: kortnet}\n  number: {from_line: H, column: 2}\n  date: {from_line: H, column: 3}")
	require.Equal(t, []string{"date=20260131, network=kortnet, number=17"}, identityOf(t, header, "H; 17 ;20260131\n"+record+record).Names)
	require.Equal(t, []string{"date=20260131, network=kortnet, number=17", "date=20260131, network=kortnet, number=18"},
		identityOf(t, header, "H;17;20260131\n"+record+"H;18;20260131\n"+record+"H;17;20260131\n"+record).Names)
	inRecords := layout("  type: {column: 5}")
	require.Equal(t, []string{"type=CARD", "type=CASH"}, identityOf(t, inRecords, record+strings.Replace(record, "CARD", "CASH", 1)+record).Names)

	for text, expected := range map[string]format.BadLine{
		record:                           {Line: 1, Field: "identity.date", Reason: `there is no line starting with "H" before this one`},
		"H; ;20260131\n" + record:        {Line: 2, Field: "identity.number", Reason: "expected 1 to 200 bytes, because it identifies the delivery; found 0"},
		"H;17\n" + record:                {Line: 1, Field: "identity.date", Reason: "expected field 3, but the line has only 2"},
		"H;17;" + pad("x", 201) + "y;\n": {},
	} {
		var bad []format.BadLine
		_, err := header.Read(strings.NewReader(text), func(*format.Record) error { return nil }, func(line format.BadLine) error {
			bad = append(bad, line)
			return nil
		})
		require.NoError(t, err)
		require.NotEmpty(t, bad, text)
		if expected.Line > 0 {
			require.Equal(t, expected, bad[0], text)
		}
	}
}

// A file may hold at most 1000 deliveries, because their identities are kept in
// memory.
func TestManyIdentities(t *testing.T) {
	t.Parallel()
	layout, err := format.ParseLayout([]byte(`
format: delimited
delimiter: ";"
columns: 1
identity: {all: {column: 1}}
fields:
  {cvr: {value: 10000001}, regNumber: {value: 1234}, accountNumber: {value: 1}, transferType: {column: 1},
  dispositionDate: {value: 2026-01-31}, count: {value: 1}, amountDkk: {value: 1.00}}
`))
	require.NoError(t, err)
	text := ""
	for i := range 1001 {
		text += fmt.Sprint("x", i, "\n")
	}
	var bad []format.BadLine
	_, identity, err := layout.Identify(strings.NewReader(text), func(*format.Record) error { return nil }, func(line format.BadLine) error {
		bad = append(bad, line)
		return nil
	})
	require.NoError(t, err)
	require.Len(t, identity.Names, 1000)
	require.Equal(t, []format.BadLine{{Line: 1001, Field: "identity", Reason: "the file holds more than 1000 deliveries; split it"}}, bad)
}
