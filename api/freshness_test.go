package api_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// changing is an organization whose one company's name tells how often it was
// changed, and when each change was committed.
type changing struct {
	tenant
	mu        sync.Mutex
	committed []time.Time // by number: when its commit had ended
}

// latestBefore is the last change that was committed by then.
func (c *changing) latestBefore(then time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for number := len(c.committed) - 1; number >= 0; number-- {
		if c.committed[number].Before(then) {
			return number
		}
	}
	return -1
}

func (c *changing) change(t testing.TB, w *modelstest.World) {
	number := len(c.committed)
	path := modelstest.File(t, "companies.csv", fmt.Sprintf("cvr,name\n10000001,%s-%d\n", c.Slug, number))
	_, err := w.Operator.ImportCompanies(t.Context(), c.Organization, path, nil)
	if err != nil {
		t.Errorf("change %d of %s: %v", number, c.Slug, err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.committed = append(c.committed, time.Now())
}

// reader polls one instance as a client with a cache does: it sends the tag of the
// answer that it has, and keeps that at a 304.
type reader struct {
	of      *changing
	from    *instance
	path    string
	tag     string
	holding int // the number in the answer that it has
}

// read reads once, and holds what it has then against what was committed.
func (r *reader) read(t testing.TB, conditional bool) (status int) {
	asked := time.Now()
	header := withKey(r.of.token)
	if conditional && r.tag != "" {
		header.Set("If-None-Match", r.tag)
	}
	got := r.from.send(t, "GET", r.path, header)
	switch got.status {
	case http.StatusOK:
		_, rest, found := strings.Cut(string(got.body), `"name":"`+r.of.Slug+"-")
		text, _, _ := strings.Cut(rest, `"`)
		number, err := strconv.Atoi(text)
		if !found || err != nil {
			t.Errorf("not %s's answer: %s", r.of.Slug, got.body)
			return got.status
		}
		r.tag, r.holding = got.header.Get("ETag"), number
	case http.StatusNotModified:
		if header.Get("If-None-Match") == "" {
			t.Errorf("304 to a request without a tag")
		}
	case http.StatusServiceUnavailable: // its database is away for the moment
		return got.status
	default:
		t.Errorf("status %d: %s", got.status, got.body)
	}
	if least := r.of.latestBefore(asked.Add(-time.Second)); r.holding < least {
		t.Errorf("%s has %d from a %d, although %d was committed more than a second before", r.path, r.holding, got.status, least)
	}
	return got.status
}

// Whoever reads, from whatever instance, by tag or without, never has an answer
// older than a commit that ended more than a second ago, nor another
// organization's: while others write, and while an instance's change feed breaks,
// hangs and comes back.
func TestAnswersAreFresh(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	organizations := []*changing{{tenant: newTenant(t, w, "a")}, {tenant: newTenant(t, w, "b")}}
	for _, organization := range organizations {
		organization.change(t, w)
	}
	database := newProxy(t, w.URL)
	instances := []*instance{serve(t, w.Service, settings{}), serve(t, modelstest.Open(t, database.url, models.Service), settings{})}
	for _, instance := range instances {
		require.Eventually(t, instance.store.Hears, patience, pollEvery)
	}

	const length = 8 * time.Second
	end := time.Now().Add(length)
	running := func() bool { return time.Now().Before(end) && !t.Failed() }
	var working sync.WaitGroup
	for i, organization := range organizations {
		working.Go(func() {
			for running() {
				organization.change(t, w)
				// A pace, not a wait: between two changes something can be remembered.
				time.Sleep(time.Duration(1+i) * 30 * time.Millisecond)
			}
		})
	}
	working.Go(func() {
		for running() {
			// How long the feed is away is what is tried: hung for longer than the
			// second that an answer may be behind, and up for long enough to be trusted.
			for _, away := range []struct {
				state line
				lasts time.Duration
			}{{cut, time.Second / 2}, {hung, 2 * time.Second}} {
				database.setFeed(away.state)
				time.Sleep(away.lasts)
				database.setFeed(up)
				time.Sleep(time.Second / 2)
			}
		}
		database.setFeed(up)
	})
	var whole, unchanged atomic.Int64
	for _, organization := range organizations {
		for _, instance := range instances {
			for _, path := range []string{"/api/v1/companies", "/api/v1/companies/10000001"} {
				working.Go(func() {
					r := &reader{of: organization, from: instance, path: path}
					for n := 0; running(); n++ {
						switch r.read(t, n%3 != 0) {
						case http.StatusOK:
							whole.Add(1)
						case http.StatusNotModified:
							unchanged.Add(1)
						}
					}
				})
			}
		}
	}
	working.Wait()
	require.NotZero(t, whole.Load())
	require.NotZero(t, unchanged.Load())
	t.Logf("%d and %d changes, %d whole answers, %d unchanged", len(organizations[0].committed), len(organizations[1].committed), whole.Load(), unchanged.Load())
}
