package i18n

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// Fold returns a text as searches compare it: byte by byte, whatever its case, and however
// Unicode composes its characters. Accents count.
func Fold(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r > 'ÿ' || r == 'ß' || r == 'µ' }) {
		return strings.ToLower(text) // the same, but faster, which imports of companies need
	}
	return cases.Fold().String(norm.NFC.String(text))
}

// sortKeyMost keeps a key within what an index of PostgreSQL's can hold.
const sortKeyMost = 2000

// sorter is not safe for concurrent use.
type sorter struct {
	collator *collate.Collator
	buffer   collate.Buffer
}

var sorters = sync.Pool{New: func() any {
	return &sorter{collator: collate.New(language.Danish, collate.IgnoreCase, collate.IgnoreDiacritics)}
}}

// SortKey returns the bytes by which names are ordered, in Danish: Æ, Ø and Å come after
// Z, while Aa is two letters. Case and accents do not count. Of a name of a thousand
// characters, the first ones count.
func SortKey(name string) []byte {
	s := sorters.Get().(*sorter)
	defer sorters.Put(s)
	s.buffer.Reset()
	name = Fold(name)
	// U+034F does not count, but keeps Danish rules from reading Å. The second pass is for
	// three in a row.
	for range 2 {
		name = strings.ReplaceAll(name, "aa", "a\u034fa")
	}
	key := s.collator.KeyFromString(&s.buffer, name)
	return bytes.Clone(key[:min(len(key), sortKeyMost)])
}

// SortNames puts items in order of their names' sort keys. Equal ones keep their order.
func SortNames[T any](items []T, name func(T) string) {
	keys := map[string][]byte{}
	for _, item := range items {
		keys[name(item)] = SortKey(name(item))
	}
	slices.SortStableFunc(items, func(a, b T) int { return bytes.Compare(keys[name(a)], keys[name(b)]) })
}
