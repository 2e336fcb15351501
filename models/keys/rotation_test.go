package keys_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// A key can be replaced by one successor at a time, which its list entry names. A key
// that was never used can be revoked as unused, and a used one cannot.
func TestKeyRotation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.Organization(t, "b")
	old, _ := w.Key(t, w.a)
	foreign, _ := w.Key(t, b)
	rotate := func(id *keys.Key) (keys.Key, error) {
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
	require.Equal(t, terms.KeyRevoked, unused.State())
	require.NoError(t, modelstest.ErrorOf(rotate(&old)))
	w.execute(t, `UPDATE api_keys SET last_used_at = now() WHERE id = $1`, old.ID)
	used, err := keys.RevokeUnused(t.Context(), w.tenant, old.ID)
	modelstest.RequireKind(t, models.KindConflict, err)
	require.Equal(t, terms.KeyActive, used.State())
}

// A key that has expired is no successor, and a paused one only until there is another. The
// key can be rotated again.
func TestSuccessorThatIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, column := range []string{"expires_at", "paused_at"} {
		old, _ := w.Key(t, w.a)
		rotate := func() keys.Key {
			key, _ := modelstest.CreateKey(t, w.tenant, keys.NewKey{Name: "new", SuccessorOf: &old.ID})
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

// The steps' states follow from what was seen: a caller that has moved or was dismissed, and a
// use of the new key. People may go ahead, which makes no step done.
func TestRotationSteps(t *testing.T) {
	t.Parallel()
	now := time.Now()
	ago := func(hours int) *time.Time { at := now.Add(-time.Duration(hours) * time.Hour); return &at }
	active, revoked := &keys.Detail{}, &keys.Detail{Key: keys.Key{RevokedAt: &now}}
	used, usedPaused := &keys.Detail{
		Key: keys.Key{LastUsedAt: &now},
	}, &keys.Detail{
		Key: keys.Key{LastUsedAt: &now, PausedAt: &now},
	}
	stays := keys.Move{KeyCaller: keys.KeyCaller{LastSeen: *ago(2)}}
	moved, back, dismissed, returned := stays, stays, stays, stays
	moved.NewKeyUsed, back.NewKeyUsed = now, *ago(3)
	dismissed.DismissedAt, returned.DismissedAt = ago(1), ago(3)
	for name, c := range map[string]struct {
		old, successor *keys.Detail
		callers        []keys.Move
		ahead          int
		steps          string
	}{
		"nothing done":                  {active, nil, nil, 0, "now later later later"},
		"said updated without a key":    {active, nil, nil, 3, "now later later later"},
		"created":                       {active, active, []keys.Move{stays}, 0, "done now later later"},
		"said updated":                  {active, active, nil, 3, "done unseen now later"},
		"all dismissed":                 {active, active, []keys.Move{dismissed}, 0, "done done now later"},
		"revoking before the first use": {active, active, nil, 4, "done unseen unseen now"},
		"used":                          {active, used, nil, 0, "done done done now"},
		"one of two moved":              {active, used, []keys.Move{moved, stays}, 0, "done done now later"},
		"moved and back":                {active, used, []keys.Move{back}, 0, "done done now later"},
		"returned":                      {active, used, []keys.Move{moved, returned}, 0, "done done now later"},
		"moved or dismissed":            {active, used, []keys.Move{moved, dismissed}, 0, "done done done now"},
		"revoking before all moved":     {active, used, []keys.Move{stays}, 4, "done done unseen now"},
		"new key used, then paused":     {active, usedPaused, nil, 0, "done done now later"},
		"revoked":                       {revoked, used, nil, 0, "done done done done"},
		"revoked before all moved":      {revoked, used, []keys.Move{stays}, 0, "done done now done"},
		"revoked before the first use":  {revoked, active, nil, 0, "done skipped now done"},
		"revoked without a successor":   {revoked, nil, nil, 0, "skipped skipped skipped done"},
	} {
		rotation := keys.Rotation{Old: *c.old, Successor: c.successor, Use: keys.Use{Callers: c.callers, Replaced: true}}
		steps := rotation.Steps(c.ahead)
		require.Equal(t, c.steps, strings.Join(steps[:], " "), name)
	}
}
