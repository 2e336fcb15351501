package api_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// crowd is organizations whose names, addresses and records all contain a mark of
// their own.
type crowd []tenant

var ownMark = regexp.MustCompile(`tenant-(\d+)-`)

func newCrowd(t *testing.T, w *modelstest.World, size int) crowd {
	t.Helper()
	crowd := make(crowd, size)
	for i := range crowd {
		crowd[i] = newTenant(t, w, fmt.Sprintf("tenant-%d", i))
		mark := fmt.Sprintf("tenant-%d-", i)
		importCompanies(t, w, crowd[i].Organization, []string{"cvr", "name", "address"}, []string{
			"20000000", mark + "common", strings.Repeat(mark, 1+i),
		}, []string{fmt.Sprintf("1000000%d", i), mark + "own", mark + "address"})
		var text strings.Builder
		text.WriteString("cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n")
		for record := range 3 + i {
			fmt.Fprintf(&text, "20000000,1234,%d,%srecord,2026-01-31,%d,%d.00\n", i, mark, record, record)
		}
		path := modelstest.File(t, mark+"delivery.csv", text.String())
		_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Organization: &crowd[i].Organization})
		require.NoError(t, err)
	}
	return crowd
}

// question is a request by one organization, and what its answer must contain.
type question struct {
	caller int // index into the crowd
	id     string
	path   string
	header http.Header
	status int
	text   string // that the answer contains
	marks  int    // how often the answer contains the caller's mark
}

// random returns a random question.
func (c crowd) random(number int) question {
	caller := rand.IntN(len(c))
	own, limit, records := fmt.Sprint(10000000+caller), 2+rand.IntN(99), 3+caller
	others, nobodys := fmt.Sprint(10000000+(caller+1+rand.IntN(len(c)-1))%len(c)), fmt.Sprint(30000000+number)
	key, total := c[caller].token, fmt.Sprintf(`"total":%d,`, records)
	questions := []question{
		{path: "companies/20000000", status: 200, text: `"cvr":"20000000"`, marks: 2 + caller},
		{path: "companies/" + own, status: 200, text: `"cvr":"` + own + `"`, marks: 2},
		{
			path:   fmt.Sprint("companies?limit=", limit),
			status: 200,
			text:   fmt.Sprintf(`"self":"/api/v1/companies?limit=%d"`, limit),
			marks:  4 + caller,
		},
		{path: "companies/20000000/transactions", status: 200, text: total, marks: 3 * records},
		{path: "transactions", status: 200, text: total, marks: 3 * records},
		{path: "changes", status: 200, text: `"total":3,`, marks: 1},
		{path: "companies/" + others, status: 404, text: "CVR " + others + " "},
		{path: "companies/" + nobodys + "/transactions", status: 404, text: "CVR " + nobodys + " "},
		{path: fmt.Sprint("companies/", number%1000), status: 400, text: "8 digits"},
		{path: "companies/20000000", status: 401, text: "invalid"},
	}
	q := questions[rand.IntN(len(questions))]
	if q.status == 401 {
		key = otherSecret(key)
	}
	q.caller, q.id, q.path = caller, fmt.Sprintf("q-%d-%d", caller, number), "/api/v1/"+q.path
	q.header = headers("X-API-Key", key, "X-Request-Id", q.id, "User-Agent", fmt.Sprintf("agent-%d-%06d", caller, number))
	return q
}

// check fails the test if the answer does not fit the question. It may be called
// from any goroutine.
func (q question) check(t testing.TB, a answer) {
	t.Helper()
	good := a.status == q.status && a.header.Get("X-Request-Id") == q.id && strings.Contains(string(a.body), q.text)
	marks := ownMark.FindAllStringSubmatch(string(a.body), -1)
	for _, mark := range marks {
		good = good && mark[1] == fmt.Sprint(q.caller)
	}
	if !good || len(marks) != q.marks {
		t.Errorf("%s by %d with the id %s got %d with the id %s: %s", q.path, q.caller, q.id, a.status,
			a.header.Get("X-Request-Id"), a.body)
	}
}

// Many organizations send requests at once over shared connections, and pipelined over
// others. Every answer belongs to its request and contains only its organization's data, also
// of a company that all have, requests count against their own organization's limit, and a
// key's last use is its own.
func TestConcurrentOrganizationsAreIsolated(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	crowd := newCrowd(t, w, 6)
	store := modelstest.Open(t, w.URL, database.Service)
	const hour = 100_000
	service := serve(t, store, settings{hour: hour, trustedProxies: loopback})
	service.client.Transport = &http.Transport{MaxConnsPerHost: 4, MaxIdleConnsPerHost: 4}

	var counts [6]atomic.Int64
	ask := func(number int) question {
		q := crowd.random(number)
		if q.status != 401 {
			counts[q.caller].Add(1)
		}
		return q
	}
	var requests sync.WaitGroup
	for worker := range 12 {
		requests.Go(func() {
			for i := range 75 {
				q := ask(worker*1000 + i)
				q.check(t, service.send(t, "GET", q.path, q.header))
			}
		})
	}
	for line := range 3 {
		conn := service.dial(t)
		requests.Go(func() {
			var sent bytes.Buffer
			var asked []*http.Request
			var questions []question
			for i := range 75 {
				q := ask((12+line)*1000 + i)
				request, err := http.NewRequest("GET", "http://"+service.address+q.path, nil)
				assert.NoError(t, err)
				request.Header = q.header
				assert.NoError(t, request.Write(&sent))
				questions, asked = append(questions, q), append(asked, request)
			}
			requests.Go(func() { _, _ = conn.Write(sent.Bytes()) })
			from := bufio.NewReader(conn)
			for i, q := range questions {
				q.check(t, readAnswer(t, from, asked[i]))
			}
		})
	}
	requests.Wait()
	for i, x := range crowd {
		left := service.send(t, "GET", "/api/v1/companies",
			headers("X-API-Key", x.token, "User-Agent", fmt.Sprintf("agent-%d-last", i)))
		left.requireLimit(t, "hour", hour, hour-counts[i].Load()-1)
	}
	for i := range crowd { // overwrite the buffers of the requests above
		service.send(t, "GET", "/api/v1/companies",
			headers("X-API-Key", "bad", "User-Agent", fmt.Sprintf("nobody-%d-xxx", i)))
	}
	store.Close() // writes the pending uses
	for i, x := range crowd {
		require.Equal(t, fmt.Sprintf("agent-%d-last", i),
			modelstest.ValueAt[string](t, w.URL, `SELECT last_used_user_agent FROM api_keys WHERE id = $1`, x.key.ID))
	}
}

// Another organization's company, and its transactions, get byte for byte the answer
// of a company that nobody has.
func TestForeignCompanyIsNotFound(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	crowd := newCrowd(t, w, 2)
	service := serve(t, w.Service, settings{})
	for i, x := range crowd {
		other := fmt.Sprintf("1000000%d", 1-i)
		for _, path := range []string{"/api/v1/companies/%s", "/api/v1/companies/%s/transactions", "/api/v1/companies/%s/transactions?limit=1&before=ffffffff-ffff-ffff-ffff-ffffffffffff", "/api/v1/companies/%s/days"} {
			for _, method := range []string{"GET", "HEAD", "GET text/csv", "HEAD application/x-ndjson"} {
				method, accept, _ := strings.Cut(method, " ")
				if strings.Contains(path, "limit") {
					accept = "" // no limit there
				}
				header := headers("X-API-Key", x.token, "Accept", accept, "If-None-Match", "*")
				foreign := service.send(t, method, fmt.Sprintf(path, other), header)
				nobodys := service.send(t, method, fmt.Sprintf(path, "10000009"), header)
				require.Equal(t, 404, foreign.status)
				require.Equal(t, 404, nobodys.status)
				require.Equal(t, strings.ReplaceAll(string(nobodys.body), "10000009", other), string(foreign.body))
				require.Equal(t, countValues(nobodys.header), countValues(foreign.header))
				require.Equal(t, nobodys.header.Get("Content-Length"), foreign.header.Get("Content-Length"))
			}
			foreign := service.get(t, fmt.Sprintf(path, other), x.token)
			foreign.requireError(t, 404, "COMPANY_NOT_FOUND", other)
		}
	}
}

func countValues(header http.Header) map[string]int {
	count := map[string]int{}
	for name, values := range header {
		count[name] = len(values)
	}
	return count
}
