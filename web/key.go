package web

import (
	"time"

	"github.com/a-h/templ"
)

// KeyView is the view of GET /settings/api-keys/{id}?by=day|hour, a key's own page. by
// says what the chart shows; without it, the last 30 days.
//
// Forms, which owners and admins see, are sent by POST to the page itself with name and
// note, and below it to expire with expires_on, the last day; pause; resume; schedule with
// when=idle and idle_days, or when=date and revoke_on; and unschedule. A rejected form
// answers 422 with KeyForms filled in.
type KeyView struct {
	Frame
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
	KeyForms
}

// KeyForms are the fields of the forms that were rejected. The others start with what
// the key has.
type KeyForms struct {
	Described  bool // Name and Note were submitted
	Name, Note Field
	ExpiresOn  Field
	When       string
	IdleDays   Field // a number from 1 to 365
	RevokeOn   Field
}

// described returns the fields for the name and the note.
func (v KeyView) described() (name, note Field) {
	if v.Described {
		return v.Name, v.Note
	}
	return Field{Value: v.Key.Name}, Field{Value: v.Key.Note}
}

func (v KeyView) title() string {
	return v.titleWithErrors(v.Key.Name, v.Name.Error, v.Note.Error, v.ExpiresOn.Error, v.IdleDays.Error, v.RevokeOn.Error)
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
		attributes["max"] = lastDate(v.Key.ExpiresAt, v.Zone)
	}
	return attributes
}
