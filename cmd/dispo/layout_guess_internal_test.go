package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"dispo/models/imports/format"
)

var openKey = regexp.MustCompile(`(?m)^( *\w+: )# choose: (.*)$`)

// Whatever choice is taken of what a guess leaves open, the layout is accepted and reads every
// record of a file whose lines are all written alike.
func TestGuessesAreAccepted(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	one := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	encodings := []encoding.Encoding{
		encoding.Nop, encoding.Nop, charmap.Windows1252, charmap.ISO8859_1, charmap.CodePage865, charmap.Macintosh,
	}
	taken := 0
	for range 40 {
		delimiter := one(";", ";", ",", "\t", "|")
		names := []string{
			one("CVR", "CVR-nr.", "Kunde"), one("Reg.nr.", "Konto"), one("Kontonr.", "Konto", "Løbenr."),
			one("Type", "Korttype", "Kørsel"), one("Dato", "Date", "Tidspunkt"), one("Antal", "Mængde"),
			one("Beløb", "Amount", "Sum"), one("Tekst", "Beløb", "Antal"),
		}
		point, date := one(",", "."), one("%02d-%02d-2026", "2026-%02d-%02d", "%d. maj 26 %d", "2026%02d%02d", "%02d.%02d.26")
		spelling := one("%s%s", "%s%s", "EUR %s%s", "%s{", "%s.234", "%s.230", "(%s%s)", "%s%s-", "kr. %s%s", "%s")
		account := one("0012345678", "42")
		lines := []string{strings.Join(names, delimiter)}
		for range 1 + random.IntN(5) {
			amount := strings.ReplaceAll(spelling, "%s%s", "%s"+point+"50")
			lines = append(lines, strings.Join([]string{
				"10150817", one("1234", "4180"), account, one("Visa", "Købekort", "Mæng–de ¢"),
				fmt.Sprintf(date, 1+random.IntN(12), 1+random.IntN(12)), one("1", "118"),
				`"` + fmt.Sprintf(amount, one("1", "12", "123")) + `"`, one("a", "b", "–"),
			}, delimiter))
		}
		text, err := encodings[random.IntN(len(encodings))].NewEncoder().String(strings.Join(lines, "\n") + "\n")
		if err != nil {
			continue
		}
		path := filepath.Join(t.TempDir(), "a.csv")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		var out bytes.Buffer
		e := &environment{ctx: t.Context(), streams: streams{out: &output{to: &out}}}
		if err := (&layoutGuessCommand{File: path}).Run(e); err != nil || strings.Contains(out.String(), "# no known form") {
			continue
		}
		for range 4 {
			layout := openKey.ReplaceAllStringFunc(out.String(), func(line string) string {
				found := openKey.FindStringSubmatch(line)
				return found[1] + one(strings.Split(found[2], " or ")...)
			})
			parsed, err := format.ParseLayout([]byte(layout))
			require.NoError(t, err, "%s\n%s", text, layout)
			summary, err := parsed.Read(strings.NewReader(text), func(*format.Record) error { return nil },
				func(line format.BadLine) error { return fmt.Errorf("%s", line) })
			require.NoError(t, err, "%q\n%s\n%s", text, layout, out.String())
			require.EqualValues(t, len(lines)-1, summary.Records, "%s\n%s", text, layout)
			taken++
		}
	}
	require.Greater(t, taken, 20)
	t.Log(taken, "layouts")
}
