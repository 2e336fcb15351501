package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// follower keeps a copy of an organization's data as /docs/sync says. Its fields are what
// the guide says to store.
type follower struct {
	etag         string
	companies    map[string]followed            // by id
	transactions map[string]map[string]followed // by CVR and id
	cursors      map[string]string              // by CVR: the last transaction's id

	service  []*instance // of which each answers the next request
	key      string
	pause    time.Duration // after a change
	requests int64         // made in this round
	stop     int64         // after so many requests, as if the program died; 0 for never
}

type followed struct{ CVR, UpdatedAt, AmountDKK string }

var errStopped = errors.New("stopped")

func (f *follower) get(t *testing.T, path string, header http.Header) (answer, error) {
	t.Helper()
	if f.stop > 0 && f.requests == f.stop {
		return answer{}, errStopped
	}
	header.Set("X-API-Key", f.key)
	got := f.service[int(f.requests)%len(f.service)].send(t, http.MethodGet, path, header)
	f.requests++
	return got, nil
}

// list calls store with each page of a list.
func (f *follower) list(t *testing.T, path string, store func(followedPage)) error {
	t.Helper()
	for path != "" {
		got, err := f.get(t, path, http.Header{})
		if err != nil {
			return err
		}
		got.requireOK(t)
		var body struct {
			Data  []json.RawMessage
			Meta  struct{ Total int }
			Links struct{ Next string } `json:"_links"`
		}
		require.NoError(t, json.Unmarshal(got.body, &body))
		page := followedPage{items: map[string]followed{}, total: body.Meta.Total, last: body.Links.Next == "", sum: got.header.Get("X-Total-Amount-Dkk")}
		for _, text := range body.Data {
			var item struct{ ID string }
			var content followed
			require.NoError(t, json.Unmarshal(text, &item))
			require.NoError(t, json.Unmarshal(text, &content))
			page.items[item.ID], page.cursor = content, item.ID
		}
		store(page)
		path = body.Links.Next
	}
	return nil
}

type followedPage struct {
	items  map[string]followed
	cursor string // the last item's id
	total  int
	last   bool
	sum    string
}

// round is a round of the guide. It reports whether anything had changed.
func (f *follower) round(t *testing.T) (changed bool, err error) {
	t.Helper()
	header := http.Header{}
	if f.etag != "" {
		header = headers("If-None-Match", f.etag, "Prefer", "wait=60")
	}
	first, err := f.get(t, "/api/v1/companies?limit=1", header)
	if err != nil || first.status == http.StatusNotModified {
		return false, err
	}
	first.requireOK(t)
	time.Sleep(f.pause)
	err = f.list(t, "/api/v1/companies?limit=100", func(page followedPage) {
		for id, company := range page.items {
			if f.companies[id].UpdatedAt != company.UpdatedAt {
				f.companies[id] = company
			}
		}
		require.False(t, page.last && page.total != len(f.companies), "the companies are not complete")
	})
	if err != nil {
		return true, err
	}
	for _, company := range f.companies {
		if err := f.company(t, company.CVR); err != nil {
			return true, err
		}
	}
	f.etag = first.header.Get("ETag")
	return true, nil
}

// company reads a company's new transactions, and all of them if the copy then has what
// the list has not.
func (f *follower) company(t *testing.T, cvr string) error {
	t.Helper()
	proven := false
	read := func() error {
		path := "/api/v1/companies/" + cvr + "/transactions?limit=100"
		if f.cursors[cvr] != "" {
			path += "&after=" + f.cursors[cvr]
		}
		return f.list(t, path, func(page followedPage) {
			if f.transactions[cvr] == nil {
				f.transactions[cvr] = map[string]followed{}
			}
			for id, transaction := range page.items {
				require.NotContains(t, f.transactions[cvr], id, "sent twice")
				f.transactions[cvr][id] = transaction
			}
			if page.cursor != "" {
				f.cursors[cvr] = page.cursor
			}
			proven = page.last && len(f.transactions[cvr]) == page.total && sumOf(t, f.transactions[cvr]) == page.sum
		})
	}
	if err := read(); err != nil || proven {
		return err
	}
	delete(f.transactions, cvr)
	delete(f.cursors, cvr)
	if err := read(); err != nil {
		return err
	}
	require.True(t, proven, "the copy of %s is not complete", cvr)
	return nil
}

func sumOf(t *testing.T, transactions map[string]followed) string {
	t.Helper()
	var sum int64
	for _, x := range transactions {
		amount, err := strconv.ParseInt(strings.Replace(x.AmountDKK, ".", "", 1), 10, 64)
		require.NoError(t, err)
		sum += amount
	}
	return fmt.Sprintf("%d.%02d", sum/100, sum%100)
}

// Whoever follows the guide to syncing has a complete copy after each round: after the
// first, and after a delivery, a changed company, a withdrawn delivery, and a corrected
// one with the same number and sum. A round takes as many requests as the guide says, and
// one if nothing has changed. It does not matter which instance answers, nor where the
// program is stopped.
func TestSyncGuideIsTrue(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	cvrs := make([]string, 101)
	for i := range cvrs {
		cvrs[i] = strconv.Itoa(10_000_001 + i)
	}
	w.Companies(t, a.Organization, cvrs...)
	deliver := func(lines ...string) imports.DeliveryResult {
		t.Helper()
		done, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines...)})
		require.NoError(t, err)
		return done
	}
	records := func(cvr, account string, count int) (lines []string) {
		for i := range count {
			lines = append(lines, fmt.Sprintf("%s,1234,%s,CARD,2026-01-31,%d,%d.05\n", cvr, account, i, i))
		}
		return lines
	}
	first := deliver(append(records(cvrs[0], "1", 250), records(cvrs[1], "1", 100)...)...)

	f := &follower{
		companies: map[string]followed{}, transactions: map[string]map[string]followed{}, cursors: map[string]string{}, key: a.token, pause: time.Second,
		service: []*instance{serve(t, w.Service, settings{}), serve(t, modelstest.Open(t, w.URL, database.Service), settings{})},
	}
	requireRound := func(requests int64, what string) {
		t.Helper()
		f.requests = 0
		changed, err := f.round(t)
		require.NoError(t, err)
		require.True(t, changed, what)
		require.Equal(t, requests, f.requests, what)
		f.requireComplete(t, w, a)
	}
	const perRound = 1 + 2 + 101 // to ask, the companies, and each one's transactions

	requireRound(perRound+2, "the first copy")

	update := func(count int, change func()) {
		t.Helper()
		changed := make(chan struct{})
		go func() { // while the request waits
			defer close(changed)
			change()
		}()
		requireRound(perRound, fmt.Sprint("update ", count))
		<-changed
	}
	update(1, func() { deliver(records(cvrs[100], "2", 100)...) })
	update(2, func() {
		_, err := w.ImportCompanies(t.Context(), a.Organization, modelstest.File(t, "companies.csv", "cvr,name\n"+cvrs[5]+",Another name\n"))
		require.NoError(t, err)
	})

	_, err := imports.Withdraw(t.Context(), w.Operator.DB(), first.ID, "test", nil)
	require.NoError(t, err)
	requireRound(perRound+2, "after a withdrawn delivery, two lists again")

	wrong := deliver(records(cvrs[3], "3", 7)...)
	requireRound(perRound, "a wrong delivery")
	_, err = imports.Withdraw(t.Context(), w.Operator.DB(), wrong.ID, "test", nil)
	require.NoError(t, err)
	deliver(records(cvrs[3], "4", 7)...)
	requireRound(perRound+1, "after a corrected delivery with the same number and sum")

	quiet := f.service[0].send(t, http.MethodGet, "/api/v1/companies?limit=1", headers("X-API-Key", a.token, "If-None-Match", f.etag))
	require.Equal(t, http.StatusNotModified, quiet.status)

	// A program that is stopped after any number of requests goes on with what it has.
	deliver(append(records(cvrs[0], "5", 150), records(cvrs[2], "5", 3)...)...)
	f.pause = 0
	stops := 0
	for f.stop = 20; ; f.stop += 20 {
		f.requests = 0
		if _, err := f.round(t); err == nil {
			break
		}
		stops++
	}
	require.Equal(t, 5, stops)
	f.requireComplete(t, w, a)
}

// requireComplete requires that the copy has what the database has.
func (f *follower) requireComplete(t *testing.T, w *modelstest.World, a tenant) {
	t.Helper()
	companies := modelstest.Companies(t, w.Service, a.Organization)
	require.Len(t, f.companies, len(companies))
	for _, company := range companies {
		require.Equal(t, company.UpdatedAt.UTC().Format("2006-01-02T15:04:05.000Z"), f.companies[company.ID.String()].UpdatedAt)
		transactions := modelstest.Transactions(t, w.Service, a.Organization, company.CVR)
		require.Len(t, f.transactions[company.CVR], len(transactions), company.CVR)
		for _, transaction := range transactions {
			require.Contains(t, f.transactions[company.CVR], transaction.ID.String())
		}
	}
}
