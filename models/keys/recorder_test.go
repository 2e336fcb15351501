package keys_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// A key's first use is written at once, because somebody may be watching for it,
// with its time, address and user agent.
func TestFirstUseIsWrittenAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var (
		key           keys.Key
		before, after time.Time
	)
	// An instance writes its first batch after five seconds. A slow machine may need more
	// than one attempt to be faster.
	modelstest.Eventually(t, func() bool {
		key, _ = w.Key(t, w.a)
		opened := time.Now()
		usage := modelstest.Open(t, w.URL, database.Service).Usage
		before = time.Now().Add(-time.Millisecond)
		usage.Record(modelstest.Caller(key), modelstest.Request("192.0.2.1", "curl/8"))
		after = time.Now().Add(time.Millisecond)
		modelstest.Eventually(t, func() bool { return modelstest.LastUsedAddress(t, w.conn, key) != "" })
		return time.Since(opened) < 5*time.Second
	})
	used, err := keys.Get(t.Context(), w.tenant, key.ID)
	require.NoError(t, err)
	require.WithinRange(t, *used.LastUsedAt, before, after)
	require.Equal(t, []string{"192.0.2.1", "curl/8"}, []string{*used.LastUsedAddress, *used.LastUsedUserAgent})
}

// Later uses are written in batches, and the rest at Close. There is no write per
// request, however many requests and keys there are.
func TestLaterUsesAreWrittenInBatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.countWrites(t)
	var keys []keys.Key
	for range 5 {
		key, _ := w.Key(t, w.a)
		keys = append(keys, key)
	}
	started := time.Now()
	for range 2000 {
		for _, key := range keys {
			w.Service.Usage.Record(modelstest.Caller(key), modelstest.Request("192.0.2.1", "first"))
		}
	}
	for _, key := range keys {
		w.Service.Usage.Record(modelstest.Caller(key), modelstest.Request("192.0.2.2", "last"))
	}
	w.Service.Close()
	for _, key := range keys {
		require.Equal(t, "192.0.2.2", modelstest.LastUsedAddress(t, w.conn, key))
	}
	// One write for each first use, one for each interval that has passed, and one at
	// Close. Each updates keys twice: their uses and their tests.
	most := 2 * (len(keys) + int(time.Since(started)/(5*time.Second)) + 2)
	require.LessOrEqual(t, w.writes(t), most)
}

// If several instances have seen uses of a key, the newest one is kept, in whatever
// order they write.
func TestNewestUseIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.Key(t, w.a)
	first, second := modelstest.Open(t, w.URL, database.Service), modelstest.Open(t, w.URL, database.Service)
	for name, store := range map[string]*modelstest.Instance{"first": first, "second": second} {
		store.Usage.Record(modelstest.Caller(key), modelstest.Request(name, ""))
		modelstest.Eventually(t, func() bool { return modelstest.LastUsedAddress(t, w.conn, key) == name })
	}
	first.Usage.Record(modelstest.Caller(key), modelstest.Request("older", ""))
	second.Usage.Record(modelstest.Caller(key), modelstest.Request("newer", ""))
	second.Close()
	require.Equal(t, "newer", modelstest.LastUsedAddress(t, w.conn, key))
	first.Close()
	require.Equal(t, "newer", modelstest.LastUsedAddress(t, w.conn, key))
}

// No user agent can keep uses from being written: invalid bytes are dropped and long
// ones are cut. Nor does a deleted key keep the other keys' uses from being written.
func TestUserAgentsAreMadeStorable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	store, stored := modelstest.Open(t, w.URL, database.Service), map[uuid.UUID]string{}
	for _, c := range [][2]string{
		{"a\x00b", "ab"}, {"a\xffb", "ab"}, {strings.Repeat("x", 1000), strings.Repeat("x", 200)}, {strings.Repeat("æ", 150), strings.Repeat("æ", 100)},
		{strings.Repeat("x", 199) + "æ", strings.Repeat("x", 199)}, {"", ""}, {`'; --\`, `'; --\`},
	} {
		key, _ := w.Key(t, w.a)
		stored[key.ID] = c[1]
		store.Usage.Record(keys.Caller{OrganizationID: w.a.ID, KeyID: uuid.New()}, modelstest.Request("192.0.2.9", "gone"))
		store.Usage.Record(modelstest.Caller(key), modelstest.Request("192.0.2.1", c[0]))
	}
	store.Close()
	for id, userAgent := range stored {
		require.Equal(t, userAgent,
			modelstest.Value[string](t, w.conn, `SELECT last_used_user_agent FROM api_keys WHERE id = $1`, id))
	}
}

// What cannot be written is kept for the next attempt. Last uses do not wait for the rest.
func TestUsesSurviveAFailedWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, function := range []string{"api_keys_used", "key_callers_add"} {
		key, _ := w.Key(t, w.a)
		other, _ := w.Key(t, w.a)
		w.execute(t, `REVOKE EXECUTE ON FUNCTION `+function+` FROM dispo_app`)
		store := modelstest.Open(t, w.URL, database.Service)
		store.Usage.Record(modelstest.Caller(key), request(200, "10.0.0.1", "ledger/1"))
		modelstest.Eventually(t, func() bool { // the first write was tried
			return modelstest.Value[int](
				t,
				w.conn,
				`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = 'rollback' AND state = 'idle'`,
			) > 0
		})
		require.Equal(t, function == "api_keys_used", modelstest.LastUsedAddress(t, w.conn, key) == "")
		w.execute(t, `GRANT EXECUTE ON FUNCTION `+function+` TO dispo_app`)
		store.Usage.Record(modelstest.Caller(other), request(200, "10.0.0.2", "ledger/1"))
		store.Usage.Record(modelstest.Caller(key), request(200, "10.0.0.1", "ledger/1"))
		store.Usage.Record(modelstest.Caller(key), request(200, "10.0.0.2", "ledger/1"))
		store.Close()
		require.Equal(t, "10.0.0.2", modelstest.LastUsedAddress(t, w.conn, key))
		require.Equal(t, "10.0.0.2", modelstest.LastUsedAddress(t, w.conn, other))
		require.ElementsMatch(t, []keys.KeyCaller{
			{Address: "10.0.0.2", Client: "ledger", UserAgent: "ledger/1", Requests: 1},
			{Address: "10.0.0.1", Client: "ledger", UserAgent: "ledger/1", Requests: 2},
		}, callers(t, w, key))
	}
}

// A batch that takes longer than a statement may take, here because each caller takes two
// milliseconds, is written in parts, once.
func TestLargeBatchIsWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.execute(
		t,
		`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.002); RETURN NEW; END';
		CREATE TRIGGER slow BEFORE INSERT ON key_callers FOR EACH ROW EXECUTE FUNCTION slow()`,
	)
	const keys, callers = 20, 100
	for range keys {
		key, _ := w.Key(t, w.a)
		for n := range callers {
			w.Service.Usage.Record(modelstest.Caller(key), request(401, fmt.Sprintf("10.0.0.%d", n), "ledger"))
		}
	}
	for _, counted := range []string{`SELECT sum(requests) FROM key_callers`, `SELECT sum(requests) FROM key_usage`} {
		modelstest.Eventually(t, func() bool {
			return modelstest.Value[int](t, w.conn, `SELECT coalesce((`+counted+`), 0)`) == keys*callers
		}, counted)
	}
	modelstest.Eventually(t,
		func() bool { return modelstest.Value[int](t, w.conn, `SELECT count(*) FROM refused_requests`) == 100 },
		"the latest refused requests")
	w.Service.Close()
	require.Equal(t, keys*callers, modelstest.Value[int](t, w.conn, `SELECT sum(requests) FROM key_callers`))
}

// While something else of a batch cannot be written, the last uses of keys still are, so that
// no key in use seems unused. Refused and served requests keep nothing else from being written.
func TestLastUsesDoNotWait(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"key_usage", "key_callers", "refused_requests", "served_requests"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			key, _ := w.Key(t, w.a)
			w.execute(t, `BEGIN; LOCK TABLE `+table)
			w.Service.Usage.Record(modelstest.Caller(key), request(429, "192.0.2.1", "ledger"))
			for _, address := range []string{"192.0.2.2", "192.0.2.3"} {
				w.Service.Usage.Record(modelstest.Caller(key), request(200, address, "ledger"))
				modelstest.Eventually(t, func() bool { return modelstest.LastUsedAddress(t, w.conn, key) == address })
			}
			if strings.HasSuffix(table, "_requests") {
				modelstest.Eventually(t, func() bool {
					return modelstest.Value[int](t, w.conn, `SELECT coalesce(sum(requests), 0) FROM key_usage`) == 3
				})
			}
			w.execute(t, `ROLLBACK`)
			w.Service.Close()
			require.Equal(t, []int{3, 3}, []int{
				modelstest.Value[int](t, w.conn, `SELECT coalesce(sum(requests), 0) FROM key_usage`),
				modelstest.Value[int](t, w.conn, `SELECT coalesce(sum(requests), 0) FROM key_callers`),
			})
		})
	}
}
