package keys_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

func request(status int, address, userAgent string) keys.Request {
	return keys.Request{Status: status, Method: "GET", Path: "/api/v1/companies", Address: address, UserAgent: userAgent}
}

// callers returns a key's callers, without their times, and requires that those are
// recent and in order.
func callers(t *testing.T, w *world, key keys.Key) []keys.KeyCaller {
	t.Helper()
	found, err := keys.Callers(t.Context(), w.Service.Tenant(key.OrganizationID), key.ID, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	for i, c := range found {
		require.False(t, c.FirstSeen.After(c.LastSeen))
		require.WithinDuration(t, time.Now(), c.LastSeen, time.Minute)
		require.Equal(t, c.Refused > 0, c.LastRefused != nil)
		require.Equal(t, c.Requests > c.Refused, c.LastUsed != nil)
		if i > 0 {
			require.False(t, c.LastSeen.After(found[i-1].LastSeen))
		}
	}
	for i := range found {
		found[i].OrganizationID, found[i].KeyID = [16]byte{}, [16]byte{}
		found[i].FirstSeen, found[i].LastSeen, found[i].LastUsed, found[i].LastRefused = time.Time{}, time.Time{}, nil, nil
	}
	return found
}

// A key's callers are its clients by name and address. Several instances add up what
// they have seen. A version does not make another caller, and refused requests are
// counted apart.
func TestCallers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.Organization(t, "b")
	key, _ := w.Key(t, w.a)
	foreign, _ := w.Key(t, b)
	for range 2 {
		instance := modelstest.Open(t, w.URL, database.Service)
		for _, r := range []keys.Request{
			request(401, "10.0.0.9", "paused/1"), request(200, "10.0.0.7", "nightly 2"), request(200, "10.0.0.7", "nightly 3"), request(429, "10.0.0.8", "nightly 3"),
			request(200, "10.0.0.8", ""), request(401, "10.0.0.8", ""),
		} {
			instance.Usage.Record(modelstest.Caller(key), r)
		}
		instance.Usage.Record(modelstest.Caller(foreign), request(200, "10.9.9.9", "foreign"))
		instance.Close()
	}
	require.ElementsMatch(t, []keys.KeyCaller{
		{Address: "10.0.0.8", Requests: 4, Refused: 2},
		{Address: "10.0.0.8", Client: "nightly", UserAgent: "nightly 3", Requests: 2},
		{Address: "10.0.0.7", Client: "nightly", UserAgent: "nightly 3", Requests: 4},
		{Address: "10.0.0.9", Client: "paused", UserAgent: "paused/1", Requests: 2, Refused: 2},
	}, callers(t, w, key))
	foreigners, err := keys.Callers(t.Context(), w.tenant, foreign.ID, time.Time{})
	require.NoError(t, err)
	require.Empty(t, foreigners)
}

// The requests of the pages' test command are noted as a test, at once, and count for
// nothing else. All others under its name count: refused ones, and those with another
// method, path or query, or that wait for a change.
func TestTestsAreNoUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.Key(t, w.a)
	counts := func() []int {
		return []int{
			modelstest.Value[int](t, w.conn, `SELECT coalesce(sum(requests), 0) FROM key_usage`),
			modelstest.Value[int](t, w.conn, `SELECT coalesce(sum(requests), 0) FROM key_callers`),
			modelstest.Value[int](t, w.conn, `SELECT count(*) FROM refused_requests`),
			modelstest.Value[int](t, w.conn, `SELECT count(last_used_at) FROM api_keys`),
			modelstest.Value[int](t, w.conn, `SELECT count(tested_at) FROM api_keys`),
		}
	}
	command := request(304, "192.0.2.1", keys.TestClient)
	command.Method, command.Path, command.Query = "GET", keys.TestPath, keys.TestQuery
	w.Service.Usage.Record(modelstest.Caller(key), command)
	modelstest.Eventually(t, func() bool { return counts()[4] == 1 })
	require.Equal(t, []int{0, 0, 0, 0, 1}, counts())

	instance := modelstest.Open(t, w.URL, database.Service)
	others := 0
	for _, change := range []func(*keys.Request){
		func(r *keys.Request) { r.Status = 401 },
		func(r *keys.Request) { r.Status = 400 },
		func(r *keys.Request) { r.Status = 503 },
		func(r *keys.Request) { r.Query = "limit=100" },
		func(r *keys.Request) { r.Query = "limit=1&after=" + key.ID.String() },
		func(r *keys.Request) { r.Query = "" },
		func(r *keys.Request) { r.Prefers = true },
		func(r *keys.Request) { r.Path = "/api/v1/companies/10000001/transactions" },
		func(r *keys.Request) { r.Method = "HEAD" },
		func(r *keys.Request) { r.UserAgent = "dispo-test/2" },
	} {
		other := command
		change(&other)
		instance.Usage.Record(modelstest.Caller(key), other)
		others++
	}
	instance.Close()
	require.Equal(t, []int{others, others, 1, 1, 1}, counts())
}

// Versions are no part of a client's name.
func TestClientName(t *testing.T) {
	t.Parallel()
	for userAgent, name := range map[string]string{
		"": "", "nightly-bookkeeping 3": "nightly-bookkeeping", "ledger/2.0.1": "ledger", "ledger/v2": "ledger", "axios/1.7.2": "axios",
		"Apache-HttpClient/4.5.13 (Java/11.0.2)": "Apache-HttpClient (Java)", "nightly-2": "nightly-2", "Acme Import": "Acme Import", "3": "3",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0.0.0": "Mozilla (Windows NT; Win64; x64) Chrome",
	} {
		require.Equal(t, name, keys.ClientName(userAgent))
	}
}

// A caller has moved when a client of its name has used the new key after the old one.
// If several addresses used the old key by that name, each has to move itself. The
// other callers never count as moved.
func TestMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old, _ := w.Key(t, w.a)
	successor, _ := w.Key(t, w.a)
	type seen struct {
		key             keys.Key
		address, client string
		minutesAgo      int
		refused         bool
	}
	for name, c := range map[string]struct {
		seen  []seen
		moved map[string]bool // by address and client of the old key
	}{
		"not yet":                {[]seen{{old, "10.0.0.7", "nightly", 5, false}}, map[string]bool{"10.0.0.7 nightly": false}},
		"moved":                  {[]seen{{old, "10.0.0.7", "nightly", 5, false}, {successor, "10.0.0.7", "nightly", 1, false}}, map[string]bool{"10.0.0.7 nightly": true}},
		"moved to another host":  {[]seen{{old, "10.0.0.7", "nightly", 5, false}, {successor, "10.0.0.8", "nightly", 1, false}}, map[string]bool{"10.0.0.7 nightly": true}},
		"back to the old key":    {[]seen{{old, "10.0.0.7", "nightly", 1, false}, {successor, "10.0.0.7", "nightly", 5, false}}, map[string]bool{"10.0.0.7 nightly": false}},
		"another client":         {[]seen{{old, "10.0.0.7", "nightly", 5, false}, {successor, "10.0.0.7", "ledger", 1, false}}, map[string]bool{"10.0.0.7 nightly": false}},
		"the new key refused it": {[]seen{{old, "10.0.0.7", "nightly", 5, false}, {successor, "10.0.0.7", "nightly", 1, true}}, map[string]bool{"10.0.0.7 nightly": false}},
		"the old key refused it": {[]seen{{old, "10.0.0.7", "nightly", 1, true}, {successor, "10.0.0.7", "nightly", 5, false}}, map[string]bool{"10.0.0.7 nightly": false}},
		"one of two addresses": {[]seen{{old, "10.0.0.7", "axios", 5, false}, {old, "10.0.0.8", "axios", 6, false}, {successor, "10.0.0.8", "axios", 1, false}},
			map[string]bool{"10.0.0.7 axios": false, "10.0.0.8 axios": true}},
		"others":       {[]seen{{old, "", "", 5, false}, {successor, "", "", 1, false}, {successor, "10.0.0.7", "", 1, false}}, map[string]bool{" ": false}},
		"long ago":     {[]seen{{old, "10.0.0.7", "nightly", 31 * 24 * 60, false}}, map[string]bool{}},
		"only the new": {[]seen{{successor, "10.0.0.7", "nightly", 1, false}}, map[string]bool{}},
	} {
		w.execute(t, `TRUNCATE key_callers`)
		for _, s := range c.seen {
			column := "last_used"
			if s.refused {
				column = "last_refused"
			}
			w.execute(
				t,
				`INSERT INTO key_callers (organization_id, key_id, address, client, user_agent, first_seen, last_seen, `+column+`, requests, refused)
				SELECT $1, $2, $3, $4, $4, at, at, at, 1, 0 FROM (SELECT now() - $5::int * interval '1 minute' AS at) x`,
				w.a.ID,
				s.key.ID,
				s.address,
				s.client,
				s.minutesAgo,
			)
		}
		moves, err := keys.Moves(t.Context(), w.tenant, old.ID, successor.ID, time.Now().Add(-30*day))
		require.NoError(t, err)
		moved := map[string]bool{}
		for _, m := range moves {
			moved[m.Address+" "+m.Client] = m.Moved()
		}
		require.Equal(t, c.moved, moved, name)
	}
}

// A caller is dismissed and restored by those who may change keys, once each in the
// audit log, and only in its own organization.
func TestCallerDismiss(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.Organization(t, "b")
	key, _ := w.Key(t, w.a)
	w.Service.Usage.Record(modelstest.Caller(key), request(200, "10.0.0.7", "nightly 3"))
	w.Service.Usage.Record(modelstest.Caller(key), request(200, "10.0.0.7", "ledger"))
	modelstest.Eventually(t,
		func() bool { return modelstest.Value[int](t, w.conn, `SELECT count(*) FROM key_callers`) == 2 })
	dismissed := func() []string {
		return modelstest.Column[string](t, w.conn, `SELECT client FROM key_callers WHERE dismissed_at IS NOT NULL`)
	}
	modelstest.RequireKind(t, models.KindNotFound,
		keys.CallerDismiss(t.Context(), w.Service.Tenant(b.ID), key, "10.0.0.7", "nightly"))
	modelstest.RequireKind(t, models.KindNotFound, keys.CallerDismiss(t.Context(), w.tenant, key, "10.0.0.8", "nightly"))
	modelstest.RequireKind(t, models.KindForbidden,
		keys.CallerDismiss(t.Context(), w.Service.Store.Tenant(w.a.ID), key, "10.0.0.7", "nightly"))
	require.Empty(t, dismissed())
	for range 2 {
		require.NoError(t, keys.CallerDismiss(t.Context(), w.tenant, key, "10.0.0.7", "nightly"))
		require.Equal(t, []string{"nightly"}, dismissed())
	}
	for range 2 {
		require.NoError(t, keys.CallerRestore(t.Context(), w.tenant, key, "10.0.0.7", "nightly"))
		require.Empty(t, dismissed())
	}
	subject := "nightly from 10.0.0.7, " + key.Name + " (dispo_…" + key.Hint + ")"
	require.Equal(
		t,
		[]string{"key.caller_dismiss " + subject, "key.caller_restore " + subject},
		modelstest.Column[string](t, w.conn,
			`SELECT action || ' ' || subject FROM audit_log WHERE action LIKE 'key.caller%' ORDER BY id`),
	)
}

// An expired key is still called by those that it has refused within 30 days, until somebody
// dismisses them, or they have used any key of the organization afterwards, from the same address.
func TestStillCalling(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.Key(t, w.a)
	older, _ := w.Key(t, w.a)
	valid, _ := w.Key(t, w.a)
	foreign, _ := w.Key(t, w.Organization(t, "b"))
	w.execute(
		t,
		`UPDATE api_keys SET expires_at = now() - CASE id WHEN $1 THEN interval '40 days' ELSE interval '2 days' END
		WHERE id <> $2`,
		older.ID,
		valid.ID,
	)
	// called adds a caller of a key: how long ago it was refused, let in and dismissed, if so.
	called := func(key keys.Key, address, client, refused, used, dismissed string) {
		w.execute(t, `INSERT INTO key_callers (organization_id, key_id, address, client, user_agent, first_seen, last_seen,
			last_refused, last_used, dismissed_at, requests, refused)
			SELECT $1, $2, $3, $4, $4, now() - interval '90 days', greatest(r, u), r, u, now() - nullif($7, '')::interval, 1, 0
			FROM (SELECT now() - nullif($5, '')::interval AS r, now() - nullif($6, '')::interval AS u) c`,
			key.OrganizationID, key.ID, address, client, refused, used, dismissed)
	}
	for i, client := range []string{"moved", "moved before", "elsewhere"} {
		called(key, "10.0.0.1", client, "1 hour", "3 days", "")
		called(valid, "10.0.0."+[]string{"1", "1", "2"}[i],
			client, "", []string{"30 minutes", "2 hours", "30 minutes"}[i], "")
	}
	called(key, "10.0.0.1", "nightly", "5 minutes", "", "")
	called(key, "10.0.0.1", "only before the expiry", "3 days", "", "")
	called(key, "10.0.0.1", "dismissed", "1 minute", "", "1 hour")
	called(key, "10.0.0.1", "dismissed before the expiry", "2 hours", "", "3 days")
	called(key, "", "", "3 hours", "", "")
	called(valid, "", "", "", "1 minute", "")
	called(valid, "10.0.0.1", "paused", "1 hour", "", "")
	called(older, "10.0.0.1", "long ago", "31 days", "", "")
	called(foreign, "10.0.0.1", "foreign", "1 hour", "", "")
	calling := func() (clients []string) {
		all, err := keys.StillCalling(t.Context(), w.tenant, time.Now())
		require.NoError(t, err)
		for id, callers := range all {
			require.Equal(t, key.ID, id)
			for _, caller := range callers {
				clients = append(clients, caller.Client)
			}
		}
		return clients
	}
	require.Equal(t, []string{"nightly", "elsewhere", "moved before", "dismissed before the expiry", ""}, calling())
	require.NoError(t, keys.CallerDismiss(t.Context(), w.tenant, key, "10.0.0.1", "nightly"))
	require.NoError(t, keys.CallerDismiss(t.Context(), w.tenant, key, "10.0.0.1", "dismissed before the expiry"))
	require.Equal(t, []string{"elsewhere", "moved before", ""}, calling())
	require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), w.tenant, key.ID)))
	require.Empty(t, calling())
}
