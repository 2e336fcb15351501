package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dispo/models/modelstest"
)

// changing is an organization with one company, whose name contains the number of its last
// change.
type changing struct {
	tenant
	mu        sync.Mutex
	committed []time.Time // when each change's commit had returned
}

// latestBefore returns the number of the last change that was committed before then,
// or -1.
func (c *changing) latestBefore(then time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return sort.Search(len(c.committed), func(i int) bool { return !c.committed[i].Before(then) }) - 1
}

func (c *changing) change(t testing.TB, w *modelstest.World) {
	number := len(c.committed)
	path := modelstest.File(t, "companies.csv", fmt.Sprintf("cvr,name\n10000001,%s-%d\n", c.Slug, number))
	if _, err := w.ImportCompanies(t.Context(), c.Organization, path); err != nil {
		t.Errorf("change %d of %s: %v", number, c.Slug, err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.committed = append(c.committed, time.Now())
}

// No answer is older than a commit that returned more than a second before, and none
// is another organization's. This holds on every instance, for a client that keeps the last
// answer if it gets 304, and for one without, while others write, and while an instance's
// change feed breaks, hangs and returns.
func TestAnswersAreFresh(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	organizations := []*changing{{tenant: newTenant(t, w, "a")}, {tenant: newTenant(t, w, "b")}}
	for _, organization := range organizations {
		organization.change(t, w)
	}
	proxy := modelstest.NewProxy(t, w.URL)
	instances := []*instance{
		serve(t, modelstest.OpenFollowing(t, w.URL), settings{}),
		serve(t, modelstest.OpenFollowing(t, proxy.URL), settings{}),
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
		// The feed hangs for longer than the second that an answer may be behind, and is up
		// for long enough to be trusted.
		for running() {
			proxy.Feed(modelstest.Cut)
			time.Sleep(time.Second / 2)
			proxy.Feed(modelstest.Up)
			time.Sleep(time.Second / 2)
			proxy.Feed(modelstest.Hung)
			time.Sleep(2 * time.Second)
			proxy.Feed(modelstest.Up)
			time.Sleep(time.Second / 2)
		}
	})
	for _, organization := range organizations {
		name := regexp.MustCompile(`"name":"` + organization.Slug + `-(\d+)"`)
		for _, instance := range instances {
			for _, path := range []string{"/api/v1/companies", "/api/v1/companies/10000001"} {
				group.Go(func() {
					tag, number := "", 0 // of the last answer
					for n := 0; running(); n++ {
						time.Sleep(10 * time.Millisecond) // a pace
						start, header := time.Now(), withKey(organization.token)
						if n%3 != 0 && tag != "" {
							header.Set("If-None-Match", tag)
						}
						got := instance.send(t, "GET", path, header)
						switch found := name.FindSubmatch(got.body); {
						case got.status == http.StatusServiceUnavailable: // the instance cannot reach its database right now
							continue
						case got.status == http.StatusNotModified && header.Get("If-None-Match") != "":
							unchanged.Add(1)
						case got.status == http.StatusOK && found != nil:
							full.Add(1)
							tag = got.header.Get("ETag")
							number, _ = strconv.Atoi(string(found[1]))
						default:
							t.Errorf("not an answer of %s: %d %s", organization.Slug, got.status, got.body)
						}
						if oldest := organization.latestBefore(start.Add(-time.Second)); number < oldest {
							t.Errorf("%s: the answer with status %d has change %d, but change %d was committed more than a second earlier",
								path, got.status, number, oldest)
						}
					}
				})
			}
		}
	}
	group.Wait()
	t.Logf("%d and %d changes, %d full answers, %d unchanged", len(organizations[0].committed),
		len(organizations[1].committed), full.Load(), unchanged.Load())
}
