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
		importCompanies(t, w, crowd[i].Organization, []string{"cvr", "name", "address"},
			[]string{"20000000", mark + "common", strings.Repeat(mark, 1+i)}, []string{fmt.Sprintf("1000000%d", i), mark + "own", mark + "address"})
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
	texts  []string // that the answer contains
	marks  int      // how often the answer contains the caller's mark
}

// random returns a random question.
func (c crowd) random(number int) question {
	caller := rand.IntN(len(c))
	id := fmt.Sprintf("q-%d-%d", caller, number)
	q := question{caller: caller, id: id, header: headers("X-API-Key", c[caller].token, "X-Request-Id", id, "User-Agent", fmt.Sprintf("agent-%d-%06d", caller, number))}
	other := (caller + 1 + rand.IntN(len(c)-1)) % len(c)
	switch rand.IntN(8) {
	case 0:
		q.path, q.status, q.texts, q.marks = "/api/v1/companies/20000000", 200, []string{`"cvr":"20000000"`}, 2+caller
	case 1:
		q.path, q.status, q.texts, q.marks = fmt.Sprintf("/api/v1/companies/1000000%d", caller), 200, []string{fmt.Sprintf(`"cvr":"1000000%d"`, caller)}, 2
	case 2:
		limit := 2 + rand.IntN(99)
		q.path, q.status, q.texts, q.marks = fmt.Sprintf("/api/v1/companies?limit=%d", limit), 200, []string{`"total":2`, fmt.Sprintf(`"self":"/api/v1/companies?limit=%d"`, limit)}, 4+caller
	case 3:
		q.path, q.status, q.texts, q.marks = "/api/v1/companies/20000000/transactions", 200, []string{fmt.Sprintf(`"total":%d,`, 3+caller)}, 3*(3+caller)
	case 4:
		q.path, q.status, q.texts = fmt.Sprintf("/api/v1/companies/1000000%d", other), 404, []string{fmt.Sprintf("CVR 1000000%d ", other)}
	case 5:
		q.path, q.status, q.texts = fmt.Sprintf("/api/v1/companies/3%07d/transactions", number%10_000_000), 404, []string{fmt.Sprintf("CVR 3%07d ", number%10_000_000)}
	case 6:
		q.path, q.status, q.texts = fmt.Sprintf("/api/v1/companies/%d", number%1000), 400, []string{"8 digits"}
	default:
		q.path, q.status, q.texts = "/api/v1/companies/20000000", 401, []string{"invalid"}
		q.header.Set("X-API-Key", otherSecret(c[caller].token))
	}
	return q
}

// check fails the test if the answer does not fit the question. It may be called
// from any goroutine.
func (q question) check(t testing.TB, a answer) {
	t.Helper()
	good := a.status == q.status && a.header.Get("X-Request-Id") == q.id
	for _, text := range q.texts {
		good = good && strings.Contains(string(a.body), text)
	}
	marks := ownMark.FindAllStringSubmatch(string(a.body), -1)
	for _, mark := range marks {
		good = good && mark[1] == fmt.Sprint(q.caller)
	}
	if !good || len(marks) != q.marks {
		t.Errorf("%s by %d with the id %s got %d with the id %s: %s", q.path, q.caller, q.id, a.status, a.header.Get("X-Request-Id"), a.body)
	}
}

// Many organizations send requests at once over shared connections. Every answer
// belongs to its request and contains only its organization's data, requests count
// against their own organization's limit, and a key's last use is its own.
func TestConcurrentOrganizationsAreIsolated(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	crowd := newCrowd(t, w, 6)
	store := modelstest.Open(t, w.URL, database.Service)
	const hour = 100_000
	service := serve(t, store, settings{hour: hour})
	service.client.Transport = &http.Transport{MaxConnsPerHost: 4, MaxIdleConnsPerHost: 4}

	var counts [6]atomic.Int64
	var requests sync.WaitGroup
	for worker := range 12 {
		requests.Go(func() {
			for i := range 150 {
				q := crowd.random(worker*1000 + i)
				if q.status != 401 {
					counts[q.caller].Add(1)
				}
				q.check(t, service.send(t, "GET", q.path, q.header))
			}
		})
	}
	requests.Wait()
	for i, x := range crowd {
		left := service.send(t, "GET", "/api/v1/companies", headers("X-API-Key", x.token, "User-Agent", fmt.Sprintf("agent-%d-last", i)))
		left.requireLimit(t, "hour", hour, hour-counts[i].Load()-1)
	}
	for i := range crowd { // overwrite the buffers of the requests above
		service.send(t, "GET", "/api/v1/companies", headers("X-API-Key", "bad", "User-Agent", fmt.Sprintf("nobody-%d-xxx", i)))
	}
	store.Close() // writes the pending uses
	for i, x := range crowd {
		require.Equal(t, fmt.Sprintf("agent-%d-last", i), modelstest.ValueAt[string](t, w.URL, `SELECT last_used_user_agent FROM api_keys WHERE id = $1`, x.key.ID))
	}
}

// Many organizations' requests are pipelined over one connection. They are answered
// in order, each with its own organization's data.
func TestPipelinedOrganizationsAreIsolated(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	crowd := newCrowd(t, w, 4)
	service := serve(t, w.Service, settings{})
	for line := range 3 {
		t.Run(fmt.Sprint(line), func(t *testing.T) {
			t.Parallel()
			conn := service.dial(t)
			questions := make([]question, 100)
			requests := make([]*http.Request, len(questions))
			var sent bytes.Buffer
			for i := range questions {
				questions[i] = crowd.random(line*1000 + i)
				request, err := http.NewRequest("GET", "http://"+service.address+questions[i].path, nil)
				require.NoError(t, err)
				request.Header = questions[i].header
				requests[i] = request
				require.NoError(t, request.Write(&sent))
			}
			var writing sync.WaitGroup
			writing.Go(func() { _, _ = conn.Write(sent.Bytes()) })
			from := bufio.NewReader(conn)
			for i, q := range questions {
				q.check(t, readAnswer(t, from, requests[i]))
			}
			writing.Wait()
		})
	}
}
