package web

import (
	"time"

	"github.com/a-h/templ"
)

// RotationStep is how far the person says they are. It is the ?step= of the
// page's address.
type RotationStep string

const (
	// RotationUpdate is the default: the person has not said anything yet.
	RotationUpdate RotationStep = ""
	// RotationVerify means "I have updated my application".
	RotationVerify RotationStep = "verify"
	// RotationRevoke means that the person chose to revoke the old key before it is
	// safe. The page asks for confirmation.
	RotationRevoke RotationStep = "revoke"
)

// RotationView is the view of GET and POST /settings/api-keys/{id}/rotate?step=,
// where id is the old key's. GET /settings/api-keys/{id}/rotate/status?step= takes
// the same view without NewKey, and answers the polling script with RotationSteps
// only.
//
// The page derives the state of its four steps from the view:
//
//  1. Create is done when there is a Successor.
//  2. Update is done when Step says so or the successor has been used.
//  3. Verify is done when the successor has been used.
//  4. Revoke is done when Old is revoked.
//
// All forms are sent by POST to /settings/api-keys/{id}/rotate, with an action:
//
//   - action=create with the fields of KeyFields creates the successor. Success
//     answers 200 with RotationPage and NewKey. A rejected form answers 422 with
//     KeyFields filled in. A repeated nonce or an existing successor redirects with
//     303 to the page.
//   - action=recreate with nonce is for people who lost the new key before using
//     it. It revokes the unused successor and creates another one with the same
//     name and expiry. It answers like create.
//   - action=revoke revokes Old and redirects with 303 to the page, which shows that
//     everything is done. If it is not safe, it needs confirm=early; without that it
//     redirects with 303 to the page with ?step=revoke.
type RotationView struct {
	Frame
	Old       KeyRow  // the key to replace
	Successor *KeyRow // the key that replaces it; nil if not created yet
	Step      RotationStep
	// KeyFields are shown until there is a Successor. Name.Value starts as the old
	// key's name. The Nonce is needed until the successor has been used.
	KeyFields
	NewKey  KeyText // the successor's text, in the answer to its creation only
	BaseURL string  // ends in /api; part of the curl example
	// SafeToRevoke reports whether the successor has been used and Old has not been
	// used for SilenceNeeded, or ever.
	SafeToRevoke bool
	// SilenceNeeded is how long Old must be unused before it is safe to revoke, in
	// whole minutes.
	SilenceNeeded time.Duration
	// SafeAt is when revoking becomes safe if Old is not used again. It is zero until
	// the successor has been used, and ignored if SafeToRevoke is true.
	SafeAt time.Time
}

// working reports whether the successor has been used.
func (v RotationView) working() bool {
	return v.Successor != nil && !v.Successor.LastUse.At.IsZero()
}

// stepState returns the state of step n, 1 to 4: done, now or later.
func (v RotationView) stepState(n int) string {
	done := [...]bool{
		v.Successor != nil,
		v.Successor != nil && v.Step != RotationUpdate || v.working(),
		v.working(),
		v.Old.State == KeyRevoked,
	}
	if done[n-1] {
		return "done"
	}
	// Revoking before the new key works opens the last step early.
	if n == 4 && v.Step == RotationRevoke && v.Successor != nil {
		return "now"
	}
	if v.Old.State == KeyRevoked {
		return "later"
	}
	for _, earlier := range done[:n-1] {
		if !earlier {
			return "later"
		}
	}
	return "now"
}

// open reports whether step n is expanded: the current one, or the last one once
// all are done.
func (v RotationView) open(n int) bool {
	return v.stepState(n) == "now" || n == 4 && v.Old.State == KeyRevoked
}

// news describes the progress in one sentence. Screen readers announce it when it
// changes, so it must not depend on the time alone.
func (v RotationView) news() string {
	switch {
	case v.Old.State == KeyRevoked && v.working():
		return "All done: the new key works, and the old one is revoked."
	case v.Old.State == KeyRevoked:
		return "The old key is revoked."
	case v.Successor == nil:
		return "Step 1 of 4: create the new key."
	case v.SafeToRevoke:
		return "Step 4 of 4: safe to revoke the old key."
	case v.working():
		return "Step 4 of 4: the new key works. Wait until the old one has fallen silent."
	case v.Step == RotationUpdate:
		return "Step 2 of 4: put the new key into your application."
	}
	return "Step 3 of 4: waiting for the new key’s first use."
}

// settled reports whether there is nothing left to wait for.
func (v RotationView) settled() bool {
	return v.SafeToRevoke || v.Old.State == KeyRevoked && v.working()
}

// pollPath is the path that the script polls for changes, empty if none can come.
func (v RotationView) pollPath() string {
	if v.Successor == nil || v.Old.State == KeyRevoked {
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
