package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
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

// A program that is killed at any request goes on where it was: in the end the copy has
// every transaction once.
func TestSyncKilledAtEveryRequest(t *testing.T) {
	t.Parallel()
	d := newData(t)
	for name, answered := range map[string]bool{"before the request": false, "after the answer": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for n, killed := 1, true; killed || n < 10; n++ {
				started := make(chan struct{})
				var program = child("DISPO_KEY="+d.key, "DISPO_FOLDER="+folder)
				proxy := apitest.NewProxy(t, d.baseURL, func(i int, w http.ResponseWriter, r *http.Request, next http.Handler) {
					if i != n || answered {
						next.ServeHTTP(w, r)
						_ = http.NewResponseController(w).Flush()
					}
					if i == n {
						<-started
						_ = program.Process.Kill()
					}
				})
				program.Env = append(program.Env, "DISPO_URL="+proxy.URL)
				require.NoError(t, program.Start())
				close(started)
				err := program.Wait()
				killed = err != nil
				if killed {
					require.True(t, program.ProcessState.Sys().(syscall.WaitStatus).Signaled(), program.ProcessState)
				}
			}
			d.requireCopy(t, folder)
		})
	}
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

// After a write that failed, the file store still knows what it has.
func TestFileStoreAfterAFailedWrite(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, cvrs[0]+".jsonl")
	store, err := client.NewFileStore(folder)
	require.NoError(t, err)
	first := []client.Transaction{{ID: "1", AmountDKK: "-0.05"}}
	second := []client.Transaction{{ID: "2", AmountDKK: "1234.50"}}
	require.NoError(t, store.Append(t.Context(), cvrs[0], first))
	require.NoError(t, os.Rename(path, path+".aside"))
	require.NoError(t, os.Mkdir(path, 0o700))
	require.Error(t, store.Append(t.Context(), cvrs[0], second))
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Rename(path+".aside", path))
	for _, want := range []client.Position{{Last: "1", Count: 1, Sum: "-0.05"}, {Last: "2", Count: 2, Sum: "1234.45"}} {
		position, err := store.Position(t.Context(), cvrs[0])
		require.NoError(t, err)
		require.Equal(t, want, position)
		require.NoError(t, store.Append(t.Context(), cvrs[0], second))
	}
}

// Whatever a crash leaves of a file, the next Sync completes it.
func TestSyncAfterATornWrite(t *testing.T) {
	t.Parallel()
	d := newData(t)
	c := d.client(t, d.baseURL)
	folder := t.TempDir()
	sync := func() {
		store, err := client.NewFileStore(folder)
		require.NoError(t, err)
		_, err = c.Sync(t.Context(), store)
		require.NoError(t, err)
		d.requireCopy(t, folder)
	}
	sync()
	path := filepath.Join(folder, cvrs[3]+".jsonl")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	line := bytes.IndexByte(whole, '\n') + 1
	for name, left := range map[string][]byte{
		"nothing": nil, "a byte": whole[:1], "a line without its end": whole[:line-1], "a line": whole[:line],
		"part of a line": whole[:line+line/2], "all but the last byte": whole[:len(whole)-1],
		"zeros":               append(bytes.Clone(whole[:line]), make([]byte, 4096)...),
		"zeros in the middle": append(append(bytes.Clone(whole[:line]), make([]byte, 100)...), whole[line+100:]...),
	} {
		t.Log(name)
		require.NoError(t, os.WriteFile(path, left, 0o600))
		require.NoError(t, os.Remove(filepath.Join(folder, "etag"))) // is written last
		sync()
	}
}

// Sync reads only what is new, and one request tells it that nothing is. After a
// withdrawal it reads the company again, and says so.
func TestSyncFollowsChanges(t *testing.T) {
	t.Parallel()
	d := newData(t)
	store, err := client.NewFileStore(filepath.Join(t.TempDir(), "new", "folder"))
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
