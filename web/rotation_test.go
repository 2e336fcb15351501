package web

import (
	"strings"
	"testing"
	"time"
)

// The four steps follow from what has happened, not from what was clicked: a key
// that is used is in the application, and nothing is safe before it is used.
func TestRotationSteps(t *testing.T) {
	expired := bookkeeping
	expired.State = KeyExpired
	for name, c := range map[string]struct {
		view  RotationView
		steps string
		news  string
	}{
		"nothing done":             {RotationView{Old: bookkeeping}, "now later later later", "Step 1"},
		"said without a key":       {RotationView{Old: bookkeeping, Step: RotationVerify}, "now later later later", "Step 1"},
		"created":                  {RotationView{Old: bookkeeping, Successor: &successor}, "done now later later", "Step 2"},
		"said to be updated":       {RotationView{Old: bookkeeping, Successor: &successor, Step: RotationVerify}, "done done now later", "Step 3"},
		"wants to revoke at once":  {RotationView{Old: bookkeeping, Successor: &successor, Step: RotationRevoke}, "done done now now", "Step 3"},
		"used before it was said":  {RotationView{Old: bookkeeping, Successor: &successorUsed}, "done done done now", "Step 4 of 4: the new key works"},
		"safe":                     {RotationView{Old: bookkeeping, Successor: &successorUsed, SafeToRevoke: true}, "done done done now", "Step 4 of 4: safe"},
		"old expired":              {RotationView{Old: expired, Successor: &successorUsed, SafeToRevoke: true}, "done done done now", "Step 4 of 4: safe"},
		"revoked":                  {RotationView{Old: revoked, Successor: &successorUsed}, "done done done done", "All done"},
		"revoked, successor gone":  {RotationView{Old: revoked}, "later later later done", "The old key is revoked"},
		"revoked before first use": {RotationView{Old: revoked, Successor: &successor}, "done later later done", "The old key is revoked"},
	} {
		t.Run(name, func(t *testing.T) {
			var steps []string
			for n := 1; n <= 4; n++ {
				steps = append(steps, c.view.stepState(n))
			}
			if got := strings.Join(steps, " "); got != c.steps {
				t.Errorf("steps are %s, not %s", got, c.steps)
			}
			if got := c.view.news(); !strings.HasPrefix(got, c.news) {
				t.Errorf("news is %q, not %q", got, c.news)
			}
			rendered(t, RotationPage(c.view))
		})
	}
}

// Revoking is one button where it is safe, and asks once more where it isn't.
func TestRotationAsksBeforeItIsSafe(t *testing.T) {
	v := RotationView{Frame: frame(""), Old: bookkeeping, Successor: &successorUsed, SilenceNeeded: 15 * time.Minute}
	for _, c := range []struct {
		name           string
		safe           bool
		step           RotationStep
		button, second bool
	}{
		{"unsafe", false, RotationUpdate, false, false},
		{"unsafe, asked", false, RotationRevoke, true, true},
		{"safe", true, RotationUpdate, true, false},
		{"safe meanwhile", true, RotationRevoke, true, false},
	} {
		v.SafeToRevoke, v.Step = c.safe, c.step
		text := rendered(t, RotationSteps(v))
		if button := strings.Contains(text, `value="revoke"`); button != c.button {
			t.Errorf("%s: has the button: %t", c.name, button)
		}
		if second := strings.Contains(text, `value="early"`); second != c.second {
			t.Errorf("%s: asks once more: %t", c.name, second)
		}
		if strings.Contains(text, "Safe to revoke") != c.safe {
			t.Errorf("%s: says the wrong thing", c.name)
		}
	}
}

// The page looks for changes as long as some can come, at the same step.
func TestRotationPolls(t *testing.T) {
	for want, v := range map[string]RotationView{
		"/settings/api-keys/" + keyID + "/rotate/status":             {Old: bookkeeping, Successor: &successor},
		"/settings/api-keys/" + keyID + "/rotate/status?step=verify": {Old: bookkeeping, Successor: &successor, Step: RotationVerify},
	} {
		if got := v.poll(); got != want {
			t.Errorf("looks at %q, not %q", got, want)
		}
	}
	for _, v := range []RotationView{{Old: bookkeeping}, {Old: revoked, Successor: &successorUsed}} {
		if got := v.poll(); got != "" {
			t.Errorf("looks at %q, where nothing is to come", got)
		}
	}
}

// What is read out when it changes does not change by the clock alone.
func TestRotationNewsIsSteady(t *testing.T) {
	v := RotationView{Frame: frame(""), Old: bookkeeping, Successor: &successorUsed}
	before := v.news()
	v.Now = v.Now.Add(time.Hour)
	if after := v.news(); after != before {
		t.Errorf("%q became %q", before, after)
	}
}
