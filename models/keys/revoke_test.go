package keys_test

import (
	"context"
	"net/netip"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// revocationDelay is how soon every instance refuses a key that another one revoked.
const revocationDelay = time.Second

// An organization's own limits reach every instance with its keys, within a second. The
// audit log has each change, and none that changes nothing. Others' keys keep theirs.
func TestLimitsReachEveryInstance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, text := w.Key(t, w.a)
	_, others := w.Key(t, w.Organization(t, "b"))
	limits := func(text string) models.Limits {
		caller, err := w.Service.Keys.Verify(t.Context(), modelstest.ParseKey(t, text), netip.Addr{})
		require.NoError(t, err)
		return caller.Limits
	}
	for _, to := range []models.Limits{{LimitMinute: 120}, {LimitMinute: 120, LimitHour: 5000}, {}, {}} {
		limits(text)
		own, err := organizations.Limit(t.Context(), w.Operator.Tenant(w.a.ID), func(own *models.Limits) { *own = to })
		require.NoError(t, err)
		require.Equal(t, to, own)
		modelstest.Within(t, revocationDelay, func() bool { return limits(text) == to })
		require.Zero(t, limits(others))
	}
	require.Equal(
		t,
		"120 a minute, default an hour; 120 a minute, 5000 an hour; default a minute, default an hour",
		modelstest.Value[string](t, modelstest.Conn(t, w.URL),
			`SELECT string_agg(subject, '; ' ORDER BY id) FROM audit_log WHERE action = 'organization.limit'`),
	)
}

// However many callers use a key while it is being revoked, none is accepted that
// arrives after the revocation has returned.
func TestRevocationUnderLoad(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range modelstest.Rounds(3) {
		key, text := w.Key(t, w.a)
		parsed := modelstest.ParseKey(t, text)
		ctx, stop := context.WithCancel(t.Context())
		var callers sync.WaitGroup
		var mu sync.RWMutex
		revoked := false
		for range 4 {
			callers.Go(func() {
				for ctx.Err() == nil {
					mu.RLock()
					after := revoked
					mu.RUnlock()
					if _, err := w.Service.Keys.Verify(t.Context(), parsed, netip.Addr{}); after && err == nil {
						t.Error("a revoked key was accepted")
						return
					}
				}
			})
		}
		_, err := keys.Revoke(t.Context(), w.tenant, key.ID)
		mu.Lock()
		revoked = true
		mu.Unlock()
		require.NoError(t, err)
		for range 20 {
			modelstest.RequireRefused(t, "revoked", w.Service.Verify(t, text))
		}
		stop()
		callers.Wait()
	}
}

// A remembered key expires on time, without a notification. A new expiry is heard of
// by the feed.
func TestRememberedKeyExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, text := w.Key(t, w.a)
	store := modelstest.OpenFollowing(t, w.URL)
	var expiry time.Time
	for seconds := 2; ; seconds *= 2 { // a machine may be too slow to use the key before it expires
		w.execute(t, `UPDATE api_keys SET expires_at = now() + make_interval(secs => $1)`, seconds)
		expiry = modelstest.Value[time.Time](t, w.conn, `SELECT expires_at FROM api_keys`)
		if store.Verify(t, text) == nil {
			break
		}
	}
	modelstest.Eventually(t, func() bool { return time.Now().After(expiry) })
	modelstest.RequireRefused(t, "expired", store.Verify(t, text))

	w.execute(t, `UPDATE api_keys SET expires_at = now() + interval '1 hour' WHERE id = $1`, key.ID)
	modelstest.Eventually(t, func() bool { return store.Verify(t, text) == nil })
}

// A key that one instance or the operator revokes or pauses, or whose organization the
// operator suspends, is refused there when the call returns, and by every other instance
// within a second, whatever state their feeds are in: up, just silent on an open connection,
// or cut off. A second time changes nothing. Resumed, it is accepted again. Other organizations' keys are accepted
// meanwhile. A key that nobody has used yet is refused for the same reason.
func TestRefusedEverywhereWithinASecond(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, others := w.Key(t, w.Organization(t, "b"))
	// An answer to a lookup may take too long on a slow machine.
	verify := func(store *modelstest.Instance, text string) (err error) {
		modelstest.Eventually(t, func() bool {
			err = store.Verify(t, text)
			return models.ErrorKind(err) != models.KindUnavailable
		})
		return err
	}
	ofKey := func(change func(context.Context, models.Tenant, uuid.UUID) (keys.Detail, error)) func(models.Tenant, uuid.UUID) error {
		return func(tenant models.Tenant, id uuid.UUID) error {
			return modelstest.ErrorOf(change(t.Context(), tenant, id))
		}
	}
	for word, change := range map[string]struct {
		end, resume func(models.Tenant, uuid.UUID) error
		service     bool // whether an instance of the service may do it
	}{
		"revoked": {ofKey(keys.Revoke), nil, true},
		"paused":  {ofKey(keys.Pause), ofKey(keys.Resume), true},
		"suspended": {
			func(tenant models.Tenant, _ uuid.UUID) error { return organizations.Suspend(t.Context(), tenant) },
			func(tenant models.Tenant, _ uuid.UUID) error { return organizations.Resume(t.Context(), tenant) }, false,
		},
	} {
		for _, state := range []modelstest.Line{modelstest.Up, modelstest.Hung, modelstest.Cut} {
			proxy := modelstest.NewProxy(t, w.URL)
			other, instances := modelstest.OpenFollowing(t, proxy.URL), []*modelstest.Instance{w.Operator}
			if change.service {
				instances = append(instances, modelstest.OpenFollowing(t, proxy.URL))
			}
			for _, by := range instances {
				modelstest.Eventually(t, other.DB().Feed.Fresh)
				key, text := w.Key(t, w.a)
				unusedKey, unused := w.Key(t, w.a)
				for _, store := range []*modelstest.Instance{by, other} {
					require.NoError(t, verify(store, text))
				}
				proxy.Feed(state)
				for _, id := range []uuid.UUID{key.ID, unusedKey.ID, key.ID} {
					require.NoError(t, change.end(by.Tenant(w.a.ID), id))
				}
				modelstest.RequireRefused(t, word, verify(by, text))
				modelstest.Within(t, revocationDelay, func() bool { return other.Verify(t, text) != nil }, word, state)
				modelstest.RequireRefused(t, word, verify(other, text))
				modelstest.RequireRefused(t, word, verify(other, unused))
				require.NoError(t, verify(other, others))
				if change.resume != nil {
					require.NoError(t, change.resume(by.Tenant(w.a.ID), key.ID))
					require.NoError(t, verify(by, text))
					modelstest.Eventually(t, func() bool { return other.Verify(t, text) == nil }, state)
				}
				proxy.Feed(modelstest.Up)
			}
		}
	}
}

// A key that is revoked between its lookup and the end of its proof is not remembered
// as accepted, and its caller is refused. So is a caller who arrives after the
// revocation has returned, while the earlier proof is still under way. This holds where
// the key is revoked, and on an instance whose feed is down.
func TestRevocationDuringAProof(t *testing.T) {
	t.Parallel()
	for _, elsewhere := range []bool{false, true} {
		w := newWorld(t)
		key, text := w.Key(t, w.a)
		proxy := modelstest.NewProxy(t, w.URL)
		var store, revoking *modelstest.Instance
		if elsewhere {
			proxy.Feed(modelstest.Cut)
			store, revoking = modelstest.Open(t, proxy.URL, database.Service), w.Service
		} else {
			store = modelstest.OpenFollowing(t, proxy.URL)
			revoking = store
		}
		release := store.Keys.HoldBcrypts()
		first, second := make(chan error, 1), make(chan error, 1)
		go func() { first <- store.Verify(t, text) }()
		requireLookedUp(t, w)
		if !elsewhere {
			proxy.Feed(modelstest.Hung) // so that it cannot hear of its own revocation
		}
		require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), revoking.Tenant(w.a.ID), key.ID)))
		go func() { second <- store.Verify(t, text) }()
		require.Never(t, func() bool { return len(first)+len(second) > 0 }, 100*time.Millisecond, 10*time.Millisecond)
		release()
		modelstest.RequireRefused(t, "revoked", <-second)
		modelstest.RequireRefused(t, "revoked", <-first)
		modelstest.RequireRefused(t, "revoked", store.Verify(t, text))
	}
}

// A key that is made while its organization is being suspended is refused, also by an
// instance that was asked before the suspension committed.
func TestKeyMadeDuringSuspension(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	modelstest.Eventually(t, w.Service.DB().Feed.Fresh)
	modelstest.ExecuteAt(
		t,
		w.URL,
		`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END';
		CREATE TRIGGER hold BEFORE INSERT ON audit_log FOR EACH ROW WHEN (NEW.action = 'organization.suspend') EXECUTE FUNCTION hold()`,
	)
	holding := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, holding, `SELECT pg_advisory_lock(1)`)
	waiting := func(n int) bool {
		return modelstest.Value[int](t, holding,
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == n
	}
	suspended, created := make(chan error, 1), make(chan error, 1)
	go func() { suspended <- organizations.Suspend(t.Context(), w.Operator.Tenant(w.a.ID)) }()
	modelstest.Eventually(t, func() bool { return waiting(1) })
	var text string
	go func() {
		var err error
		_, text, err = keys.Create(t.Context(), w.Operator.Tenant(w.a.ID), keys.NewKey{Name: "late"})
		created <- err
	}()
	modelstest.Eventually(t, func() bool { return len(created) > 0 || waiting(2) })
	if len(created) > 0 {
		_ = w.Service.Verify(t, text) // which remembers it
	}
	modelstest.Execute(t, holding, `SELECT pg_advisory_unlock(1)`)
	require.NoError(t, modelstest.Receive(t, suspended))
	require.NoError(t, modelstest.Receive(t, created))
	modelstest.Within(t, time.Second,
		func() bool { return models.ErrorKind(w.Service.Verify(t, text)) == models.KindUnauthorized })
}

// A revocation is in the outbox of erasures when it has committed, whoever revoked the key: a
// person, the operator's command or the schedule, whether or not one of them has a file, and
// whether or not that can be written to. Nothing else is.
func TestRevocationsAreNoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Service.KeepErasures(filepath.Join(t.TempDir(), "missing", "erasures"))
	command := w.Operator.Tenant(w.a.ID)
	person, _ := w.Key(t, w.a)
	operator, _ := w.Key(t, w.a)
	due, _ := w.Key(t, w.a)
	other, _ := w.Key(t, w.a)
	require.NoError(t, modelstest.ErrorOf(keys.Pause(t.Context(), command, person.ID)))
	require.NoError(t, modelstest.ErrorOf(keys.RevokeAfterIdle(t.Context(), command, due.ID, 1)))
	for range 2 {
		require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), w.tenant, person.ID)))
		require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), command, operator.ID)))
		require.NoError(t, keys.RevokeDue(t.Context(), w.Service.Store, time.Now().Add(25*time.Hour)))
	}
	w.execute(t, `BEGIN`)
	w.execute(t, `UPDATE api_keys SET revoked_at = now() WHERE id = $1`, other.ID)
	w.execute(t, `ROLLBACK`)
	require.Equal(
		t,
		[]uuid.UUID{person.ID, operator.ID, due.ID},
		modelstest.Column[uuid.UUID](t, w.conn,
			`SELECT id FROM erasures WHERE kind = 'key' AND NOT taken_back AND at > now() - interval '1 hour' ORDER BY number`),
	)
}
