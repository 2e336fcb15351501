package web

import (
	"strconv"

	"github.com/a-h/templ"
)

// working tells that the successor has been used.
func (v RotationView) working() bool {
	return v.Successor != nil && !v.Successor.LastUse.At.IsZero()
}

// stepState tells how far one of the four steps is: done, now or later.
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
	// Whoever wants to revoke before the new key works is at the last step, too.
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

// open tells whether a step is unfolded: the one to do now, and the last when all
// is done.
func (v RotationView) open(n int) bool {
	return v.stepState(n) == "now" || n == 4 && v.Old.State == KeyRevoked
}

// news says in a sentence how far it all is. Script and screen readers take it up
// when it changes, so nothing in it changes by the clock alone.
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

// calm tells that nothing is to be waited for any more.
func (v RotationView) calm() bool {
	return v.SafeToRevoke || v.Old.State == KeyRevoked && v.working()
}

// poll is where the script looks for changes; empty: none are to come.
func (v RotationView) poll() string {
	if v.Successor == nil || v.Old.State == KeyRevoked {
		return ""
	}
	return v.Old.path("rotate/status") + v.query(v.Step)
}

func (v RotationView) at(step RotationStep) string { return v.Old.path("rotate") + v.query(step) }

func (RotationView) query(step RotationStep) string {
	if step == RotationUpdate {
		return ""
	}
	return "?step=" + string(step)
}

// onceOnly marks the step that shows the new key: polling must not take it away.
func onceOnly(v RotationView, n int) templ.Attributes {
	if n == 2 && v.NewKey != "" {
		return templ.Attributes{"data-once": true}
	}
	return nil
}

func digit(n int) string { return strconv.Itoa(n) }

// named is a user agent in full.
func named(userAgent string) string {
	if userAgent == "" {
		return client(userAgent)
	}
	return userAgent
}

func currentStep(state string) string {
	if state == "now" {
		return "step"
	}
	return "false"
}
