package models_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// used reads where a key was used last; nothing where it was not.
func used(t testing.TB, conn *pgx.Conn, key models.APIKey) string {
	t.Helper()
	return modelstest.Value[string](t, conn, `SELECT coalesce(last_used_address, '') FROM api_keys WHERE id = $1`, key.ID)
}

func caller(organization models.Organization, key models.APIKey) models.Caller {
	return models.Caller{OrganizationID: organization.ID, KeyID: key.ID}
}

// A key's first use is written at once, because somebody is watching for it, with
// its time, address and user agent.
func TestFirstUseIsWrittenAtOnce(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	key, _ := w.Key(t, a)
	other, _ := w.Key(t, a)
	before := time.Now().Add(-time.Millisecond)
	w.Service.Used(caller(a, key), usedBy("192.0.2.1", "curl/8"))
	after := time.Now().Add(time.Millisecond)
	require.Eventually(t, func() bool { return used(t, conn, key) != "" }, 2*time.Second, 10*time.Millisecond)

	keys, err := w.Service.Tenant(a.ID).Keys(t.Context())
	require.NoError(t, err)
	require.Len(t, keys, 2)
	for _, listed := range keys {
		if listed.ID == other.ID {
			require.Nil(t, listed.LastUsedAt)
			continue
		}
		require.WithinRange(t, *listed.LastUsedAt, before, after)
		require.Equal(t, "192.0.2.1", *listed.LastUsedAddress)
		require.Equal(t, "curl/8", *listed.LastUsedUserAgent)
	}
}

// Later uses are written in batches, and what is left at Close: no write per
// request, however many requests and keys there are.
func TestLaterUsesAreWrittenInBatches(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `CREATE TABLE writes (at timestamptz DEFAULT clock_timestamp());
		CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN INSERT INTO writes DEFAULT VALUES; RETURN NULL; END';
		CREATE TRIGGER count_write AFTER UPDATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION count_write()`)
	var keys []models.APIKey
	for range 5 {
		key, _ := w.Key(t, a)
		keys = append(keys, key)
	}
	started := time.Now()
	for range 2000 {
		for _, key := range keys {
			w.Service.Used(caller(a, key), usedBy("192.0.2.1", "first"))
		}
	}
	for _, key := range keys {
		w.Service.Used(caller(a, key), usedBy("192.0.2.2", "last"))
	}
	w.Service.Close()
	for _, key := range keys {
		require.Equal(t, "192.0.2.2", used(t, conn, key))
	}
	// One for each first use, one for each interval that has passed, one at Close.
	most := len(keys) + int(time.Since(started)/(5*time.Second)) + 2
	require.LessOrEqual(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM writes`), most)
}

// Of the uses that several instances have seen, the newest stands, in whatever
// order they write.
func TestNewestUseStands(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	key, _ := w.Key(t, a)
	first, second := modelstest.Open(t, w.URL, models.Service), modelstest.Open(t, w.URL, models.Service)
	for name, store := range map[string]*models.Store{"first": first, "second": second} {
		store.Used(caller(a, key), usedBy(name, ""))
		require.Eventually(t, func() bool { return used(t, conn, key) == name }, 2*time.Second, 10*time.Millisecond)
	}
	first.Used(caller(a, key), usedBy("older", ""))
	second.Used(caller(a, key), usedBy("newer", ""))
	second.Close()
	require.Equal(t, "newer", used(t, conn, key))
	first.Close()
	require.Equal(t, "newer", used(t, conn, key))
}

// What can't be written is kept for the next time.
func TestUsesOutliveAFailedWrite(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	key, _ := w.Key(t, a)
	other, _ := w.Key(t, a)
	modelstest.Execute(t, conn, `REVOKE EXECUTE ON FUNCTION api_keys_used FROM dispo_app`)
	store := modelstest.Open(t, w.URL, models.Service)
	store.Used(caller(a, key), usedBy("192.0.2.1", ""))
	require.Eventually(t, func() bool { // the first write was tried, and taken back
		return modelstest.Value[int](t, conn, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = 'rollback' AND state = 'idle' AND pid <> pg_backend_pid()`) > 0
	}, patience, 10*time.Millisecond)
	require.Empty(t, used(t, conn, key))
	modelstest.Execute(t, conn, `GRANT EXECUTE ON FUNCTION api_keys_used TO dispo_app`)
	store.Used(caller(a, other), usedBy("192.0.2.2", ""))
	store.Close()
	require.Equal(t, "192.0.2.1", used(t, conn, key))
	require.Equal(t, "192.0.2.2", used(t, conn, other))
}

// Whatever a caller calls itself, it can't keep uses from being written: what is
// no text is left out, what is long is cut. A key that is gone keeps the others'
// uses back no more.
func TestUserAgentsAreTamed(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	for _, c := range [][2]string{
		{"a\x00b", "ab"}, {"a\xffb", "ab"}, {strings.Repeat("x", 1000), strings.Repeat("x", 200)}, {strings.Repeat("æ", 150), strings.Repeat("æ", 100)},
		{strings.Repeat("x", 199) + "æ", strings.Repeat("x", 199)}, {"", ""}, {`'; --\`, `'; --\`},
	} {
		require.True(t, utf8.ValidString(c[1]))
		key, _ := w.Key(t, a)
		store := modelstest.Open(t, w.URL, models.Service)
		store.Used(models.Caller{OrganizationID: a.ID, KeyID: uuid.New()}, usedBy("192.0.2.9", "gone"))
		store.Used(caller(a, key), usedBy("192.0.2.1", c[0]))
		store.Close()
		require.Equal(t, c[1], modelstest.Value[string](t, conn, `SELECT last_used_user_agent FROM api_keys WHERE id = $1`, key.ID))
	}
}
