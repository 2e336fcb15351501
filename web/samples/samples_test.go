package main_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// data is an organization with four companies, which have no transactions, one, a page,
// and so many pages that programs read them in bulk.
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
	w.Delivery(t, cvrs[3], 66)
	for _, record := range []string{cvrs[1] + ",1234,0012345678,GEBYR Ø,2026-01-31,3,-0.50\n", cvrs[3] + ",1234,0012345678,CARD,2026-01-31,3,999999999999.99\n"} {
		_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, record)})
		require.NoError(t, err)
	}
	_, key := w.Key(t, acme)
	return data{w, acme, key, apitest.Serve(t, w.Service, 0)}
}

// deliver imports a delivery with a number of records, and waits until the API has it.
func (d data) deliver(t *testing.T, records int) (delivery imports.DeliveryResult) {
	t.Helper()
	apitest.Change(t, d.baseURL, d.key, func() { delivery = d.Delivery(t, cvrs[3], records) })
	return delivery
}

// newFile returns the path of a copy that is not there yet.
func newFile(t *testing.T) string { return filepath.Join(t.TempDir(), "dispo.sqlite") }

// sqliteCopy is what is in a copy: the rows by the names of their columns.
type sqliteCopy struct {
	Companies, Transactions []map[string]any
	Copy                    [][]any
}

// openCopy begins a Python program that opens the copy c.
const openCopy = `
import json, sqlite3, sys
c = sqlite3.connect("file:" + sys.argv[1] + "?mode=rw", uri=True, isolation_level=None, timeout=60)
c.row_factory = lambda cursor, row: dict(zip([x[0] for x in cursor.description], row))
`

// execute runs statements on a copy, as another program would.
func execute(t *testing.T, file, sql string) {
	t.Helper()
	text, err := exec.Command(must(t, python), "-IS", "-c", openCopy+"c.executescript(sys.argv[2])", file, sql).
		CombinedOutput()
	require.NoError(t, err, "%s", text)
}

// readCopy reads a copy, which has nothing before its tables are there.
func readCopy(t *testing.T, file string) (stored sqliteCopy) {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		return stored
	}
	text, err := exec.Command(must(t, python), "-IS", "-c", openCopy+`
print(json.dumps({} if not c.execute("SELECT * FROM sqlite_master").fetchall() else {
    "Companies": c.execute("SELECT * FROM companies ORDER BY id").fetchall(),
    "Transactions": c.execute("SELECT * FROM transactions ORDER BY id").fetchall(),
    "Copy": [list(x.values()) for x in c.execute("SELECT version != '', transactions, amountOere FROM copy")]}))`, file).Output()
	require.NoError(t, err, "%s", text)
	require.NoError(t, json.Unmarshal(text, &stored))
	return stored
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
			oere, err := strconv.ParseFloat(strings.Replace(amount, ".", "", 1), 64)
			require.NoError(t, err)
			item["amountOere"] = oere
			delete(item, "amountDkk")
		}
	}
	return list.Data
}

func (d data) transactions(t *testing.T) []map[string]any {
	return d.list(t, "/v1/transactions?limit=1000")
}

// requireCopy requires that the copy has exactly what the API has, each field in a column of
// its own, and is proved, and that no file has the key.
func (d data) requireCopy(t *testing.T, file string) {
	t.Helper()
	copied, stored, sum := readCopy(t, file), d.transactions(t), 0.0
	require.Equal(t, d.list(t, "/v1/companies?limit=100"), copied.Companies)
	require.Equal(t, stored, copied.Transactions)
	for _, x := range stored {
		sum += x["amountOere"].(float64)
	}
	require.Equal(t, [][]any{{1.0, float64(len(stored)), sum}}, copied.Copy)
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

// A program that is killed before any request, or after any response, continues where it
// was, in the first copy and in what follows it: in the end the copy has every transaction
// once. It reads only what is new, and removes what was withdrawn.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s program) {
		d, file, seed := newData(t), newFile(t), rand.Uint64()
		t.Log("seed", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		// end reports whether it killed the program at its n-th request, before or after the response.
		end := func(n int, answered bool) bool {
			p := s.prepare(t, file)
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
			return status != 0
		}
		sync := func() []string {
			proxy := apitest.NewProxy(t, d.baseURL, apitest.SmallPages)
			require.NotContains(t, s.run(t, 0, proxy.URL, d.key, file).String(), d.key)
			d.requireCopy(t, file)
			return proxy.Requests()
		}
		var delivery imports.DeliveryResult
		for range 2 {
			stored := d.transactions(t)
			for n, killed := 1, true; killed; n++ { // until a run reaches its end before the n-th request
				for _, answered := range []bool{false, true} {
					killed = end(n, answered)
					require.True(t, killed || answered || n > 2, "it ended before its second request")
					copied := readCopy(t, file).Transactions
					require.LessOrEqual(t, len(copied), len(stored))
					require.Equal(t, stored[:len(copied)], append([]map[string]any{}, copied...))
				}
			}
			sync()
			require.Len(t, sync(), 1) // nothing has changed
			delivery = d.deliver(t, 7)
		}
		requireOnlyNew := func() {
			for _, request := range sync() {
				if strings.Contains(request, "/transactions") {
					require.Contains(t, request, "after=")
				}
			}
		}
		requireOnlyNew()
		apitest.Change(t, d.baseURL, d.key, func() {
			_, err := imports.Withdraw(t.Context(), d.Operator.DB(), delivery.ID, "wrong", nil)
			require.NoError(t, err)
		})
		requireOnlyNew()
	})
}

// Responses may be a second behind the data, and those of one server more than those of
// another. A copy is never proved at a version that is older than a row of it, whether it was
// proved before or its program was killed.
func TestCopyIsNeverNewerThanItsVersion(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s program) {
		d, file := newData(t), newFile(t)
		older := map[string]*httptest.ResponseRecorder{} // what the recorded syncs got, by URL
		recording := apitest.NewProxy(t, d.baseURL, func(_ int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			r.Header.Del("Accept-Encoding")
			response := httptest.NewRecorder()
			next.ServeHTTP(response, r)
			older[r.URL.String()] = response
			send(w, response)
		})
		s.run(t, 0, recording.URL, d.key, file)
		version, _ := readProof(t, file)
		apitest.Change(t, d.baseURL, d.key, func() {
			_, err := d.ImportCompanies(
				t.Context(),
				d.organization,
				modelstest.File(t, "companies.csv", "cvr,name\n"+cvrs[0]+",New name\n"),
			)
			require.NoError(t, err)
		})
		killed := s.prepare(t, file)
		killing := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			if n == 3 { // after the changes and the company
				killed.kill()
			}
			next.ServeHTTP(w, r)
		})
		killed.start(t, killing.URL, d.key)
		require.Equal(t, -1, killed.wait(t), "%s", killed)

		// syncBehind syncs with a server that is behind until a second after the given moment,
		// or after the first request.
		syncBehind := func(since time.Time) {
			t.Helper()
			behind := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
				if n == 1 && since.IsZero() {
					since = time.Now()
				}
				if time.Since(since) > time.Second {
					next.ServeHTTP(w, r)
					return
				}
				response, found := older[r.URL.String()]
				if !found { // of the changes after the newest one, there are none in older data either
					r.Header.Del("Accept-Encoding")
					response = httptest.NewRecorder()
					next.ServeHTTP(response, r)
					response.Header().Set("X-Data-Version", version)
				}
				send(w, response)
			})
			s.run(t, 0, behind.URL, d.key, file)
			proved, name := readProof(t, file)
			require.Equal(
				t,
				proved != version,
				name == "New name",
				"%q at version %s; it was changed after %s",
				name,
				proved,
				version,
			)
		}
		syncBehind(time.Now())
		s.run(t, 0, d.baseURL, d.key, file)
		d.requireCopy(t, file)
		syncBehind(time.Time{})

		// One server has a new delivery, and another one has not: the program waits a second
		// instead of asking again and again.
		s.run(t, 0, recording.URL, d.key, file)
		execute(t, file, "UPDATE copy SET version = ''")
		s.run(t, 0, recording.URL, d.key, file)
		d.deliver(t, 7)
		var since time.Time
		mixed := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			if n == 1 {
				since = time.Now()
			}
			if response, found := older[r.URL.String()]; found && strings.Contains(r.URL.Path, "/transactions") &&
				time.Since(since) < time.Second {
				send(w, response)
				return
			}
			next.ServeHTTP(w, r)
		})
		s.run(t, 0, mixed.URL, d.key, file)
		d.requireCopy(t, file)
		require.Len(t, mixed.Requests(), 4)
	})
}

// send answers with a response that was recorded.
func send(w http.ResponseWriter, response *httptest.ResponseRecorder) {
	maps.Copy(w.Header(), response.Header())
	w.WriteHeader(response.Code)
	_, _ = w.Write(response.Body.Bytes())
}

// readProof returns the version that a copy is proved at, and the name of its first company.
func readProof(t *testing.T, file string) (version, name string) {
	t.Helper()
	text, err := exec.Command(must(t, python), "-IS", "-c", openCopy+`
print(json.dumps([c.execute("SELECT version FROM copy").fetchone()["version"], c.execute("SELECT name FROM companies WHERE cvr = ?", sys.argv[2:]).fetchone()["name"]]))`, file, cvrs[0]).Output()
	require.NoError(t, err)
	var found [2]string
	require.NoError(t, json.Unmarshal(text, &found))
	return found[0], found[1]
}

// A first copy of many pages is read in bulk. If that response ends too early, whole or
// within a line, the program goes on with another one, or by pages.
func TestBulkReadThatIsCut(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s program) {
		d := newData(t)                           // an organization reads one at a time in bulk
		for _, missing := range []int{20, 1, 0} { // bytes, or the whole last line
			file, bulk := newFile(t), 0
			proxy := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
				if r.Header.Get("Accept") == "application/x-ndjson" {
					bulk++
				}
				if r.Header.Get("Accept") != "application/x-ndjson" || bulk > 1 {
					apitest.SmallPages(n, w, r, next)
					return
				}
				r.Header.Del("Accept-Encoding")
				whole := httptest.NewRecorder()
				next.ServeHTTP(whole, r)
				w.Header().Set("X-Data-Version", whole.Header().Get("X-Data-Version"))
				text := whole.Body.Bytes()
				if missing == 0 {
					missing = len(text) - bytes.LastIndex(text, []byte(`{"meta"`))
				}
				_, _ = w.Write(text[:len(text)-missing])
			})
			s.run(t, 0, proxy.URL, d.key, file)
			d.requireCopy(t, file)
			require.Contains(t, []int{1, 2}, bulk)
		}
	})
}

// Of two runs of one copy, one ends with exit status 1 and a sentence, and without a
// request. The lock ends with the process that holds it, even if it is killed.
func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	d := newData(t)
	each(t, func(t *testing.T, s program) {
		file := newFile(t)
		for _, killed := range []bool{true, false} {
			reached, release := make(chan struct{}), make(chan struct{})
			proxy := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
				if n == 3 {
					close(reached)
					<-release
				}
				apitest.SmallPages(n, w, r, next)
			})
			first := s.prepare(t, file)
			first.start(t, proxy.URL, d.key)
			<-reached
			second := s.run(t, 1, proxy.URL, d.key, file)
			require.Regexp(t, "^The copy is not complete: .*another program is syncing the copy in "+file+"\n$", second.String())
			require.Len(t, proxy.Requests(), 3)
			if killed {
				first.kill()
			}
			close(release)
			require.Equal(t, killed, first.wait(t) != 0)
		}
		d.requireCopy(t, file)

		for range 2 { // at the same moment
			file := newFile(t)
			pair := [2]*process{s.prepare(t, file), s.prepare(t, file)}
			for _, p := range pair {
				p.start(t, d.baseURL, d.key)
			}
			statuses := []int{pair[0].wait(t), pair[1].wait(t)}
			require.Contains(t, statuses, 0)
			require.Subset(t, []int{0, 1}, statuses)
			d.requireCopy(t, file)
		}
	})
}

// The proof is of the rows: a run that finds other ones reads all data again. If only the
// number and sum that are kept beside them are wrong, it counts the rows.
func TestProvesTheRows(t *testing.T) {
	t.Parallel()
	d := newData(t)
	each(t, func(t *testing.T, s program) {
		for sql, restarts := range map[string]bool{
			"DELETE FROM transactions WHERE recordIndex = 2":                 true,
			"UPDATE transactions SET amountOere = 1 WHERE recordIndex = 2":   true,
			"UPDATE copy SET transactions = 7, amountOere = 7, version = ''": false,
		} {
			file := newFile(t)
			s.run(t, 0, d.baseURL, d.key, file)
			execute(t, file, sql)
			proxy := apitest.NewProxy(t, d.baseURL, nil)
			s.run(t, 0, proxy.URL, d.key, file)
			require.Equal(t, restarts, strings.Contains(strings.Join(proxy.Requests(), "\n"), "/v1/companies"), sql)
			d.requireCopy(t, file)
		}
	})
}

// A copy holds the data of one history. A program that meets another one says so, and reads
// everything again, although number and sum are the same: after the data went back in time, to
// other transactions and a company as it was, and with the key of another organization. A copy
// without a history takes the first one if it is proved. The clients' scenarios hold more.
func TestAnotherHistory(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s program) {
		w := modelstest.NewWorld(t)
		baseURL, file := apitest.Serve(t, w.Service, 0), newFile(t)
		of := func(slug string) data {
			organization := w.Organization(t, slug)
			w.Companies(t, organization, cvrs...)
			_, key := w.Key(t, organization)
			return data{w, organization, key, baseURL}
		}
		acme, other := of("acme"), of("other")
		w.Delivery(t, cvrs[2], 3)
		sync := func(d data, want string) {
			t.Helper()
			require.Regexp(t, want, s.run(t, 0, baseURL, d.key, file).err.String())
			d.requireCopy(t, file)
		}
		const another, same = "another history than the copy", "^$|^The copy is complete"
		sync(acme, same)
		apitest.Change(t, baseURL, acme.key, func() {
			modelstest.ExecuteAt(
				t,
				w.URL,
				"UPDATE companies SET address = 'As it was'; UPDATE transactions SET raw_line = 'another'",
			)
			require.NoError(t, modelstest.ErrorOf(organizations.RenewHistory(t.Context(), w.Operator.Store, "")))
		})
		sync(acme, another)
		sync(other, another)
		sync(other, same)
		execute(t, file, "UPDATE copy SET history = ''")
		sync(other, same)
		execute(t, file, "UPDATE companies SET name = 'Wrong'; UPDATE copy SET history = '', version = ''")
		sync(other, another)
	})
}

// A program that follows changes waits for 50 seconds at most, outlives an outage, and copies
// the next change. What it had written when the power failed then, up to any moment, the next
// run completes.
func TestFollowsUntilACrash(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s program) {
		d, file := newData(t), newFile(t)
		p, waits := s.prepare(t, "--follow", file), 0
		proxy := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			if r.Header.Get("Prefer") == "" {
				apitest.SmallPages(n, w, r, next)
				return
			}
			require.Equal(t, "wait=50", r.Header.Get("Prefer"))
			switch waits++; waits {
			case 1, 2, 3:
				w.WriteHeader([]int{http.StatusGatewayTimeout, http.StatusBadGateway, http.StatusServiceUnavailable}[waits-1])
			case 4:
				d.Delivery(t, cvrs[1], 2)
				next.ServeHTTP(w, r)
			default:
				p.kill()
			}
		})
		p.start(t, proxy.URL, d.key)
		require.Equal(t, -1, p.wait(t), "%s", p)
		base, err := os.ReadFile(file)
		require.NoError(t, err)
		log, err := os.ReadFile(file + "-wal")
		require.NoError(t, err)
		require.NotEmpty(t, log)
		const parts = 5
		for part := range parts + 1 {
			file := newFile(t)
			require.NoError(t, os.WriteFile(file, base, 0o600))
			require.NoError(t, os.WriteFile(file+"-wal", log[:part*len(log)/parts], 0o600))
			if part == parts {
				require.Len(t, readCopy(t, file).Transactions, 73)
			}
			s.run(t, 0, d.baseURL, d.key, file)
			d.requireCopy(t, file)
		}
	})
}

// If a program cannot keep or prove the copy, it says why in one sentence.
func TestSaysWhyNot(t *testing.T) {
	t.Parallel()
	d := newData(t)
	each(t, func(t *testing.T, s program) {
		file := newFile(t)
		proxy := apitest.NewProxy(t, d.baseURL, func(_ int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			next.ServeHTTP(without{w, "X-Data-Version"}, r)
		})
		require.Regexp(
			t,
			"^The copy is not complete: a response has no X-Data-Version, so the copy cannot be proved: something between the service and this program removes the header\n$",
			s.run(t, 1, proxy.URL, d.key, file).String(),
		)
		execute(t, file, "PRAGMA user_version = 99")
		require.Regexp(
			t,
			"^The copy is not complete: "+file+" is a copy of another edition of this [a-z]+: move it away, and a new copy is made\n$",
			s.run(t, 1, proxy.URL, d.key, file).String(),
		)
	})
}

// without drops a header.
type without struct {
	http.ResponseWriter
	name string
}

func (w without) WriteHeader(status int) {
	w.Header().Del(w.name)
	w.ResponseWriter.WriteHeader(status)
}

// The TypeScript program says that Node is too old, which it is without SQLite.
func TestNodeIsTooOld(t *testing.T) {
	t.Parallel()
	p := program{"old", func(t *testing.T) []string {
		return []string{must(t, node), "--no-experimental-sqlite", must(t, nodeProgram)}
	}}.run(t, 1, "https://dispo.example/api", "dispo_x", newFile(t))
	require.Regexp(
		t,
		`^The copy is not complete: a copy needs Node 22.13 or newer, which has SQLite, and this is Node [0-9.]+\n$`,
		p.String(),
	)
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
		"failures that pass": {key: d.key, requests: 4 + 4, want: `^` + described + `; trying again in 0 s\n(.*; trying again in 1 s\n){3}$`, handle: func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
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
			file := newFile(t)
			proxy := apitest.NewProxy(t, d.baseURL, test.handle)
			p := pythonProgram.run(t, test.status, proxy.URL, test.key, file)
			require.Regexp(t, test.want, p.err.String())
			require.Len(t, proxy.Requests(), test.requests)
			for _, key := range []string{d.key, wrong} {
				require.NotContains(t, p.String(), key)
			}
			if test.status == 0 {
				d.requireCopy(t, file)
			}
		})
	}
}
