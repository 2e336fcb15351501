package api_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// listed is one of the two lists, with what it should hold.
type listed struct {
	path    string
	service *instance
	key     string
	arrived func(t *testing.T) []uuid.UUID // every item, in order of arrival
	add     func(t *testing.T, count int)  // so many arrive, and others' between them
	remove  func(t *testing.T, id uuid.UUID)
}

// eachList runs a test on both lists, empty, in a database of its own where
// another organization, and another company, have items too.
func eachList(t *testing.T, test func(t *testing.T, l listed)) {
	t.Parallel()
	t.Run("companies", func(t *testing.T) {
		t.Parallel()
		w := modelstest.NewWorld(t)
		a, b := newTenant(t, w, "a"), w.Organization(t, "b")
		number := 10000000
		test(t, listed{
			path: "/api/v1/companies", service: serve(t, w.Service, settings{}), key: a.token,
			arrived: func(t *testing.T) []uuid.UUID {
				return selectIDs(t, w, `SELECT id FROM companies WHERE organization_id = $1 ORDER BY cvr`, a.ID)
			},
			add: func(t *testing.T, count int) {
				cvrs := make([]string, count)
				for i := range cvrs {
					number++
					cvrs[i] = fmt.Sprint(number)
				}
				w.Companies(t, a.Organization, cvrs...)
				w.Companies(t, b, append(cvrs, fmt.Sprint(number+50000000))...)
				requireCaughtUp(t, w, a)
			},
			remove: func(t *testing.T, id uuid.UUID) {
				modelstest.ExecuteAt(t, w.URL, `DELETE FROM companies WHERE id = $1`, id)
				requireCaughtUp(t, w, a)
			},
		})
	})
	t.Run("transactions", func(t *testing.T) {
		t.Parallel()
		w := modelstest.NewWorld(t)
		a, b := newTenant(t, w, "a"), w.Organization(t, "b")
		w.Companies(t, a.Organization, "10000001", "10000002")
		w.Companies(t, b, "10000001")
		test(t, listed{
			path: "/api/v1/companies/10000001/transactions", service: serve(t, w.Service, settings{}), key: a.token,
			arrived: func(t *testing.T) []uuid.UUID {
				return selectIDs(t, w, `SELECT id FROM transactions WHERE organization_id = $1 AND cvr = '10000001' ORDER BY account_number, record_index`, a.ID)
			},
			add: func(t *testing.T, count int) {
				w.Delivery(t, "10000001", count)
				w.Delivery(t, "10000002", 2)
				requireCaughtUp(t, w, a)
			},
			remove: func(t *testing.T, id uuid.UUID) {
				modelstest.ExecuteAt(t, w.URL, `DELETE FROM transactions WHERE id = $1`, id)
				requireCaughtUp(t, w, a)
			},
		})
	})
}

// requireCaughtUp waits until the service has heard of what has changed: for a
// moment after a commit, its answers may be those of before.
func requireCaughtUp(t *testing.T, w *modelstest.World, a tenant) {
	t.Helper()
	version := modelstest.ValueAt[int64](t, w.URL, `SELECT data_version FROM organizations WHERE id = $1`, a.ID)
	require.Eventually(t, func() bool {
		known, err := w.Service.Tenant(a.ID).DataVersion(t.Context())
		return err == nil && known >= version
	}, patience, time.Millisecond)
}

// page is a page of a list, as it was answered.
type page struct {
	answer
	ids        []uuid.UUID
	total      int
	limit      int
	hasMore    bool
	self       string
	next, prev *string
}

// get asks for a page by its link or query, and reads it.
func (l *listed) get(t testing.TB, link string) page {
	t.Helper()
	if strings.HasPrefix(link, "?") {
		link = l.path + link
	}
	p := page{answer: l.service.get(t, link, l.key)}
	p.requireOK(t)
	var body struct {
		Data []struct{ ID uuid.UUID }
		Meta struct {
			Total, Limit int
			HasMore      bool
		}
		Links struct {
			Self       string
			Next, Prev *string
		} `json:"_links"`
	}
	require.NoError(t, json.Unmarshal(p.body, &body))
	for _, item := range body.Data {
		p.ids = append(p.ids, item.ID)
	}
	p.total, p.limit, p.hasMore = body.Meta.Total, body.Meta.Limit, body.Meta.HasMore
	p.self, p.next, p.prev = body.Links.Self, body.Links.Next, body.Links.Prev
	return p
}

// requirePage holds a page against the items it should have, all[from:to], and
// what its meta and links tell of the rest. A link is followed to see that it
// leads where it should.
func (l *listed) requirePage(t testing.TB, p page, all []uuid.UUID, from, to, limit int) {
	t.Helper()
	what := fmt.Sprintf("%s: items %d to %d of %d", p.self, from, to, len(all))
	require.Equal(t, append([]uuid.UUID(nil), all[from:to]...), p.ids, what)
	require.Equal(t, len(all), p.total, what)
	require.Equal(t, limit, p.limit, what)
	require.Equal(t, to < len(all), p.hasMore, what)
	require.Equal(t, p.hasMore, p.next != nil, what)
	require.Equal(t, from > 0, p.prev != nil, what)
	for _, link := range []*string{&p.self, p.next, p.prev} {
		if link != nil {
			require.True(t, strings.HasPrefix(*link, fmt.Sprintf("%s?limit=%d", l.path, limit)), *link)
		}
	}
}

// Following next to the end, and prev back, visits the same items in ascending
// order of arrival, none lost and none twice; total, limit, hasMore and the links
// are exact on every page, whatever the sizes of list and page.
func TestListPages(t *testing.T) {
	eachList(t, func(t *testing.T, l listed) {
		limits := []int{1, 2, 7, 100}
		sizes := []int{rand.IntN(60)}
		for _, limit := range limits {
			sizes = append(sizes, 0, 1, limit-1, limit, limit+1, 2*limit+3)
		}
		slices.Sort(sizes)
		size := 0
		for _, wanted := range slices.Compact(sizes) {
			if wanted > size {
				l.add(t, wanted-size)
				size = wanted
			}
			all := l.arrived(t)
			require.Len(t, all, size)
			require.True(t, slices.IsSortedFunc(all, compareIDs))
			for _, limit := range limits {
				if size <= 20*limit {
					l.walk(t, all, limit)
				}
			}
		}
	})
}

// walk follows next from the first page to the last, and prev back.
func (l *listed) walk(t *testing.T, all []uuid.UUID, limit int) {
	t.Helper()
	p := l.get(t, fmt.Sprintf("?limit=%d", limit))
	from := 0
	for {
		to := min(from+limit, len(all))
		l.requirePage(t, p, all, from, to, limit)
		require.Equal(t, p.body, l.get(t, p.self).body, "self leads to the page itself")
		if p.next == nil {
			break
		}
		from = to
		p = l.get(t, *p.next)
	}
	for p.prev != nil {
		to := from
		from = max(0, to-limit)
		p = l.get(t, *p.prev)
		l.requirePage(t, p, all, from, to, limit)
		require.Equal(t, p.body, l.get(t, p.self).body, "self leads to the page itself")
	}
}

// Without a limit a page has 50 items.
func TestListDefaultLimit(t *testing.T) {
	eachList(t, func(t *testing.T, l listed) {
		l.add(t, 51)
		all := l.arrived(t)
		first := l.get(t, l.path)
		l.requirePage(t, first, all, 0, 50, 50)
		require.Equal(t, l.path+"?limit=50", first.self)
		l.requirePage(t, l.get(t, fmt.Sprintf("?before=%s", all[50])), all, 0, 50, 50)
		l.requirePage(t, l.get(t, *first.next), all, 50, 51, 50)
	})
}

// Beyond the end there is an empty page without next, whose prev leads to the
// last page; before the first one without prev, whose next leads to the first.
func TestListBeyondItsEnds(t *testing.T) {
	eachList(t, func(t *testing.T, l listed) {
		for _, cursor := range []string{"after=" + uuid.Nil.String(), "after=" + uuid.Max.String(), "before=" + uuid.Nil.String(), "before=" + uuid.Max.String()} {
			empty := l.get(t, "?limit=3&"+cursor)
			l.requirePage(t, empty, nil, 0, 0, 3)
			require.Contains(t, string(empty.body), `"data":[]`)
		}
		l.add(t, 7)
		all := l.arrived(t)
		for _, cursor := range []uuid.UUID{all[6], uuid.Max} {
			end := l.get(t, fmt.Sprintf("?limit=3&after=%s", cursor))
			l.requirePage(t, end, all, 7, 7, 3)
			l.requirePage(t, l.get(t, *end.prev), all, 4, 7, 3)
		}
		for _, cursor := range []uuid.UUID{all[0], uuid.Nil} {
			start := l.get(t, fmt.Sprintf("?limit=3&before=%s", cursor))
			l.requirePage(t, start, all, 0, 0, 3)
			l.requirePage(t, l.get(t, *start.next), all, 0, 3, 3)
		}
		l.requirePage(t, l.get(t, "?limit=3&before="+uuid.Max.String()), all, 4, 7, 3)
		l.requirePage(t, l.get(t, "?limit=3&after="+uuid.Nil.String()), all, 0, 3, 3)
	})
}

// A cursor is compared, not looked up: an item that was deleted since, and an id
// that never was, lead to the same items as ever.
func TestListCursorIsCompared(t *testing.T) {
	eachList(t, func(t *testing.T, l listed) {
		l.add(t, 9)
		all := l.arrived(t)
		never := all[5]
		never[15]++
		require.NotContains(t, all, never)
		l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&after=%s", never)), all, 6, 8, 2)
		l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&before=%s", never)), all, 4, 6, 2)

		l.remove(t, all[4])
		left := slices.Delete(slices.Clone(all), 4, 5)
		l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&after=%s", all[4])), left, 4, 6, 2)
		l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&before=%s", all[4])), left, 2, 4, 2)

		l.remove(t, all[8])
		left = left[:7]
		end := l.get(t, fmt.Sprintf("?limit=2&after=%s", all[8]))
		l.requirePage(t, end, left, 7, 7, 2)
		l.requirePage(t, l.get(t, *end.prev), left, 5, 7, 2)

		l.remove(t, all[0])
		left = left[1:]
		start := l.get(t, fmt.Sprintf("?limit=2&before=%s", all[0]))
		l.requirePage(t, start, left, 0, 0, 2)
		l.requirePage(t, l.get(t, *start.next), left, 0, 2, 2)
	})
}

// An id may be written in capitals; links write it as the items have it.
func TestListCursorInCapitals(t *testing.T) {
	eachList(t, func(t *testing.T, l listed) {
		l.add(t, 3)
		all := l.arrived(t)
		p := l.get(t, "?limit=1&after="+strings.ToUpper(all[0].String()))
		l.requirePage(t, p, all, 1, 2, 1)
		require.Equal(t, fmt.Sprintf("%s?limit=1&after=%s", l.path, all[0]), p.self)
	})
}

// Query parameters that nobody knows change nothing, and stand in no link.
func TestListIgnoresUnknownParameters(t *testing.T) {
	eachList(t, func(t *testing.T, l listed) {
		l.add(t, 5)
		plain := l.get(t, "?limit=2&after="+l.arrived(t)[0].String())
		query := strings.TrimPrefix(plain.self, l.path+"?")
		for _, more := range []string{"status=CREATED", "cursor=nonsense", "after[]=1", "After=1", "LIMIT=0", "offset=3&page=2",
			"x=%22%3E%3Cscript%3E", "%ff=1", "=", "a=1&a=2", "sort=-id", "cvr=10000002", "organization_id=" + uuid.Max.String()} {
			require.Equal(t, string(plain.body), string(l.get(t, "?"+more+"&"+query).body), more)
			require.Equal(t, string(plain.body), string(l.get(t, "?"+query+"&"+more).body), more)
		}
	})
}

// A client that keeps the last id it has seen, and asks for what comes after it,
// gets every item once and in order, while several imports run at once.
func TestListIsInSyncDuringImports(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	l := listed{path: "/api/v1/companies/10000001/transactions", service: serve(t, w.Service, settings{}), key: a.token}

	const writers, files, records = 3, 6, 17
	var importing sync.WaitGroup
	for range writers {
		importing.Go(func() {
			for range files {
				w.Delivery(t, "10000001", records)
			}
		})
	}
	imported := make(chan struct{})
	go func() { importing.Wait(); close(imported) }()

	var seen []uuid.UUID
	query := "?limit=10"
	for complete := false; ; {
		p := l.get(t, query)
		seen = append(seen, p.ids...)
		if len(p.ids) > 0 {
			query = fmt.Sprintf("?limit=10&after=%s", p.ids[len(p.ids)-1])
		} else if complete {
			break
		}
		select {
		case <-imported:
			requireCaughtUp(t, w, a)
			complete = true
		default:
		}
	}
	all := selectIDs(t, w, `SELECT id FROM transactions ORDER BY id`)
	require.Len(t, all, writers*files*records)
	require.Equal(t, all, seen)
}
