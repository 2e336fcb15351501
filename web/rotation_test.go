package web

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The steps' states follow from what was seen: a caller that has moved or was
// dismissed, and a use of the new key. Neither the person's word nor the test command
// makes a step done, and nothing is safe before that.
func TestRotationSteps(t *testing.T) {
	expired := bookkeeping
	expired.State = KeyExpired
	paused, pausedUsed := successor, successorUsed
	paused.State, pausedUsed.State = KeyPaused, KeyPaused
	tested := before(time.Second)
	of := func(callers ...RotationCaller) []RotationCaller { return callers }
	for name, c := range map[string]struct {
		view  RotationView
		steps string
		news  string
	}{
		"nothing done":                  {RotationView{Old: bookkeeping}, "now later later later", "Step 1"},
		"said updated without a key":    {RotationView{Old: bookkeeping, Step: RotationVerify}, "now later later later", "Step 1"},
		"created":                       {RotationView{Old: bookkeeping, Successor: &successor}, "done now later later", "Step 2"},
		"created, with callers":         {RotationView{Old: bookkeeping, Successor: &successor, Callers: of(nightly)}, "done now later later", "Step 2"},
		"tested":                        {RotationView{Old: bookkeeping, Successor: &successor, TestedAt: tested}, "done now later later", "Your test worked. Step 2"},
		"said updated":                  {RotationView{Old: bookkeeping, Successor: &successor, Step: RotationVerify}, "done now now later", "Step 3"},
		"said updated, tested":          {RotationView{Old: bookkeeping, Successor: &successor, Step: RotationVerify, TestedAt: tested}, "done now now later", "Your test worked. Step 3"},
		"all dismissed":                 {RotationView{Old: bookkeeping, Successor: &successor, Callers: of(dismissed)}, "done done now later", "Step 3"},
		"revoking before the first use": {RotationView{Old: bookkeeping, Successor: &successor, Step: RotationRevoke}, "done now later now", "Step 2"},
		"used before said updated":      {RotationView{Old: bookkeeping, Successor: &successorUsed}, "done done done now", "Step 4 of 4: the new key works"},
		"used, then tested":             {RotationView{Old: bookkeeping, Successor: &successorUsed, TestedAt: tested}, "done done done now", "Step 4 of 4: the new key works"},
		"one of two callers moved":      {RotationView{Old: bookkeeping, Successor: &successorUsed, Callers: of(ledgerMoved, nightly)}, "done done now later", "Step 3 of 4: the new key works, but 1 caller may still need"},
		"moved and back":                {RotationView{Old: bookkeeping, Successor: &successorUsed, Callers: of(partlyMoved, nightly)}, "done done now later", "Step 3 of 4: the new key works, but 2 callers may still need"},
		"others":                        {RotationView{Old: bookkeeping, Successor: &successorUsed, Callers: of(otherCallers)}, "done done now later", "Step 3"},
		"moved or dismissed":            {RotationView{Old: bookkeeping, Successor: &successorUsed, Callers: of(ledgerMoved, dismissed)}, "done done done now", "Step 4 of 4: the new key works"},
		"revoking before all moved":     {RotationView{Old: bookkeeping, Successor: &successorUsed, Callers: of(nightly), Step: RotationRevoke}, "done done now now", "Step 3"},
		"safe":                          {RotationView{Old: bookkeeping, Successor: &successorUsed, SafeToRevoke: true}, "done done done now", "Step 4 of 4: safe"},
		"old key expired":               {RotationView{Old: expired, Successor: &successorUsed, SafeToRevoke: true}, "done done done now", "Step 4 of 4: safe"},
		"revoked":                       {RotationView{Old: revoked, Successor: &successorUsed}, "done done done done", "All done"},
		"revoked before all moved":      {RotationView{Old: revoked, Successor: &successorUsed, Callers: of(nightly)}, "done done now done", "The old key is revoked, but 1 caller may still need it"},
		"revoked without a successor":   {RotationView{Old: revoked}, "skipped skipped skipped done", "The old key is revoked"},
		"revoked before the first use":  {RotationView{Old: revoked, Successor: &successor}, "done skipped now done", "The old key is revoked"},
		"new key paused":                {RotationView{Old: bookkeeping, Successor: &paused}, "done now later later", "Step 2 of 4: the new key is paused"},
		"new key used, then paused":     {RotationView{Old: bookkeeping, Successor: &pausedUsed}, "done done now later", "Step 3 of 4: the new key is paused"},
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

// Each caller's line says what it has done with both keys, and offers to dismiss it
// unless it has moved.
func TestRotationCallers(t *testing.T) {
	v := RotationView{Frame: frame(""), Old: bookkeeping, Successor: &successorUsed}
	for _, c := range []struct {
		caller RotationCaller
		line   string
		action string
	}{
		{nightly, "nightly-bookkeeping 3 from 10.0.0.7 last used the old key 20 hours ago. It has not used the new one yet.", "dismiss"},
		{ledgerMoved, "axios/1.7.2 from 203.0.113.7 last used the old key 3 minutes ago. It has used the new one since, 40 seconds ago.", ""},
		{partlyMoved, "axios/1.7.2 from 203.0.113.7 last used the old key 3 minutes ago. It had used the new one before that, 1 hour ago. Part of it may still have the old key.", "dismiss"},
		{refusedCaller, "An unnamed client from 10.0.0.7 tried the old key 20 hours ago and was refused. It has not used the new one yet.", "dismiss"},
		{dismissed, "nightly-bookkeeping 3 from 10.0.0.7 last used the old key 20 hours ago. It is marked as not needing the new key.", "restore"},
		{otherCallers, "Other callers last used the old key 1 hour ago. There are too many to compare.", "dismiss"},
	} {
		v.Callers = []RotationCaller{c.caller}
		text := rendered(t, RotationSteps(v))
		if got := plain(text); !strings.Contains(got, c.line) {
			t.Errorf("no line %q in %s", c.line, got)
		}
		for _, action := range []string{"dismiss", "restore"} {
			if got := strings.Contains(text, `value="`+action+`"`); got != (action == c.action) {
				t.Errorf("%s: has the form %s: %t", c.line, action, got)
			}
		}
	}
	v.Callers, v.CanManage = []RotationCaller{nightly}, false
	if strings.Contains(rendered(t, RotationSteps(v)), "<form") {
		t.Error("offers a form to a person who may not send it")
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)

// plain returns the text of a page, on one line.
func plain(page string) string {
	text := strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, ""))), " ")
	return strings.NewReplacer(" .", ".", " ,", ",").Replace(text)
}

// The page with a new key puts the focus on the key.
func TestNewKeyHasFocus(t *testing.T) {
	page := rendered(t, KeyCreatedPage(KeyCreatedView{Frame: frame("/settings/api-keys/new"), Key: KeyRow{Name: "Bookkeeping"}, Text: sampleKey, BaseURL: baseURL}))
	found := 0
	for node := range elements(t, page) {
		if node.Data != "textarea" {
			continue
		}
		attributes := map[string]string{}
		for _, a := range node.Attr {
			attributes[a.Key] = a.Val
		}
		_, focused := attributes["autofocus"]
		found++
		if id := attributes["id"]; focused != (id == "key") {
			t.Errorf("%s has the attributes %v", id, attributes)
		}
	}
	if found != 2 {
		t.Errorf("found %d text areas, want the key and the command", found)
	}
}

// A wait says how much of it is over and when it ends, in words and as a bar.
func TestRotationWait(t *testing.T) {
	v := RotationView{Frame: frame(""), Old: bookkeeping, Successor: &successorUsed, Callers: []RotationCaller{ledgerMoved}}
	for _, c := range []struct {
		left        time.Duration
		line, width string
	}{
		{3 * time.Hour, "Unused for 9 hours of 12 hours. Safe from 2026-11-20 16:34, if it stays unused.", "75.00%"},
		{12*time.Hour - 5*time.Minute, "Unused for 5 minutes of 12 hours.", "0.69%"},
	} {
		v.Silence = Silence{Needed: 12 * time.Hour, Until: now.Add(c.left)}
		text := rendered(t, RotationSteps(v))
		if got := plain(text); !strings.Contains(got, c.line) || !strings.Contains(text, `class="used" width="`+c.width) {
			t.Errorf("no line %q or no bar of %s in %s", c.line, c.width, text)
		}
	}
}
