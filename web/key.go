package web

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"dispo/models/i18n"
)

// KeyView is the view of GET /settings/api-keys/{id}?show=settings|callers|history&by=day|hour,
// a key's own page. Without show, it has the key's state and use. by says what the chart shows;
// without it, the last 30 days.
//
// Forms, which owners and admins see, are sent by POST to the page itself with name and
// note, and below it to networks with networks, one on a line, and shuts_out; expire with expires_on, the last day; pause; resume; dismiss; schedule
// with when=idle and idle_days, or when=date and revoke_on; and unschedule. A rejected form
// answers 422 with KeyForms filled in, and the settings.
type KeyView struct {
	Frame
	Show         string // as in the address; only what it names is filled in
	Key          KeyRow
	Predecessors []KeyRow     // the key that this one replaced, if any
	Successors   []KeyRow     // the keys that were created to replace this one, newest first
	Chart        Chart        // of this key's requests; its Limit is 0
	Callers      []CallerView // of the last 30 days, the latest first
	Served       []ServedRow  // the latest requests that were let in, newest first
	MoreServed   bool         // there are older ones
	Refusals     []Refusal    // the latest, at most 20, newest first
	Log          []AuditRow   // the latest entries
	MoreLog      bool         // there are earlier ones
	TestedAt     time.Time    // when the test command last worked; zero if never
	// UsedFrom are the addresses that used the key in the last 30 days, for the settings.
	// UsedFromOthers says that there are more, which are not listed.
	UsedFrom       []string
	UsedFromOthers bool
	KeyForms
}

// KeyForms are the fields of the forms that were rejected. The others start with what
// the key has.
type KeyForms struct {
	Name, Note Field // one of them has an error if they were submitted
	ExpiresOn  Field
	IdleDays   Field // a number from 1 to 365
	RevokeOn   Field
	// Networks has one on a line. ShutsOut names the addresses that its error says it shuts out;
	// the form sends it so that they can be saved anyway.
	Networks Field
	ShutsOut string
}

// described returns the fields for the name and the note.
func (v KeyView) described() (name, note Field) {
	if v.Name.Error != "" || v.Note.Error != "" {
		return v.Name, v.Note
	}
	return Field{Value: v.Key.Name}, Field{Value: v.Key.Note}
}

func (v KeyView) heading() string {
	switch v.Show {
	case "settings":
		return v.T("Settings of {key}", "key", v.Key.Name)
	case "callers":
		return v.T("Callers of {key}", "key", v.Key.Name)
	case "history":
		return v.T("History of {key}", "key", v.Key.Name)
	}
	return v.Key.Name
}

func (v KeyView) title() string {
	return v.titleWithErrors(v.heading(), v.Name.Error, v.Note.Error, v.ExpiresOn.Error, v.IdleDays.Error,
		v.RevokeOn.Error, v.Networks.Error)
}

// networksShown is how many networks a key's page names.
const networksShown = 5

// networks is the field for what the key may be used from.
func (v KeyView) networks() Field {
	if v.Networks.Error == "" && v.Networks.Value == "" {
		return Field{Value: strings.Join(v.Key.Networks, "\n")}
	}
	return v.Networks
}

// idleDays is the number of days that the form starts with.
func (v KeyView) idleDays() Field {
	if v.IdleDays.Value == "" && v.IdleDays.Error == "" {
		return Field{Value: "35"}
	}
	return v.IdleDays
}

// expiryDay is the field for the key's last day: from today to the present last day.
func expiryDay(v KeyView) templ.Attributes {
	attributes := templ.Attributes{"type": "date", "min": lastDayIn(v.Frame, 0), "required": true}
	if !v.Key.ExpiresAt.IsZero() {
		last, _ := i18n.LastDay(v.local(v.Key.ExpiresAt))
		attributes["max"] = last.Format(time.DateOnly)
	}
	return attributes
}

// KeyStopView is the view of GET /settings/api-keys/{id}/pause and
// /settings/api-keys/{id}/revoke, which ask before a key stops working.
//
// Form: POST to the same path without further fields.
type KeyStopView struct {
	Frame
	Key KeyRow
	// RequestsLastDay counts the requests that were let in in the last 24 hours,
	// approximately, because usage is counted by the hour.
	RequestsLastDay int64
	RefusedLastDay  int64 // that were refused, besides
	// IdleTime is how long the key must be unused before revoking it is safe. Callers are
	// those that used it in the last 30 days, the latest first; if the key has a
	// successor, they say whether they have moved to it.
	IdleTime IdleTime
	Callers  []RotationCaller
	Unknown  bool // IdleTime says too little about Callers
	Safe     bool // nothing seems to work with the key any more
	// LastActive reports whether the organization has no other active key.
	LastActive bool
}

// callersShown is how many callers the pages list.
const callersShown = 5

// CallerView is a client at an address that uses a key.
type CallerView struct {
	Address     string // empty for all other callers, if a key has too many to list
	UserAgent   string // the latest one, as sent; empty if the client sent none
	FirstSeen   time.Time
	LastSeen    time.Time
	LastRefused time.Time // the latest request answered 401; zero if there was none
	Requests    int64     // including refused ones
	Refused     int64     // answered 401, because the key is revoked, expired or paused
}

// other reports whether this is not one caller, but all those that are not listed.
func (c CallerView) other() bool { return c.Address == "" }

// name is the client's name at the start of a sentence or a row.
func (c CallerView) name(f Frame) string {
	switch {
	case c.other():
		return f.T("Other callers")
	case c.UserAgent == "":
		return f.T("An unnamed client")
	}
	return f.Client(c.UserAgent)
}

// ServedRow is a request that was let in.
type ServedRow struct {
	At         time.Time
	Path       string // with the parameters after, limit and dispositionDate alone
	Status     int
	Rows       int64      // of the data that was sent
	Bulk       bool       // all of it at once, not a page
	Address    string     // of its caller, as in CallerView
	UserAgent  string     // as sent
	Company    CompanyRow // the one in the path, with its CVR and name; empty if there is none
	CallerPath string     // leads to the caller's requests; empty if these are shown
}

// from names the client that sent the request.
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

	RowsSent    int64     // of the data that was ever sent to these callers, those of the last 30 days
	First, Last time.Time // when they used the key; zero if they have not
	Download    Download
}
