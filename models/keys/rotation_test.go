package keys_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// A key can be replaced by one successor at a time, which its list entry names. A key
// that was never used can be revoked as unused, and a used one cannot.
func TestKeyRotation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.Organization(t, "b")
	old, _ := w.Key(t, w.a)
	foreign, _ := w.Key(t, b)
	rotate := func(id *models.APIKey) (models.APIKey, error) {
		key, _, err := keys.Create(t.Context(), w.tenant, keys.NewKey{Name: "new", SuccessorOf: &id.ID})
		return key, err
	}
	modelstest.RequireKind(t, models.KindNotFound, modelstest.ErrorOf(rotate(&foreign)))
	successor, err := rotate(&old)
	require.NoError(t, err)
	modelstest.RequireKind(t, models.KindConflict, modelstest.ErrorOf(rotate(&old)))
	_, _, err = keys.Create(t.Context(), w.tenant, keys.NewKey{ID: successor.ID, Name: "again"})
	modelstest.RequireKind(t, models.KindConflict, err)
	detail, err := keys.Get(t.Context(), w.tenant, old.ID)
	require.NoError(t, err)
	require.Equal(t, successor.ID, *detail.SuccessorID)
	require.Nil(t, detail.CreatedByEmail)
	modelstest.RequireKind(t, models.KindNotFound, modelstest.ErrorOf(keys.Get(t.Context(), w.tenant, foreign.ID)))

	unused, err := keys.RevokeUnused(t.Context(), w.tenant, successor.ID)
	require.NoError(t, err)
	require.Equal(t, models.KeyRevoked, unused.State())
	require.NoError(t, modelstest.ErrorOf(rotate(&old)))
	w.execute(t, `UPDATE api_keys SET last_used_at = now() WHERE id = $1`, old.ID)
	used, err := keys.RevokeUnused(t.Context(), w.tenant, old.ID)
	modelstest.RequireKind(t, models.KindConflict, err)
	require.Equal(t, models.KeyActive, used.State())
}

// A key that has expired is no successor, and a paused one only until there is another. The
// key can be rotated again.
func TestSuccessorThatIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, column := range []string{"expires_at", "paused_at"} {
		old, _ := w.Key(t, w.a)
		rotate := func() models.APIKey {
			key, _, err := keys.Create(t.Context(), w.tenant, keys.NewKey{Name: "new", SuccessorOf: &old.ID})
			require.NoError(t, err)
			return key
		}
		first := rotate()
		w.execute(t, `UPDATE api_keys SET `+column+` = now() WHERE id = $1`, first.ID)
		detail, err := keys.Get(t.Context(), w.tenant, old.ID)
		require.NoError(t, err)
		if column == "paused_at" {
			require.Equal(t, first.ID, *detail.SuccessorID)
		} else {
			require.Nil(t, detail.SuccessorID)
		}
		second := rotate()
		detail, err = keys.Get(t.Context(), w.tenant, old.ID)
		require.NoError(t, err)
		require.Equal(t, second.ID, *detail.SuccessorID)
	}
}
