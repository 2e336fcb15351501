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
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	tenant := w.Service.Tenant(a.ID)
	old, _ := w.Key(t, a)
	foreign, _ := w.Key(t, b)
	rotate := func(id *models.APIKey) (models.APIKey, error) {
		key, _, err := keys.Create(t.Context(), tenant, keys.NewKey{Name: "new", SuccessorOf: &id.ID})
		return key, err
	}
	_, err := rotate(&foreign)
	modelstest.RequireKind(t, models.KindNotFound, err)
	successor, err := rotate(&old)
	require.NoError(t, err)
	_, err = rotate(&old)
	modelstest.RequireKind(t, models.KindConflict, err)
	_, _, err = keys.Create(t.Context(), tenant, keys.NewKey{ID: successor.ID, Name: "again"})
	modelstest.RequireKind(t, models.KindConflict, err)
	detail, err := keys.Get(t.Context(), tenant, old.ID)
	require.NoError(t, err)
	require.Equal(t, successor.ID, *detail.SuccessorID)
	require.Nil(t, detail.CreatedByEmail)
	_, err = keys.Get(t.Context(), tenant, foreign.ID)
	modelstest.RequireKind(t, models.KindNotFound, err)

	unused, err := keys.RevokeUnused(t.Context(), tenant, successor.ID)
	require.NoError(t, err)
	require.Equal(t, models.KeyRevoked, unused.State())
	_, err = rotate(&old)
	require.NoError(t, err)
	modelstest.Execute(t, modelstest.Conn(t, w.URL), `UPDATE api_keys SET last_used_at = now() WHERE id = $1`, old.ID)
	used, err := keys.RevokeUnused(t.Context(), tenant, old.ID)
	modelstest.RequireKind(t, models.KindConflict, err)
	require.Equal(t, models.KeyActive, used.State())
}

// Only a key that would be accepted now is a successor. One that has expired is not: its
// list entry names none, and the key can be rotated again.
func TestExpiredSuccessor(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	tenant := w.Service.Tenant(a.ID)
	old, _ := w.Key(t, a)
	first, _, err := keys.Create(t.Context(), tenant, keys.NewKey{Name: "first", SuccessorOf: &old.ID})
	require.NoError(t, err)
	modelstest.Execute(t, modelstest.Conn(t, w.URL), `UPDATE api_keys SET expires_at = now() WHERE id = $1`, first.ID)
	detail, err := keys.Get(t.Context(), tenant, old.ID)
	require.NoError(t, err)
	require.Nil(t, detail.SuccessorID)
	second, _, err := keys.Create(t.Context(), tenant, keys.NewKey{Name: "second", SuccessorOf: &old.ID})
	require.NoError(t, err)
	detail, err = keys.Get(t.Context(), tenant, old.ID)
	require.NoError(t, err)
	require.Equal(t, second.ID, *detail.SuccessorID)
}
