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
func Fold(text string) string { return cases.Fold().String(norm.NFC.String(text)) }

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
	key := s.collator.KeyFromString(&s.buffer, separateAs(Fold(name)))
	return bytes.Clone(key[:min(len(key), sortKeyMost)])
}

// SortNames puts items in order of their names' sort keys. Equal ones keep their order.
func SortNames[T any](items []T, name func(T) string) {
	type keyed struct {
		item T
		key  []byte
	}
	sorted := make([]keyed, len(items))
	for i, item := range items {
		sorted[i] = keyed{item, SortKey(name(item))}
	}
	slices.SortStableFunc(sorted, func(a, b keyed) int { return bytes.Compare(a.key, b.key) })
	for i := range sorted {
		items[i] = sorted[i].item
	}
}

// separateAs puts a character that does not count, U+034F, between two that Danish rules
// would read as Å. The second pass is for three in a row.
func separateAs(folded string) string {
	for range 2 {
		folded = strings.ReplaceAll(folded, "aa", "a\u034fa")
	}
	return folded
}
