package keys_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// actions returns the actions of the organization's audit log, the oldest first, and
// the keys that they name.
func actions(t *testing.T, tenant models.Tenant) (actions []string, keys []*uuid.UUID) {
	t.Helper()
	entries, _, err := tenant.AuditLog(t.Context(), models.AuditFilter{}, nil, 100)
	require.NoError(t, err)
	for i := len(entries) - 1; i >= 0; i-- {
		actions, keys = append(actions, entries[i].Action), append(keys, entries[i].KeyID)
	}
	return actions, keys
}

// Pausing and resuming a key is noted once each, with the key's id. A second call
// changes nothing, and neither does one on a revoked key. Only the key's own
// organization can do it, and only its owners and admins.
func TestKeyPause(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.Organization(t, "b")
	key, _ := w.Key(t, w.a)
	member, err := w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(w.a.ID), "member@example.com", models.RoleViewer, "")
	require.NoError(t, err)
	require.NotEmpty(t, member)
	memberID := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM users`)
	_, err = keys.Pause(t.Context(), w.tenant.As(models.Actor{UserID: &memberID, Email: "member@example.com"}), key.ID)
	modelstest.RequireKind(t, models.KindForbidden, err)
	_, err = keys.Pause(t.Context(), w.Service.Tenant(b.ID), key.ID)
	modelstest.RequireKind(t, models.KindNotFound, err)

	before, _ := actions(t, w.tenant)
	for range 2 {
		paused, err := keys.Pause(t.Context(), w.tenant, key.ID)
		require.NoError(t, err)
		require.Equal(t, models.KeyPaused, paused.State())
	}
	for range 2 {
		resumed, err := keys.Resume(t.Context(), w.tenant, key.ID)
		require.NoError(t, err)
		require.Equal(t, models.KeyActive, resumed.State())
	}
	require.NoError(t, modelstest.ErrorOf(keys.Pause(t.Context(), w.tenant, key.ID)))
	revoked, err := keys.Revoke(t.Context(), w.tenant, key.ID)
	require.NoError(t, err)
	require.Equal(t, models.KeyRevoked, revoked.State())
	again, err := keys.Resume(t.Context(), w.tenant, key.ID)
	require.NoError(t, err)
	require.Equal(t, revoked, again)

	after, keys := actions(t, w.tenant)
	require.Equal(t, append(before, models.ActionKeyPaused, models.ActionKeyResumed, models.ActionKeyPaused, models.ActionKeyRevoked), after)
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
		modelstest.RequireKind(t, models.KindInvalid, modelstest.ErrorOf(keys.Describe(t.Context(), w.tenant, key.ID, bad[0], bad[1])))
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
	entries, _, err := w.tenant.AuditLog(t.Context(), models.AuditFilter{KeyID: key.ID}, nil, 10)
	require.NoError(t, err)
	require.Len(t, entries, 3)
	require.Contains(t, entries[2].Subject, "called test before, note changed")
}
