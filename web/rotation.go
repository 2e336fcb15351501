package web

import (
	"math"
	"time"

	"github.com/a-h/templ"

	"dispo/models/terms"
)

// RotationStep is how far the person says they are. It is the ?step= of the
// page's address.
type RotationStep string

const (
	RotationUpdate RotationStep = ""       // the person has not said anything yet
	RotationVerify RotationStep = "verify" // "I have updated my application", which proves nothing
	RotationRevoke RotationStep = "revoke" // to revoke the old key before it is safe, after a confirmation
)

// RotationView is the view of GET and POST /settings/api-keys/{id}/rotate?step=,
// where id is the old key's. GET /settings/api-keys/{id}/rotate/status?step= takes
// the same view without NewKey, and answers the polling script with RotationSteps
// only.
//
// Its forms are sent by POST to /settings/api-keys/{id}/rotate and below: to the page
// itself with the fields of KeyFields, to create the successor; /recreate with nonce, if
// the new key was lost before it was used; /caller with action (dismiss or restore),
// address and client; and /revoke, with confirm=early if it is not safe. The first two
// answer 200 with RotationPage and NewKey.
type RotationView struct {
	Frame
	Old       KeyRow  // the key to replace
	Successor *KeyRow // the key that replaces it, active or paused; nil if not created yet
	Step      RotationStep
	Steps     [4]string // the state of each step: done, now, later, unseen or skipped
	// KeyFields are shown until there is a Successor. The Nonce is needed until the
	// successor has been used.
	KeyFields
	NewKey   KeyText          // the successor's text, in the answer to its creation only
	BaseURL  string           // ends in /api; part of the curl example
	TestedAt time.Time        // when the page's test command last worked; zero if it has not
	Callers  []RotationCaller // of Old in the last 30 days, the latest first; none without a successor
	Pending  int64            // how many of them have neither moved nor been dismissed
	IdleTime IdleTime         // of Old
	Updated  bool             // step 2 is done: the successor is in use, or nothing needs it
	Ready    bool             // steps 1 to 3 are done; Old may not have been unused for long enough
	// SafeToRevoke reports whether it is Ready and Old has been unused for IdleTime, has never
	// been used, or has expired.
	SafeToRevoke bool
}

// RotationCaller is a caller of the old key.
type RotationCaller struct {
	CallerView
	Client     string    // its name without versions; with Address it is sent by the forms
	NewKeyUsed time.Time // its latest use of the new key; zero if there was none
	Moved      bool      // whether it has used the new key, and not the old one after that
	Dismissed  bool      // whether somebody said that it need not move
	Returned   bool      // whether it was dismissed, but has called since
}

// refused reports whether the caller's latest request with the old key was refused.
func (c RotationCaller) refused() bool {
	return !c.LastRefused.IsZero() && !c.LastRefused.Before(c.LastSeen)
}

// IdleTime is how long a key must be unused before it is safe to revoke, and why.
type IdleTime struct {
	Needed time.Duration
	Until  time.Time // when the idle time is long enough if the key is not used again; zero if it was never used
	// From and To are the key's longest pause in the last 90 days. They are zero if
	// there were fewer than three pauses.
	From, To time.Time
	// InUseSince is the first hour of the key's use; zero if it was never used.
	InUseSince time.Time
}

func (s IdleTime) needed(f Frame) string { return idleText(f, s.Needed) }

// days is how many whole days the key has to be unused.
func (s IdleTime) days() int { return int(math.Ceil(max(s.Needed, 24*time.Hour).Hours() / 24)) }

// short reports whether the key has not been in use for as long as it would have to be
// unused.
func (s IdleTime) short(now time.Time) bool { return s.InUseSince.After(now.Add(-s.Needed)) }

// over reports whether the key has been unused for long enough.
func (s IdleTime) over(now time.Time) bool { return !s.Until.After(now) }

// elapsed is how long the key has been unused, in whole minutes.
func (s IdleTime) elapsed(now time.Time) time.Duration {
	return max(0, now.Sub(s.Until)+s.Needed).Truncate(time.Minute)
}

func (s IdleTime) unused(f Frame) string {
	if elapsed := s.elapsed(f.Now); elapsed >= time.Hour {
		return idleText(f, elapsed)
	}
	return f.N(int64(s.elapsed(f.Now)/time.Minute), "{n} minute", "{n} minutes")
}

// share is the part of the wait that is over, as a width.
func (s IdleTime) share(now time.Time) string {
	return Use{Used: int64(s.elapsed(now)), Limit: int64(s.Needed)}.share()
}

func (s IdleTime) pause(f Frame) string { return idleText(f, s.To.Sub(s.From)) }

// idleText formats d in hours up to two days, and in days from there on. Months would
// be too rough to compare.
func idleText(f Frame, d time.Duration) string {
	if d < 48*time.Hour {
		return f.N(int64(d/time.Hour), "{n} hour", "{n} hours")
	}
	return f.N(int64(d/(24*time.Hour)), "{n} day", "{n} days")
}

// used reports whether the successor has been used.
func (v RotationView) used() bool {
	return v.Successor != nil && !v.Successor.LastUse.At.IsZero()
}

// newPaused reports whether the successor is paused.
func (v RotationView) newPaused() bool {
	return v.Successor != nil && v.Successor.State == terms.KeyPaused
}

// working reports whether the successor has been used, and still works.
func (v RotationView) working() bool { return v.used() && !v.newPaused() }

// tested reports whether the page's test command has worked, and nothing else yet.
func (v RotationView) tested() bool { return !v.TestedAt.IsZero() && !v.used() }

// scheduled reports whether nothing is left to do, because Dispo will revoke the old key.
func (v RotationView) scheduled() bool {
	return v.Ready && !v.SafeToRevoke && !v.Old.RevokesAt.IsZero()
}

// ends reports whether the old key stops working by itself.
func (v RotationView) ends() bool {
	return !v.Old.Ended() && (!v.Old.RevokesAt.IsZero() || v.Old.ExpiresSoon)
}

// stepWord is the state of step n for people.
func (v RotationView) stepWord(n int) string {
	switch v.Steps[n-1] {
	case "done":
		return v.T("Done")
	case "now":
		if n == 4 && v.scheduled() || n == 3 && v.Steps[1] == "now" {
			return v.T("Waiting")
		}
		return v.T("Now")
	case "skipped":
		return v.T("Skipped")
	case "unseen":
		return v.T("Not confirmed")
	}
	return v.T("Later")
}

// open reports whether step n is expanded: the current one, or the last one once
// all are done.
func (v RotationView) open(n int) bool {
	return v.Steps[n-1] == "now" || n == 4 && v.Old.State == terms.KeyRevoked
}

// news describes the progress in one sentence. Screen readers announce it when it
// changes, so it must not depend on the time alone.
func (v RotationView) news() string {
	revoked := v.Old.State == terms.KeyRevoked
	switch {
	case revoked && v.Ready:
		return v.T("All done: the new key works, and the old one is revoked.")
	case revoked && v.used() && v.Pending > 0:
		return v.N(v.Pending, "The old key is revoked, but {n} caller may still need it.",
			"The old key is revoked, but {n} callers may still need it.")
	case revoked:
		return v.T("The old key is revoked.")
	case v.Successor == nil:
		return v.T("Step 1 of 4: create the new key.")
	case v.newPaused():
		return v.T("Step {step} of 4: the new key is paused. It has to be resumed.", "step", v.waitsAt())
	case v.SafeToRevoke:
		return v.T("Step 4 of 4: safe to revoke the old key.")
	case v.scheduled():
		return v.T("Nothing more to do: Dispo will revoke the old key.")
	case v.Ready:
		return v.T("Step 4 of 4: the new key works. Wait until the old one has been unused for long enough.")
	case v.working():
		return v.N(v.Pending, "Step 3 of 4: the new key works, but {n} caller may still need the old one.",
			"Step 3 of 4: the new key works, but {n} callers may still need the old one.")
	case v.tested():
		return v.T("Your test worked. {news}", "news", v.waitingFor())
	}
	return v.waitingFor()
}

// waitsAt is the step before the one in which the old key can be revoked.
func (v RotationView) waitsAt() int {
	if v.Updated || v.Step == RotationVerify {
		return 3
	}
	return 2
}

// waitingFor describes the step before the new key's first use.
func (v RotationView) waitingFor() string {
	if v.waitsAt() == 3 {
		return v.T("Step 3 of 4: waiting for the new key’s first use.")
	}
	return v.T("Step 2 of 4: put the new key into your application.")
}

// settled reports whether there is nothing left to wait for.
func (v RotationView) settled() bool {
	return v.SafeToRevoke || v.Old.State == terms.KeyRevoked && v.Ready
}

// pollPath is the path that the script polls for changes, empty if none can come.
func (v RotationView) pollPath() string {
	if v.Successor == nil || v.Old.State == terms.KeyRevoked && v.Ready {
		return ""
	}
	return v.Old.path("rotate/status") + v.Step.query()
}

// path is the page's path at a step.
func (v RotationView) path(step RotationStep) string { return v.Old.path("rotate") + step.query() }

func (s RotationStep) query() string {
	if s == RotationUpdate {
		return ""
	}
	return "?step=" + string(s)
}

// keepKey marks the step that shows the new key, so that polling does not replace
// it.
func (v RotationView) keepKey(n int) templ.Attributes {
	if n == 2 && v.NewKey != "" {
		return templ.Attributes{"data-once": true}
	}
	return nil
}
