package main_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// data is an organization with four companies.
type data struct {
	*modelstest.World
	organization models.Organization
	key          string
}

var cvrs = []string{"10150817", "12345674", "88146328", "10000009"}

// newData creates data whose companies have no transactions, one, a page, and several
// pages of them.
func newData(t *testing.T, page int) data {
	t.Helper()
	w := modelstest.NewWorld(t)
	acme := w.Organization(t, "acme")
	w.Companies(t, acme, cvrs...)
	w.Delivery(t, cvrs[2], page)
	w.Delivery(t, cvrs[3], 2*page)
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, cvrs[1]+",1234,0012345678,GEBYR Ø,2026-01-31,3,-0.50\n")})
	require.NoError(t, err)
	_, err = w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, cvrs[3]+",1234,0012345678,CARD,2026-01-31,3,999999999999.99\n")})
	require.NoError(t, err)
	_, key := w.Key(t, acme)
	return data{w, acme, key}
}

// transactions returns a company's transactions as the database has them.
func (d data) transactions(t *testing.T, cvr string) []row {
	t.Helper()
	rows := []row{}
	for _, x := range modelstest.Transactions(t, d.Service, d.organization, cvr) {
		rows = append(rows, row{x.ID.String(), x.CVR, x.AmountDKK, x.TransferType, x.RawLine, x.RecordIndex})
	}
	return rows
}

// row is what the copies and the database are compared by.
type row struct {
	ID, CVR, AmountDKK, TransferType, RawLine string
	RecordIndex                               int64
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

// requireCopy requires that the copy has exactly what the database has.
func (d data) requireCopy(t *testing.T, folder string) {
	t.Helper()
	companies := modelstest.Companies(t, d.Service, d.organization)
	copied := readCopy(t, folder, "companies.jsonl")
	require.Len(t, copied, len(companies))
	for i, company := range companies {
		require.Equal(t, company.ID.String(), copied[i].ID)
		require.Equal(t, d.transactions(t, company.CVR), readCopy(t, folder, company.CVR+".jsonl"))
	}
	requireNoKey(t, folder, d.key)
}

// requireNoKey requires that the sample has left its key nowhere.
func requireNoKey(t *testing.T, folder, key string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(text), key)
	}
}

// A sample that is killed before any request, or after any answer, goes on where it was:
// in the end the copy has every transaction once.
func TestSamplesKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	d := newData(t, 3)
	baseURL := apitest.Serve(t, d.Service, 0)
	stored := map[string][]row{}
	for _, cvr := range cvrs {
		stored[cvr] = d.transactions(t, cvr)
	}
	each(t, func(t *testing.T, s program) {
		seed := rand.Uint64()
		t.Log("seed", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		// killed runs the sample until it is killed at its request number n, and reports
		// whether it was.
		killed := func(folder string, n int, kill func(p *process, forward func())) bool {
			t.Helper()
			p := s.prepare(t, folder)
			proxy := apitest.NewProxy(t, baseURL, func(i int, w http.ResponseWriter, r *http.Request, next http.Handler) {
				forward := func() {
					apitest.SmallPages(i, w, r, next)
					_ = http.NewResponseController(w).Flush()
				}
				if i == n {
					kill(p, forward)
				} else {
					forward()
				}
			})
			p.start(t, "DISPO_URL="+proxy.URL, "DISPO_KEY="+d.key)
			status := p.wait(t)
			require.Contains(t, []int{-1, 0}, status, p.err.String())
			for cvr, rows := range stored {
				copied := readCopy(t, folder, cvr+".jsonl")
				require.LessOrEqual(t, len(copied), len(rows))
				require.Equal(t, rows[:len(copied)], copied, cvr)
			}
			return status != 0
		}

		before := t.TempDir()
		n := 1
		for killed(before, n, func(p *process, _ func()) { p.kill() }) {
			n++
		}
		d.requireCopy(t, before)

		after := t.TempDir()
		afterwards := func(p *process, forward func()) {
			forward()
			delay := time.Duration(random.Int64N(int64(5 * time.Millisecond))) // while it writes, perhaps
			time.AfterFunc(delay, p.kill)
		}
		n = 1
		for killed(after, n, afterwards) || n < 12 {
			n++
		}
		require.False(t, killed(after, 0, nil))
		d.requireCopy(t, after)
	})
}

// Whatever a crash leaves of what the sample was writing, the next run completes it.
func TestSamplesCompleteWhatACrashLeft(t *testing.T) {
	t.Parallel()
	d := newData(t, 3)
	baseURL := apitest.Serve(t, d.Service, 0)
	each(t, func(t *testing.T, s program) {
		folder := t.TempDir()
		path := filepath.Join(folder, cvrs[3]+".jsonl")
		s.run(t, folder, "DISPO_URL="+baseURL, "DISPO_KEY="+d.key).requireStatus(t, 0)
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		line := bytes.IndexByte(whole, '\n') + 1
		second := line + bytes.IndexByte(whole[line:], '\n') + 1
		left := map[string][]byte{
			"nothing":                 nil,
			"a line without its end":  whole[:line-1],
			"part of a letter":        append(bytes.Clone(whole[:line]), "{\"transferType\":\"\xc3"...),
			"part of the second line": whole[:(line+second)/2],
			"zeros":                   append(bytes.Clone(whole[:line]), make([]byte, 4096)...),
			"zeros in the middle":     append(append(bytes.Clone(whole[:line]), make([]byte, second-line)...), whole[second:]...),
		}
		for name, text := range left {
			require.NoError(t, os.WriteFile(path, text, 0o600))
			require.NoError(t, os.Remove(filepath.Join(folder, "etag"))) // is written last
			got := s.run(t, folder, "DISPO_URL="+baseURL, "DISPO_KEY="+d.key)
			require.Zero(t, got.status, "%s: %s", name, got.err)
			d.requireCopy(t, folder)
		}
	})
}

// A sample reads only what is new, and proves the copy. When a delivery was withdrawn,
// it reads the company again.
func TestSamplesFollowChanges(t *testing.T) {
	t.Parallel()
	d := newData(t, 100)
	baseURL := apitest.Serve(t, d.Service, 0)
	folders := map[string]string{}
	for _, s := range all {
		folders[s.name] = t.TempDir()
	}
	// stage runs all samples, and lets check see each one's requests and output.
	stage := func(name string, check func(t *testing.T, requests []string, got result)) {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s program) {
				proxy := apitest.NewProxy(t, baseURL, nil)
				got := s.run(t, folders[s.name], "DISPO_URL="+proxy.URL, "DISPO_KEY="+d.key)
				got.requireStatus(t, 0)
				require.NotContains(t, got.out+got.err, d.key)
				check(t, proxy.Requests(), got)
				d.requireCopy(t, folders[s.name])
			})
		})
	}
	// onlyNew requires one request for each company, which reads what is new.
	onlyNew := func(t *testing.T, requests []string, got result) {
		require.Len(t, requests, 1+len(cvrs), got.err)
		for _, request := range requests[2:] { // the first company has no transactions
			require.Contains(t, request, "&after=")
		}
	}
	stage("first", func(t *testing.T, requests []string, got result) {
		require.Len(t, requests, 1+1+1+1+3)
		require.Empty(t, got.err)
		require.Contains(t, got.out, cvrs[1]+" Company "+cvrs[1]+": 1 transactions, 1 new, -0.50 DKK\n")
		require.Contains(t, got.out, ": 201 transactions, 201 new, 1000000019998.99 DKK\n")
		require.Contains(t, got.out, "\n4 companies. The copy is complete.\n")
	})
	unchanged := func(t *testing.T, requests []string, got result) {
		require.Equal(t, []string{"/api/v1/companies?limit=100"}, requests)
		require.Equal(t, "Nothing has changed since the copy was proved.\n", got.out)
	}
	stage("unchanged", unchanged)

	change := func(change func()) { apitest.Change(t, baseURL, d.key, change) }
	var delivery imports.DeliveryResult
	change(func() { delivery = d.Delivery(t, cvrs[3], 2) })
	stage("delivery", func(t *testing.T, requests []string, got result) {
		onlyNew(t, requests, got)
		require.Contains(t, got.out, ": 203 transactions, 2 new, ")
	})
	companies := "cvr,name\n" + cvrs[0] + ",Another name\n10000025,New company\n"
	change(func() {
		_, err := d.ImportCompanies(t.Context(), d.organization, modelstest.File(t, "companies.csv", companies))
		require.NoError(t, err)
	})
	stage("companies", func(t *testing.T, requests []string, got result) {
		require.Len(t, requests, 1+len(cvrs)+1)
		require.Contains(t, got.out, cvrs[0]+" Another name: 0 transactions, 0 new, 0.00 DKK\n")
	})
	change(func() {
		_, err := imports.Withdraw(t.Context(), d.Operator.DB(), delivery.ID, "wrong", nil)
		require.NoError(t, err)
	})
	stage("withdrawal", func(t *testing.T, _ []string, got result) {
		require.Equal(t, cvrs[3]+": the copy differs: a delivery was withdrawn, or a file was damaged. Reading it again from the start.\n", got.err)
		require.Contains(t, got.out, ": 201 transactions, 201 new, ")
	})
	stage("unchanged again", unchanged)
}
