package keys_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// The requests that were let in are listed for a key or for one of its callers, the newest
// first, with the client's version at the time, the parameters that say what was read and no key, for their own organization
// only. Refused requests and the pages' test are not among them.
func TestServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, text := w.Key(t, w.a)
	foreign, _ := w.Key(t, w.Organization(t, "b"))
	instance := modelstest.Open(t, w.URL, database.Service)
	for _, sent := range []keys.Request{
		{Status: 200, Path: "/first", Query: "x=1&after=a&key=secret&limit=2&dispositionDate=2026-11-20&limited=1", Rows: 2, Bulk: true, Address: "10.0.0.1", UserAgent: "ledger/1"},
		{Status: 429, Path: "/limited", Address: "10.0.0.1", UserAgent: "ledger/1"},
		{Status: 401, Path: "/revoked", Address: "10.0.0.1", UserAgent: "ledger/1"},
		{Status: 200, Method: "GET", Path: keys.TestPath, Query: keys.TestQuery, Address: "10.0.0.1", UserAgent: keys.TestClient},
		{Status: 404, Path: "/" + text, Query: "after=" + text, Address: "10.0.0.2", UserAgent: "curl/8"},
		{Status: 304, Path: "/" + strings.Repeat("æ", 1000), Address: "10.0.0.1", UserAgent: "ledger/2"},
	} {
		instance.Usage.Record(modelstest.Caller(key), sent)
	}
	instance.Usage.Record(modelstest.Caller(foreign), request(200, "10.9.9.9", "foreign"))
	instance.Close()

	list := func(caller *keys.KeyCaller, before *keys.ServedRequest, limit int) (lines []string, found []keys.ServedRequest, more bool) {
		var cursor *uuid.UUID
		if before != nil {
			cursor = &before.ID
		}
		found, more, err := keys.Served(t.Context(), w.tenant, key.ID, caller, cursor, limit)
		require.NoError(t, err)
		for _, r := range found {
			require.WithinDuration(t, time.Now(), r.At, time.Minute)
			lines = append(lines,
				fmt.Sprintf("%d %s %d %s %s %s", r.Status, r.Path, r.RowCount, r.Client, r.UserAgent, r.Address))
		}
		return lines, found, more
	}
	masked := text[:strings.LastIndex(text, "_")+1] + "…"
	want := []string{
		"304 /" + strings.Repeat("æ", 199) + " 0 ledger ledger/2 10.0.0.1",
		"404 /" + masked + "?after=" + masked + " 0 curl curl/8 10.0.0.2",
		"200 /first?after=a&limit=2&dispositionDate=2026-11-20 2 ledger ledger/1 10.0.0.1",
	}
	lines, found, more := list(nil, nil, 2)
	require.Equal(t, want[:2], lines)
	require.True(t, more)
	lines, _, more = list(nil, &found[1], 2)
	require.Equal(t, want[2:], lines)
	require.False(t, more)
	var whole []string
	require.NoError(t, keys.EachServed(t.Context(), w.tenant, key.ID, nil, func(r *keys.ServedRequest) error {
		whole = append(whole, fmt.Sprint(r.Status, r.Bulk))
		return nil
	}))
	require.Equal(t, []string{"304 false", "404 false", "200 true"}, whole)
	lines, _, _ = list(&keys.KeyCaller{Address: "10.0.0.1", Client: "ledger"}, nil, 10)
	require.Equal(t, []string{want[0], want[2]}, lines)
	requests, _, err := keys.Served(t.Context(), w.tenant, foreign.ID, nil, nil, 10)
	require.NoError(t, err)
	require.Empty(t, requests)
}

// A key has at most 100 callers in memory and in the table. Those that are known stay, and of
// each the newest 200 requests are kept. The requests of the rest are counted together, none is
// lost, and the newest 200 of them are kept. The rows that were sent are all counted.
func TestCallersAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.Key(t, w.a)
	w.execute(
		t,
		`INSERT INTO served_requests SELECT organization_id, id, gen_random_uuid(), now() - interval '169 hours', '10.0.0.9', 'old', 'old/1', '/', 200, 1 FROM api_keys`,
	)
	requests, _, err := keys.Served(t.Context(), w.tenant, key.ID, nil, nil, 10)
	require.NoError(t, err)
	require.Empty(t, requests) // not even until they are deleted
	const flood = 300
	for round := range 2 {
		instance := modelstest.Open(t, w.URL, database.Service)
		for n := range flood {
			sent := request(200, "10.0.0.1", "ledger")
			sent.Path, sent.Rows = fmt.Sprintf("/%d/%d", round, n), 2
			instance.Usage.Record(modelstest.Caller(key), sent)
			instance.Usage.Record(modelstest.Caller(key), request(200, fmt.Sprintf("10.1.%d.%d", round, n), "flood"))
		}
		instance.Usage.Record(modelstest.Caller(key), request(200, "10.0.0.2", "ledger"))
		instance.Close()
	}
	requests, more, err := keys.Served(t.Context(), w.tenant, key.ID,
		&keys.KeyCaller{Address: "10.0.0.1", Client: "ledger"}, nil, 200)
	require.NoError(t, err)
	require.False(t, more)
	require.Len(t, requests, 200)
	for n, r := range requests {
		require.Equal(t, fmt.Sprintf("/1/%d", flood-1-n), r.Path)
	}
	require.Equal(
		t,
		"200 1 0",
		modelstest.Value[string](
			t,
			w.conn,
			`SELECT concat_ws(' ', count(*) FILTER (WHERE address = ''), count(*) FILTER (WHERE client = 'old'),
		count(*) FILTER (WHERE address = '10.0.0.2' AND client = 'flood')) FROM served_requests`,
		),
	)
	require.LessOrEqual(
		t,
		modelstest.Value[int](t, w.conn,
			`SELECT max(n) FROM (SELECT count(*) n FROM served_requests GROUP BY address, client) c`),
		200,
	)
	all, counted, rows := callers(t, w, key), map[string]int64{}, int64(0)
	require.Len(t, all, 101)
	for _, c := range all {
		counted[c.Client+" "+c.Address] = c.Requests
		rows += c.RowCount
	}
	require.EqualValues(t, 2*2*flood, rows)
	require.EqualValues(t, 2*flood, counted["ledger 10.0.0.1"])
	require.EqualValues(t, 2*flood-99+2, counted[" "], "the others")
}

// However many callers there are, an instance keeps a bounded number of requests in memory.
func TestServedIsBoundedInMemory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.execute(t, `BEGIN; LOCK TABLE key_usage`) // so that one batch takes them all
	instance := modelstest.Open(t, w.URL, database.Service)
	for _, id := range modelstest.ColumnAt[uuid.UUID](t, w.URL, `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name)
		SELECT gen_random_uuid(), $1, lpad(n::text, 12, '0'), $2, 'x', 'x' FROM generate_series(1, 60) n RETURNING id`, w.a.ID, modelstest.NoHash) {
		for range keys.ServedKept {
			instance.Usage.Record(keys.Caller{OrganizationID: w.a.ID, KeyID: id}, request(200, "10.0.0.1", "ledger"))
		}
	}
	w.execute(t, `ROLLBACK`)
	instance.Close()
	require.LessOrEqual(t, modelstest.Value[int](t, w.conn, `SELECT count(*) FROM served_requests`),
		2*5_000) // of the batch that waited, and the one after it
}
