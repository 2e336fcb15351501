package format

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two files have the same hash exactly if their records have the same places and
// fields, however the files write them.
func TestRecordsHash(t *testing.T) {
	t.Parallel()
	identityOf := func(text string) Identity {
		identity, bad := identify(t, CSV(), text)
		require.Empty(t, bad)
		return identity
	}
	text := csvHead + "10000001,1234,1,CARD,2026-01-31,3,1234.50\n10000002,1234,1,KØB,2026-01-31,0,-1.00\n"
	expected := identityOf(text).RecordsSHA256
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
		identity := identityOf(same)
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
		require.NotEqual(t, expected, identityOf(other).RecordsSHA256, name)
	}
}
