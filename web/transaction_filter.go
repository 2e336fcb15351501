package web

import (
	"net/url"
	"slices"
)

// TransactionFilter is the form that filters transactions, and its parameters: from, to,
// type, amount and cvr. Empty fields select everything.
type TransactionFilter struct {
	From, To Field // first and last disposition date, YYYY-MM-DD
	Type     Field
	Amount   Field // an amount, or a range: 100..200, 100.. or ..200
	CVR      Field
}

// Valid reports whether all fields are valid.
func (f TransactionFilter) Valid() bool { return f.errors() == "" }

// errors are the errors of all fields.
func (f TransactionFilter) errors() string {
	return f.From.Error + f.To.Error + f.Type.Error + f.Amount.Error + f.CVR.Error
}

// Values returns the fields as parameters of an address.
func (f TransactionFilter) Values() url.Values {
	values := url.Values{}
	for name, field := range map[string]Field{"from": f.From, "to": f.To, "type": f.Type, "amount": f.Amount, "cvr": f.CVR} {
		if field.Value != "" {
			values.Set(name, field.Value)
		}
	}
	return values
}

// Describe says in English words what the filter selects: nothing for everything.
func (f TransactionFilter) Describe() []string {
	return describe("from", f.From.Value, "to", f.To.Value, "type", f.Type.Value, "amount", f.Amount.Value, "CVR",
		f.CVR.Value)
}

// describe takes pairs of a name and a value, and joins those that have a value.
func describe(pairs ...string) (words []string) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			words = append(words, pair[0]+" "+pair[1])
		}
	}
	return words
}
