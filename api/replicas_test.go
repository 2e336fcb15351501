package api_test

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// replicated is an organization on a primary with two replicas.
type replicated struct {
	*modelstest.World
	a       tenant
	primary *modelstest.Node
	both    []*modelstest.Node
	service *instance
}

// newReplicated starts the servers, and an instance that reads on the replicas.
func newReplicated(t *testing.T) *replicated {
	t.Helper()
	r := &replicated{primary: modelstest.NewPrimary(t)}
	for _, name := range []string{"one", "two"} {
		r.both = append(r.both, r.primary.NewStandby(t, name, nil))
	}
	r.World = modelstest.OpenWorld(t, modelstest.Hosts(t, "read-write", r.primary),
		modelstest.Hosts(t, "prefer-standby", r.both...))
	r.a = newTenant(t, r.World, "a")
	r.Companies(t, r.a.Organization, "10000001", "10000002")
	r.Delivery(t, "10000001", 3)
	r.service = serve(t, r.Service, settings{noCache: true})
	r.catchUp(t)
	return r
}

func (r *replicated) catchUp(t testing.TB) {
	t.Helper()
	for _, replica := range r.both {
		replica.CatchUp(t, r.primary)
	}
}

// each calls f with both replicas.
func (r *replicated) each(f func(*modelstest.Node)) {
	for _, replica := range r.both {
		f(replica)
	}
}

// outcomes counts the reads of an instance that could use a replica.
func outcomes(i *modelstest.Instance) map[string]float64 {
	counts := map[string]float64{}
	i.DB().Replicas.Each(func(outcome string, count float64) { counts[outcome] = count })
	return counts
}

// during returns the outcomes of the reads that f makes.
func (r *replicated) during(f func()) map[string]float64 {
	before := outcomes(r.Service)
	f()
	after := outcomes(r.Service)
	for outcome, count := range before {
		after[outcome] -= count
	}
	maps.DeleteFunc(after, func(_ string, count float64) bool { return count == 0 })
	return after
}

// versionOf returns the version and the history of the organization's data on the primary.
func (r *replicated) versionOf(t testing.TB) string {
	t.Helper()
	return modelstest.ValueAt[string](t, r.primary.URL,
		`SELECT data_version || ' ' || history FROM organizations WHERE id = $1`, r.a.ID)
}

// versionOf returns the version and the history of the data that an answer shows.
func versionOf(got answer) string {
	return got.header.Get("X-Data-Version") + " " + got.header.Get("X-Data-History")
}

// read reads everything that may come from a replica: each path of the API, in bulk, and a
// download. All must have the present version and history of the data.
func (r *replicated) read(t testing.TB, service *instance) (reads float64) {
	t.Helper()
	version := r.versionOf(t)
	modelstest.Eventually(t, func() bool { return service.heard(t, r.a) == version })
	for _, path := range append(keyPaths, "/api/v1/transactions", "/api/v1/transactions?limit=1&after="+r.a.ID.String(), "/api/v1/changes", "/api/v1/days", "/api/v1/companies/10000001/days") {
		got := service.get(t, path, r.a.token)
		got.requireOK(t)
		require.Equal(t, version, versionOf(got), path)
		reads++
	}
	bulk := service.inBulk(t, "GET", "", r.a.token, "text/csv")
	bulk.requireOK(t)
	require.Equal(t, version, versionOf(bulk))
	r.download(t, service)
	return reads + 2
}

// download reads all companies.
func (r *replicated) download(t testing.TB, service *instance) {
	t.Helper()
	companies := 0
	require.NoError(t, ledger.EachCompany(t.Context(), service.store.ForPages().Tenant(r.a.ID), ledger.CompanySearch{},
		func(*models.Company) error { companies++; return nil }))
	require.Equal(t,
		modelstest.ValueAt[int](t, r.primary.URL, `SELECT company_count FROM organizations WHERE id = $1`, r.a.ID), companies)
}

// heard returns the version and the history that an instance expects.
func (i *instance) heard(t testing.TB, a tenant) string {
	t.Helper()
	return versionOf(i.inBulk(t, "HEAD", "", a.token, "text/csv", "If-None-Match", "*"))
}

// Every read of the API and every download of data is read on replicas, and nothing else.
// Whatever happens to the replicas, each answer is the primary's: it has the present version
// of the data, also in bulk, and also if there is nothing. A replica that is late or hangs is
// asked again once it is back. After a failover, what the new primary has decides.
func TestReplicas(t *testing.T) {
	t.Parallel()
	r := newReplicated(t)
	r.requireCurrent(t)
	r.late(t)

	// Nothing there, on a replica that is current.
	require.Equal(t, map[string]float64{"other": 1}, r.during(func() {
		r.service.get(t, "/api/v1/companies/10000009", r.a.token).requireError(t, 404, "COMPANY_NOT_FOUND")
	}))

	// Silent, and cut.
	for _, line := range []modelstest.Line{modelstest.Hung, modelstest.Cut} {
		r.each(func(replica *modelstest.Node) { replica.Proxy.All(line) })
		found := r.during(func() { r.read(t, r.service) })
		require.Zero(t, found["current"])
		require.Positive(t, found["failed"])
		r.each(func(replica *modelstest.Node) { replica.Proxy.All(modelstest.Up) })
		r.requireCurrent(t)
	}

	r.inConflict(t)
	r.importsBetween(t)

	// The primary decides whether there is an answer.
	r.primary.Proxy.All(modelstest.Cut)
	modelstest.Eventually(t, func() bool { return !r.Service.DB().Feed.Fresh() })
	for _, path := range keyPaths {
		r.service.get(t, path, r.a.token).requireUnavailable(t)
	}
	r.primary.Proxy.All(modelstest.Up)
	requireRecovery(t, r.service, r.a.token)
	r.requireCurrent(t)

	r.otherHistory(t)
	r.otherSystem(t)
	r.inTheWay(t)
	r.lostChanges(t)
}

// otherHistory lets the replicas have the version of the data, but another history.
func (r *replicated) otherHistory(t *testing.T) {
	t.Helper()
	r.each(func(replica *modelstest.Node) { replica.Pause(t) })
	modelstest.ExecuteAt(t, r.primary.URL, `UPDATE organizations SET history = gen_random_uuid()`)
	modelstest.ExecuteAt(t, r.primary.URL, `SELECT pg_notify('dispo', 'data ' || id) FROM organizations`)
	found := r.during(func() { r.read(t, r.service) })
	require.Positive(t, found["other"]+found["paused"])
	require.Zero(t, found["current"])
	r.each(func(replica *modelstest.Node) { replica.Resume(t) })
	r.requireCurrent(t)
}

// otherSystem reads on a standby of another server, which shows the same version and history.
// It fails, and is not believed.
func (r *replicated) otherSystem(t *testing.T) {
	t.Helper()
	other := modelstest.NewPrimary(t)
	standby := other.NewStandby(t, "other", nil)
	organization := modelstest.ValueAt[string](t, r.primary.URL,
		`SELECT to_json(o)::text FROM organizations o WHERE id = $1`, r.a.ID)
	modelstest.ExecuteAt(t, other.URL,
		`INSERT INTO organizations SELECT * FROM json_populate_record(NULL::organizations, $1)`, organization)
	standby.CatchUp(t, other)
	w := modelstest.OpenWorld(t, modelstest.Hosts(t, "read-write", r.primary),
		modelstest.Hosts(t, "prefer-standby", standby))
	r.read(t, serve(t, w.Service, settings{noCache: true}))
	require.Zero(t, outcomes(w.Service)["current"])
	require.Positive(t, outcomes(w.Service)["failed"])
}

// requireCurrent waits until the replicas answer everything.
func (r *replicated) requireCurrent(t *testing.T) {
	t.Helper()
	r.catchUp(t)
	modelstest.Eventually(t, func() bool {
		current := map[string]float64{}
		found := r.during(func() { current["current"] = r.read(t, r.service) })
		return maps.Equal(current, found)
	})
}

// late lets the replicas be late, for as long as it takes.
func (r *replicated) late(t *testing.T) {
	t.Helper()
	r.each(func(replica *modelstest.Node) { replica.Pause(t) })
	wait := make(chan answer, 1)
	tag := r.service.get(t, "/api/v1/companies", r.a.token).header.Get("ETag")
	go func() {
		wait <- r.service.send(t, "GET", "/api/v1/companies", headers("X-API-Key", r.a.token, "If-None-Match", tag, "Prefer", "wait=50"))
	}()
	modelstest.Eventually(t, func() bool { return r.Service.DB().Feed.Waiting() == 1 })
	r.Companies(t, r.a.Organization, "10000003")
	changed := modelstest.Receive(t, wait)
	changed.requireOK(t)
	require.Contains(t, string(changed.body), "10000003")
	found := r.during(func() {
		r.read(t, r.service)
		r.service.get(t, "/api/v1/companies/10000003", r.a.token).requireOK(t)
		r.service.get(t, "/api/v1/companies/10000003/transactions", r.a.token).requireOK(t)
	})
	require.Positive(t, found["other"]+found["paused"])
	require.Zero(t, found["current"])
	require.NoError(t, r.Service.Tenant(r.a.ID).NoteAlone(t.Context(), models.ActionDeliveryExport, "audit"))
	noted := 0
	require.NoError(t,
		models.EachAuditEntry(t.Context(), r.Service.Tenant(r.a.ID), models.AuditFilter{}, func(e *models.AuditEntry) error {
			if e.Subject == "audit" {
				noted++
			}
			return nil
		}))
	require.Equal(t, 1, noted, "the audit log is not covered by the version")
	r.each(func(replica *modelstest.Node) { replica.Resume(t) })
	r.requireCurrent(t)
}

// importsBetween lets an import commit while replicas read a page, between its figures and its
// items: both are of one moment.
func (r *replicated) importsBetween(t *testing.T) {
	t.Helper()
	read := func() answer { return r.service.get(t, "/api/v1/transactions", r.a.token) }
	modelstest.Eventually(t, func() bool { // a replica has 200 ms
		before := read()
		release := modelstest.HoldImports(t, r.primary.URL)
		imported := modelstest.Begin(func() imports.DeliveryResult { return r.Delivery(t, "10000001", 1) })
		modelstest.EventuallyBlocked(t, r.primary.URL, 1)
		modelstest.ExecuteAt(t, r.primary.URL, `SELECT pg_switch_wal()`)
		r.catchUp(t)
		var during answer
		found := r.during(func() {
			reading := modelstest.Begin(read)
			modelstest.Eventually(t, func() bool { return r.blocked(t) || len(reading) > 0 })
			release()
			during = modelstest.Receive(t, reading)
		})
		modelstest.Receive(t, imported)
		if versionOf(during) == versionOf(before) {
			require.Equal(t, string(before.body), string(during.body))
		}
		r.catchUp(t)
		requireCaughtUp(t, r.World, r.a)
		return found["current"] == 1
	})
}

// blocked reports whether a read waits for a lock on a replica.
func (r *replicated) blocked(t testing.TB) bool {
	t.Helper()
	return slices.ContainsFunc(r.both, func(replica *modelstest.Node) bool {
		return modelstest.ValueAt[bool](t, replica.URL,
			`SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)
	})
}

// inConflict lets the replicas wait for a lock that they replay, until they go on. The server
// ends a statement by itself if the address says so.
func (r *replicated) inConflict(t *testing.T) {
	t.Helper()
	short := serve(t, modelstest.OpenConfig(t, database.Config{
		URL:     r.URL,
		ReadURL: modelstest.With(modelstest.Hosts(t, "prefer-standby", r.both...), "statement_timeout", "20"),
		Role:    database.Service,
	}, modelstest.Secret), settings{noCache: true})
	locking := modelstest.Conn(t, r.primary.URL)
	modelstest.Execute(t, locking, `BEGIN; LOCK TABLE companies IN ACCESS EXCLUSIVE MODE; SELECT pg_switch_wal()`)
	r.catchUp(t)
	r.each(func(replica *modelstest.Node) { replica.Pause(t) })
	modelstest.Execute(t, locking, `COMMIT`)
	for _, service := range []*instance{r.service, short} {
		before := outcomes(service.store)
		// Also a download that has got the version, but waits for its first row.
		modelstest.Eventually(t, func() bool {
			r.download(t, service)
			return outcomes(service.store)["other"] > before["other"]
		})
		modelstest.Eventually(t, func() bool {
			r.read(t, service)
			return outcomes(service.store)["failed"] > before["failed"]
		})
	}
	r.each(func(replica *modelstest.Node) { replica.Resume(t) })
	r.requireCurrent(t)
}

// inTheWay lets the replicas end a bulk read, because its snapshot is in the way of what they
// replay. Nothing is read again on the primary: the read ends with an error.
func (r *replicated) inTheWay(t *testing.T) {
	t.Helper()
	r.Delivery(t, "10000001", 10_000)
	r.catchUp(t)
	modelstest.ExecuteAt(t, r.primary.URL, `CREATE TABLE updated AS SELECT 1 AS n`)
	r.each(func(replica *modelstest.Node) {
		modelstest.ExecuteAt(t, replica.URL, `ALTER SYSTEM SET max_standby_streaming_delay = 0`)
		modelstest.ExecuteAt(t, replica.URL, `SELECT pg_reload_conf()`)
	})
	modelstest.Eventually(t, func() bool {
		var all ledger.Following
		rows := int64(0)
		err := ledger.EachFollowing(t.Context(), r.Service.Tenant(r.a.ID), ledger.Part{}, nil, &all,
			func(*models.Transaction) error {
				if rows++; rows == 1 {
					modelstest.ExecuteAt(t, r.primary.URL, `UPDATE updated SET n = n + 1`)
					modelstest.ExecuteAt(t, r.primary.URL, `VACUUM updated`)
				}
				return nil
			})
		if err != nil {
			require.Equal(t, models.KindUnavailable, models.ErrorKind(err), "%v", err)
			require.Less(t, rows, all.Count)
		}
		return err != nil
	})
	modelstest.RequireTotals(t, r.primary.URL)
}

// lostChanges lets a standby take over that lacks the latest changes, as without synchronous
// replication. What was lost is shown to nobody from then on, although another replica has it:
// that one is ahead, and does not count. A client notices: a tag of a lost version is never
// current again. The old primary, if nothing keeps it from coming back, is not used by whoever
// has used the new one.
func (r *replicated) lostChanges(t *testing.T) {
	t.Helper()
	promoted, ahead := r.both[0], r.both[1]
	w := modelstest.OpenWorld(t, modelstest.Hosts(t, "read-write", r.primary, promoted),
		modelstest.Hosts(t, "prefer-standby", ahead))
	log := &modelstest.Log{}
	w.Service = modelstest.OpenConfig(t, database.Config{
		URL:     w.URL,
		ReadURL: modelstest.Hosts(t, "prefer-standby", ahead),
		Role:    database.Service,
		Log:     slog.New(slog.NewTextHandler(log, nil)),
	}, modelstest.Secret)
	service := serve(t, w.Service, settings{})
	r.catchUp(t)
	require.True(t, modelstest.ValueAt[bool](
		t,
		r.primary.URL,
		`SELECT bool_and(has_function_privilege('dispo_app', f, 'EXECUTE')) FROM unnest(ARRAY['pg_current_wal_lsn()', 'pg_walfile_name(pg_lsn)', 'pg_control_system()']) f`,
	))

	promoted.Stop()
	w.Companies(t, r.a.Organization, "10000004")
	ahead.CatchUp(t, r.primary)
	var lost answer
	modelstest.Eventually(t, func() bool {
		lost = service.get(t, "/api/v1/companies", r.a.token)
		return strings.Contains(string(lost.body), "10000004")
	})
	r.primary.Crash(t)
	promoted.Start(t)
	promoted.Promote(t)
	requireLost := func() {
		t.Helper()
		for _, path := range []string{"/api/v1/companies", "/api/v1/changes"} {
			got := service.send(t, "GET", path, ifNoneMatch(r.a.token, lost.header.Get("ETag")))
			got.requireOK(t)
			require.NotContains(t, string(got.body), "10000004")
		}
		service.get(t, "/api/v1/companies/10000004", r.a.token).requireError(t, 404, "COMPANY_NOT_FOUND")
	}
	requireRecovery(t, service, r.a.token)
	modelstest.Eventually(t, func() bool { // the replica may pause first
		requireLost()
		return outcomes(w.Service)["other"] > 0
	})
	w.Operator = modelstest.Open(t, w.URL, database.Operator) // as each command does
	w.Companies(t, r.a.Organization, "10000005")
	modelstest.Eventually(t, func() bool {
		return strings.Contains(string(service.get(t, "/api/v1/companies", r.a.token).body), "10000005")
	})
	requireLost()
	require.Equal(t, 1, strings.Count(log.String(), "run `dispo history renew`"), log)

	// The old primary is back, and is the first host.
	r.primary.Start(t)
	for range 3 {
		promoted.Proxy.All(modelstest.Cut)
		promoted.Proxy.All(modelstest.Up)
		requireRecovery(t, service, r.a.token)
		requireLost()
	}
	promoted.Proxy.All(modelstest.Cut)
	modelstest.Eventually(t, func() bool { return !w.Service.DB().Feed.Fresh() })
	for _, path := range keyPaths {
		service.get(t, path, r.a.token).requireUnavailable(t)
	}
}
