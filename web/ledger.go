package web

import (
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"
)

// Ledger is a filtered list of transactions, the newest first.
//
// Form: GET Path with from, to, type, amount and cvr (see TransactionFilter). A company's
// own list has no cvr.
type Ledger struct {
	Path        string // of the page
	Filter      TransactionFilter
	Types       []string // transfer types to choose from
	OneCompany  bool     // all rows are of the page's company
	OneDelivery bool     // all rows are of the page's delivery
	Linked      bool     // each row links to itself in the list at Path
	Rows        []TransactionRow
	From, To    int64  // positions of the first and the last row; 0 if unknown
	Count       int64  // of all transactions that fit
	More        bool   // more than Count fit
	Since       string // the first day that was searched for the amount, YYYY-MM-DD; empty if all were
	Amount      string // sum of all that fit, decimal; empty if unknown
	Shown       string // sum of Rows, decimal
	Earlier     string // searches the days before Since
	// FromInstead is the range that may have been meant by the filter's negative amount, such as 200..;
	// empty without one.
	FromInstead string

	Withdrawals      []Withdrawal // the latest that had records of the days shown
	OtherWithdrawals []Withdrawal // the others of the filter's days

	// Path and query of the list's other pages; empty where the list ends.
	Newest, Newer, Older, Oldest string
}

// filtered reports whether the filter selects anything.
func (l Ledger) filtered() bool { return len(l.Filter.Values()) > 0 }

// download is a file with all transactions that fit.
func (l Ledger) download() Download {
	values := l.Filter.Values()
	if l.Since != "" { // what is shown begins there
		values.Set("from", l.Since)
	}
	return Download{Path: l.Path + "/export", Query: values.Encode(), Accounts: true}
}

// types are the transfer types to choose from, with the chosen one.
func (l Ledger) types() []string {
	chosen := l.Filter.Type.Value
	if chosen == "" || slices.Contains(l.Types, chosen) {
		return l.Types
	}
	return append([]string{chosen}, l.Types...)
}

// fromInstead leads to the list with the range that may have been meant.
func (l Ledger) fromInstead() string {
	values := l.Filter.Values()
	values.Set("amount", l.FromInstead)
	return l.Path + "?" + values.Encode()
}

// position says where the rows are in the list.
func (l Ledger) position(f Frame) string {
	known := l.From != 0 && (l.Count != 1 || l.More)
	switch {
	case known && l.More:
		return f.T("{from}–{to} of more than {n} transactions", "from", l.From, "to", l.To, "n", l.Count)
	case known:
		return f.N(l.Count, "{from}–{to} of {n} transaction", "{from}–{to} of {n} transactions", "from", l.From, "to", l.To)
	case l.More:
		return f.T("More than {n} transactions", "n", l.Count)
	}
	return f.N(l.Count, "{n} transaction", "{n} transactions")
}

// TransactionsView is the view of GET /transactions?from=&to=&type=&amount=&cvr=&older=&newer=&at=.
// All parameters are optional.
type TransactionsView struct {
	Frame
	Ledger Ledger
}

// dateType is the type of a day's field. A browser would drop what is not a day.
func dateType(f Field) string {
	if f.Error != "" {
		return "text"
	}
	return "date"
}

// only is the list with this row alone, and those that share its day, company and amount.
func (l Ledger) only(t TransactionRow) string {
	return l.Path + "?" + url.Values{
		"from":   {t.DispositionDate},
		"to":     {t.DispositionDate},
		"cvr":    {t.CVR},
		"amount": {t.AmountDKK},
	}.Encode()
}

func (l Ledger) headings(f Frame) []templ.Component {
	headings := []templ.Component{heading(f.T("Disposition date")), amountHeading(f.T("Amount, DKK"))}
	if !l.OneCompany {
		headings = append(headings, heading(f.T("Company")))
	}
	return append(headings, amountHeading(f.T("Count")), heading(f.T("Type")), heading(f.T("Account")),
		heading(l.source(f)))
}

func (l Ledger) source(f Frame) string {
	if l.OneDelivery {
		return f.T("Line as delivered")
	}
	return f.T("Delivery file")
}

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

// period is a range of days that people look for often.
type period struct {
	label    string
	from, to string // first and last day, YYYY-MM-DD
}

// periods are the months and quarters around the reader's day, and the year.
func periods(f Frame) []period {
	today := f.local(f.Now)
	month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	quarter := month.AddDate(0, -int(month.Month()-1)%3, 0)
	of := func(label string, from time.Time, months int) period {
		return period{label, from.Format(time.DateOnly), from.AddDate(0, months, -1).Format(time.DateOnly)}
	}
	return []period{of(f.T("This month"), month, 1), of(f.T("Last month"), month.AddDate(0, -1, 0), 1),
		of(f.T("This quarter"), quarter, 3), of(f.T("Last quarter"), quarter.AddDate(0, -3, 0), 3),
		of(f.T("This year"), time.Date(today.Year(), 1, 1, 0, 0, 0, 0, time.UTC), 12)}
}

// inPeriod is the address of the list in a period, with the rest of the filter.
func (l Ledger) inPeriod(p period) string {
	values := l.Filter.Values()
	values.Set("from", p.from)
	values.Set("to", p.to)
	return l.Path + "?" + values.Encode()
}

// shows reports whether the list's range of days is the period.
func (l Ledger) shows(p period) bool {
	return l.Filter.From.Value == p.from && l.Filter.To.Value == p.to
}
