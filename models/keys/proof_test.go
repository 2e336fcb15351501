package keys_test

import (
	"context"
	"fmt"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/secrets"
)

// However many unknown keys arrive, they take two connections. A good key from another address
// waits for none but the next of them, and each gets its own result.
func TestFloodOfUnknownKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, good := w.Key(t, w.Organization(t, "b"))
	_, known := w.Key(t, w.a)
	modelstest.Eventually(t, w.Service.DB().Feed.Fresh)
	require.NoError(t, w.Service.Verify(t, known))
	locking := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, locking, `BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`)
	var flood, office errgroup.Group
	var refused atomic.Int64
	for range 500 {
		forged := modelstest.ForgeKey(modelstest.ForgeKey(known))
		flood.Go(func() error {
			_, err := w.Service.Keys.Verify(t.Context(), modelstest.ParseKey(t, forged), netip.MustParseAddr("192.0.2.1"))
			refused.Add(1)
			if models.ErrorKind(err) != models.KindUnauthorized {
				return fmt.Errorf("a forged key: %w", err)
			}
			return nil
		})
	}
	underWay := func() int {
		return modelstest.Value[int](
			t,
			w.conn,
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%api\_key\_find%'
			AND pid <> pg_backend_pid()`,
		)
	}
	modelstest.Eventually(t, func() bool { return underWay() == 2 })
	var before int64
	office.Go(func() error {
		_, err := w.Service.Keys.Verify(t.Context(), modelstest.ParseKey(t, good), netip.MustParseAddr("192.0.2.2"))
		before = refused.Load()
		return err
	})
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
		require.LessOrEqual(t, underWay(), 2)
	}
	modelstest.Execute(t, locking, `ROLLBACK`)
	require.NoError(t, office.Wait())
	require.NoError(t, flood.Wait())
	require.Less(t, before, int64(450), "the good key waited for the flood")
	require.NoError(t, w.Service.Verify(t, known))
}

// Concurrent first uses of one key share one bcrypt. A caller who gives up meanwhile returns
// at once, and the proof goes on for the others.
func TestFirstUsesShareOneProof(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, text := w.Key(t, w.a)
	w.countWrites(t)
	key := modelstest.ParseKey(t, text)
	release := w.Service.Keys.HoldBcrypts()
	const others = 50
	first, second := make(chan error, 1), make(chan error, others)
	ctx, giveUp := context.WithCancel(t.Context())
	go func() {
		_, err := w.Service.Keys.Verify(ctx, key, netip.Addr{})
		first <- err
	}()
	requireLookedUp(t, w)
	for range others {
		go func() { second <- w.Service.Verify(t, text) }()
	}
	require.Never(t, func() bool { return len(first)+len(second) > 0 }, 100*time.Millisecond, 10*time.Millisecond)
	giveUp()
	modelstest.RequireKind(t, models.KindBusy, <-first)
	require.Empty(t, second)
	release()
	for range others {
		require.NoError(t, <-second)
	}
	require.Equal(t, 1, w.writes(t), "each proof stores a fingerprint")
}

// requireLookedUp waits until the service has read a key's row. With bcrypts held, it
// gets no further.
func requireLookedUp(t *testing.T, w *world) {
	t.Helper()
	modelstest.Eventually(t, func() bool {
		return modelstest.Value[bool](
			t,
			w.conn,
			`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
			AND state = 'idle' AND query LIKE '%api\_key\_find%')`,
		)
	})
}

// A wrong secret is remembered and refused again without asking the database, even
// if the database would accept it by now. Other instances do ask.
func TestWrongSecretIsRemembered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, text := w.Key(t, w.a)
	forged := modelstest.ForgeKey(text)
	modelstest.Eventually(t, w.Service.DB().Feed.Fresh)
	modelstest.RequireRefused(t, "invalid", w.Service.Verify(t, forged))

	hash, err := bcrypt.GenerateFromPassword([]byte(forged), bcrypt.MinCost)
	require.NoError(t, err)
	modelstest.ExecuteUnannounced(t, w.World, `UPDATE api_keys SET secret_hash = $2, fingerprint = NULL WHERE id = $1`,
		key.ID, string(hash))
	modelstest.RequireRefused(t, "invalid", w.Service.Verify(t, forged))
	require.NoError(t, modelstest.Open(t, w.URL, database.Service).Verify(t, forged))
	require.NoError(t, modelstest.Open(t, w.URL, database.Service).Verify(t, forged), "by the fingerprint")
}

// Recognize decides about a key without bcrypt: from memory, or by the fingerprint that
// an earlier instance stored. It leaves other keys undecided.
func TestRecognizedKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, good := w.Key(t, w.a)
	_, never := w.Key(t, w.a)
	revokedKey, revoked := w.Key(t, w.a)
	recognize := func(instance *modelstest.Instance, text string) error {
		_, err := instance.Keys.Recognize(t.Context(), modelstest.ParseKey(t, text), netip.Addr{})
		return err
	}
	first := modelstest.OpenFollowing(t, w.URL)
	for _, text := range []string{good, revoked} {
		require.ErrorIs(t, recognize(first, text), keys.ErrUnproven)
		require.NoError(t, first.Verify(t, text))
	}
	require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), first.Tenant(w.a.ID), revokedKey.ID)))

	for _, instance := range []*modelstest.Instance{first, modelstest.Open(t, w.URL, database.Service)} {
		release := instance.Keys.HoldBcrypts()
		require.NoError(t, recognize(instance, good))
		modelstest.RequireRefused(t, "revoked", recognize(instance, revoked))
		modelstest.RequireRefused(t, "invalid", recognize(instance, modelstest.ForgeKey(good)))
		require.ErrorIs(t, recognize(instance, never), keys.ErrUnproven)
		release()
	}
}

// A key that was seen before is accepted by its fingerprint alone, without bcrypt.
// Here an instance that has just started accepts it although its hash no longer fits
// any key. Under another server secret, or none, bcrypt decides. Under another one
// the fingerprint is then replaced, and suffices for that secret.
func TestFingerprintReplacesBcrypt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fresh := func(secret secrets.Secret) *modelstest.Instance {
		return modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service}, secret)
	}
	other := secrets.Secret{[]byte("another secret of thirty-two bytes")}
	_, text := w.Key(t, w.a)
	require.NoError(t, w.Service.Verify(t, text))
	hash := modelstest.Value[string](t, w.conn, `SELECT secret_hash FROM api_keys`)
	fingerprint := modelstest.Value[[]byte](t, w.conn, `SELECT fingerprint FROM api_keys`)
	require.Len(t, fingerprint, 36)

	w.execute(t, `UPDATE api_keys SET secret_hash = $1`, modelstest.NoHash)
	require.NoError(t, fresh(modelstest.Secret).Verify(t, text))
	modelstest.RequireRefused(t, "invalid", fresh(other).Verify(t, text))
	modelstest.RequireRefused(t, "invalid", fresh(nil).Verify(t, text))
	require.Equal(t, fingerprint, modelstest.Value[[]byte](t, w.conn, `SELECT fingerprint FROM api_keys`),
		"a refusal stores no fingerprint")

	w.execute(t, `UPDATE api_keys SET secret_hash = $1`, hash)
	require.NoError(t, fresh(nil).Verify(t, text))
	require.Equal(t, fingerprint, modelstest.Value[[]byte](t, w.conn, `SELECT fingerprint FROM api_keys`))
	require.NoError(t, fresh(other).Verify(t, text))
	replaced := modelstest.Value[[]byte](t, w.conn, `SELECT fingerprint FROM api_keys`)
	require.NotEqual(t, fingerprint, replaced)

	w.execute(t, `UPDATE api_keys SET secret_hash = $1`, modelstest.NoHash)
	require.NoError(t, fresh(other).Verify(t, text))
	modelstest.RequireRefused(t, "invalid", fresh(modelstest.Secret).Verify(t, text))
}

// A fingerprint made under the present secret also decides against a key: if it
// differs, bcrypt does not run, although it would accept the key.
func TestFingerprintRefusesWithoutBcrypt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, text := w.Key(t, w.a)
	require.NoError(t, w.Service.Verify(t, text))
	w.execute(t, `UPDATE api_keys SET fingerprint = substr(fingerprint, 1, 4) || decode(repeat('00', 32), 'hex')`)
	modelstest.RequireRefused(t, "invalid", modelstest.Open(t, w.URL, database.Service).Verify(t, text))
}
