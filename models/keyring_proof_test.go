package models_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/modelstest"
)

// Callers who bring the same key for the first time, all at once, share one
// look-up and the one bcrypt behind it.
func TestFirstUsesAtOnceShareOneProof(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	_, text := w.Key(t, a)
	key := parse(t, text)
	conn, watching := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)

	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`)
	var callers errgroup.Group
	for range 50 {
		callers.Go(func() error {
			caller, err := w.Service.Keys().Verify(t.Context(), key)
			if err == nil && caller.OrganizationID != a.ID {
				return fmt.Errorf("the key is %s's", caller.OrganizationID)
			}
			return err
		})
	}
	requireOneLookup(t, watching)
	modelstest.Execute(t, conn, `ROLLBACK`)
	require.NoError(t, callers.Wait())
}

// requireOneLookup waits for a look-up that is under way, and requires that there
// are never two for a while.
func requireOneLookup(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	underWay := func() int {
		return modelstest.Value[int](t, conn, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%api\_keys\_lookup%'
			AND pid <> pg_backend_pid()`)
	}
	require.Eventually(t, func() bool { return underWay() > 0 }, patience, time.Millisecond)
	for enough := time.Now().Add(200 * time.Millisecond); time.Now().Before(enough); {
		require.LessOrEqual(t, underWay(), 1)
	}
}

// However many keys are looked up at once, they take one connection: those that come
// while a look-up is under way are looked up together after it, each for itself.
func TestManyKeysAreLookedUpTogether(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	conn, watching := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)
	good := map[string]models.Organization{}
	for range 5 {
		for _, organization := range []models.Organization{a, b} {
			_, text := w.Key(t, organization)
			good[text] = organization
		}
	}
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`)
	var callers errgroup.Group
	for text, organization := range good {
		callers.Go(func() error {
			caller, err := w.Service.Keys().Verify(t.Context(), parse(t, text))
			if err == nil && caller.OrganizationID != organization.ID {
				return fmt.Errorf("the key is %s's", caller.OrganizationID)
			}
			return err
		})
		for range 20 {
			forged := models.ForgeKey(text)
			callers.Go(func() error {
				if _, err := w.Service.Keys().Verify(t.Context(), parse(t, forged)); models.ErrorKind(err) != models.KindUnauthorized {
					return fmt.Errorf("a forged key: %w", err)
				}
				return nil
			})
		}
	}
	requireOneLookup(t, watching)
	modelstest.Execute(t, conn, `ROLLBACK`)
	require.NoError(t, callers.Wait())
}

// A caller who leaves while a key is proven is let go, and the proof goes on for
// the others who wait for it.
func TestProofGoesOnWithoutItsFirstCaller(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	_, text := w.Key(t, a)
	key := parse(t, text)
	release := w.Service.Keys().HoldBcrypts()
	first, second := make(chan error, 1), make(chan error, 1)
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		_, err := w.Service.Keys().Verify(ctx, key)
		first <- err
	}()
	requireLookedUp(t, w)
	go func() {
		_, err := w.Service.Keys().Verify(t.Context(), key)
		second <- err
	}()
	require.Never(t, func() bool { return len(first)+len(second) > 0 }, 100*time.Millisecond, 10*time.Millisecond)
	leave()
	requireKind(t, models.KindBusy, <-first)
	require.Empty(t, second)
	release()
	require.NoError(t, <-second)
}

// requireLookedUp waits until the service has read a key's row: it holds no more
// than that, where bcrypts are held up.
func requireLookedUp(t *testing.T, w *modelstest.World) {
	t.Helper()
	conn := modelstest.Conn(t, w.URL)
	require.Eventually(t, func() bool {
		return modelstest.Value[bool](t, conn, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
			AND state = 'idle' AND query LIKE '%api\_keys\_lookup%')`)
	}, patience, time.Millisecond)
}

// A wrong secret is remembered: it is refused again without a look at the
// database, even where that would accept it by now. Other instances ask.
func TestWrongSecretIsRemembered(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	key, text := w.Key(t, a)
	forged := models.ForgeKey(text)
	require.Eventually(t, w.Service.Hears, patience, time.Millisecond)
	requireRefused(t, "invalid", verify(t, w.Service, forged))

	hash, err := bcrypt.GenerateFromPassword([]byte(forged), bcrypt.MinCost)
	require.NoError(t, err)
	unannounced(t, w, `UPDATE api_keys SET secret_hash = $2, fingerprint = NULL WHERE id = $1`, key.ID, string(hash))
	requireRefused(t, "invalid", verify(t, w.Service, forged))
	require.NoError(t, verify(t, modelstest.Open(t, w.URL, models.Service), forged))
	require.NoError(t, verify(t, modelstest.Open(t, w.URL, models.Service), forged), "by the fingerprint")
}

// unannounced changes the database without a word on the change feed, so that
// only who asks the database can know.
func unannounced(t testing.TB, w *modelstest.World, statement string, args ...any) {
	t.Helper()
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `SET session_replication_role = replica`) // no triggers
	modelstest.Execute(t, conn, statement, args...)
	require.NoError(t, conn.Close(context.Background()))
}

// Known tells whether this instance has verified a key, by its memory alone: it
// needs no database, and a key that was refused, revoked or has expired is none.
func TestKnownKeys(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	_, good := w.Key(t, a)
	_, never := w.Key(t, a)
	revokedKey, revoked := w.Key(t, a)
	expiringKey, expiring := w.Key(t, a)
	modelstest.Execute(t, modelstest.Conn(t, w.URL), `UPDATE api_keys SET expires_at = now() + interval '1 second' WHERE id = $1`, expiringKey.ID)
	store := hearing(t, w.URL)
	for _, text := range []string{good, revoked, expiring} {
		require.False(t, store.Keys().Known(parse(t, text)))
		require.NoError(t, verify(t, store, text))
		require.True(t, store.Keys().Known(parse(t, text)))
	}
	forged := models.ForgeKey(good)
	requireRefused(t, "invalid", verify(t, store, forged))
	_, err := store.Tenant(a.ID).KeyRevoke(t.Context(), revokedKey.ID)
	require.NoError(t, err)

	store.Close()
	require.True(t, store.Keys().Known(parse(t, good)))
	require.False(t, store.Keys().Known(parse(t, never)))
	require.False(t, store.Keys().Known(parse(t, forged)))
	require.False(t, store.Keys().Known(parse(t, revoked)))
	require.Eventually(t, func() bool { return !store.Keys().Known(parse(t, expiring)) }, patience, 10*time.Millisecond)
}
