package database_test

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

func millisOf(id uuid.UUID) int64 { return int64(binary.BigEndian.Uint64(id[:8]) >> 16) }

// requireRising requires UUIDv7 ids that rise after another one.
func requireRising(t *testing.T, last uuid.UUID, ids []uuid.UUID) {
	t.Helper()
	for _, id := range ids {
		if bytes.Compare(id[:], last[:]) <= 0 || id.Version() != 7 || id.Variant() != uuid.RFC4122 {
			require.Failf(t, "not a rising UUIDv7", "%s after %s", id, last)
		}
		last = id
	}
}

// Ids are UUIDv7 and strictly rising, whether the clock moves on, stands still, or has stepped
// back. They start with the millisecond in which they were made, or with that of the last id if
// that is ahead of the clock, or with the next one if there is no room after it. However many are
// taken, they run ahead no further.
func TestIDsRise(t *testing.T) {
	t.Parallel()
	conn := modelstest.Conn(t, modelstest.Database(t))
	for name, last := range map[string]uuid.UUID{
		"first": uuid.Nil,
		"ahead": uuid.MustParse("0fff0000-1234-7abc-8def-0123456789ab"),
		"full":  uuid.MustParse("0fff0000-1234-7fff-8fff-ffffffffffff"),
		"other": uuid.MustParse("0fff0000-1234-7fff-bfff-ffffffffffff"),
	} {
		ids := modelstest.Column[uuid.UUID](t, conn, `WITH RECURSIVE ids AS (
				SELECT 1 AS n, next_id($1) AS id UNION ALL SELECT n + 1, next_id(id) FROM ids WHERE n < 10000
			) SELECT id FROM ids ORDER BY n`, last)
		requireRising(t, last, ids)
		require.LessOrEqual(t, millisOf(ids[len(ids)-1]), max(time.Now().UnixMilli(), millisOf(last)+1), name)
	}
	fresh := modelstest.Column[uuid.UUID](t, conn, `SELECT DISTINCT id_at(1700000000000) FROM generate_series(1, 1000)`)
	require.Len(t, fresh, 1000, "random")
	require.EqualValues(t, 1_700_000_000_000, millisOf(fresh[0]))
}

// The ids of a file's transactions follow its own by their places, in random steps, and the next
// id follows them all. As many as a file may have lines are of one millisecond.
func TestFilesHaveRoomForTheirIDs(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `SELECT turns_take(ARRAY[$1::uuid])`, a.ID)
	// Ahead of the clock, so that it does not help.
	modelstest.Execute(t, conn, `UPDATE turns SET last_id = '0fff0000-1234-7abc-8def-0123456789ab'`)
	const most = 1<<28 - 1
	file := modelstest.Value[uuid.UUID](t, conn, `SELECT take_id($1, $2)`, a.ID, most)
	ids := modelstest.Column[uuid.UUID](t, conn, `SELECT id_after($1, n) FROM (SELECT generate_series(1, 1000) AS n
		UNION ALL SELECT $2) n`, file, most)
	requireRising(t, file, ids)
	require.Equal(t, millisOf(file), millisOf(ids[1000]))
	bounds := modelstest.Column[uuid.UUID](t, conn, `SELECT id_after($1, n, rest)
		FROM (VALUES (7, 0), (7, 4294967295), (8, 0)) n (n, rest)`, file)
	requireRising(t, file, bounds)
	requireRising(t, bounds[0], []uuid.UUID{ids[6], bounds[1]})
	requireRising(t, ids[1000], modelstest.Column[uuid.UUID](t, conn, `SELECT take_id($1)
		FROM generate_series(1, 3)`, a.ID))
	require.ErrorContains(t, modelstest.ErrorOf(conn.Exec(t.Context(), `SELECT take_id($1, $2)`, a.ID, most+1)), "no room")
}
