package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/models/imports"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// data is an organization with four companies, three of which have transactions.
type data struct {
	*modelstest.World
	key, baseURL string
	bulk         *atomic.Bool // whether a program that was to be killed read in bulk
}

var cvrs = []string{"10150817", "12345674", "88146328", "10000009"}

func newData(t *testing.T) data {
	t.Helper()
	w := modelstest.NewWorld(t)
	acme := w.Organization(t, "acme")
	w.Companies(t, acme, cvrs...)
	w.Delivery(t, cvrs[2], 3)
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t,
		cvrs[1]+",1234,0012345678,GEBYR Ø,2026-01-31,3,-0.50\n",
		cvrs[3]+",1234,0012345678,CARD,2026-01-31,3,999999999999.99\n")})
	require.NoError(t, err)
	w.Delivery(t, cvrs[3], 78)
	_, key := w.Key(t, acme)
	return data{w, key, apitest.Serve(t, w.Service, 0), &atomic.Bool{}}
}

// newFile returns the path of a copy that is not there yet.
func newFile(t *testing.T) string { return filepath.Join(t.TempDir(), "dispo.sqlite") }

// reader is a program that reads copies. All tests share one, because Python is slow to start. For each
// line, a file and a table, it prints the rows, or none if the copy is not there yet.
var reader = sync.OnceValue(func() func(file, table string) ([]byte, error) {
	command := exec.Command(pythonSample.command[0], "-ISu", "-c", `
import json, os, sqlite3, sys
for line in sys.stdin:
    file, table = json.loads(line)
    c = sqlite3.connect(file if os.path.exists(file) else ":memory:", timeout=60)
    c.row_factory = sqlite3.Row
    found = c.execute("SELECT * FROM sqlite_master WHERE name = ?", [table]).fetchall()
    rows = [dict(x) for x in c.execute(f"SELECT * FROM {table} ORDER BY 1")] if found else []
    c.close()
    print(json.dumps(rows))`)
	command.Stderr = os.Stderr
	questions, failed := command.StdinPipe()
	answers, failedToo := command.StdoutPipe()
	failed = errors.Join(failed, failedToo, command.Start())
	lines := bufio.NewReader(answers)
	var mu sync.Mutex
	return func(file, table string) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if failed != nil {
			return nil, failed
		}
		fmt.Fprintf(questions, "[%q, %q]\n", file, table)
		return lines.ReadBytes('\n')
	}
})

// readCopy reads a table of a copy, or nothing before it is there.
func readCopy(t *testing.T, file, table string) (rows []map[string]any) {
	t.Helper()
	text, err := reader()(file, table)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &rows))
	return rows
}

// list returns the items of a list of the API, with amounts in øre as copies have them.
func (d data) list(t *testing.T, path string) []map[string]any {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.baseURL+path, nil)
	require.NoError(t, err)
	request.Header.Set("X-API-Key", d.key)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	var list struct{ Data []map[string]any }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&list))
	for _, item := range list.Data {
		if amount, ok := item["amountDkk"].(string); ok {
			item["amountOere"], err = strconv.ParseFloat(strings.Replace(amount, ".", "", 1), 64)
			require.NoError(t, err)
			delete(item, "amountDkk")
		}
	}
	return list.Data
}

func (d data) transactions(t *testing.T) []map[string]any {
	return d.list(t, "/v1/transactions?limit=1000")
}

// requireCopy requires that the copy has exactly what the API has, each field in a column of
// its own, that a client's is proved, and that no file has the key or may be read by others.
func (s program) requireCopy(t *testing.T, d data, file string) {
	t.Helper()
	require.Equal(t, d.transactions(t), readCopy(t, file, "transactions"))
	if s.name != pythonSample.name {
		require.ElementsMatch(t, d.list(t, "/v1/companies?limit=100"), readCopy(t, file, "companies"))
		require.NotEmpty(t, readCopy(t, file, "copy")[0]["version"])
	}
	files, err := filepath.Glob(file + "*")
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NotContains(t, string(text), d.key)
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.True(t, info.Size() == 0 || info.Mode().Perm() == 0o600, "%s may be read by others", name)
	}
}

// killAt runs a program that it kills at its n-th request, or sooner at one that reads in
// bulk, before or some time after the response, and reports whether that was before its end.
func (s program) killAt(t *testing.T, d data, file string, n int, answered bool) (killed bool) {
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	proxy := apitest.NewProxy(t, d.baseURL, func(i int, w http.ResponseWriter, r *http.Request, next http.Handler) {
		last := i == n
		if r.Header.Get("Accept") == "application/x-ndjson" {
			last = true
			d.bulk.Store(true)
		}
		if !last || answered {
			apitest.SmallPages(i, w, r, next)
			_ = http.NewResponseController(w).Flush()
		}
		if last && answered { // while it writes, perhaps
			time.AfterFunc(rand.N(5*time.Millisecond), kill)
		} else if last {
			kill()
			<-r.Context().Done()
		}
	})
	p := s.start(ctx, t, proxy.URL, d.key, file)
	status := p.end()
	require.Contains(t, []int{-1, 0}, status, "%s", &p.out)
	return status != 0
}

// A program that is killed before any request, or after any response, continues where it
// was, in the first copy and in what follows it: in the end the copy has every transaction
// once. It reads only what is new, and removes what was withdrawn. If the data went back in
// time, it says so, and copies everything again.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s program) {
		d, file := newData(t), newFile(t)
		sync := func(change func()) (requests, said string) {
			apitest.Change(t, d.baseURL, d.key, change)
			proxy := apitest.NewProxy(t, d.baseURL, apitest.SmallPages)
			said = s.run(t, 0, proxy.URL, d.key, file)
			s.requireCopy(t, d, file)
			return strings.Join(proxy.Requests(), "\n"), said
		}
		var delivery imports.DeliveryResult
		for range 2 {
			stored := d.transactions(t)
			for n, killed := 1, true; killed; n++ { // until a run reaches its end before the n-th request
				for _, answered := range []bool{false, true} {
					killed = s.killAt(t, d, file, n, answered)
					require.True(t, killed || answered || n > 2, "it ended before its second request")
					copied := readCopy(t, file, "transactions")
					require.LessOrEqual(t, len(copied), len(stored))
					require.Equal(t, stored[:len(copied)], append([]map[string]any{}, copied...))
				}
			}
			s.requireCopy(t, d, file)
			require.Equal(t, s.name != pythonSample.name, d.bulk.Load())
			apitest.Change(t, d.baseURL, d.key, func() { delivery = d.Delivery(t, cvrs[3], 7) })
		}
		requests, _ := sync(func() { d.Delivery(t, cvrs[1], 1) })
		require.NotRegexp(t, `/transactions\?limit=\d+(\n|$)`, requests, "only what is new")
		sync(func() {
			require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), d.Operator.DB(), delivery.ID, "wrong", nil)))
		})
		_, said := sync(func() {
			modelstest.ExecuteAt(t, d.URL, "UPDATE transactions SET raw_line = 'another'")
			require.NoError(t, modelstest.ErrorOf(organizations.RenewHistory(t.Context(), d.Operator.Store, "")))
		})
		require.Contains(t, said, "another history than the copy")
	})
}

// Of two runs of one copy, one ends with exit status 1 and a sentence, and without a
// request. The other goes on to its end. The lock ends with the process that holds it, even
// if it is killed.
func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	d := newData(t)
	each(t, func(t *testing.T, s program) {
		file := newFile(t)
		for _, killed := range []bool{true, false} {
			reached, refused := make(chan struct{}), make(chan struct{})
			proxy := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
				if n == 3 {
					close(reached)
					select {
					case <-r.Context().Done():
					case <-refused:
					}
				}
				apitest.SmallPages(n, w, r, next)
			})
			ctx, kill := context.WithCancel(t.Context())
			defer kill()
			first := s.start(ctx, t, proxy.URL, d.key, file)
			<-reached
			require.Contains(t, s.run(t, 1, proxy.URL, d.key, file), "nother program is syncing the copy in "+file)
			require.Len(t, proxy.Requests(), 3)
			if killed {
				kill()
			} else {
				close(refused)
			}
			require.Equal(t, map[bool]int{true: -1, false: 0}[killed], first.end(), "%s", &first.out)
		}
		s.requireCopy(t, d, file)
		first := s.start(t.Context(), t, d.baseURL, d.key, file) // at the same moment as the second
		statuses := []int{s.start(t.Context(), t, d.baseURL, d.key, file).end(), first.end()}
		require.Contains(t, statuses, 0)
		require.Subset(t, []int{0, 1}, statuses)
		s.requireCopy(t, d, file)
	})
}

// A program that follows changes waits for 50 seconds at most, outlives an outage, and copies
// the next change. What it had written when the power failed then, up to any moment, the next
// run completes.
func TestFollowsUntilACrash(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s program) {
		d, file := newData(t), newFile(t)
		ctx, kill := context.WithCancel(t.Context())
		waits := 0
		proxy := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			if r.Header.Get("Prefer") == "" {
				apitest.SmallPages(n, w, r, next)
				return
			}
			require.Equal(t, "wait=50", r.Header.Get("Prefer"))
			switch waits++; waits {
			case 1, 2:
				w.WriteHeader([]int{http.StatusGatewayTimeout, http.StatusNotFound}[waits-1])
			case 3:
				d.Delivery(t, cvrs[1], 2)
				next.ServeHTTP(w, r)
			default:
				kill()
				<-r.Context().Done()
			}
		})
		p := s.start(ctx, t, proxy.URL, d.key, "--follow", file)
		require.Equal(t, -1, p.end(), "%s", &p.out)
		base, err := os.ReadFile(file)
		require.NoError(t, err)
		log, err := os.ReadFile(file + "-wal")
		require.NoError(t, err)
		require.NotEmpty(t, log)
		const parts = 4
		for part := range parts + 1 {
			file := newFile(t)
			require.NoError(t, os.WriteFile(file, base, 0o600))
			require.NoError(t, os.WriteFile(file+"-wal", log[:part*len(log)/parts], 0o600))
			if part == parts {
				require.Len(t, readCopy(t, file, "transactions"), 85)
			}
			s.run(t, 0, d.baseURL, d.key, file)
			s.requireCopy(t, d, file)
		}
	})
}

// The Python program tries again after failures of the service and the network, waits as long
// as a limit says, gives up after five tries, stops at once at an error that waiting does not
// cure, sends its key to no other server, and never prints it. The clients' scenarios hold this
// for the others.
func TestPythonMeetsFailures(t *testing.T) {
	t.Parallel()
	d := newData(t)
	wrong := modelstest.ForgeKey(d.key)
	answer := func(status int) apitest.Handler {
		return func(_ int, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			w.Header().Set("Location", d.baseURL+"/v1/companies")
			w.WriteHeader(status)
		}
	}
	for name, test := range map[string]struct {
		key              string
		status, requests int
		want             string
		handle           apitest.Handler
	}{
		"failures that pass": {d.key, 0, 3 + 3, `503 .*The test says so.*; trying again in 1 s\n429 .*; trying again in 2 s\n.*; trying again in 4 s\n`,
			func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
				switch n {
				case 1:
					apitest.Fail(w, 503, "SERVICE_UNAVAILABLE", "0")
				case 2:
					apitest.Fail(w, 429, "RATE_LIMIT_EXCEEDED", "2")
				case 3:
					apitest.Break(w)
				default:
					next.ServeHTTP(w, r)
				}
			}},
		"unavailable": {d.key, 1, 5, `502 ; gave up after 5 tries\n$`, answer(502)},
		"redirect":    {d.key, 1, 1, `302 \n$`, answer(302)},
		"invalid key": {" " + wrong + "\n", 1, 1, `401 .*UNAUTHORIZED.*The API key is invalid`, nil},
		"bad key":     {"dispo_\u2028x", 1, 0, `Set DISPO_KEY to your API key.\n$`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, proxy := newFile(t), apitest.NewProxy(t, d.baseURL, test.handle)
			said := pythonSample.run(t, test.status, proxy.URL, test.key, file)
			require.Regexp(t, test.want, said)
			require.Len(t, proxy.Requests(), test.requests)
			if test.status == 0 {
				pythonSample.requireCopy(t, d, file)
			}
		})
	}
}

// If a wait ends early, the Python program pauses, longer each time. It leaves a client's copy
// alone.
func TestPythonPauses(t *testing.T) {
	t.Parallel()
	d := newData(t)
	ctx, kill := context.WithCancel(t.Context())
	var at []time.Time
	proxy := apitest.NewProxy(t, d.baseURL, func(_ int, w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Header.Get("Prefer") != "" {
			r.Header.Del("Prefer")
			if at = append(at, time.Now()); len(at) == 3 {
				kill()
			}
		}
		next.ServeHTTP(w, r)
	})
	p := pythonSample.start(ctx, t, proxy.URL, d.key, "--follow", newFile(t))
	require.Equal(t, -1, p.end(), "%s", &p.out)
	require.GreaterOrEqual(t, at[1].Sub(at[0]), time.Second)
	require.GreaterOrEqual(t, at[2].Sub(at[1]), 2*time.Second)

	client := newFile(t)
	goSample.run(t, 0, d.baseURL, d.key, client)
	require.Contains(t, pythonSample.run(t, 1, d.baseURL, d.key, client), client+" is another program's copy")
}
