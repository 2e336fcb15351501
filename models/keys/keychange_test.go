package keys_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// actions returns the actions of the organization's audit log, the oldest first, and
// the keys that they name.
func actions(t *testing.T, tenant models.Tenant) (actions []string, keys []*uuid.UUID) {
	t.Helper()
	entries := modelstest.AuditLog(t, tenant, models.AuditFilter{})
	for i := len(entries) - 1; i >= 0; i-- {
		actions, keys = append(actions, entries[i].Action), append(keys, entries[i].KeyID)
	}
	return actions, keys
}

// Pausing, resuming and revoking a key is noted once each, with the key's id. A second call
// changes nothing, and nothing changes a revoked key, which stays listed and refused. Only the
// key's own organization can do it, and only its owners and admins. A key that does not exist
// is not found.
func TestKeyPauseAndRevoke(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, text := w.Key(t, w.a)
	require.NoError(
		t,
		modelstest.ErrorOf(
			w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(w.a.ID), "viewer@example.com", terms.Viewer, "")),
	)
	viewer := modelstest.Value[uuid.UUID](t, w.conn, `SELECT id FROM users`)
	b := w.Service.Tenant(w.Organization(t, "b").ID)
	before, _ := actions(t, w.tenant)
	var last keys.Detail
	for _, step := range []struct {
		change func(context.Context, models.Tenant, uuid.UUID) (keys.Detail, error)
		state  terms.KeyState
	}{{keys.Pause, terms.KeyPaused}, {keys.Resume, terms.KeyActive}, {keys.Pause, terms.KeyPaused}, {keys.Revoke, terms.KeyRevoked}, {keys.Resume, terms.KeyRevoked}, {keys.Pause, terms.KeyRevoked}} {
		modelstest.RequireKind(
			t,
			models.KindForbidden,
			modelstest.ErrorOf(
				step.change(t.Context(), w.tenant.As(models.Actor{UserID: &viewer, Email: "viewer@example.com"}), key.ID)),
		)
		for _, id := range []uuid.UUID{key.ID, uuid.New()} {
			modelstest.RequireKind(t, models.KindNotFound, modelstest.ErrorOf(step.change(t.Context(), b, id)))
		}
		for range 2 {
			changed, err := step.change(t.Context(), w.tenant, key.ID)
			require.NoError(t, err)
			require.Equal(t, step.state, changed.State())
			if last.State() == terms.KeyRevoked {
				require.Equal(t, last, changed)
			}
			last = changed
			require.Equal(t, step.state == terms.KeyActive, w.Service.Verify(t, text) == nil)
		}
	}
	listed, err := keys.List(t.Context(), w.tenant)
	require.NoError(t, err)
	require.Equal(t, []keys.Detail{last}, listed)
	after, keys := actions(t, w.tenant)
	require.Equal(t,
		append(before, models.ActionKeyPaused, models.ActionKeyResumed, models.ActionKeyPaused, models.ActionKeyRevoked),
		after)
	require.Equal(t, key.ID, *keys[len(keys)-1])
}

// A key's name and note can change, and its expiry can be set and shortened but never
// lengthened, not even by two changes at once. Each change is noted once.
func TestKeyDescribeAndExpire(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, text := w.Key(t, w.a)
	for range 2 {
		detail, err := keys.Describe(t.Context(), w.tenant, key.ID, " Nightly ", "One.\r\nTwo.\n")
		require.NoError(t, err)
		require.Equal(t, "Nightly", detail.Name)
		require.Equal(t, "One.\nTwo.", detail.Note)
	}
	for _, bad := range [][2]string{{"", ""}, {"x\ny", ""}, {"x", strings.Repeat("æ", 501)}, {"x", "\x01"}, {"x", text}, {"x", "\u202e"}} {
		modelstest.RequireKind(t, models.KindInvalid,
			modelstest.ErrorOf(keys.Describe(t.Context(), w.tenant, key.ID, bad[0], bad[1])))
	}

	day := time.Now().Add(24 * time.Hour).UTC().Truncate(time.Microsecond)
	for _, c := range []struct {
		at time.Time
		ok bool
	}{{day.Add(-25 * time.Hour), false}, {day.AddDate(101, 0, 0), false}, {day, true}, {day.Add(time.Hour), false}, {day.Add(-time.Hour), true}, {day, false}} {
		detail, err := keys.Expire(t.Context(), w.tenant, key.ID, c.at)
		if !c.ok {
			modelstest.RequireKind(t, models.KindInvalid, err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.at, detail.ExpiresAt.UTC())
	}
	log, _ := actions(t, w.tenant)
	require.Equal(t, []string{models.ActionKeyChanged, models.ActionKeyChanged, models.ActionKeyChanged}, log[len(log)-3:])
	entries := modelstest.AuditLog(t, w.tenant, models.AuditFilter{KeyID: key.ID})
	require.Len(t, entries, 3)
	require.Contains(t, entries[2].Subject, "called test before, note changed")
}

// A time that passes while a change waits for its lock is refused: it is compared with the time
// at which the change goes on.
func TestTimesPassWhileChangesWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.Key(t, w.a)
	w.execute(t, `BEGIN`)
	w.execute(t, `SELECT FROM organizations FOR UPDATE`)
	w.execute(t, `SELECT FROM api_keys FOR UPDATE`)
	at := modelstest.Value[time.Time](t, w.conn, `SELECT clock_timestamp() + interval '500 milliseconds'`)
	changed := modelstest.Begin(func() error {
		return modelstest.ErrorOf(keys.Expire(t.Context(), w.tenant, key.ID, at))
	})
	created := modelstest.Begin(func() error {
		_, _, err := keys.Create(t.Context(), w.tenant, keys.NewKey{Name: "new", ExpiresAt: &at})
		return err
	})
	modelstest.EventuallyBlocked(t, w.URL, 2)
	modelstest.Eventually(t, func() bool {
		return modelstest.Value[bool](t, w.conn, `SELECT clock_timestamp() > $1`, at)
	})
	w.execute(t, `COMMIT`)
	modelstest.RequireKind(t, models.KindInvalid, modelstest.Receive(t, changed))
	modelstest.RequireKind(t, models.KindInvalid, modelstest.Receive(t, created))
}

// While a key is changed or replaced, its uses can be stored: they refer to it.
func TestUsesDoNotWaitForChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.Key(t, w.a)
	for _, change := range []func() error{
		func() error { return modelstest.ErrorOf(keys.Pause(t.Context(), w.tenant, key.ID)) },
		func() error {
			_, _, err := keys.Create(t.Context(), w.tenant, keys.NewKey{Name: "new", SuccessorOf: &key.ID})
			return err
		},
	} {
		w.execute(t, `BEGIN`)
		w.execute(t, `LOCK TABLE audit_log IN EXCLUSIVE MODE`)
		changed := modelstest.Begin(change)
		modelstest.EventuallyBlocked(t, w.URL, 1)
		w.execute(t, `SELECT FROM api_keys WHERE id = $1 FOR KEY SHARE NOWAIT`, key.ID)
		w.execute(t, `COMMIT`)
		require.NoError(t, modelstest.Receive(t, changed))
	}
}
