package modelstest

import "testing"

// RowsRead returns how many rows of each table f reads. It calls f several times and
// returns the least, because reads in the background may fall into one of them. It waits
// for the connections that f opens, because they report when they end: f must close them.
func RowsRead(t testing.TB, url string, f func()) map[string]int64 {
	t.Helper()
	const attempts = 3
	conn := Conn(t, url)
	const others = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND NOT pid = ANY($1)`
	least := map[string]int64{}
	for attempt := range attempts {
		before := Column[int32](t, conn, `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`)
		counted := rowsRead(t, url)
		f()
		Eventually(t, func() bool { return Value[int](t, conn, others, before) == 0 })
		for table, rows := range rowsRead(t, url) {
			if rows -= counted[table]; attempt == 0 || rows < least[table] {
				least[table] = rows
			}
		}
	}
	return least
}

func rowsRead(t testing.TB, url string) map[string]int64 {
	t.Helper()
	conn := Conn(t, url)
	defer conn.Close(t.Context())
	rows := map[string]int64{}
	for _, table := range Column[string](t, conn, `SELECT relname::text FROM pg_stat_user_tables`) {
		rows[table] = Value[int64](t, conn, `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables WHERE relname = $1`, table)
	}
	return rows
}
