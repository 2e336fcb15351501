package web

import (
	"strings"
	"testing"
	"time"
)

// The steps' states follow from what has happened: a key that is used must be in the
// application, whatever the person clicked, and nothing is safe before that.
func TestRotationSteps(t *testing.T) {
	expired := bookkeeping
	expired.State = KeyExpired
	for name, c := range map[string]struct {
		view  RotationView
		steps string
		news  string
	}{
		"nothing done":                  {RotationView{Old: bookkeeping}, "now later later later", "Step 1"},
		"said updated without a key":    {RotationView{Old: bookkeeping, Step: RotationVerify}, "now later later later", "Step 1"},
		"created":                       {RotationView{Old: bookkeeping, Successor: &successor}, "done now later later", "Step 2"},
		"said updated":                  {RotationView{Old: bookkeeping, Successor: &successor, Step: RotationVerify}, "done done now later", "Step 3"},
		"revoking before the first use": {RotationView{Old: bookkeeping, Successor: &successor, Step: RotationRevoke}, "done done now now", "Step 3"},
		"used before said updated":      {RotationView{Old: bookkeeping, Successor: &successorUsed}, "done done done now", "Step 4 of 4: the new key works"},
		"safe":                          {RotationView{Old: bookkeeping, Successor: &successorUsed, SafeToRevoke: true}, "done done done now", "Step 4 of 4: safe"},
		"old key expired":               {RotationView{Old: expired, Successor: &successorUsed, SafeToRevoke: true}, "done done done now", "Step 4 of 4: safe"},
		"revoked":                       {RotationView{Old: revoked, Successor: &successorUsed}, "done done done done", "All done"},
		"revoked without a successor":   {RotationView{Old: revoked}, "later later later done", "The old key is revoked"},
		"revoked before the first use":  {RotationView{Old: revoked, Successor: &successor}, "done later later done", "The old key is revoked"},
	} {
		t.Run(name, func(t *testing.T) {
			var steps []string
			for n := 1; n <= 4; n++ {
				steps = append(steps, c.view.stepState(n))
			}
			if got := strings.Join(steps, " "); got != c.steps {
				t.Errorf("steps: got %s, want %s", got, c.steps)
			}
			if got := c.view.news(); !strings.HasPrefix(got, c.news) {
				t.Errorf("news: got %q, want prefix %q", got, c.news)
			}
			rendered(t, RotationPage(c.view))
		})
	}
}

// Revoking takes one click if it is safe, and needs confirmation otherwise.
func TestEarlyRevocationNeedsConfirmation(t *testing.T) {
	v := RotationView{Frame: frame(""), Old: bookkeeping, Successor: &successorUsed, SilenceNeeded: 15 * time.Minute}
	for _, c := range []struct {
		name            string
		safe            bool
		step            RotationStep
		button, confirm bool
	}{
		{"unsafe", false, RotationUpdate, false, false},
		{"unsafe, revocation chosen", false, RotationRevoke, true, true},
		{"safe", true, RotationUpdate, true, false},
		{"safe, revocation chosen", true, RotationRevoke, true, false},
	} {
		v.SafeToRevoke, v.Step = c.safe, c.step
		text := rendered(t, RotationSteps(v))
		if button := strings.Contains(text, `value="revoke"`); button != c.button {
			t.Errorf("%s: has the button: %t, want %t", c.name, button, c.button)
		}
		if confirm := strings.Contains(text, `value="early"`); confirm != c.confirm {
			t.Errorf("%s: asks for confirmation: %t, want %t", c.name, confirm, c.confirm)
		}
		if safe := strings.Contains(text, "Safe to revoke"); safe != c.safe {
			t.Errorf("%s: says that it is safe: %t, want %t", c.name, safe, c.safe)
		}
	}
}

// The page polls for changes as long as there can be some, and stays at its step.
func TestRotationPolls(t *testing.T) {
	for want, v := range map[string]RotationView{
		"/settings/api-keys/" + keyID + "/rotate/status":             {Old: bookkeeping, Successor: &successor},
		"/settings/api-keys/" + keyID + "/rotate/status?step=verify": {Old: bookkeeping, Successor: &successor, Step: RotationVerify},
	} {
		if got := v.pollPath(); got != want {
			t.Errorf("polls %q, want %q", got, want)
		}
	}
	for _, v := range []RotationView{{Old: bookkeeping}, {Old: revoked, Successor: &successorUsed}} {
		if got := v.pollPath(); got != "" {
			t.Errorf("polls %q, but nothing can change", got)
		}
	}
}

// The news, which screen readers announce, does not change with the time alone.
func TestRotationNewsDoesNotDependOnTime(t *testing.T) {
	v := RotationView{Frame: frame(""), Old: bookkeeping, Successor: &successorUsed}
	before := v.news()
	v.Now = v.Now.Add(time.Hour)
	if after := v.news(); after != before {
		t.Errorf("%q became %q", before, after)
	}
}
