package web

import "net/url"

// SearchView is the view of GET /search?q=. What was searched for is in Frame.Search.
//
// Form: the field in the head of every page, GET /search with q.
type SearchView struct {
	Frame
	Problem string // why it was not searched for; empty if it was
	HasKey  bool   // an API key was typed, so it was not searched for

	// The first few of each kind that were found.
	Companies      []CompanyRow
	MoreCompanies  bool
	Day            Ledger // the transactions of the day that was typed; without a path if it is not a day
	Amounts        Ledger // those of the amount that was typed; without a path if it is not an amount
	Keys           []KeyRow
	Deliveries     []DeliveryRow
	MoreDeliveries bool
	Members        []MemberRow
}

func (v SearchView) found() bool {
	return len(v.Companies)+len(v.Day.Rows)+len(v.Day.Withdrawals)+len(v.Amounts.Rows)+len(v.Keys)+len(v.Deliveries)+len(
		v.Members,
	) > 0
}

// in returns a list's address with what was searched for.
func (v SearchView) in(path string) string { return path + "?" + url.Values{"q": {v.Search}}.Encode() }
