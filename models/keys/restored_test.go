package keys_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// A restore revokes no key because it was unused while its backup lay, or while the restore
// kept it paused: the days begin again when it is resumed, and at the restore for a key that
// works on or that a member has paused. What a restore has paused is known from what a member
// has paused, also after another restore.
func TestRestoreCountsNoIdleDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	operator := w.Operator.Store
	made := map[string]uuid.UUID{}
	for _, name := range []string{"restored", "by a member", "revoked"} {
		key, _ := w.Key(t, w.a)
		made[name] = key.ID
	}
	require.NoError(t, modelstest.ErrorOf(keys.Pause(t.Context(), w.tenant, made["by a member"])))
	long := func() {
		w.execute(
			t,
			`UPDATE api_keys SET revoke_after_idle_days = 30, revoke_scheduled_at = now() - interval '90 days', last_used_at = now() - interval '60 days'`,
		)
	}
	requireRevoked := func(name string, days int, revoked bool) {
		t.Helper()
		require.NoError(t, keys.RevokeDue(t.Context(), w.Service.Store, time.Now().AddDate(0, 0, days)))
		key, err := keys.Get(t.Context(), w.tenant, made[name])
		require.NoError(t, err)
		require.Equal(t, revoked, key.RevokedAt != nil, name)
	}
	b := w.Organization(t, "b")
	requireRestored := func(from *time.Time) {
		t.Helper()
		for _, only := range []*models.Organization{nil, &w.a, &b} {
			found, err := keys.Restored(t.Context(), operator, only)
			require.NoError(t, err)
			if from == nil || only == &b {
				require.Empty(t, found)
				continue
			}
			require.Len(t, found, 1)
			require.Equal(t, made["restored"], found[0].ID)
			require.True(t, from.Equal(*found[0].RestoredFrom))
		}
	}

	long()
	at := time.Now().AddDate(0, 0, -60).Truncate(time.Microsecond)
	for _, from := range []time.Time{at, at.AddDate(0, 0, 1)} {
		paused, err := keys.AfterRestore(t.Context(), operator, from, map[uuid.UUID]bool{made["revoked"]: true}, true)
		require.NoError(t, err)
		require.Equal(t, 2, paused)
		requireRestored(&at)
	}
	w.execute(
		t,
		`UPDATE api_keys SET revoke_scheduled_at = now() - interval '90 days' WHERE restored_from IS NOT NULL`,
	) // a long pause
	requireRevoked("restored", 1, false)
	requireRevoked("by a member", 29, false)
	requireRevoked("by a member", 31, true)
	w.execute(t, `UPDATE api_keys SET revoked_at = NULL`)
	require.NoError(t, modelstest.ErrorOf(keys.Resume(t.Context(), w.tenant, made["restored"])))
	requireRestored(nil)
	requireRevoked("restored", 29, false)
	requireRevoked("restored", 31, true)

	w.execute(t, `UPDATE api_keys SET revoked_at = NULL`)
	long()
	require.NoError(t, modelstest.ErrorOf(keys.AfterRestore(t.Context(), operator, at, nil, false)))
	requireRestored(nil)
	requireRevoked("restored", 29, false)
	requireRevoked("restored", 31, true)
}
