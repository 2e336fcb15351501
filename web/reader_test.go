package web

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A sentence has its elements where its language has them, and everything that is not a
// tag of the text is escaped.
func TestSay(t *testing.T) {
	f := Frame{Locale: Danish}
	for want, page := range map[string]string{
		`from <span class="mono break">&lt;b&gt;</span>, by &lt;i&gt;`:           rendered(t, Frame{}.Say("from {address}, by {client}", "address", address("<b>"), "client", "<i>")),
		`fra <span class="mono break">10.0.0.7</span> med curl`:                  rendered(t, f.Say("from {address}, by {client}", "address", address("10.0.0.7"), "client", "curl")),
		`Udskift<span class="visually-hidden"> A &amp; B</span>`:                 rendered(t, f.Say("Rotate<hidden> {key}</hidden>", "hidden", visuallyHidden(), "key", "A & B")),
		`1.234 gange siden i går`:                                                rendered(t, f.SayN(1234, "{n} time since {time}", "{n} times since {time}", "time", "i går")),
		`1 gang siden i går`:                                                     rendered(t, f.SayN(1, "{n} time since {time}", "{n} times since {time}", "time", "i går")),
		`<strong>A</strong> or <a href="/x">the <code>B</code></a>, not {this}.`: rendered(t, Frame{}.Say("<strong>A</strong> or <b>the <code>B</code></b>, not {c}.", "b", link("/x"), "c", "{this}")),
	} {
		assert.Equal(t, want, page)
	}
}

// Times are in the organization's time zone and in the reader's form, whatever the
// browser's are. The machine's form is in UTC.
func TestTimesAreLocal(t *testing.T) {
	at := time.Date(2026, 7, 4, 22, 5, 9, 0, time.UTC)
	for _, c := range []struct {
		locale Locale
		zone   *time.Location
		text   string
	}{
		{English, copenhagen, `<time datetime="2026-07-04T22:05:09Z" title="2026-07-05 00:05:09 CEST">2026-07-05 00:05</time>`},
		{Danish, copenhagen, `<time datetime="2026-07-04T22:05:09Z" title="05.07.2026 00.05.09 CEST">05.07.2026 00.05</time>`},
		{Danish, nil, `<time datetime="2026-07-04T22:05:09Z" title="04.07.2026 22.05.09 UTC">04.07.2026 22.05 UTC</time>`},
	} {
		f := Frame{Locale: c.locale, Zone: c.zone}
		assert.Equal(t, c.text, rendered(t, inPage(f, moment(at))))
	}
	assert.Contains(t, rendered(t, inPage(Frame{Locale: Danish}, ago(at.Add(3*time.Minute), at))),
		">for 3 minutter siden<")
}
