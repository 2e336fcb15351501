package api_test

import (
	"encoding/json"
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
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// failover is a service of two instances, which read on replicas, under load.
type failover struct {
	*testing.T
	*modelstest.World
	a       tenant
	nodes   []*modelstest.Node // the primary, the synchronous and the asynchronous standby
	service []*instance
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
// are repeated, and revoked keys stay revoked on every instance.
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
	second := modelstest.OpenConfig(t, database.Config{URL: f.address, ReadURL: replicas, Role: database.Service},
		modelstest.Secret)
	for _, store := range []*modelstest.Instance{f.Service, second} {
		f.service = append(f.service, serve(t, store, settings{noCache: true, timeout: 4 * time.Second}))
	}
	f.work(f.deliver)
	f.work(f.revokeKeys)
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
	for token := range f.revoked {
		for _, service := range f.service {
			require.Equal(t, 401, service.get(t, "/api/v1/companies", token).status)
		}
	}
	stored := modelstest.ValueAt[int64](t, f.nodes[0].URL, `SELECT transaction_count FROM organizations WHERE id = $1`,
		f.a.ID)
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
		modelstest.Within(f, time.Minute, // long before TCP gives up a silent server
			func() bool { return service.get(f, "/api/v1/companies", f.a.token).status == 200 })
	}
	served := time.Since(promoted)
	old.Proxy.All(modelstest.Up) // an import waits until TCP gives up a silent server
	f.delivered(2)
	for _, service := range f.service {
		modelstest.Eventually(f, service.store.DB().Feed.Fresh)
	}
	f.Logf("round %d: served %v after the promotion, %d answers with 503", n+1, served.Round(time.Millisecond),
		f.unavailable.Load()-refused)
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
	copied, last, newest, history := int64(0), "", int64(0), ""
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
		if at := got.header.Get("X-Data-History"); history != "" && at != history {
			f.Errorf("history %s after %s, although nothing was lost", at, history)
		}
		history = got.header.Get("X-Data-History")
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
