package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/api/client"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// requireCopy requires that a folder has exactly what the database has.
func (d data) requireCopy(t *testing.T, folder string) {
	t.Helper()
	companies := readLines[client.Company](t, filepath.Join(folder, "companies.jsonl"))
	expected := modelstest.Companies(t, d.Service, d.organization)
	require.Len(t, companies, len(expected))
	var ids []string
	for i, stored := range expected {
		require.Equal(t, stored.Name, companies[i].Name)
		for _, x := range modelstest.Transactions(t, d.Service, d.organization, stored.CVR) {
			ids = append(ids, x.ID.String()+x.AmountDKK+x.RawLine)
		}
	}
	slices.Sort(ids)
	for i, x := range readLines[client.Transaction](t, filepath.Join(folder, "transactions.jsonl")) {
		require.Less(t, i, len(ids))
		require.Equal(t, ids[i], x.ID+x.AmountDKK+x.RawLine)
		if i == len(ids)-1 {
			ids = nil
		}
	}
	require.Empty(t, ids)
}

func readLines[T any](t *testing.T, path string) (items []T) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for line := range bytes.Lines(text) {
		var item T
		require.NoError(t, json.Unmarshal(line, &item), "%s", line)
		items = append(items, item)
	}
	return items
}

// failing is a store that fails at its call number n, before or after it is done.
type failing struct {
	client.Store
	calls, n int
	after    bool
}

var errStore = errors.New("the disk is full")

func (s *failing) call(do func() error) error {
	s.calls++
	if s.calls == s.n && !s.after {
		return errStore
	}
	err := do()
	if s.calls == s.n {
		return errStore
	}
	return err
}

func (s *failing) SetState(ctx context.Context, state client.State) error {
	return s.call(func() error { return s.Store.SetState(ctx, state) })
}

func (s *failing) Start(ctx context.Context, companies []client.Company) error {
	return s.call(func() error { return s.Store.Start(ctx, companies) })
}

func (s *failing) PutCompanies(ctx context.Context, companies []client.Company) error {
	return s.call(func() error { return s.Store.PutCompanies(ctx, companies) })
}

func (s *failing) Withdraw(ctx context.Context, ids []string) error {
	return s.call(func() error { return s.Store.Withdraw(ctx, ids) })
}

func (s *failing) Append(ctx context.Context, transactions []client.Transaction) error {
	return s.call(func() error { return s.Store.Append(ctx, transactions) })
}

// When a store fails, Sync returns its error, and the next Sync completes the copy.
func TestSyncAfterAFailedStore(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			t.Parallel()
			d := newData(t)
			c := d.client(t, d.baseURL)
			folder := t.TempDir()
			for n, done := 1, false; !done; n++ {
				files, err := client.NewFileStore(folder)
				require.NoError(t, err)
				store := &failing{Store: files, n: n, after: after}
				_, err = c.Sync(t.Context(), store)
				if done = store.calls < n; !done {
					require.ErrorIs(t, err, errStore)
					_, err = c.Sync(t.Context(), files) // the same store goes on, too
				}
				require.NoError(t, err)
				d.requireCopy(t, folder)
				apitest.Change(t, d.baseURL, d.key, func() { // for the next round
					_, err := imports.Withdraw(t.Context(), d.Operator.DB(), d.Delivery(t, cvrs[1], 2).ID, "wrong", nil)
					require.NoError(t, err)
				})
				apitest.Change(t, d.baseURL, d.key, func() {
					d.Companies(t, d.organization, fmt.Sprint(20000000+n))
					d.Delivery(t, cvrs[1], 2)
				})
			}
		})
	}
}

// While a store is locked, Sync returns ErrLocked and sends nothing. Afterwards it works.
func TestSyncLocksTheStore(t *testing.T) {
	t.Parallel()
	d := newData(t)
	proxy := apitest.NewProxy(t, d.baseURL, nil)
	c, folder := d.client(t, proxy.URL), t.TempDir()
	first, err := client.NewFileStore(folder)
	require.NoError(t, err)
	second, err := client.NewFileStore(folder)
	require.NoError(t, err)
	unlock, err := first.Lock(t.Context())
	require.NoError(t, err)
	_, err = c.Sync(t.Context(), second)
	require.ErrorIs(t, err, client.ErrLocked)
	require.EqualError(t, err, "another program is syncing the copy in "+folder)
	require.Empty(t, proxy.Requests())
	require.NoError(t, unlock())
	for _, store := range []client.Store{second, first} {
		_, err = c.Sync(t.Context(), store)
		require.NoError(t, err)
	}
}

// Sync reads only what is new, in as many requests as the guide says, and one request
// tells it that nothing is. It removes withdrawn deliveries, and reads companies that have
// changed.
func TestSyncFollowsChanges(t *testing.T) {
	t.Parallel()
	d := newData(t)
	folder := filepath.Join(t.TempDir(), "new", "folder")
	store, err := client.NewFileStore(folder)
	require.NoError(t, err)
	sync := func(wanted client.Report, requests int) {
		t.Helper()
		proxy := apitest.NewProxy(t, d.baseURL, nil)
		report, err := d.client(t, proxy.URL).Sync(t.Context(), store)
		require.NoError(t, err)
		require.Equal(t, wanted, report)
		require.Len(t, proxy.Requests(), requests, "%q", proxy.Requests())
		d.requireCopy(t, folder)
	}
	sync(client.Report{Changed: true, Companies: 4, New: 352}, 4)
	sync(client.Report{}, 1)

	var delivery imports.DeliveryResult
	apitest.Change(t, d.baseURL, d.key, func() { delivery = d.Delivery(t, cvrs[1], 2) })
	sync(client.Report{Changed: true, New: 2}, 2)
	withdraw := func() {
		_, err := imports.Withdraw(t.Context(), d.Operator.DB(), delivery.ID, "wrong", nil)
		require.NoError(t, err)
	}
	apitest.Change(t, d.baseURL, d.key, withdraw)
	sync(client.Report{Changed: true, Withdrawn: 1}, 2)

	// A corrected delivery may have the same number and sum as the wrong one.
	apitest.Change(t, d.baseURL, d.key, func() { delivery = d.Delivery(t, cvrs[0], 7) })
	sync(client.Report{Changed: true, New: 7}, 2)
	apitest.Change(t, d.baseURL, d.key, func() {
		withdraw()
		d.Delivery(t, cvrs[0], 7)
	})
	sync(client.Report{Changed: true, New: 7, Withdrawn: 1}, 2)

	apitest.Change(t, d.baseURL, d.key, func() {
		_, err := d.ImportCompanies(t.Context(), d.organization, modelstest.File(t, "companies.csv", "cvr,name\n"+cvrs[2]+",Another name\n10000017,New\n"))
		require.NoError(t, err)
	})
	sync(client.Report{Changed: true, Companies: 2}, 4)
	sync(client.Report{}, 1)
}

// A copy that was damaged is read again. One that still differs then is not called
// complete.
func TestSyncRefusesACopyThatDiffers(t *testing.T) {
	t.Parallel()
	d := newData(t)
	folder := t.TempDir()
	store, err := client.NewFileStore(folder)
	require.NoError(t, err)
	c := d.client(t, d.baseURL)
	require.NoError(t, modelstest.ErrorOf(c.Sync(t.Context(), store)))
	path := filepath.Join(folder, "transactions.jsonl")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(bytes.Clone(text), text...), 0o600))
	apitest.Change(t, d.baseURL, d.key, func() { d.Delivery(t, cvrs[1], 2) })
	report, err := c.Sync(t.Context(), store)
	require.NoError(t, err)
	require.True(t, report.Restarted)
	d.requireCopy(t, folder)

	for name, total := range map[string]string{"sum": "0.01", "no sum": "", "float": "1e3"} {
		t.Run(name, func(t *testing.T) {
			transport := roundTripper(func(r *http.Request) (*http.Response, error) {
				response, err := http.DefaultTransport.RoundTrip(r)
				if err == nil && response.Header.Get("X-Total-Amount-Dkk") != "" {
					response.Header.Set("X-Total-Amount-Dkk", total)
				}
				return response, err
			})
			store, err := client.NewFileStore(t.TempDir())
			require.NoError(t, err)
			_, err = d.client(t, d.baseURL, func(c *client.Config) { c.HTTP = &http.Client{Transport: transport} }).Sync(t.Context(), store)
			require.Error(t, err)
			if name == "sum" {
				require.ErrorIs(t, err, client.ErrDiffers)
			}
			state, err := store.State(t.Context())
			require.NoError(t, err)
			require.Empty(t, state.Version)
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A copy costs as many requests as the guide says, counted here for less data: its figures
// are those of the same formulas.
func TestSyncGuideIsTrue(t *testing.T) {
	t.Parallel()
	d := newData(t)
	_, err := d.ImportCompanies(t.Context(), d.organization, modelstest.File(t, "companies.csv", modelstest.CompaniesCSV(30_000_000, 1196)))
	require.NoError(t, err)
	d.Delivery(t, cvrs[0], 2000) // 352 others have arrived
	waiting := make(chan int)
	proxy := apitest.NewProxy(t, d.baseURL, func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
		if prefer := r.Header.Get("Prefer"); prefer != "" {
			require.Equal(t, "wait=50", prefer)
			waiting <- n
		}
		next.ServeHTTP(w, r)
	})
	store, err := client.NewFileStore(t.TempDir())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- d.client(t, proxy.URL).Follow(ctx, store, func(client.Report) bool { return true })
	}()

	pages := func(items, page int) int { return (items + page - 1) / page }
	firstCopy := func(companies, transactions int) int {
		return 2 + pages(companies, 100) + max(1, pages(transactions, 1000))
	}
	arrived := func(transactions int) int { return 2 + pages(transactions, 1000) }
	const withdrawn, bulk = 3, 20
	wait := modelstest.Receive(t, waiting)
	require.Equal(t, firstCopy(1200, 2352), wait-1)
	delivery := d.Delivery(t, cvrs[1], 2100)
	next := modelstest.Receive(t, waiting)
	require.Equal(t, arrived(2100), next-wait, "%q", proxy.Requests())
	_, err = imports.Withdraw(t.Context(), d.Operator.DB(), delivery.ID, "wrong", nil)
	require.NoError(t, err)
	next, before := modelstest.Receive(t, waiting), next
	require.Equal(t, withdrawn, next-before)
	for _, c := range []struct{ changed, requests int }{{2, 2}, {11, 1 + 11}, {12, 12}, {500, 12}} {
		names := "cvr,name\n"
		for i := range c.changed {
			names += fmt.Sprintf("%08d,Changed with %d\n", 30_000_000+i, c.changed)
		}
		_, err = d.ImportCompanies(t.Context(), d.organization, modelstest.File(t, "companies.csv", names))
		require.NoError(t, err)
		next, before = modelstest.Receive(t, waiting), next
		require.Equal(t, 3+c.requests, next-before, "%d companies", c.changed)
	}
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)

	guide, err := os.ReadFile("../../../web/docs/sync.md")
	require.NoError(t, err)
	for row, requests := range map[string]int{
		"first copy, by pages": firstCopy(10_000, 1_000_000),
		"first copy, with the transactions [in bulk](/docs/resources#bulk)": firstCopy(10_000, 0) + bulk,
		"10,000 new transactions, of any companies":                         arrived(10_000),
		"a withdrawn delivery of any size":                                  withdrawn,
		"an hour in which nothing changes":                                  3600 / 50,
	} {
		text := strconv.Itoa(requests)
		if requests >= 1000 {
			text = text[:len(text)-3] + "," + text[len(text)-3:]
		}
		require.Contains(t, string(guide), "| "+row+" | "+text+" |\n")
	}
}
