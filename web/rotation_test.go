package web

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// plain returns the text of a page, on one line.
func plain(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, ""))), " ")
}

// A wait says how much of it is over and when it ends, in words and as a bar.
func TestRotationWait(t *testing.T) {
	v := RotationView{Frame: frame(""), Old: bookkeeping, Successor: &successorUsed}
	for _, c := range []struct {
		left        time.Duration
		line, width string
	}{
		{3 * time.Hour, "Unused for 9 hours of 12 hours. Safe from 2026-11-20 16:34, if it stays unused.", "75.00%"},
		{12*time.Hour - 5*time.Minute, "Unused for 5 minutes of 12 hours.", "0.69%"},
	} {
		v.IdleTime = IdleTime{Needed: 12 * time.Hour, Until: now.Add(c.left)}
		text := rendered(t, RotationSteps(v))
		assert.Contains(t, plain(text), c.line)
		assert.Contains(t, text, `class="used" width="`+c.width)
	}
}
