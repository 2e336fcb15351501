package client_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/api/client"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// query returns what a statement finds in a copy.
func query[T any](t *testing.T, path, statement string) (found []T) {
	t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), statement)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var value T
		require.NoError(t, rows.Scan(&value))
		found = append(found, value)
	}
	require.NoError(t, rows.Err())
	return found
}

const copiedTransactions = "SELECT id || ' ' || amountOere || ' ' || rawLine FROM transactions ORDER BY id"

// oere returns an amount as the copy has it.
func oere(t *testing.T, amount string) string {
	t.Helper()
	value, err := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
	require.NoError(t, err)
	return strconv.FormatInt(value, 10)
}

// requireCopy requires that a copy has exactly what the database has.
func (d data) requireCopy(t *testing.T, path string) {
	t.Helper()
	var companies, transactions []string
	for _, stored := range modelstest.Companies(t, d.Service, d.organization) {
		companies = append(companies, stored.CVR+stored.Name)
		for _, x := range modelstest.Transactions(t, d.Service, d.organization, stored.CVR) {
			transactions = append(transactions, x.ID.String()+" "+oere(t, x.AmountDKK)+" "+x.RawLine)
		}
	}
	slices.Sort(transactions)
	require.Equal(t, companies, query[string](t, path, "SELECT cvr || name FROM companies ORDER BY id"))
	require.Equal(t, transactions, query[string](t, path, copiedTransactions))
}

// newPath returns the path of a copy that is not there yet.
func newPath(t *testing.T) string { return filepath.Join(t.TempDir(), "a copy?#%.sqlite") }

// Sync reads only what is new, in as many requests as the guide says, and one request
// tells it that nothing is. It removes withdrawn deliveries, and reads companies that have
// changed. While one program syncs a copy, another gets ErrLocked and sends nothing.
func TestSyncFollowsChanges(t *testing.T) {
	t.Parallel()
	d := newData(t)
	path := newPath(t)
	sync := func(wanted client.Report, requests int) {
		t.Helper()
		proxy := apitest.NewProxy(t, d.baseURL, nil)
		report, err := d.client(t, proxy.URL).Sync(t.Context(), path)
		require.NoError(t, err)
		require.Equal(t, wanted, report)
		require.Len(t, proxy.Requests(), requests, "%q", proxy.Requests())
		d.requireCopy(t, path)
	}
	sync(client.Report{Changed: true, Companies: 4, New: 352}, 4)
	sync(client.Report{}, 1)

	var delivery imports.DeliveryResult
	apitest.Change(t, d.baseURL, d.key, func() { delivery = d.Delivery(t, cvrs[1], 2) })
	sync(client.Report{Changed: true, New: 2}, 2)
	apitest.Change(t, d.baseURL, d.key, func() {
		_, err := imports.Withdraw(t.Context(), d.Operator.DB(), delivery.ID, "wrong", nil)
		require.NoError(t, err)
	})
	sync(client.Report{Changed: true, Withdrawn: 1}, 2)

	apitest.Change(t, d.baseURL, d.key, func() {
		_, err := d.ImportCompanies(
			t.Context(),
			d.organization,
			modelstest.File(t, "companies.csv", "cvr,name\n"+cvrs[2]+",Another name\n10000017,New\n"),
		)
		require.NoError(t, err)
	})
	sync(client.Report{Changed: true, Companies: 2}, 4)
	c := d.client(t, d.baseURL)
	require.NoError(t, c.Follow(t.Context(), path, func(r client.Report) bool {
		_, err := d.client(t, "http://127.0.0.1:1").Sync(t.Context(), path)
		require.ErrorIs(t, err, client.ErrLocked)
		require.EqualError(t, err, "another program is syncing the copy in "+path)
		return false
	}))
	sync(client.Report{}, 1)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A copy costs as many requests as the guide says, counted here for less data: its figures
// are those of the same formulas.
func TestSyncGuideIsTrue(t *testing.T) {
	t.Parallel()
	d := newData(t)
	_, err := d.ImportCompanies(
		t.Context(),
		d.organization,
		modelstest.File(t, "companies.csv", modelstest.CompaniesCSV(30_000_000, 1196)),
	)
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
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- d.client(t, proxy.URL).Follow(ctx, newPath(t), func(client.Report) bool { return true })
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
		"first copy, with the transactions [in bulk](/docs/resources#bulk)": firstCopy(10_000, 2000) + bulk, // a page before it, and one after it
		"10,000 new transactions, of any companies":                         arrived(10_000),
		"a withdrawn delivery of any size":                                  withdrawn,
		"a changed company":                                                 3 + 1,
		"an hour in which nothing changes":                                  3600 / 50,
	} {
		text := strconv.Itoa(requests)
		if requests >= 1000 {
			text = text[:len(text)-3] + "," + text[len(text)-3:]
		}
		require.Contains(t, string(guide), "| "+row+" | "+text+" |\n")
	}
}
