package modelstest

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/i18n"
)

// Conn connects to the database as the address's user, until the test ends. For the
// superuser no policy holds.
func Conn(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// Execute runs a statement.
func Execute(t testing.TB, conn *pgx.Conn, statement string, args ...any) {
	t.Helper()
	_, err := conn.Exec(context.Background(), statement, args...)
	require.NoError(t, err, statement)
}

// Value returns the value that a query of one row and one column returns.
func Value[T any](t testing.TB, conn *pgx.Conn, query string, args ...any) (value T) {
	t.Helper()
	require.NoError(t, conn.QueryRow(context.Background(), query, args...).Scan(&value), query)
	return value
}

// Column returns the values that a query of one column returns.
func Column[T any](t testing.TB, conn *pgx.Conn, query string, args ...any) []T {
	t.Helper()
	rows, err := conn.Query(context.Background(), query, args...)
	require.NoError(t, err, query)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(t, err, query)
	return values
}

// ExecuteAt is Execute on a connection to the database at url that is left open for the next one.
func ExecuteAt(t testing.TB, url, statement string, args ...any) {
	t.Helper()
	withConn(t, url, func(conn *pgx.Conn) { Execute(t, conn, statement, args...) })
}

// ValueAt is Value on such a connection.
func ValueAt[T any](t testing.TB, url, query string, args ...any) (value T) {
	t.Helper()
	withConn(t, url, func(conn *pgx.Conn) { value = Value[T](t, conn, query, args...) })
	return value
}

// ColumnAt is Column on such a connection.
func ColumnAt[T any](t testing.TB, url, query string, args ...any) (values []T) {
	t.Helper()
	withConn(t, url, func(conn *pgx.Conn) { values = Column[T](t, conn, query, args...) })
	return values
}

// ExecuteUnannounced executes a statement without triggers, and so without a
// notification on the change feed: only a reader of the database sees the change.
func ExecuteUnannounced(t testing.TB, w *World, statement string, args ...any) {
	t.Helper()
	withConn(t, w.URL, func(conn *pgx.Conn) {
		Execute(t, conn, `SET session_replication_role = replica`)
		Execute(t, conn, statement, args...)
		Execute(t, conn, `RESET session_replication_role`)
	})
}

// idle are connections to use again, by address: a new one costs the server more than most
// statements do.
var (
	idle      = map[string][]*pgx.Conn{}
	idleMutex sync.Mutex
)

func withConn(t testing.TB, url string, f func(*pgx.Conn)) {
	t.Helper()
	ctx := context.Background()
	idleMutex.Lock()
	var conn *pgx.Conn
	if open := idle[url]; len(open) > 0 {
		conn, idle[url] = open[len(open)-1], open[:len(open)-1]
	}
	idleMutex.Unlock()
	if conn == nil || conn.Ping(ctx) != nil {
		config, err := pgx.ParseConfig(url)
		require.NoError(t, err)
		config.DefaultQueryExecMode = pgx.QueryExecModeDescribeExec // the schema may change
		conn, err = pgx.ConnectConfig(ctx, config)
		require.NoError(t, err)
	}
	f(conn) // a connection whose statement failed is not used again
	idleMutex.Lock()
	defer idleMutex.Unlock()
	idle[url] = append(idle[url], conn)
}

// closeIdle closes the idle connections whose address has the text.
func closeIdle(text string) {
	idleMutex.Lock()
	defer idleMutex.Unlock()
	for url, open := range idle {
		if strings.Contains(url, text) {
			for _, conn := range open {
				_ = conn.Close(context.Background())
			}
			delete(idle, url)
		}
	}
}

// Dump returns the text of every row of every table.
func Dump(t testing.TB, conn *pgx.Conn) string {
	t.Helper()
	var text strings.Builder
	for _, table := range Column[string](t, conn, `SELECT oid::regclass::text FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`) {
		text.WriteString(
			Value[string](t, conn, `SELECT coalesce(string_agg(x::text, E'\n' ORDER BY x::text), '') FROM `+table+` x`))
	}
	return text.String()
}

// RowsRead returns how many rows of each table f reads. It calls f until it reads the same
// twice, three times at most, and returns the least, because reads in the background may fall
// into one of them. It waits for the connections that f opens, because they report when they
// end: f must close them.
func RowsRead(t testing.TB, url string, f func()) map[string]int64 {
	t.Helper()
	const others = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND NOT pid = ANY($1)`
	closeIdle(url)
	conn := Conn(t, url)
	least := map[string]int64{}
	for attempt := range 3 {
		before := Column[int32](t, conn,
			`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`)
		counted := rowsRead(t, conn)
		f()
		closeIdle(url)
		Eventually(t, func() bool { return Value[int](t, conn, others, before) == 0 })
		read := rowsRead(t, conn)
		for table := range read {
			read[table] -= counted[table]
		}
		if maps.Equal(read, least) {
			break
		}
		for table, rows := range read {
			if attempt == 0 || rows < least[table] {
				least[table] = rows
			}
		}
	}
	return least
}

func rowsRead(t testing.TB, conn *pgx.Conn) map[string]int64 {
	return Value[map[string]int64](t, conn,
		`SELECT jsonb_object_agg(relname, seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables`)
}

// RequireTotals requires that every total that the database keeps equals count(*) or
// sum(), that every transaction has its company and its file, that an organization
// has each record of a delivery once, and that companies are found by their names.
func RequireTotals(t testing.TB, url string) {
	t.Helper()
	withConn(t, url, func(conn *pgx.Conn) { requireTotals(t, conn) })
}

func requireTotals(t testing.TB, conn *pgx.Conn) {
	var wrong []string
	for total, query := range map[string]string{
		"organizations.company_count": `SELECT count(*) FROM organizations o
			WHERE company_count <> (SELECT count(*) FROM companies c WHERE c.organization_id = o.id)`,
		"organizations.delivery_file_count": `SELECT count(*) FROM organizations o
			WHERE delivery_file_count <> (SELECT count(*) FROM delivery_files f WHERE f.organization_id = o.id AND record_count > 0)
				+ (SELECT count(*) FROM withdrawn_files f WHERE f.organization_id = o.id AND record_count > 0)`,
		"organizations.transaction_count and total_amount_dkk": `SELECT count(*) FROM organizations o
			LEFT JOIN (SELECT organization_id, count(*), sum(amount_dkk) FROM transactions GROUP BY 1) t ON t.organization_id = o.id
			WHERE (transaction_count, total_amount_dkk) <> (coalesce(t.count, 0), coalesce(t.sum, 0))`,
		"companies.transaction_count and total_amount_dkk": `SELECT count(*) FROM companies c
			LEFT JOIN (SELECT organization_id, cvr, count(*), sum(amount_dkk) FROM transactions GROUP BY 1, 2) t USING (organization_id, cvr)
			WHERE (transaction_count, total_amount_dkk) <> (coalesce(t.count, 0), coalesce(t.sum, 0))`,
		"delivery_files.record_count and total_amount_dkk": `SELECT count(*) FROM delivery_files f
			LEFT JOIN (SELECT organization_id, delivery_file_id, count(*), sum(amount_dkk) FROM transactions GROUP BY 1, 2) t ON (t.organization_id, t.delivery_file_id) = (f.organization_id, f.id)
			WHERE (record_count, total_amount_dkk) <> (coalesce(t.count, 0), coalesce(t.sum, 0))`,
		"records that an organization has twice": `SELECT count(*) FROM (SELECT FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id
			GROUP BY t.organization_id, f.delivery_id, t.record_index HAVING count(*) > 1) x`,
		"held records of a company that has them": `SELECT count(*) FROM held_records h JOIN companies c ON c.cvr = h.cvr AND coalesce(only_organization_id, c.organization_id) = c.organization_id
			WHERE NOT EXISTS (SELECT FROM organizations o WHERE o.id = c.organization_id AND o.sandbox) AND NOT EXISTS (SELECT FROM delivery_withdrawals w WHERE w.organization_id = c.organization_id AND w.delivery_id = h.delivery_id)`,
		"daily_totals": `SELECT count(*) FROM (SELECT organization_id, cvr, disposition_date, transfer_type, count, amount_dkk FROM daily_totals) d
			FULL JOIN (SELECT organization_id, coalesce(cvr, '') AS cvr, disposition_date, transfer_type, count(*) AS count, sum(amount_dkk) AS amount_dkk FROM transactions
				GROUP BY GROUPING SETS ((organization_id, cvr, disposition_date, transfer_type), (organization_id, disposition_date, transfer_type))) t
			ON (t.organization_id, t.cvr, t.disposition_date, t.transfer_type, t.count, t.amount_dkk) = (d.organization_id, d.cvr, d.disposition_date, d.transfer_type, d.count, d.amount_dkk)
			WHERE d.organization_id IS NULL OR t.organization_id IS NULL`,
		"transactions outside of the ids of their daily total": `SELECT count(*) FROM transactions t
			JOIN daily_totals d ON d.organization_id = t.organization_id AND d.cvr IN ('', t.cvr) AND d.disposition_date = t.disposition_date AND d.transfer_type = t.transfer_type
			WHERE t.id NOT BETWEEN d.first_id AND d.last_id`,
		"delivery_files.first_date and last_date": `SELECT count(*) FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id
			WHERE f.processed_at IS NOT NULL AND (t.disposition_date BETWEEN f.first_date AND f.last_date) IS NOT TRUE`,
		"files with transactions but without a change, or the reverse": `SELECT count(*) FROM (
				SELECT record_count, change_id FROM delivery_files UNION ALL SELECT record_count, change_id FROM withdrawn_files) f
			WHERE (record_count > 0) <> (change_id IS NOT NULL)`,
		"transactions that came after the change of their file": `SELECT count(*) FROM transactions t
			JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id WHERE t.id > f.change_id`,
		"changes with the same id": `SELECT count(*) - count(DISTINCT (organization_id, change_id)) FROM (SELECT organization_id, change_id FROM companies
			UNION ALL SELECT organization_id, change_id FROM delivery_files UNION ALL SELECT organization_id, change_id FROM withdrawn_files) x WHERE change_id IS NOT NULL`,
		"transactions without a company": `SELECT count(*) FROM transactions t
			WHERE NOT EXISTS (SELECT FROM companies c WHERE c.organization_id = t.organization_id AND c.cvr = t.cvr)`,
		"transactions without a file": `SELECT count(*) FROM transactions t
			WHERE NOT EXISTS (SELECT FROM delivery_files f WHERE f.organization_id = t.organization_id AND f.id = t.delivery_file_id)`,
	} {
		wrong = append(wrong, fmt.Sprintf(`SELECT '%s' WHERE (%s) <> 0`, total, query))
	}
	require.Empty(t, Column[string](t, conn, strings.Join(wrong, " UNION ALL ")))
	for _, c := range names(t, conn) {
		require.Equal(t, i18n.Fold(c.Name), c.FoldedName, "folded_name of %s", c.Name)
		require.Equal(t, i18n.SortKey(c.Name), c.SortKey, "sort_key of %s", c.Name)
	}
}

// name is a name of companies, with what is stored beside it.
type name struct {
	Name       string
	FoldedName string
	SortKey    []byte
}

func names(t testing.TB, conn *pgx.Conn) []name {
	rows, err := conn.Query(context.Background(), `SELECT DISTINCT name, folded_name, sort_key FROM companies`)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[name])
	require.NoError(t, err)
	return found
}

// Refold sets what companies are found and ordered by, after a test has written names by SQL
// of its own.
func Refold(t testing.TB, url string) {
	t.Helper()
	withConn(t, url, func(conn *pgx.Conn) {
		var all, folded []string
		var keys [][]byte
		for _, c := range names(t, conn) {
			all, folded, keys = append(all, c.Name), append(folded, i18n.Fold(c.Name)), append(keys, i18n.SortKey(c.Name))
		}
		Execute(t, conn, `UPDATE companies SET folded_name = x.folded, sort_key = x.key
			FROM unnest($1::text[], $2::text[], $3::bytea[]) AS x (name, folded, key) WHERE companies.name = x.name`, all, folded, keys)
	})
}

// Recount sets all totals to what there is, after a test has changed companies or
// transactions by SQL of its own, and reports the change as a writer does.
func Recount(t testing.TB, url string) {
	t.Helper()
	conn := Conn(t, url)
	for _, statement := range []string{
		`BEGIN`,
		`UPDATE companies SET transaction_count = 0, total_amount_dkk = 0 WHERE (transaction_count, total_amount_dkk) <> (0, 0)`,
		`UPDATE delivery_files SET record_count = 0, total_amount_dkk = 0 WHERE (record_count, total_amount_dkk) <> (0, 0)`,
		`DELETE FROM daily_totals`,
		`UPDATE organizations o SET transaction_count = 0, total_amount_dkk = 0,
			company_count = (SELECT count(*) FROM companies c WHERE c.organization_id = o.id),
			delivery_file_count = (SELECT count(*) FROM withdrawn_files f WHERE f.organization_id = o.id AND record_count > 0)`,
		`CREATE TEMPORARY TABLE known ON COMMIT DROP AS SELECT organization_id, id, change_id FROM delivery_files WHERE change_id IS NOT NULL`,
		`CREATE TEMPORARY TABLE ended ON COMMIT DROP AS SELECT id, last_id FROM organizations`,
		`SELECT turns_take(ARRAY(SELECT id FROM organizations))`,
		`SELECT take_id(id) FROM organizations`,
		`INSERT INTO moved SELECT organization_id, cvr, disposition_date, transfer_type, count(*), sum(amount_dkk), min(id::text)::uuid, max(id::text)::uuid, delivery_file_id
			FROM transactions GROUP BY organization_id, cvr, disposition_date, transfer_type, delivery_file_id`,
		`SELECT move_totals(1)`,
		`UPDATE delivery_files f SET change_id = CASE WHEN record_count > 0 THEN coalesce((SELECT k.change_id FROM known k WHERE (k.organization_id, k.id) = (f.organization_id, f.id)), last_id) END`,
		`SELECT turns_end()`,
		`UPDATE organizations o SET last_id = e.last_id FROM ended e WHERE e.id = o.id`,
		`COMMIT`,
		`SELECT pg_stat_force_next_flush()`, // else its reads may be counted ten seconds later
	} {
		Execute(t, conn, statement)
	}
}

// HoldImports lets imports of deliveries wait, with delivery_files locked against every reader,
// until release is called.
func HoldImports(t testing.TB, url string) (release func()) {
	t.Helper()
	conn := Conn(t, url)
	Execute(t, conn, `CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
		LOCK TABLE delivery_files IN ACCESS EXCLUSIVE MODE;
		PERFORM pg_advisory_xact_lock(1);
		RETURN NEW;
	END $$`)
	Execute(t, conn, `CREATE OR REPLACE TRIGGER hold BEFORE INSERT ON delivery_files FOR EACH ROW EXECUTE FUNCTION hold()`)
	Execute(t, conn, `SELECT pg_advisory_lock(1)`)
	return func() { Execute(t, conn, `SELECT pg_advisory_unlock(1)`) }
}
