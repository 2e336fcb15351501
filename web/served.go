package web

import "time"

// ServedRow is a request that was let in.
type ServedRow struct {
	At         time.Time
	Path       string // with the parameters after, limit and dispositionDate alone
	Status     int
	Rows       int64  // of the data that was sent
	Address    string // of its caller, as in CallerView
	UserAgent  string // as sent
	CallerPath string // leads to the caller's requests; empty if these are shown
}

// from is who sent the request.
func (r ServedRow) from(f Frame) string {
	return CallerView{Address: r.Address, UserAgent: r.UserAgent}.name(f)
}

// KeyRequestsView is the view of GET /settings/api-keys/{id}/requests?address=&client=&before=.
// With address, the requests are one caller's.
type KeyRequestsView struct {
	Frame
	Key    KeyRow
	Caller *CallerView // whose requests are shown; nil for all callers'
	Rows   []ServedRow // newest first
	Pager  Pager       // Prev leads to the newest, Next to older ones
	Kept   int         // how many are kept of each caller
	Days   int         // for how many days
}
