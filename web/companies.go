package web

import (
	"net/url"
	"time"

	"github.com/a-h/templ"
)

// openEnded is the end date of a registration without an end.
const openEnded = "9999-12-31"

// CompaniesView is the view of GET /companies?q=&status=&sort=&after=&before=. All
// parameters are optional.
//
// Form: GET /companies with q (a CVR, its first digits, or part of a name), status (a
// one of terms.Statuses, or empty for any) and sort.
type CompaniesView struct {
	Frame
	Query    string // q as submitted
	Status   string // selected status; empty for any
	Sort     string // name or cvr, after a minus if it descends; empty for the order of arrival
	Unsorted bool   // too many match to sort them
	Rows     []CompanyRow
	Total    int64 // all companies of the organization
	Found    int64 // companies that the search finds
	More     bool  // it may find more than Found
	Pager    Pager // its paths keep q, status and sort

	Download Download // keeps q, status and sort
}

// count says how many companies the page lists, on this and its neighbouring pages. It is
// empty if that is not known.
func (v CompaniesView) count() string {
	switch {
	case !v.searching():
		return v.N(v.Total, "{n} company", "{n} companies")
	case v.More && v.Found > 0:
		return v.N(v.Found, "At least {n} company", "At least {n} companies")
	case v.Found > 0:
		return v.N(v.Found, "{n} company", "{n} companies")
	}
	return ""
}

func (v CompaniesView) searching() bool { return v.Query != "" || v.Status != "" }

// sortBy is the heading of a column that the list can be sorted by. It links to the order
// that ascends, or from there to the one that descends.
func (v CompaniesView) sortBy(sort, label string) templ.Component {
	direction, next := "", sort
	switch {
	case v.Unsorted:
	case v.Sort == sort:
		direction, next = "ascending", "-"+sort
	case v.Sort == "-"+sort:
		direction = "descending"
	}
	query := url.Values{"sort": {next}}
	if v.Query != "" {
		query.Set("q", v.Query)
	}
	if v.Status != "" {
		query.Set("status", v.Status)
	}
	return sortHeading(label, "/companies?"+query.Encode(), direction, "")
}

// CompanyRow is a company in a list.
type CompanyRow struct {
	CVR       string // 8 digits
	Name      string
	Status    string
	StartDate string // YYYY-MM-DD
	EndDate   string // YYYY-MM-DD; 9999-12-31 if open-ended

	Transactions int64
}

// CompanyView is the view of GET /companies/{cvr}, with the parameters of a Ledger. A
// field that is null in the API is empty here.
type CompanyView struct {
	Frame
	CompanyRow
	Address               string // one line
	SenderRegNumber       string // the sender's bank registration number
	SenderAccountNumber   string
	ReceiverRegNumber     string // the receiver's bank registration number
	ReceiverAccountNumber string
	DefaultAmountDKK      string // decimal text with two decimals
	CreatedAt             time.Time
	UpdatedAt             time.Time
	Bars                  DayBars // its link is the company's own page
	Ledger                Ledger
}

// TransactionRow is a transaction in a list.
type TransactionRow struct {
	CVR             string // of the company
	CompanyName     string
	DispositionDate string // YYYY-MM-DD
	TransferType    string // as in the delivery file
	RegNumber       string // bank registration number
	AccountNumber   string
	Count           int64
	AmountDKK       string // decimal text as in the API: -1234.50
	Filename        string // of the delivery file
	DeliveryFileID  string
	RecordIndex     int64     // position of the record in that file, from 0
	RawLine         string    // the record as delivered
	ProcessedAt     time.Time // when the file's import completed; zero if unknown
}

// SearchView is the view of GET /search?q=. What was searched for is in Frame.Search.
//
// Form: the field in the head of every page, GET /search with q.
type SearchView struct {
	Frame
	Problem string // why it was not searched for; empty if it was
	HasKey  bool   // an API key was typed, so it was not searched for
	KeyID   string // that key, if it is the organization's

	// The first few of each kind that were found.
	Companies      []CompanyRow
	MoreCompanies  bool
	Day            Ledger // the transactions of the day that was typed; without a path if it is not a day
	Amounts        Ledger // those of the amount that was typed; without a path if it is not an amount
	Account        Ledger // those of the account that was typed; without a path if there are none
	Keys           []KeyRow
	Deliveries     []DeliveryRow
	MoreDeliveries bool
	Members        []MemberRow
}

func (v SearchView) found() bool {
	transactions := len(v.Day.Rows) + len(v.Day.Withdrawals) + len(v.Amounts.Rows) + len(v.Account.Rows)
	return len(v.Companies)+transactions+len(v.Keys)+len(v.Deliveries)+len(v.Members) > 0
}

// in returns a list's address with what was searched for.
func (v SearchView) in(path string) string { return path + "?" + url.Values{"q": {v.Search}}.Encode() }

// revokePath leads to revoking the key that was typed, or to all keys.
func (v SearchView) revokePath() string {
	if v.KeyID == "" {
		return "/settings/api-keys"
	}
	return keyPath(v.KeyID) + "/revoke"
}
