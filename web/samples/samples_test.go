package main_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// data is an organization with four companies, which have no transactions, one, a page,
// and several pages of them.
type data struct {
	*modelstest.World
	organization models.Organization
	key, baseURL string
}

var cvrs = []string{"10150817", "12345674", "88146328", "10000009"}

func newData(t *testing.T) data {
	t.Helper()
	w := modelstest.NewWorld(t)
	acme := w.Organization(t, "acme")
	w.Companies(t, acme, cvrs...)
	w.Delivery(t, cvrs[2], 3)
	w.Delivery(t, cvrs[3], 6)
	for _, record := range []string{cvrs[1] + ",1234,0012345678,GEBYR Ø,2026-01-31,3,-0.50\n", cvrs[3] + ",1234,0012345678,CARD,2026-01-31,3,999999999999.99\n"} {
		_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, record)})
		require.NoError(t, err)
	}
	_, key := w.Key(t, acme)
	return data{w, acme, key, apitest.Serve(t, w.Service, 0)}
}

// row is what copies and database are compared by.
type row struct {
	ID, CVR, AmountDKK, TransferType, RawLine string
	RecordIndex                               int64
}

// transactions returns the transactions in the database.
func (d data) transactions(t *testing.T) []row {
	t.Helper()
	rows := []row{}
	for _, cvr := range cvrs {
		for _, x := range modelstest.Transactions(t, d.Service, d.organization, cvr) {
			rows = append(rows, row{x.ID.String(), x.CVR, x.AmountDKK, x.TransferType, x.RawLine, x.RecordIndex})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.ID, b.ID) })
	return rows
}

// readCopy returns the whole lines of a file of the copy.
func readCopy(t *testing.T, folder, name string) []row {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	rows := []row{}
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var r row
		require.NoError(t, json.Unmarshal(line, &r), "%s", line)
		rows = append(rows, r)
	}
	return rows
}

// requireCopy requires that the copy has exactly what the database has, and no file has
// the key.
func (d data) requireCopy(t *testing.T, folder string) {
	t.Helper()
	companies := modelstest.Companies(t, d.Service, d.organization)
	copied := readCopy(t, folder, "companies.jsonl")
	require.Len(t, copied, len(companies))
	for i, company := range companies {
		require.Equal(t, company.ID.String(), copied[i].ID)
	}
	require.Equal(t, d.transactions(t), readCopy(t, folder, "transactions.jsonl"))
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(text), d.key)
	}
}

// A sample reads only what is new, and removes what was withdrawn.
func TestSamplesFollowChanges(t *testing.T) {
	t.Parallel()
	each(t, append([]program{shell}, syncing...), func(t *testing.T, s program) {
		d, folder := newData(t), t.TempDir()
		sync := func() []string {
			proxy := apitest.NewProxy(t, d.baseURL, apitest.SmallPages)
			p := s.run(t, 0, proxy.URL, d.key, folder)
			require.NotContains(t, p.String(), d.key)
			d.requireCopy(t, folder)
			return proxy.Requests()
		}
		sync()
		requests := sync()
		if s.name != shell.name {
			require.Len(t, requests, 1) // nothing has changed
		}
		var delivery imports.DeliveryResult
		apitest.Change(t, d.baseURL, d.key, func() { delivery = d.Delivery(t, cvrs[3], 2) })
		for _, request := range sync() {
			if strings.Contains(request, "/transactions") {
				require.Contains(t, request, "after=")
			}
		}
		apitest.Change(t, d.baseURL, d.key, func() {
			_, err := imports.Withdraw(t.Context(), d.Operator.DB(), delivery.ID, "wrong", nil)
			require.NoError(t, err)
		})
		if s.name == shell.name {
			require.Contains(t, s.run(t, 1, d.baseURL, d.key, folder).err.String(), "items were removed. Run it again.\n")
		}
		sync()
	})
}

// A program that is killed before any request, or after any response, continues where it
// was: in the end the copy has every transaction once.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	d := newData(t)
	stored := d.transactions(t)
	each(t, syncing, func(t *testing.T, s program) {
		seed := rand.Uint64()
		t.Log("seed", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		for _, answered := range []bool{false, true} {
			folder := t.TempDir()
			for n, killed := 1, true; killed || n < 12; n++ {
				p := s.prepare(t, folder)
				proxy := apitest.NewProxy(t, d.baseURL, func(i int, w http.ResponseWriter, r *http.Request, next http.Handler) {
					if i != n || answered {
						apitest.SmallPages(i, w, r, next)
						_ = http.NewResponseController(w).Flush()
					}
					if i == n && answered { // while it writes, perhaps
						time.AfterFunc(time.Duration(random.Int64N(int64(5*time.Millisecond))), p.kill)
					} else if i == n {
						p.kill()
					}
				})
				p.start(t, proxy.URL, d.key)
				status := p.wait(t)
				require.Contains(t, []int{-1, 0}, status, "%s", p)
				killed = status != 0
				copied := readCopy(t, folder, "transactions.jsonl")
				require.LessOrEqual(t, len(copied), len(stored))
				require.Equal(t, stored[:len(copied)], copied)
			}
			s.run(t, 0, d.baseURL, d.key, folder)
			d.requireCopy(t, folder)
		}
	})
}

// Of two runs of one copy, one ends with exit status 1 and a sentence, and without a
// request. The lock ends with the process that holds it, even if it is killed.
func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	d := newData(t)
	each(t, syncing, func(t *testing.T, s program) {
		folder := t.TempDir()
		for _, killed := range []bool{true, false} {
			reached, release := make(chan struct{}), make(chan struct{})
			proxy := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
				if n == 3 {
					close(reached)
					<-release
				}
				apitest.SmallPages(n, w, r, next)
			})
			first := s.prepare(t, folder)
			first.start(t, proxy.URL, d.key)
			<-reached
			second := s.run(t, 1, proxy.URL, d.key, folder)
			require.Regexp(t, "^The copy is not complete: .*another program is syncing the copy in "+folder+"\n$", second.String())
			require.Len(t, proxy.Requests(), 3)
			if killed {
				first.kill()
			}
			close(release)
			require.Equal(t, killed, first.wait(t) != 0)
		}
		d.requireCopy(t, folder)

		for range 3 { // at the same moment
			folder := t.TempDir()
			pair := [2]*process{s.prepare(t, folder), s.prepare(t, folder)}
			for _, p := range pair {
				p.start(t, d.baseURL, d.key)
			}
			statuses := []int{pair[0].wait(t), pair[1].wait(t)}
			require.Contains(t, statuses, 0)
			require.Subset(t, []int{0, 1}, statuses)
			d.requireCopy(t, folder)
		}
	})
}

// Count and sum are those of the files: a run that finds a changed copy at its end doesn't
// call it complete, but reads all data again.
func TestProofReadsTheFiles(t *testing.T) {
	t.Parallel()
	d := newData(t)
	each(t, syncing, func(t *testing.T, s program) {
		folder := t.TempDir()
		path := filepath.Join(folder, "transactions.jsonl")
		damaged := false
		proxy := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			if strings.Contains(r.URL.String(), "/transactions") && r.URL.Query().Has("after") && !damaged { // by a program without the lock
				text, err := os.ReadFile(path)
				damaged = err == nil && os.WriteFile(path, append(text, text...), 0o600) == nil
			}
			apitest.SmallPages(n, w, r, next)
		})
		s.run(t, 0, proxy.URL, d.key, folder)
		require.True(t, damaged)
		require.Greater(t, strings.Count(strings.Join(proxy.Requests(), "\n"), "/v1/companies"), 2, "it started again")
		d.requireCopy(t, folder)
	})
}

// Whatever a crash leaves of what the program was writing, the next run completes it.
func TestCompletesWhatACrashLeft(t *testing.T) {
	t.Parallel()
	d := newData(t)
	each(t, syncing, func(t *testing.T, s program) {
		folder := t.TempDir()
		path := filepath.Join(folder, "transactions.jsonl")
		s.run(t, 0, d.baseURL, d.key, folder)
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		line := bytes.IndexByte(whole, '\n') + 1
		second := line + bytes.IndexByte(whole[line:], '\n') + 1
		for name, text := range map[string][]byte{
			"nothing":                 nil,
			"a line without its end":  whole[:line-1],
			"part of a letter":        append(bytes.Clone(whole[:line]), "{\"transferType\":\"\xc3"...),
			"part of the second line": whole[:(line+second)/2],
			"zeros":                   append(bytes.Clone(whole[:line]), make([]byte, 4096)...),
			"zeros in the middle":     append(append(bytes.Clone(whole[:line]), make([]byte, second-line)...), whole[second:]...),
		} {
			t.Log(name)
			require.NoError(t, os.WriteFile(path, text, 0o600))
			state, err := os.ReadFile(filepath.Join(folder, "state"))
			require.NoError(t, err)
			state = regexp.MustCompile(`"version":".*"`).ReplaceAll(state, []byte(`"version":""`)) // is written last
			require.NoError(t, os.WriteFile(filepath.Join(folder, "state"), state, 0o600))
			s.run(t, 0, d.baseURL, d.key, folder)
			d.requireCopy(t, folder)
		}
	})
}

// A program that follows changes waits for 50 seconds at most, takes a wait that a proxy or
// the service has ended as "nothing yet", and copies the next change.
func TestFollowsBehindProxiesThatEndWaits(t *testing.T) {
	t.Parallel()
	each(t, syncing, func(t *testing.T, s program) {
		d, folder := newData(t), t.TempDir()
		ended, preferred := make(chan struct{}), make(chan string, 1000)
		statuses := []int{http.StatusGatewayTimeout, http.StatusBadGateway, http.StatusServiceUnavailable}
		proxy := apitest.NewProxy(t, d.baseURL, func(_ int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			if prefer := r.Header.Get("Prefer"); prefer != "" {
				preferred <- prefer
				if len(statuses) > 0 {
					w.WriteHeader(statuses[0])
					statuses = statuses[1:]
					return
				}
				select {
				case <-ended:
				default:
					close(ended)
				}
			}
			next.ServeHTTP(w, r)
		})
		p := s.prepare(t, "--follow", folder)
		p.start(t, proxy.URL, d.key)
		<-ended
		require.Equal(t, "wait=50", <-preferred)
		d.Delivery(t, cvrs[1], 2)
		modelstest.Eventually(t, func() bool { return len(readCopy(t, folder, "transactions.jsonl")) == 13 })
		p.kill()
		require.Equal(t, -1, p.wait(t), "%s", p)
	})
}

// The Python program tries again after failures of the service and the network, gives up
// after five tries, stops at once at an error that waiting does not cure, sends its key to
// no other server, and never prints it. The clients' own tests hold this for the others.
func TestPythonMeetsFailures(t *testing.T) {
	t.Parallel()
	d := newData(t)
	wrong := modelstest.ForgeKey(d.key)
	unavailable := func(w http.ResponseWriter) { apitest.Fail(w, 503, "SERVICE_UNAVAILABLE", "0") }
	const described = `503 SERVICE_UNAVAILABLE: The test says so. \(X-Request-Id request-of-the-test\)`
	for name, test := range map[string]struct {
		key              string
		status, requests int
		want             string
		handle           apitest.Handler
	}{
		"failures that pass": {key: d.key, requests: 4 + 4, want: `^` + described + `; trying again in 0 s \(try 1 of 5\)\n(.*; trying again in 1 s \(try 1 of 5\)\n){3}$`, handle: func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			switch n {
			case 1:
				unavailable(w)
			case 3, 7:
				apitest.Break(w)
			case 5:
				w.WriteHeader(http.StatusBadGateway) // of a proxy, without a body
			default:
				next.ServeHTTP(w, r)
			}
		}},
		"unavailable": {key: d.key, status: 1, requests: 5, want: `\nThe copy is not complete: ` + described + `; gave up after 5 tries\n$`, handle: func(_ int, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			unavailable(w)
		}},
		"invalid key":   {key: wrong, status: 1, requests: 1, want: `^The copy is not complete: 401 UNAUTHORIZED: The API key is invalid.* \(X-Request-Id [0-9a-z-]+\)\n$`},
		"key in spaces": {key: " " + wrong + "\n", status: 1, requests: 1, want: `: 401 UNAUTHORIZED: The API key is invalid`},
		"no key":        {status: 2, want: `^Set DISPO_KEY to your API key.\n$`},
		"bad key":       {key: "dispo_\u2028\n", status: 2, want: `^Set DISPO_KEY to your API key.\n$`},
		"redirect": {key: d.key, status: 1, requests: 1, want: `^The copy is not complete: 302 this response is not from the API`, handle: func(_ int, w http.ResponseWriter, r *http.Request, _ http.Handler) {
			http.Redirect(w, r, d.baseURL+"/v1/companies", http.StatusFound)
		}},
		"not the API": {key: d.key, status: 1, requests: 1, want: `^The copy is not complete: `, handle: func(_ int, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			_, _ = w.Write([]byte("<html>"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			proxy := apitest.NewProxy(t, d.baseURL, test.handle)
			p := syncing[2].run(t, test.status, proxy.URL, test.key, folder)
			require.Regexp(t, test.want, p.err.String())
			require.Len(t, proxy.Requests(), test.requests)
			for _, key := range []string{d.key, wrong} {
				require.NotContains(t, p.String(), key)
			}
			if test.status == 0 {
				d.requireCopy(t, folder)
			}
		})
	}
}
