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

// A key that is scheduled to be revoked on a date, or after idle days, is revoked once
// that time has come and not before. A use starts the idle days again, and canceling
// the schedule keeps the key.
func TestRevokeDue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now()
	type schedule func(id uuid.UUID) (keys.Detail, error)
	at := func(days int) schedule {
		return func(id uuid.UUID) (keys.Detail, error) {
			return keys.RevokeAt(t.Context(), w.tenant, id, now.AddDate(0, 0, days))
		}
	}
	idle := func(days int) schedule {
		return func(id uuid.UUID) (keys.Detail, error) { return keys.RevokeAfterIdle(t.Context(), w.tenant, id, days) }
	}
	for name, test := range map[string]struct {
		schedule schedule
		change   string // made to the row afterwards
		revoked  bool   // a day and an hour later
	}{
		"date":        {at(1), ``, true},
		"later date":  {at(2), ``, false},
		"never used":  {idle(1), ``, true},
		"used before": {idle(1), `last_used_at = now() - interval '3 days'`, true},
		"used since":  {idle(1), `last_used_at = now() + interval '2 hours'`, false},
		"more days":   {idle(2), ``, false},
		"paused":      {at(1), `paused_at = now()`, true},
		"canceled": {func(id uuid.UUID) (keys.Detail, error) {
			require.NoError(t, modelstest.ErrorOf(at(1)(id)))
			return keys.Unschedule(t.Context(), w.tenant, id)
		}, ``, false},
	} {
		key, _ := w.Key(t, w.a)
		require.NoError(t, modelstest.ErrorOf(test.schedule(key.ID)), name)
		if test.change != "" {
			w.execute(t, `UPDATE api_keys SET `+test.change+` WHERE id = $1`, key.ID)
		}
		for _, after := range []time.Duration{day - time.Hour, day + time.Hour} {
			require.NoError(t, keys.RevokeDue(t.Context(), w.Service.Store, now.Add(after)))
			detail, err := keys.Get(t.Context(), w.tenant, key.ID)
			require.NoError(t, err)
			require.Equal(t, test.revoked && after > day, detail.RevokedAt != nil, name)
		}
	}
}

// However many instances look for due keys at once, each key is revoked once: the audit
// log has one entry, which says that it was by schedule, and every instance refuses the
// key. A key that is used at the last moment stays.
func TestRevokeDueOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := modelstest.OpenFollowing(t, w.URL)
	for range 10 {
		key, text := w.Key(t, w.a)
		require.NoError(t, other.Verify(t, text))
		require.NoError(t, modelstest.ErrorOf(keys.RevokeAfterIdle(t.Context(), w.tenant, key.ID, 1)))
		stores := []*models.Store{w.Service.Store, other.Store}
		modelstest.AtOnce(t, len(stores),
			func(i int) error { return keys.RevokeDue(t.Context(), stores[i], time.Now().Add(25*time.Hour)) })
		modelstest.RequireRefused(t, "revoked", w.Service.Verify(t, text))
		modelstest.Within(t, time.Second, func() bool { return other.Verify(t, text) != nil })
	}
	entries := modelstest.AuditLog(t, w.tenant, models.AuditFilter{})
	revoked := map[string]int{}
	for _, entry := range entries {
		if entry.Action == models.ActionKeyRevoked {
			revoked[entry.KeyID.String()]++
			require.Contains(t, entry.Subject, "by schedule: unused for 1 day")
			require.Equal(t, models.ScheduleActor.Email, entry.UserEmail)
		}
	}
	require.Len(t, revoked, 10)
	for _, times := range revoked {
		require.Equal(t, 1, times)
	}
}

// A use that is written while a due key is being revoked saves the key: the last use is
// checked under the lock.
func TestUsedWhileRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.Key(t, w.a)
	require.NoError(t, modelstest.ErrorOf(keys.RevokeAfterIdle(t.Context(), w.tenant, key.ID, 1)))
	w.execute(t, `BEGIN`)
	w.execute(t, `UPDATE api_keys SET last_used_at = now() + interval '20 hours' WHERE id = $1`, key.ID)
	done := make(chan error, 1)
	go func() { done <- keys.RevokeDue(t.Context(), w.Service.Store, time.Now().Add(25*time.Hour)) }()
	modelstest.EventuallyBlocked(t, w.URL, 1)
	w.execute(t, `COMMIT`)
	require.NoError(t, <-done)
	detail, err := keys.Get(t.Context(), w.tenant, key.ID)
	require.NoError(t, err)
	require.Nil(t, detail.RevokedAt)
}

// What is scheduled replaces what was scheduled before, and is shown with the key. A
// time in the past and days outside 1 to 365 are refused, and a revoked key stays as it is.
func TestScheduleRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.Key(t, w.a)
	for _, days := range []int{-1, 0, 366} {
		modelstest.RequireKind(t, models.KindInvalid,
			modelstest.ErrorOf(keys.RevokeAfterIdle(t.Context(), w.tenant, key.ID, days)))
	}
	for _, at := range []time.Time{{}, time.Now().Add(-time.Second), time.Now().AddDate(101, 0, 0)} {
		modelstest.RequireKind(t, models.KindInvalid, modelstest.ErrorOf(keys.RevokeAt(t.Context(), w.tenant, key.ID, at)))
	}
	at := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	detail, err := keys.RevokeAt(t.Context(), w.tenant, key.ID, at)
	require.NoError(t, err)
	require.Equal(t, at, detail.RevokesAt.UTC())
	detail, err = keys.RevokeAfterIdle(t.Context(), w.tenant, key.ID, 30)
	require.NoError(t, err)
	require.Nil(t, detail.RevokeAt)
	require.WithinDuration(t, time.Now().Add(30*24*time.Hour), *detail.RevokesAt, time.Minute)
	detail, err = keys.Unschedule(t.Context(), w.tenant, key.ID)
	require.NoError(t, err)
	require.Nil(t, detail.RevokesAt)
	log, _ := actions(t, w.tenant)
	require.Equal(t, []string{models.ActionRevokeScheduled, models.ActionRevokeScheduled, models.ActionRevokeUnscheduled},
		log[len(log)-3:])

	require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), w.tenant, key.ID)))
	detail, err = keys.RevokeAfterIdle(t.Context(), w.tenant, key.ID, 30)
	require.NoError(t, err)
	require.Nil(t, detail.RevokesAt)
}
