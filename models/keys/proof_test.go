package keys_test

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
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// Concurrent first uses of one key share one lookup and one bcrypt.
func TestConcurrentFirstUsesShareOneProof(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	_, text := w.Key(t, a)
	key := modelstest.ParseKey(t, text)
	conn, watching := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)

	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`)
	var callers errgroup.Group
	for range 50 {
		callers.Go(func() error {
			caller, err := w.Service.Keys.Verify(t.Context(), key, "")
			if err == nil && caller.OrganizationID != a.ID {
				return fmt.Errorf("the key belongs to %s", caller.OrganizationID)
			}
			return err
		})
	}
	requireOneLookup(t, watching)
	modelstest.Execute(t, conn, `ROLLBACK`)
	require.NoError(t, callers.Wait())
}

// requireOneLookup waits for a lookup to be under way, and requires for a while that
// there are never two.
func requireOneLookup(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	underWay := func() int {
		return modelstest.Value[int](t, conn, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%api\_keys\_check%'
			AND pid <> pg_backend_pid()`)
	}
	modelstest.Eventually(t, func() bool { return underWay() > 0 })
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
		require.LessOrEqual(t, underWay(), 1)
	}
}

// However many keys are looked up at once, they take one connection. Those that
// arrive during a lookup are looked up together after it, and each gets its own
// result.
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
			caller, err := w.Service.Keys.Verify(t.Context(), modelstest.ParseKey(t, text), "")
			if err == nil && caller.OrganizationID != organization.ID {
				return fmt.Errorf("the key belongs to %s", caller.OrganizationID)
			}
			return err
		})
		for range 20 {
			forged := modelstest.ForgeKey(text)
			callers.Go(func() error {
				if _, err := w.Service.Keys.Verify(t.Context(), modelstest.ParseKey(t, forged), ""); models.ErrorKind(err) != models.KindUnauthorized {
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

// A caller who gives up while a key is being proven returns at once, and the proof
// goes on for the others who wait for it.
func TestProofGoesOnWithoutItsFirstCaller(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	_, text := w.Key(t, a)
	key := modelstest.ParseKey(t, text)
	release := w.Service.Keys.HoldBcrypts()
	first, second := make(chan error, 1), make(chan error, 1)
	ctx, giveUp := context.WithCancel(t.Context())
	go func() {
		_, err := w.Service.Keys.Verify(ctx, key, "")
		first <- err
	}()
	requireLookedUp(t, w)
	go func() {
		_, err := w.Service.Keys.Verify(t.Context(), key, "")
		second <- err
	}()
	require.Never(t, func() bool { return len(first)+len(second) > 0 }, 100*time.Millisecond, 10*time.Millisecond)
	giveUp()
	modelstest.RequireKind(t, models.KindBusy, <-first)
	require.Empty(t, second)
	release()
	require.NoError(t, <-second)
}

// requireLookedUp waits until the service has read a key's row. With bcrypts held, it
// gets no further.
func requireLookedUp(t *testing.T, w *modelstest.World) {
	t.Helper()
	conn := modelstest.Conn(t, w.URL)
	modelstest.Eventually(t, func() bool {
		return modelstest.Value[bool](t, conn, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
			AND state = 'idle' AND query LIKE '%api\_keys\_check%')`)
	})
}

// A wrong secret is remembered and refused again without asking the database, even
// if the database would accept it by now. Other instances do ask.
func TestWrongSecretIsRemembered(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	key, text := w.Key(t, a)
	forged := modelstest.ForgeKey(text)
	modelstest.Eventually(t, w.Service.DB().Feed.Fresh)
	modelstest.RequireRefused(t, "invalid", w.Service.Verify(t, forged))

	hash, err := bcrypt.GenerateFromPassword([]byte(forged), bcrypt.MinCost)
	require.NoError(t, err)
	modelstest.ExecuteUnannounced(t, w, `UPDATE api_keys SET secret_hash = $2, fingerprint = NULL WHERE id = $1`, key.ID, string(hash))
	modelstest.RequireRefused(t, "invalid", w.Service.Verify(t, forged))
	require.NoError(t, modelstest.Open(t, w.URL, database.Service).Verify(t, forged))
	require.NoError(t, modelstest.Open(t, w.URL, database.Service).Verify(t, forged), "by the fingerprint")
}

// Recognize decides about a key without bcrypt: from memory, or by the fingerprint that
// an earlier instance stored. It leaves other keys undecided.
func TestRecognizedKeys(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	_, good := w.Key(t, a)
	_, never := w.Key(t, a)
	revokedKey, revoked := w.Key(t, a)
	recognize := func(instance *modelstest.Instance, text string) error {
		_, err := instance.Keys.Recognize(t.Context(), modelstest.ParseKey(t, text), "")
		return err
	}
	first := modelstest.OpenFollowing(t, w.URL)
	for _, text := range []string{good, revoked} {
		require.ErrorIs(t, recognize(first, text), keys.ErrUnproven)
		require.NoError(t, first.Verify(t, text))
	}
	_, err := keys.Revoke(t.Context(), first.Tenant(a.ID), revokedKey.ID)
	require.NoError(t, err)

	for _, instance := range []*modelstest.Instance{first, modelstest.Open(t, w.URL, database.Service)} {
		release := instance.Keys.HoldBcrypts()
		require.NoError(t, recognize(instance, good))
		modelstest.RequireRefused(t, "revoked", recognize(instance, revoked))
		modelstest.RequireRefused(t, "invalid", recognize(instance, modelstest.ForgeKey(good)))
		require.ErrorIs(t, recognize(instance, never), keys.ErrUnproven)
		release()
	}
}
