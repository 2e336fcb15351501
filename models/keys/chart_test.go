package keys_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// Requests are counted by hour, by day of a time zone and by key, for their own organization
// only.
func TestCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.Organization(t, "b")
	first, _ := w.Key(t, w.a)
	second, _ := w.Key(t, w.a)
	foreign, _ := w.Key(t, b)
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		key               keys.Key
		hour              int
		requests, refused int64
	}{{first, 1, 10, 1}, {second, 1, 5, 0}, {first, 3, 2, 2}, {first, 25, 7, 0}, {foreign, 1, 1000, 100}} {
		w.execute(
			t,
			`SELECT key_usage_add(jsonb_build_array(jsonb_build_object('organization_id', $1::uuid, 'key_id', $2::uuid, 'hour', $3::timestamptz, 'requests', $4::bigint, 'refused', $5::bigint)))`,
			row.key.OrganizationID,
			row.key.ID,
			day.Add(time.Duration(row.hour)*time.Hour),
			row.requests,
			row.refused,
		)
	}
	until := day.AddDate(0, 0, 2)
	kolkata, err := time.LoadLocation("Asia/Kolkata") // 5.5 hours ahead, so that the day begins during an hour
	require.NoError(t, err)
	local := time.Date(2026, 3, 1, 0, 0, 0, 0, kolkata)
	w.execute(
		t,
		`SELECT key_usage_add(jsonb_build_array(jsonb_build_object('organization_id', $1::uuid, 'key_id', $2::uuid, 'hour', $3::timestamptz, 'requests', 100, 'refused', 0)))`,
		w.a.ID,
		second.ID,
		day.Add(19*time.Hour),
	) // half past midnight
	for name, c := range map[string]struct {
		query    keys.Query
		expected []keys.Count
	}{
		"hours":   {keys.Query{Since: day, Until: until}, []keys.Count{{day.Add(time.Hour), 15, 1}, {day.Add(3 * time.Hour), 2, 2}, {day.Add(19 * time.Hour), 100, 0}, {day.Add(25 * time.Hour), 7, 0}}},
		"days":    {keys.Query{Since: day, Until: until, ByDay: true}, []keys.Count{{day, 117, 3}, {day.AddDate(0, 0, 1), 7, 0}}},
		"local":   {keys.Query{Since: local, Until: local.AddDate(0, 0, 2), ByDay: true}, []keys.Count{{day, 17, 3}, {day.AddDate(0, 0, 1), 107, 0}}},
		"unknown": {keys.Query{Since: day.In(time.FixedZone("Mars/Olympus", 0)), Until: until, ByDay: true}, []keys.Count{{day, 117, 3}, {day.AddDate(0, 0, 1), 7, 0}}}, // to PostgreSQL
		"one key": {keys.Query{Since: day, Until: until, ByDay: true, KeyID: &second.ID}, []keys.Count{{day, 105, 0}}},
		"bounds":  {keys.Query{Since: day.Add(3 * time.Hour), Until: day.Add(19 * time.Hour)}, []keys.Count{{day.Add(3 * time.Hour), 2, 2}}},
		"foreign": {keys.Query{Since: day, Until: until, KeyID: &foreign.ID}, nil},
	} {
		counts, err := keys.Counts(t.Context(), w.tenant, c.query)
		require.NoError(t, err, name)
		require.Equal(t, c.expected, append([]keys.Count(nil), counts...), name)
	}

	used, err := keys.ByKey(t.Context(), w.tenant, keys.Query{Since: day, Until: until})
	require.NoError(t, err)
	require.Equal(t, map[uuid.UUID]keys.KeyCount{first.ID: {first.ID, 19, 3}, second.ID: {second.ID, 105, 0}}, used)
	days, err := keys.DaysByKey(t.Context(), w.tenant, local.AddDate(0, 0, 2).Add(-time.Minute), 3)
	require.NoError(t, err)
	require.Equal(t, map[uuid.UUID][]int64{first.ID: {0, 12, 7}, second.ID: {0, 5, 100}}, days)
	used, err = keys.ByKey(t.Context(), w.tenant, keys.Query{Since: until, Until: until.AddDate(0, 0, 1)})
	require.NoError(t, err)
	require.Empty(t, used)
}

// The latest refused requests are listed with their keys, for their own organization
// only.
func TestRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.Organization(t, "b")
	key, _ := w.Key(t, w.a)
	foreign, _ := w.Key(t, b)
	instance := modelstest.Open(t, w.URL, database.Service)
	for _, request := range []keys.Request{
		{Status: 429, Method: "GET", Path: "/first"}, {Status: 200, Method: "GET", Path: "/accepted"}, {Status: 401, Reason: "paused", Method: "GET", Path: "/second", Address: "192.0.2.1", UserAgent: "curl"},
	} {
		instance.Usage.Record(modelstest.Caller(key), request)
		instance.Usage.Record(modelstest.Caller(foreign), request)
	}
	instance.Close()
	refusals, err := keys.Refusals(t.Context(), w.tenant, nil, 10)
	require.NoError(t, err)
	require.Len(t, refusals, 2)
	latest := refusals[0]
	require.Equal(t, "/second", latest.Path)
	require.Equal(t, keys.Refusal{
		RefusedRequest: keys.RefusedRequest{
			OrganizationID: w.a.ID,
			ID:             latest.ID,
			At:             latest.At,
			KeyID:          key.ID,
			Status:         401,
			Reason:         "paused",
			Method:         "GET",
			Path:           "/second",
			Address:        "192.0.2.1",
			UserAgent:      "curl",
		},
		KeyName: key.Name,
		KeyHint: key.Hint,
	}, latest)
	refusals, err = keys.Refusals(t.Context(), w.tenant, nil, 1)
	require.NoError(t, err)
	require.Len(t, refusals, 1)
}
