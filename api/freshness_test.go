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

	"dispo/models/database"
	"dispo/models/modelstest"
)

// changingOrganization has one company, whose name contains the number of its last
// change.
type changingOrganization struct {
	tenant
	mu        sync.Mutex
	committed []time.Time // when each change's commit had returned
}

// latestBefore returns the number of the last change that was committed before then,
// or -1.
func (c *changingOrganization) latestBefore(then time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for number := len(c.committed) - 1; number >= 0; number-- {
		if c.committed[number].Before(then) {
			return number
		}
	}
	return -1
}

func (c *changingOrganization) change(t testing.TB, w *modelstest.World) {
	number := len(c.committed)
	path := modelstest.File(t, "companies.csv", fmt.Sprintf("cvr,name\n10000001,%s-%d\n", c.Slug, number))
	_, err := w.ImportCompanies(t.Context(), c.Organization, path)
	if err != nil {
		t.Errorf("change %d of %s: %v", number, c.Slug, err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.committed = append(c.committed, time.Now())
}

// reader polls one instance like a client with a cache: it sends its answer's ETag,
// and keeps that answer if it gets 304.
type reader struct {
	organization *changingOrganization
	instance     *instance
	path         string
	tag          string
	number       int // of the change in the cached answer
}

// read sends one request and checks that the cached answer is then fresh enough.
func (r *reader) read(t testing.TB, conditional bool) (status int) {
	start := time.Now()
	header := withKey(r.organization.token)
	if conditional && r.tag != "" {
		header.Set("If-None-Match", r.tag)
	}
	got := r.instance.send(t, "GET", r.path, header)
	switch got.status {
	case http.StatusOK:
		_, rest, found := strings.Cut(string(got.body), `"name":"`+r.organization.Slug+"-")
		text, _, _ := strings.Cut(rest, `"`)
		number, err := strconv.Atoi(text)
		if !found || err != nil {
			t.Errorf("not the answer of %s: %s", r.organization.Slug, got.body)
			return got.status
		}
		r.tag, r.number = got.header.Get("ETag"), number
	case http.StatusNotModified:
		if header.Get("If-None-Match") == "" {
			t.Errorf("304 for a request without a tag")
		}
	case http.StatusServiceUnavailable: // the instance cannot reach its database right now
		return got.status
	default:
		t.Errorf("status %d: %s", got.status, got.body)
	}
	if oldest := r.organization.latestBefore(start.Add(-time.Second)); r.number < oldest {
		t.Errorf("%s: the answer with status %d has change %d, but change %d was committed more than a second earlier", r.path, got.status, r.number, oldest)
	}
	return got.status
}

// No answer is older than a commit that returned more than a second before, and none
// is another organization's. This holds on every instance, with and without an ETag,
// while others write, and while an instance's change feed breaks, hangs and returns.
func TestAnswersAreFresh(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	organizations := []*changingOrganization{{tenant: newTenant(t, w, "a")}, {tenant: newTenant(t, w, "b")}}
	for _, organization := range organizations {
		organization.change(t, w)
	}
	proxy := modelstest.NewProxy(t, w.URL)
	instances := []*instance{serve(t, w.Service, settings{}), serve(t, modelstest.Open(t, proxy.URL, database.Service), settings{})}
	for _, instance := range instances {
		modelstest.Eventually(t, instance.store.DB().Feed.Fresh)
	}

	var full, unchanged atomic.Int64
	end := time.Now().Add(4 * time.Second) // at least one round of outages
	running := func() bool {
		return (time.Now().Before(end) || full.Load() == 0 || unchanged.Load() == 0) && !t.Failed()
	}
	var group sync.WaitGroup
	for i, organization := range organizations {
		group.Go(func() {
			for running() {
				organization.change(t, w)
				// This is a pace, so that answers are remembered between two changes.
				time.Sleep(time.Duration(1+i) * 30 * time.Millisecond)
			}
		})
	}
	group.Go(func() {
		for running() {
			// The feed hangs for longer than the second that an answer may be behind, and
			// is up for long enough to be trusted.
			for _, outage := range []struct {
				state    modelstest.Line
				duration time.Duration
			}{{modelstest.Cut, time.Second / 2}, {modelstest.Hung, 2 * time.Second}} {
				proxy.Feed(outage.state)
				time.Sleep(outage.duration)
				proxy.Feed(modelstest.Up)
				time.Sleep(time.Second / 2)
			}
		}
		proxy.Feed(modelstest.Up)
	})
	for _, organization := range organizations {
		for _, instance := range instances {
			for _, path := range []string{"/api/v1/companies", "/api/v1/companies/10000001"} {
				group.Go(func() {
					r := &reader{organization: organization, instance: instance, path: path}
					for n := 0; running(); n++ {
						switch r.read(t, n%3 != 0) {
						case http.StatusOK:
							full.Add(1)
						case http.StatusNotModified:
							unchanged.Add(1)
						}
					}
				})
			}
		}
	}
	group.Wait()
	t.Logf("%d and %d changes, %d full answers, %d unchanged", len(organizations[0].committed), len(organizations[1].committed), full.Load(), unchanged.Load())
}
