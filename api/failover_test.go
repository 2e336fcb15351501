package api_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/mail"
	"dispo/models/modelstest"
)

// failover is a service of two instances, which read on replicas, under load.
type failover struct {
	*testing.T
	*modelstest.World
	a       tenant
	nodes   []*modelstest.Node // the primary, the synchronous and the asynchronous standby
	service []*instance
	mails   *modelstest.MailServer
	address string // with the default time to connect, because a server may be silent

	stopped             atomic.Bool
	stored, unavailable atomic.Int64 // deliveries, and answers
	mu                  sync.Mutex
	revoked             map[string]time.Time // keys, and when Revoke returned
	working             sync.WaitGroup
}

const deliveryRecords = 3

// A promoted standby is found without a restart, and serves within five seconds. Until then
// callers get 503, and nothing wrong: whatever was confirmed is there, ids and versions only
// rise, a copy misses and doubles nothing, imports that failed are stored whole once when they
// are repeated, revoked keys stay revoked on every instance, and each mail comes once.
// `make failover` runs 20 rounds.
func TestFailover(t *testing.T) {
	t.Parallel()
	f := &failover{T: t, revoked: map[string]time.Time{}}
	primary := modelstest.NewPrimary(t)
	f.nodes = []*modelstest.Node{primary, primary.NewStandby(t, "one", nil), primary.NewStandby(t, "two", nil)}
	primary.Synchronous(t, f.nodes[1])
	address, replicas := modelstest.Hosts(t, "read-write", f.nodes...), modelstest.Hosts(t, "prefer-standby", f.nodes...)
	f.address = strings.Replace(address, "connect_timeout=60&", "", 1)
	f.World = modelstest.OpenWorld(t, f.address, replicas)
	f.a = newTenant(t, f.World, "a")
	f.Companies(t, f.a.Organization, "10000001")
	f.User(t, f.a.Organization, "owner@example.com", models.RoleOwner, "a password")
	second := modelstest.OpenConfig(t, database.Config{URL: f.address, ReadURL: replicas, Role: database.Service}, modelstest.Secret)
	for _, store := range []*modelstest.Instance{f.Service, second} {
		f.service = append(f.service, serve(t, store, settings{noCache: true, timeout: 4 * time.Second}))
	}
	sender := f.sender()
	f.work(f.deliver)
	f.work(f.revokeKeys)
	f.work(func() { _ = sender.SendDue(t.Context()) })
	for _, service := range f.service {
		f.copyOver(service)
		f.work(func() { f.tryRevoked(service) })
	}
	for n := range modelstest.Rounds(2) {
		if n > 0 {
			f.rejoin()
		}
		f.round(n)
	}
	f.stopped.Store(true)
	f.working.Wait()
	f.requireMails(sender)
	for token := range f.revoked {
		for _, service := range f.service {
			require.Equal(t, 401, service.get(t, "/api/v1/companies", token).status)
		}
	}
	stored := modelstest.ValueAt[int64](t, f.nodes[0].URL, `SELECT transaction_count FROM organizations WHERE id = $1`, f.a.ID)
	require.Equal(t, deliveryRecords*f.stored.Load(), stored)
	modelstest.RequireTotals(t, f.nodes[0].URL)
	t.Logf("%d deliveries, %d keys revoked, %d answers with 503", f.stored.Load(), len(f.revoked), f.unavailable.Load())
}

// work calls f again and again until the test stops it.
func (f *failover) work(do func()) {
	f.working.Go(func() {
		for !f.stopped.Load() && !f.Failed() {
			do()
			time.Sleep(20 * time.Millisecond) // a pace
		}
	})
}

// round crashes the primary, and promotes the synchronous standby. Every other primary falls
// silent instead of refusing connections.
func (f *failover) round(n int) {
	f.delivered(2)
	refused := f.unavailable.Load()
	old, next := f.nodes[0], f.nodes[1]
	if n%2 == 1 {
		old.Proxy.All(modelstest.Hung)
	}
	old.Crash(f)
	next.Promote(f)
	promoted := time.Now()
	for _, service := range f.service {
		modelstest.Within(f, 5*time.Second, func() bool { return service.get(f, "/api/v1/companies", f.a.token).status == 200 })
	}
	served := time.Since(promoted)
	old.Proxy.All(modelstest.Up) // an import waits until TCP gives up a silent server
	f.delivered(2)
	for _, service := range f.service {
		modelstest.Eventually(f, service.store.DB().Feed.Fresh)
	}
	f.Logf("round %d: served %v after the promotion, %d answers with 503", n+1, served.Round(time.Millisecond), f.unavailable.Load()-refused)
	f.nodes = []*modelstest.Node{next, old, f.nodes[2]}
}

// rejoin makes the others standbys of the primary again.
func (f *failover) rejoin() {
	for _, standby := range f.nodes[1:] {
		standby.Copy(f, f.nodes[0])
	}
	f.nodes[0].Synchronous(f, f.nodes[1])
}

// delivered waits until so many more deliveries are stored.
func (f *failover) delivered(more int64) {
	f.Helper()
	more += f.stored.Load()
	modelstest.Eventually(f, func() bool { return f.stored.Load() >= more || f.Failed() })
}

// deliver imports a delivery, again and again until it is known to be stored.
func (f *failover) deliver() {
	path := modelstest.File(f, "delivery.csv", modelstest.DeliveryCSV("10000001", deliveryRecords))
	for {
		switch err := modelstest.ErrorOf(f.ImportDelivery(f.Context(), imports.DeliveryOptions{Path: path})); {
		case err == nil, models.ErrorKind(err) == models.KindConflict: // it was stored, and is recognized
			f.stored.Add(1)
			return
		case !database.Unavailable(err):
			f.Errorf("an import: %v", err)
			return
		}
		time.Sleep(5 * time.Millisecond) // a pace
	}
}

// revokeKeys creates a key, uses it, and revokes it.
func (f *failover) revokeKeys() {
	tenant := f.Service.Tenant(f.a.ID)
	key, token, err := keys.Create(f.Context(), tenant, keys.NewKey{Name: uuid.NewString()})
	if err != nil {
		f.requireAway(err)
		return
	}
	for _, service := range f.service {
		modelstest.Eventually(f, func() bool {
			switch status := service.get(f, "/api/v1/companies", token).status; status {
			case 503:
				return false
			case 200:
			default:
				f.Errorf("status %d for a good key", status)
			}
			return true
		})
	}
	modelstest.Eventually(f, func() bool {
		_, err := keys.Revoke(f.Context(), tenant, key.ID)
		f.requireAway(err)
		return err == nil || f.Failed()
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.revoked[token] = time.Now()
}

func (f *failover) requireAway(err error) {
	if err != nil && models.ErrorKind(err) != models.KindUnavailable {
		f.Errorf("not as if the database were away: %v", err)
	}
}

// tryRevoked tries a key that was revoked more than a second ago.
func (f *failover) tryRevoked(service *instance) {
	tried := ""
	f.mu.Lock()
	for token, at := range f.revoked {
		if time.Since(at) > time.Second {
			tried = token
			break
		}
	}
	f.mu.Unlock()
	if tried != "" {
		f.expect(service.get(f, "/api/v1/companies", tried), 401)
	}
}

// expect reports whether an answer has the status. Else it must be 503.
func (f *failover) expect(got answer, status int) bool {
	if got.status != status && got.status != 503 {
		f.Errorf("status %d: %s", got.status, got.body)
	}
	if got.status == 503 {
		f.unavailable.Add(1)
	}
	return got.status == status
}

// copyOver copies the transactions page by page, as a client does. On the last page the copy
// is complete.
func (f *failover) copyOver(service *instance) {
	copied, last, newest := int64(0), "", int64(0)
	f.work(func() {
		path := allTransactionsPath + "?limit=100"
		if last != "" {
			path += "&after=" + last
		}
		got := service.get(f, path, f.a.token)
		if !f.expect(got, 200) {
			return
		}
		version, _ := strconv.ParseInt(got.header.Get("X-Data-Version"), 10, 64)
		if version < newest {
			f.Errorf("version %d after %d", version, newest)
		}
		newest = version
		var page struct {
			Data []struct{ ID string }
			Meta struct {
				Total   int64
				HasMore bool
			}
		}
		if err := json.Unmarshal(got.body, &page); err != nil {
			f.Errorf("%v: %s", err, got.body)
		}
		for _, item := range page.Data {
			if item.ID <= last {
				f.Errorf("id %s after %s", item.ID, last)
			}
			last = item.ID
			copied++
		}
		if !page.Meta.HasMore && page.Meta.Total != copied {
			f.Errorf("%d transactions were copied of %d", copied, page.Meta.Total)
		}
	})
}

func (f *failover) sender() *mail.Sender {
	f.mails = modelstest.NewMailServer(f, modelstest.MailPlain)
	server, err := mail.ParseServer(f.mails.URL)
	require.NoError(f, err)
	sender, err := mail.NewSender(f.Context(), mail.Config{
		Store: f.Service.Store, Server: server, From: mail.Address{Address: "dispo@example.com"}, PublicURL: &url.URL{Scheme: "https", Host: "dispo.example.com"},
		Client: func(i18n.Language, string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(f, err)
	return sender
}

// requireMails requires that each key that was created and revoked was reported. A mail may
// come twice, as the same message, if the server's answer could not be stored.
func (f *failover) requireMails(sender *mail.Sender) {
	primary := f.nodes[0].URL
	modelstest.ExecuteAt(f, primary, `UPDATE mails SET next_attempt_at = now() WHERE sent_at IS NULL`)
	modelstest.Eventually(f, func() bool {
		_ = sender.SendDue(context.Background())
		return modelstest.ValueAt[int](f, primary, `SELECT count(*) FROM mails WHERE sent_at IS NULL`) == 0
	})
	messages := map[string]int{}
	for _, received := range f.mails.Mails() {
		messages[received.Header(f, "Message-ID")]++
	}
	require.Len(f, messages, modelstest.ValueAt[int](f, primary, `SELECT count(*) FROM mails`))
	require.Equal(f, len(f.revoked), modelstest.ValueAt[int](f, primary, `SELECT count(*) FROM mails WHERE kind = 'key_revoked'`))
	f.Logf("%d mails, %d of them twice", len(messages), len(f.mails.Mails())-len(messages))
}

// Without synchronous replication a promoted standby may lack the latest changes. What was
// lost is shown to nobody from then on, although another replica has it: that one is ahead,
// and does not count. A client notices: a tag of a lost version is never current again. The
// old primary, if nothing keeps it from coming back, is not used by whoever has used the new
// one.
func TestLostChanges(t *testing.T) {
	t.Parallel()
	primary := modelstest.NewPrimary(t)
	promoted, ahead := primary.NewStandby(t, "promoted", nil), primary.NewStandby(t, "ahead", nil)
	w := modelstest.OpenWorld(t, modelstest.Hosts(t, "read-write", primary, promoted), modelstest.Hosts(t, "prefer-standby", ahead))
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	service := serve(t, w.Service, settings{})
	promoted.CatchUp(t, primary)
	require.True(t, modelstest.ValueAt[bool](t, primary.URL, `SELECT bool_and(has_function_privilege('dispo_app', f, 'EXECUTE')) FROM unnest(ARRAY['pg_current_wal_lsn()', 'pg_walfile_name(pg_lsn)']) f`))

	promoted.Stop()
	w.Companies(t, a.Organization, "10000002")
	ahead.CatchUp(t, primary)
	var lost answer
	modelstest.Eventually(t, func() bool {
		lost = service.get(t, "/api/v1/companies", a.token)
		return strings.Contains(string(lost.body), "10000002")
	})
	primary.Crash(t)
	promoted.Start(t)
	promoted.Promote(t)
	requireLost := func() {
		t.Helper()
		for _, path := range []string{"/api/v1/companies", "/api/v1/changes"} {
			got := service.send(t, "GET", path, headers("X-API-Key", a.token, "If-None-Match", lost.header.Get("ETag")))
			got.requireOK(t)
			require.NotContains(t, string(got.body), "10000002")
		}
		service.get(t, "/api/v1/companies/10000002", a.token).requireError(t, 404, "COMPANY_NOT_FOUND")
	}
	requireRecovery(t, service, a.token)
	modelstest.Eventually(t, func() bool { // the replica may pause first
		requireLost()
		return outcomes(w.Service)["ahead"] > 0
	})
	w.Operator = modelstest.Open(t, w.URL, database.Operator) // as each command does
	w.Companies(t, a.Organization, "10000003")
	modelstest.Eventually(t, func() bool {
		return strings.Contains(string(service.get(t, "/api/v1/companies", a.token).body), "10000003")
	})
	requireLost()

	// The old primary is back, and is the first host.
	primary.Start(t)
	for range 3 {
		promoted.Proxy.All(modelstest.Cut)
		promoted.Proxy.All(modelstest.Up)
		requireRecovery(t, service, a.token)
		requireLost()
	}
	promoted.Proxy.All(modelstest.Cut)
	modelstest.Eventually(t, func() bool { return !w.Service.DB().Feed.Fresh() })
	for _, path := range keyPaths {
		service.get(t, path, a.token).requireUnavailable(t)
	}
}
