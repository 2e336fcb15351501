package web

import (
	"cmp"
	"time"

	"dispo/models/terms"
)

// LastUse is the latest use of a key.
type LastUse struct {
	At        time.Time // zero if the key has never been used
	Address   string    // the client's IP address
	UserAgent string    // as sent; empty if the client sent none
}

// KeyRow describes a key. It never holds the secret, or anything that helps to
// guess it.
type KeyRow struct {
	ID        string
	Name      string
	Hint      string // the key's last four characters, shown as dispo_…1a2B
	State     terms.KeyState
	CreatedBy string // e-mail; empty for the operator
	CreatedAt time.Time
	ExpiresAt time.Time // zero if it never expires
	// ExpiresSoon reports whether the key is active and about to expire.
	ExpiresSoon bool
	RevokedAt   time.Time // zero if it is not revoked
	PausedAt    time.Time // zero if it is not paused
	// RevokesAt is when the schedule revokes the key; zero without a schedule. If IdleDays is
	// not 0, it does so only if the key stays unused for so many days.
	RevokesAt time.Time
	IdleDays  int
	Note      string    // may have several lines
	LeakedAt  time.Time // zero if it was not reported as leaked
	Networks  []string  // that the key may be used from; none for anywhere
	// Days are the key's requests of each of the last 30 local days, today's last. Only
	// the list of keys has them. Lists of keys have the two below.
	Days       []int64
	Replaces   KeyRef // the key that this one was created to replace
	ReplacedBy KeyRef // the newest key that was created to replace this one
	// Rotation is the id of the old key of the rotation that this key takes part in, as the
	// old key or the new one. It is empty if there is no such rotation.
	Rotation string
	LastUse  LastUse
	// Calling are those that still call the key though it has expired, the latest first. Lists
	// of keys and a key's page have them.
	Calling []CallerView
	// SuccessorID is the newest key that was created by rotating this one and is neither
	// revoked nor expired, a paused one only if there is no other; empty if there is none.
	// While this key is active, a successor means that the rotation is in progress.
	SuccessorID string
}

// KeyRef names a key; the zero KeyRef names none.
type KeyRef struct {
	ID   string
	Hint string // the key's last four characters
}

// rotatePath is where the key is rotated, or the rotation under way that it belongs to.
func (k KeyRow) rotatePath() string { return keyPath(cmp.Or(k.Rotation, k.ID)) + "/rotate" }

// shown is the path of a part of the key's page.
func (k KeyRow) shown(part string) string { return keyPath(k.ID) + "?show=" + part }

func (k KeyRow) path(action string) string { return keyPath(k.ID) + "/" + action }

// keyPath is the path of a key's page.
func keyPath(id string) string { return "/settings/api-keys/" + id }

// Ended reports whether the key will never be accepted again.
func (k KeyRow) Ended() bool { return k.State == terms.KeyExpired || k.State == terms.KeyRevoked }

// Folded reports whether the list folds the key away: it has ended, and nothing is to be done
// about it.
func (k KeyRow) Folded() bool { return k.Ended() && len(k.Calling) == 0 }

// KeyText is a complete key. Package fmt and loggers print a placeholder instead.
type KeyText string

// String returns a placeholder, to keep the key out of logs and messages.
func (KeyText) String() string { return "[key]" }

// GoString returns a placeholder, to keep the key out of logs and messages.
func (KeyText) GoString() string { return "[key]" }

// testCommand tries a key in a terminal. Its client name keeps the request out of the
// key's uses, because it does not show that an application has the key. See TestClient
// in models/keys.
func testCommand(text KeyText, baseURL string) string {
	return "curl -A 'dispo-test' -H 'X-API-Key: " + string(text) + "' '" + baseURL + "/v1/companies?limit=1'"
}

// KeysView is the view of GET /settings/api-keys?q=&unused=90&sort=&from=. All parameters are
// optional; from is the place in the list at which the page begins.
//
// Form: GET /settings/api-keys with q, unused and sort, to search.
type KeysView struct {
	Frame
	// Keys are at most 100 of those that match, in the order of Sort. Those that have expired and
	// are still called come first, and the other expired ones and the revoked ones last. The page
	// lists the last separately.
	Keys   []KeyRow
	Found  int // how many match, on all pages
	Ended  int // how many of these are folded away
	Pager  Pager
	Query  string // q, a part of a name, a note or a hint; empty means any
	Unused bool   // only keys that are older than 90 days and were not used for as long
	Sort   string // name, created, used, expires or requests; empty means created
}

// splitKeys separates active, paused and still called keys from the others.
func splitKeys(keys []KeyRow) (active, ended []KeyRow) {
	for _, k := range keys {
		if k.Folded() {
			ended = append(ended, k)
		} else {
			active = append(active, k)
		}
	}
	return active, ended
}

// KeyFields are the form fields for creating a key.
type KeyFields struct {
	Name Field // name, 1 to 100 characters
	// Expires is expires: never, 30, 90, 365 (days) or date. Empty means 90.
	Expires Field
	// ExpiresOn is expires_on, YYYY-MM-DD, the key's last day in the organization's time
	// zone. It counts only if Expires is date.
	ExpiresOn Field
	// Networks is networks, that the key may be used from, one on a line. A rotation has no such
	// field, because it takes them over.
	Networks Field
	// Nonce is a hidden field. It works once, so that reloading the answer does not create
	// a second key.
	Nonce string
}

// Valid reports whether no field was rejected.
func (k KeyFields) Valid() bool {
	return k.Name.Error == "" && k.Expires.Error == "" && k.ExpiresOn.Error == "" && k.Networks.Error == ""
}

// expires returns the selected choice; anything unknown counts as 90 days.
func (k KeyFields) expires() string {
	switch k.Expires.Value {
	case "30", "365", "date", "never":
		return k.Expires.Value
	}
	return "90"
}

// lastDayIn is the last day of a key that works for some days after today.
func lastDayIn(f Frame, days int) string {
	return inZone(f.Now, f.Zone).AddDate(0, 0, days).Format(time.DateOnly)
}

// KeyNewView is the view of GET and POST /settings/api-keys/new.
//
// Form: POST to that path with KeyFields. Success answers 200 with KeyCreatedPage, because
// the key is shown once.
type KeyNewView struct {
	Frame
	KeyFields
}

// KeyCreatedView is the view of the answer to the form of KeyNewView. Only
// KeyCreatedView.Text and RotationView.NewKey hold a key.
type KeyCreatedView struct {
	Frame
	Key KeyRow
	// Text is the key itself. It is empty if the form was sent again, and for GET
	// /settings/api-keys/new?shown= with the key's id, which the script gives the page in the
	// browser's history. The page then says that the key has already been shown.
	Text    KeyText
	BaseURL string // ends in /api; part of the curl example
}
