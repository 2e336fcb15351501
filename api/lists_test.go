package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// listTest is one of the lists under test. In its queries $1 is the organization, {own} the
// company or empty for all, and {day} the day or empty for all.
type listTest struct {
	path, own, day string
	companies      []string // at the start
	keys           string   // query for the keys of all items, in order
	sum            string   // query for the sum of all amounts; empty if no page has it
	counted        string   // query for all items as JSON, counted from the transactions; empty but for days
	remove         []string // statements that remove the item whose key is $1
	// add adds items to the list, and others between them. size is how many there are.
	add func(l *listTest, t *testing.T, size, count int)

	world   *modelstest.World
	service *instance
	a       tenant
	b       models.Organization
}

const (
	ofTransactions     = ` FROM transactions WHERE organization_id = $1 AND '{own}' IN ('', cvr) AND '{day}' IN ('', disposition_date::text)`
	keysOfTransactions = `SELECT id` + ofTransactions + ` ORDER BY account_number, record_index`
	sumOfTransactions  = `SELECT coalesce(sum(amount_dkk), 0)::numeric(38, 2)::text` + ofTransactions
	keysOfDays         = `SELECT DISTINCT disposition_date` + ofTransactions + ` ORDER BY disposition_date`
	// Transfer types are in ascending order of their bytes.
	countedDays = `SELECT coalesce(jsonb_agg(day ORDER BY day->>'dispositionDate'), '[]')::text FROM (
		SELECT jsonb_build_object('dispositionDate', disposition_date, 'transactions', sum(n), 'amountDkk', sum(amount)::text,
			'transferTypes', jsonb_agg(jsonb_build_object('transferType', transfer_type, 'transactions', n, 'amountDkk', amount::text)
				ORDER BY transfer_type COLLATE "C")) AS day
		FROM (SELECT disposition_date, transfer_type, count(*) AS n, sum(amount_dkk) AS amount` + ofTransactions + ` GROUP BY 1, 2) types
		GROUP BY disposition_date) days`
)

var (
	removeTransaction = []string{`DELETE FROM transactions WHERE id::text = $1`}
	removeDay         = []string{`DELETE FROM transactions WHERE disposition_date::text = $1`}
	twoCompanies      = []string{"10000001", "10000002"}
)

var listTests = map[string]listTest{
	"companies": {
		path: "/api/v1/companies", keys: `SELECT id FROM companies WHERE organization_id = $1 ORDER BY cvr`,
		remove: []string{`DELETE FROM companies WHERE id::text = $1`}, add: (*listTest).addCompanies,
	},
	"changes": {
		path: "/api/v1/changes", add: (*listTest).addChanges,
		keys: `SELECT change_id FROM (SELECT organization_id, change_id FROM companies
			UNION ALL SELECT organization_id, change_id FROM delivery_files
			UNION ALL SELECT organization_id, change_id FROM withdrawn_files) x WHERE organization_id = $1 ORDER BY 1`,
		remove: []string{
			`DELETE FROM companies WHERE change_id::text = $1`, `DELETE FROM withdrawn_files WHERE change_id::text = $1`,
			`DELETE FROM transactions t USING delivery_files f
			WHERE t.organization_id = f.organization_id AND t.delivery_file_id = f.id AND f.change_id::text = $1`,
		},
	},
	"transactions": {
		path: "/api/v1/transactions", companies: twoCompanies,
		keys: keysOfTransactions, sum: sumOfTransactions, remove: removeTransaction, add: (*listTest).addTransactions,
	},
	"transactions of a day": {
		path: "/api/v1/transactions", day: "2026-01-31", companies: twoCompanies,
		keys: keysOfTransactions, sum: sumOfTransactions, remove: removeTransaction, add: (*listTest).addTransactions,
	},
	"transactions of a company": {
		path: "/api/v1/companies/10000001/transactions", own: "10000001", companies: twoCompanies,
		keys: keysOfTransactions, sum: sumOfTransactions, remove: removeTransaction, add: (*listTest).addTransactions,
	},
	"days": {
		path: "/api/v1/days", companies: twoCompanies,
		keys: keysOfDays, counted: countedDays, remove: removeDay, add: (*listTest).addDays,
	},
	"days of a company": {
		path: "/api/v1/companies/10000001/days", own: "10000001", companies: twoCompanies,
		keys: keysOfDays, counted: countedDays, remove: removeDay, add: (*listTest).addDays,
	},
}

// eachList runs a test on each list. It starts empty in a database of its own, where
// another organization and another company have items too.
func eachList(t *testing.T, test func(t *testing.T, l listTest)) {
	t.Parallel()
	for name, l := range listTests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.world = modelstest.NewWorld(t)
			l.a, l.b = newTenant(t, l.world, "a"), l.world.Organization(t, "b", "10000001", "10000003")
			if l.companies != nil {
				l.world.Companies(t, l.a.Organization, l.companies...)
			}
			l.service = serve(t, l.world.Service, settings{})
			test(t, l)
		})
	}
}

// query returns the only column of a query of the list.
func (l *listTest) query(t testing.TB, query string) []string {
	t.Helper()
	return selectKeys(t, l.world, strings.NewReplacer("{own}", l.own, "{day}", l.day).Replace(query), l.a.ID)
}

func (l *listTest) addCompanies(t *testing.T, size, count int) {
	cvrs := make([]string, count)
	for i := range cvrs {
		cvrs[i] = fmt.Sprint(10000001 + size + i)
	}
	l.world.Companies(t, l.a.Organization, cvrs...)
	l.world.Companies(t, l.b, append(cvrs, fmt.Sprint(60000000+size+count))...)
}

func (l *listTest) addChanges(t *testing.T, size, count int) {
	if many := count - 12; many > 0 { // at once
		var cvrs []string
		for range many {
			size++
			cvrs = append(cvrs, fmt.Sprint(20000000+size))
		}
		l.world.Companies(t, l.a.Organization, cvrs...)
	}
	for range min(count, 12) {
		switch size++; {
		case size == 2:
			l.world.Companies(t, l.a.Organization, "10000001")
		case size == 1, size%3 == 0:
			l.world.Companies(t, l.a.Organization, fmt.Sprint(20000000+size))
		case size%3 == 1:
			delivery := l.world.Delivery(t, "10000001", 1)
			_, err := imports.Withdraw(t.Context(), l.world.Operator.DB(), delivery.ID, "test", &l.a.Organization)
			require.NoError(t, err)
		default:
			l.world.Delivery(t, "10000001", 2)
		}
	}
}

func (l *listTest) addTransactions(t *testing.T, _, count int) {
	if others := 2; l.own != "" || count > others {
		l.deliver(t, "10000002", others)
		if l.own == "" {
			count -= others
		}
	}
	l.deliver(t, "10000001", count)
}

// deliver imports that many transactions of a company, and as many of another day if the list
// is of one.
func (l *listTest) deliver(t *testing.T, cvr string, count int) {
	var lines []string
	for line := range strings.Lines(strings.TrimPrefix(modelstest.DeliveryCSV(cvr, count), modelstest.DeliveryHeader)) {
		lines = append(lines, strings.Replace(line, "CARD", []string{"CARD", "CASH", "FEE"}[len(lines)%3], 1))
		if l.day != "" {
			lines = append(lines, strings.Replace(line, l.day, "2026-02-01", 1))
		}
	}
	l.world.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines...)})
}

func (l *listTest) addDays(t *testing.T, size, count int) {
	var lines []string
	for i := range count {
		day := firstDay.AddDate(0, 0, 2*(size+count-i))
		cvr := "10000001"
		if l.own == "" && i%2 > 0 {
			cvr = "10000002"
		}
		for number, transferType := range []string{"Øl", "card", "CARD", "CARD", "a b"} {
			lines = append(lines, fmt.Sprintf("%s,1234,%d,%s,%s,1,-%d.50\n", cvr, number, transferType,
				day.Format(time.DateOnly), number*1_000_000+i))
		}
		lines = append(lines, fmt.Sprintf("10000003,1234,1,CARD,%s,1,1\n", day.AddDate(0, 0, 1).Format(time.DateOnly)))
	}
	l.world.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines...)})
}

// firstDay is the first of the days of a list under test. There are none directly after
// another.
var firstDay = time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)

// keyAfter returns the key directly after an id or a date.
func keyAfter(t *testing.T, key string) string {
	if day, err := time.Parse(time.DateOnly, key); err == nil {
		return day.AddDate(0, 0, 1).Format(time.DateOnly)
	}
	id, err := uuid.Parse(key)
	require.NoError(t, err)
	for i := len(id) - 1; i >= 0; i-- {
		if id[i]++; id[i] != 0 {
			break
		}
	}
	return id.String()
}

// requireCaughtUp waits until an instance, which is the world's if there is none, knows of the
// latest change, because answers may be stale for a moment after a commit.
func requireCaughtUp(t *testing.T, w *modelstest.World, a tenant, at ...*modelstest.Instance) {
	t.Helper()
	version := modelstest.ValueAt[int64](t, w.URL, `SELECT data_version FROM organizations WHERE id = $1`, a.ID)
	modelstest.Eventually(t, func() bool {
		known, err := append(at, w.Service)[0].Tenant(a.ID).DataVersion(t.Context())
		return err == nil && known.DataVersion >= version
	})
}

// filter returns further parameters of the list's query, with a leading &.
func (l *listTest) filter() string {
	if l.day == "" {
		return ""
	}
	return "&dispositionDate=" + l.day
}

// page is an answered page of a list.
type page struct {
	answer
	keys       []string
	total      int
	limit      int
	hasMore    bool
	self       string
	next, prev *string
}

// get requests a page by its link or query, and decodes it.
func (l *listTest) get(t testing.TB, link string) page {
	t.Helper()
	if strings.HasPrefix(link, "?") {
		link = l.path + link + l.filter()
	}
	p := page{answer: l.service.get(t, link, l.a.token)}
	p.requireOK(t)
	var body struct {
		Data []struct{ ID, DispositionDate string }
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
		key := item.ID
		if key == "" {
			key = item.DispositionDate
		}
		p.keys = append(p.keys, key)
	}
	p.total, p.limit, p.hasMore = body.Meta.Total, body.Meta.Limit, body.Meta.HasMore
	p.self, p.next, p.prev = body.Links.Self, body.Links.Next, body.Links.Prev
	return p
}

// requirePage requires that a page has the items all[from:to], and that its meta and
// links fit the rest of the list. Each page of transactions, also an empty one, has the sum of
// all of the list in a header, and no other page has.
func (l *listTest) requirePage(t testing.TB, p page, all []string, from, to, limit int) {
	t.Helper()
	message := fmt.Sprintf("%s: items %d to %d of %d", p.self, from, to, len(all))
	require.Equal(t, append([]string(nil), all[from:to]...), p.keys, message)
	require.Equal(t, len(all), p.total, message)
	require.Equal(t, limit, p.limit, message)
	require.Equal(t, to < len(all), p.hasMore, message)
	require.Equal(t, p.hasMore, p.next != nil, message)
	require.Equal(t, from > 0, p.prev != nil, message)
	if l.sum != "" {
		require.Equal(t, l.query(t, l.sum)[0], p.header.Get("X-Total-Amount-Dkk"), message)
	} else {
		require.Empty(t, p.header.Values("X-Total-Amount-Dkk"), message)
	}
	for _, link := range []*string{&p.self, p.next, p.prev} {
		if link != nil {
			require.True(t,
				strings.HasPrefix(*link, fmt.Sprintf("%s?limit=%d", l.path, limit)) && strings.HasSuffix(*link, l.filter()), *link)
		}
	}
}

// Following next to the end, and prev back, visits every item once, in order of
// arrival. total, limit, hasMore and the links are exact on every page, for any sizes
// of list and page. Each day has the number and the exact sum of its transactions, also by
// transfer type.
func TestLists(t *testing.T) {
	eachList(t, func(t *testing.T, l listTest) {
		l.requireEndsOfNothing(t)
		walks := map[int][]int{rand.IntN(60): {3 + rand.IntN(8)}} // limits by the size of the list
		for _, limit := range []int{1, 7, 100} {
			for _, size := range []int{0, 1, limit - 1, limit, limit + 1, 2*limit + 3} {
				walks[size] = append(walks[size], limit)
			}
		}
		size := 0
		for _, next := range slices.Sorted(maps.Keys(walks)) {
			if next > size {
				l.add(&l, t, size, next-size)
				requireCaughtUp(t, l.world, l.a)
				size = next
			}
			all := l.query(t, l.keys)
			require.Len(t, all, size)
			require.True(t, slices.IsSorted(all))
			for _, limit := range slices.Compact(walks[size]) {
				l.walk(t, all, limit)
			}
		}
		l.requireDefaultLimit(t, l.query(t, l.keys))
		l.requireEnds(t, l.query(t, l.keys))
		l.requireUnknownParametersIgnored(t, l.query(t, l.keys))
		l.requireCursorsCompared(t, l.query(t, l.keys))
		if l.counted != "" { // a day without transactions is gone
			answered, err := json.Marshal(l.get(t, "?limit=1000").object(t)["data"])
			require.NoError(t, err)
			require.JSONEq(t, l.query(t, l.counted)[0], string(answered))
		}
	})
}

// walk follows next from the first page to the last, and prev back.
func (l *listTest) walk(t *testing.T, all []string, limit int) {
	t.Helper()
	p := l.get(t, fmt.Sprintf("?limit=%d", limit))
	from := 0
	for {
		to := min(from+limit, len(all))
		l.requirePage(t, p, all, from, to, limit)
		l.requirePage(t, l.get(t, p.self), all, from, to, limit) // remembered
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
		l.requirePage(t, l.get(t, p.self), all, from, to, limit) // remembered
	}
}

// Without a limit a page has 50 items.
func (l *listTest) requireDefaultLimit(t *testing.T, all []string) {
	t.Helper()
	first := l.get(t, "?")
	l.requirePage(t, first, all, 0, 50, 50)
	require.Equal(t, l.path+"?limit=50"+l.filter(), first.self)
	l.requirePage(t, l.get(t, fmt.Sprintf("?before=%s", all[50])), all, 0, 50, 50)
	l.requirePage(t, l.get(t, *first.next), all, 50, 100, 50)
}

// ends returns cursors before and after everything.
func (l *listTest) ends() (lowest, highest string) {
	if l.counted != "" {
		return "0001-01-01", "9999-12-31"
	}
	return uuid.Nil.String(), uuid.Max.String()
}

// Of an empty list, every page is empty.
func (l *listTest) requireEndsOfNothing(t *testing.T) {
	t.Helper()
	lowest, highest := l.ends()
	for _, cursor := range []string{"after=" + lowest, "after=" + highest, "before=" + lowest, "before=" + highest} {
		empty := l.get(t, "?limit=3&"+cursor)
		l.requirePage(t, empty, nil, 0, 0, 3)
		require.Contains(t, string(empty.body), `"data":[]`)
	}
}

// After the last item comes an empty page without next, whose prev is the last page.
// Before the first item comes an empty page without prev, whose next is the first page.
func (l *listTest) requireEnds(t *testing.T, all []string) {
	t.Helper()
	lowest, highest := l.ends()
	n := len(all)
	for _, cursor := range []string{all[n-1], highest} {
		end := l.get(t, fmt.Sprintf("?limit=3&after=%s", cursor))
		l.requirePage(t, end, all, n, n, 3)
		l.requirePage(t, l.get(t, *end.prev), all, n-3, n, 3)
	}
	for _, cursor := range []string{all[0], lowest} {
		start := l.get(t, fmt.Sprintf("?limit=3&before=%s", cursor))
		l.requirePage(t, start, all, 0, 0, 3)
		l.requirePage(t, l.get(t, *start.next), all, 0, 3, 3)
	}
	l.requirePage(t, l.get(t, "?limit=3&before="+highest), all, n-3, n, 3)
	l.requirePage(t, l.get(t, "?limit=3&after="+lowest), all, 0, 3, 3)
}

// Unknown query parameters change nothing and appear in no link.
func (l *listTest) requireUnknownParametersIgnored(t *testing.T, all []string) {
	t.Helper()
	plain := l.get(t, "?limit=2&after="+all[0])
	query := "limit=2&after=" + all[0]
	for _, unknown := range []string{"status=CREATED", "cursor=nonsense", "after[]=1", "After=1", "LIMIT=0", "offset=3&page=2",
		"x=%22%3E%3Cscript%3E", "%ff=1", "=", "a=1&a=2", "sort=-id", "cvr=10000002", "organization_id=" + uuid.Max.String()} {
		require.Equal(t, string(plain.body), string(l.get(t, "?"+unknown+"&"+query).body), unknown)
		require.Equal(t, string(plain.body), string(l.get(t, "?"+query+"&"+unknown).body), unknown)
	}
}

// A cursor is compared, not looked up. The id of a deleted item, one that never existed, and
// one of another kind of row or of another organization work as cursors too, and reveal nothing.
func (l *listTest) requireCursorsCompared(t *testing.T, all []string) {
	t.Helper()
	if l.counted == "" {
		for _, id := range selectKeys(t, l.world, `SELECT id FROM organizations UNION ALL SELECT id FROM api_keys UNION ALL SELECT id FROM delivery_files
			UNION ALL SELECT id FROM companies WHERE cvr LIKE '%1' UNION ALL SELECT id FROM transactions WHERE record_index = 1`) {
			at, own := slices.BinarySearch(all, id)
			l.requirePage(t, l.get(t, "?limit=2&before="+id), all, max(0, at-2), at, 2)
			if own {
				at++
			}
			l.requirePage(t, l.get(t, "?limit=2&after="+id), all, at, min(at+2, len(all)), 2)
		}
	}
	unknown := keyAfter(t, all[5])
	require.NotContains(t, all, unknown)
	l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&after=%s", unknown)), all, 6, 8, 2)
	l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&before=%s", unknown)), all, 4, 6, 2)
	for _, at := range []int{4, len(all) - 2, 0} { // in the middle, then at either end
		deleted := all[at]
		for _, statement := range l.remove {
			modelstest.ExecuteAt(t, l.world.URL, statement, deleted)
		}
		modelstest.Recount(t, l.world.URL)
		requireCaughtUp(t, l.world, l.a)
		all = slices.Delete(slices.Clone(all), at, at+1)
		after := l.get(t, fmt.Sprintf("?limit=2&after=%s", deleted))
		l.requirePage(t, after, all, at, min(at+2, len(all)), 2)
		before := l.get(t, fmt.Sprintf("?limit=2&before=%s", deleted))
		l.requirePage(t, before, all, max(0, at-2), at, 2)
		if at == len(all) {
			l.requirePage(t, l.get(t, *after.prev), all, at-2, at, 2)
		}
		if at == 0 {
			l.requirePage(t, l.get(t, *before.next), all, 0, 2, 2)
		}
	}
}

// A client that keeps asking for the items after the last id that it has seen gets every
// item of each list once and in order, even while several programs import.
func TestListDuringImports(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	w.Companies(t, a.Organization, "10000001", "10000002")
	w.Companies(t, b.Organization, "10000002")
	service := serve(t, w.Service, settings{})

	const writers, rounds, records = 3, 6, 17
	var importing, reading sync.WaitGroup
	for writer := range writers {
		operator := modelstest.Open(t, w.URL, database.Operator)
		importing.Go(func() {
			for round := range rounds {
				w.Delivery(t, fmt.Sprint(10000001+round%2), records)
				path := modelstest.File(t, "companies.csv", modelstest.CompaniesCSV(20_000_000+1000*writer+100*round, 5+round))
				_, err := imports.Companies(t.Context(), operator.DB(),
					imports.CompaniesOptions{Organization: []tenant{a, b}[round%2].Organization, Path: path})
				assert.NoError(t, err)
			}
		})
	}
	imported := make(chan struct{})
	go func() { importing.Wait(); close(imported) }()

	for _, x := range []tenant{a, b} {
		for path, query := range map[string]string{
			"/api/v1/companies":                       `SELECT id FROM companies WHERE organization_id = $1 ORDER BY id`,
			"/api/v1/companies/10000002/transactions": `SELECT id FROM transactions WHERE organization_id = $1 AND cvr = '10000002' ORDER BY id`,
			"/api/v1/transactions":                    `SELECT id FROM transactions WHERE organization_id = $1 ORDER BY id`,
			"/api/v1/changes": `SELECT change_id FROM (SELECT organization_id, change_id FROM companies UNION ALL SELECT organization_id, change_id FROM delivery_files) x
				WHERE organization_id = $1 ORDER BY 1`,
		} {
			reading.Go(func() {
				l := listTest{path: path, service: service, a: x}
				var seen []string
				query, all := "?limit=10", query
				for complete := false; ; {
					p := l.get(t, query)
					seen = append(seen, p.keys...)
					if len(p.keys) > 0 {
						query = fmt.Sprintf("?limit=10&after=%s", p.keys[len(p.keys)-1])
					} else if complete {
						break
					}
					time.Sleep(10 * time.Millisecond) // a pace
					select {
					case <-imported:
						requireCaughtUp(t, w, x)
						complete = true
					default:
					}
				}
				assert.Equal(t, selectKeys(t, w, all, x.ID), seen, path)
				assert.Greater(t, len(seen), 20, path)
			})
		}
	}
	reading.Wait()
}
