package i18n_test

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/i18n"
)

// Names sort as in a Danish telephone directory, whatever their case, their accents and
// the way that Unicode composes them. Only aa is two letters. The names of one line are
// equal, and keep their order.
func TestSortKey(t *testing.T) {
	lines := []string{
		`"Kroen" ved Åen`,
		"& Co",
		"3 B",
		"33",
		"4",
		"A & Z",
		"A Z",
		"A-Z",
		"A.Z",
		"aaa|AAA|Aaa",
		"AAAB",
		"Aab",
		"Aalborg|AALBORG",
		"Aarhus",
		"Ab",
		"Abe",
		"AZ",
		"De Blå",
		"Deb",
		"Elan|Élan|e\u0301lan|ÉLAN",
		"Elbow",
		"Kroen",
		"Müller|MU\u0308LLER",
		"Mzller",
		"Strasse|Straße|STRASSE|STRAẞE",
		"Uber",
		"Va",
		"Wa",
		"Y",
		"Über|U\u0308ber",
		"Zebra",
		"zoo",
		"Æble|ÆBLE|Äble|A\u0308ble",
		"Ø",
		"Øst|ÖST|O\u0308st",
		"Å|å|A\u030a|\u212b",
		"Åse|åse|A\u030ase",
		"Москва|МОСКВА",
		"שלום",
		"会社",
	}
	want, got := strings.Split(strings.Join(lines, "|"), "|"), strings.Split(strings.Join(lines, "|"), "|")
	// Equal names are told apart by their place, as companies are by their ids.
	compare := func(a, b string) int { return bytes.Compare(i18n.SortKey(a), i18n.SortKey(b)) }
	place := func(name string) int { return slices.Index(want, name) }
	for range 20 {
		rand.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		slices.SortFunc(got, func(a, b string) int {
			if order := compare(a, b); order != 0 {
				return order
			}
			return place(a) - place(b)
		})
		require.Equal(t, want, got)
	}
	for i, line := range lines {
		names := strings.Split(line, "|")
		for _, name := range names[1:] {
			require.Zero(t, compare(names[0], name), "%s and %s", names[0], name)
		}
		if i > 0 {
			require.Negative(t, compare(strings.Split(lines[i-1], "|")[0], names[0]), "%s and %s", lines[i-1], names[0])
		}
	}
}

// A key of the longest name fits into an index, and still sorts by its beginning.
func TestSortKeyOfLongNames(t *testing.T) {
	for _, letter := range []string{"a", "ø", "会", "ﷺ", "😀"} {
		a, b := i18n.SortKey("A"+strings.Repeat(letter, 1000)), i18n.SortKey("B"+strings.Repeat(letter, 1000))
		require.LessOrEqual(t, len(a), 2000)
		require.Negative(t, bytes.Compare(a, b), letter)
	}
}

// A search ignores case in every language, and how Unicode composes a character, but not
// accents.
func TestFold(t *testing.T) {
	for text, folded := range map[string]string{
		"ÆBLE Øst Å": "æble øst å", "A\u030ARHUS": "århus", "\u212BRHUS": "århus", "Aarhus": "aarhus", "É": "é", "e\u0301": "é", "CAFÉ": "café", "cafe": "cafe", "Ü": "ü", "u\u0308": "ü",
		"ẞ": "ss", "Straße": "strasse", "ΣΑΣ": "σασ", "σας": "σασ", "МОСКВА": "москва", "会社": "会社", "100%_": "100%_", "": "",
	} {
		require.Equal(t, folded, i18n.Fold(text), text)
	}
	for letter := range rune(0x300) { // the same alone and among other scripts
		text := string(letter)
		require.Equal(t, i18n.Fold(text)+"会", i18n.Fold(text+"会"), "%U", letter)
	}
}

// Stored keys must go on comparing with new ones. If golang.org/x/text computes others, a
// migration must compute those of all companies again.
func TestSortKeyStays(t *testing.T) {
	require.Equal(t, "15ef15ef01091906190719080109027301091741188017111711164c17bd010914ed",
		hex.EncodeToString(i18n.SortKey("Aa Æøå & Müller 7")))
}
