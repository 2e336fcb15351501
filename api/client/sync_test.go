package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
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
	for i, stored := range expected {
		require.Equal(t, stored.Name, companies[i].Name)
		copied := readLines[client.Transaction](t, filepath.Join(folder, stored.CVR+".jsonl"))
		transactions := modelstest.Transactions(t, d.Service, d.organization, stored.CVR)
		require.Len(t, copied, len(transactions), stored.CVR)
		for i, x := range transactions {
			require.Equal(t, x.ID.String(), copied[i].ID)
			require.Equal(t, x.AmountDKK, copied[i].AmountDKK)
			require.Equal(t, x.RawLine, copied[i].RawLine)
		}
	}
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

func (s *failing) SetCompanies(ctx context.Context, companies []client.Company) error {
	return s.call(func() error { return s.Store.SetCompanies(ctx, companies) })
}

func (s *failing) Append(ctx context.Context, cvr string, transactions []client.Transaction) error {
	return s.call(func() error { return s.Store.Append(ctx, cvr, transactions) })
}

func (s *failing) Clear(ctx context.Context, cvr string) error {
	return s.call(func() error { return s.Store.Clear(ctx, cvr) })
}

func (s *failing) Done(ctx context.Context, etag string) error {
	return s.call(func() error { return s.Store.Done(ctx, etag) })
}

// When a store fails, Sync returns its error, and the next Sync completes the copy.
func TestSyncAfterAFailedStore(t *testing.T) {
	t.Parallel()
	d := newData(t)
	c := d.client(t, d.baseURL)
	for _, after := range []bool{false, true} {
		folder := t.TempDir()
		for n, done := 1, false; !done; n++ {
			files, err := client.NewFileStore(folder)
			require.NoError(t, err)
			store := &failing{Store: files, n: n, after: after}
			_, err = c.Sync(t.Context(), store)
			if done = store.calls < n; !done {
				require.ErrorIs(t, err, errStore)
				if n%2 == 0 { // the same store goes on, too
					_, err = c.Sync(t.Context(), files)
				}
			}
			if done || n%2 == 0 {
				require.NoError(t, err)
				d.requireCopy(t, folder)
				require.NoError(t, os.RemoveAll(filepath.Join(folder, "etag")))
				require.NoError(t, os.RemoveAll(filepath.Join(folder, cvrs[3]+".jsonl")))
			}
		}
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
// tells it that nothing is. After a withdrawal or a correction it reads the company again,
// and says so.
func TestSyncFollowsChanges(t *testing.T) {
	t.Parallel()
	d := newData(t)
	folder := filepath.Join(t.TempDir(), "new", "folder")
	store, err := client.NewFileStore(folder)
	require.NoError(t, err)
	sync := func() (client.Report, []string) {
		t.Helper()
		proxy := apitest.NewProxy(t, d.baseURL, nil)
		report, err := d.client(t, proxy.URL).Sync(t.Context(), store)
		require.NoError(t, err)
		etag, err := store.ETag(t.Context())
		require.NoError(t, err)
		require.Equal(t, etag, report.ETag)
		report.ETag = ""
		return report, proxy.Requests()
	}
	report, _ := sync()
	require.Equal(t, client.Report{Changed: true, Companies: 4, New: 352}, report)
	report, requests := sync()
	require.Equal(t, client.Report{}, report)
	require.Len(t, requests, 1)

	var delivery imports.DeliveryResult
	apitest.Change(t, d.baseURL, d.key, func() { delivery = d.Delivery(t, cvrs[1], 2) })
	report, requests = sync()
	require.Equal(t, client.Report{Changed: true, Companies: 4, New: 2}, report)
	require.Len(t, requests, 1+1+4)
	for _, request := range requests[3:] { // the first company has no transactions
		require.Contains(t, request, "after=")
	}

	apitest.Change(t, d.baseURL, d.key, func() {
		_, err := imports.Withdraw(t.Context(), d.Operator.DB(), delivery.ID, "wrong", nil)
		require.NoError(t, err)
	})
	report, _ = sync()
	require.Equal(t, client.Report{Changed: true, Companies: 4, New: 1, Restarted: []string{cvrs[1]}}, report)

	// A corrected delivery may have the same number and sum as the wrong one.
	apitest.Change(t, d.baseURL, d.key, func() { delivery = d.Delivery(t, cvrs[0], 7) })
	_, requests = sync()
	require.Len(t, requests, 1+1+4)
	apitest.Change(t, d.baseURL, d.key, func() {
		_, err := imports.Withdraw(t.Context(), d.Operator.DB(), delivery.ID, "wrong", nil)
		require.NoError(t, err)
		d.Delivery(t, cvrs[0], 7)
	})
	report, _ = sync()
	require.Equal(t, client.Report{Changed: true, Companies: 4, New: 14, Restarted: []string{cvrs[0]}}, report)
	d.requireCopy(t, folder)
}

// A copy that still differs after it was read again is not called complete.
func TestSyncRefusesACopyThatDiffers(t *testing.T) {
	t.Parallel()
	d := newData(t)
	for name, total := range map[string]string{"sum": "0.01", "no sum": "", "float": "1e3"} {
		t.Run(name, func(t *testing.T) {
			proxy := apitest.NewProxy(t, d.baseURL, nil)
			transport := roundTripper(func(r *http.Request) (*http.Response, error) {
				response, err := http.DefaultTransport.RoundTrip(r)
				if err == nil && response.Header.Get("X-Total-Amount-Dkk") != "" {
					response.Header.Set("X-Total-Amount-Dkk", total)
				}
				return response, err
			})
			store, err := client.NewFileStore(t.TempDir())
			require.NoError(t, err)
			_, err = d.client(t, proxy.URL, func(c *client.Config) { c.HTTP = &http.Client{Transport: transport} }).Sync(t.Context(), store)
			require.ErrorContains(t, err, "company "+cvrs[0])
			if name == "sum" {
				require.ErrorIs(t, err, client.ErrDiffers)
			}
			etag, err := store.ETag(t.Context())
			require.NoError(t, err)
			require.Empty(t, etag)
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
