package backup

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Manifest says what a backup has. It is computed in the same snapshot as the dump.
type Manifest struct {
	Program    string    `json:"program"`    // the release whose schema it has, such as "dispo 1.0.0"
	PostgreSQL int       `json:"postgresql"` // the major version of pg_dump
	At         time.Time `json:"at"`         // of the snapshot
	Bytes      int64     `json:"bytes"`      // of the tables and indexes, as the server stores them
	SHA256     string    `json:"sha256"`     // of the dump
	Contents   Contents  `json:"contents"`
}

// Contents are what is compared after a restore. They have a part for everything and one for
// each organization, with the number of rows of each table and the sum of the transactions; one
// for the schema, with its version; and one for the functions that work as another role than
// their caller's, with that role.
type Contents map[string]map[string]string

// Parts of Contents. An organization's is "organization " and its slug.
const (
	everything = "everything"
	functions  = "functions"
	schema     = "schema"
)

// Count returns the number of rows of a table.
func (c Contents) Count(table string) int64 {
	n, _ := strconv.ParseInt(c[everything][table], 10, 64)
	return n
}

// version returns the version of the schema.
func (c Contents) version() int64 {
	n, _ := strconv.ParseInt(c[schema]["version"], 10, 64)
	return n
}

// others selects the schema's and the functions' part.
const others = `
	SELECT 'schema' AS part, 'version' AS name, max(version_id)::text AS value FROM goose_db_version WHERE is_applied
	UNION ALL SELECT 'schema', 'edition', obj_description('goose_db_version'::regclass)
	UNION ALL SELECT 'functions', oid::regprocedure::text, proowner::regrole::text FROM pg_proc
	WHERE pronamespace = 'public'::regnamespace AND prosecdef AND proowner IN ('dispo_operator'::regrole, 'dispo_keeper'::regrole)`

// tables selects the tables whose rows are counted, each with the column that says whose a row is.
const tables = `SELECT c.relname::text AS name, coalesce(t.own, '') AS own
	FROM pg_class c LEFT JOIN tenant_tables() t ON t.name = c.relname
	WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'restore_unfinished'
		AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`

// readContents reads the contents in a transaction that works as dispo_operator.
func readContents(ctx context.Context, tx pgx.Tx) (Contents, error) {
	c := Contents{}
	set := func(part, name, value string) {
		if c[part] == nil {
			c[part] = map[string]string{}
		}
		c[part][name] = value
	}
	found, err := rows[struct{ Part, Name, Value string }](ctx, tx, others)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		set(f.Part, f.Name, f.Value)
	}
	counted, err := rows[struct{ Name, Own string }](ctx, tx, tables)
	if err != nil {
		return nil, err
	}
	for _, table := range counted {
		own, sum := "NULL::uuid", "NULL"
		if table.Own != "" {
			own = table.Own
		}
		if table.Name == "transactions" {
			sum = "coalesce(sum(t.amount_dkk), 0)::text"
		}
		counts, err := rows[struct {
			Part, Rows string
			Sum        *string
		}](ctx, tx, `SELECT CASE WHEN GROUPING(t.own) = 1 THEN 'everything' ELSE coalesce('organization ' || o.slug, 'no organization') END AS part,
			count(*)::text AS rows, `+sum+` AS sum
			FROM (SELECT *, `+own+` AS own FROM `+pgx.Identifier{table.Name}.Sanitize()+`) t LEFT JOIN organizations o ON o.id = t.own
			GROUP BY GROUPING SETS ((t.own, o.slug), ())`)
		if err != nil {
			return nil, err
		}
		for _, n := range counts {
			set(n.Part, table.Name, n.Rows)
			if n.Sum != nil {
				set(n.Part, "sum", *n.Sum)
			}
		}
	}
	return c, nil
}

// querier is a connection or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, arguments ...any) (pgx.Rows, error)
}

// rows reads the rows of a query. Columns go to the fields of T by their names.
func rows[T any](ctx context.Context, from querier, sql string, arguments ...any) ([]T, error) {
	found, _ := from.Query(ctx, sql, arguments...) // an error comes with the rows
	return pgx.CollectRows(found, pgx.RowToStructByName[T])
}

// row reads the only row of a query.
func row[T any](ctx context.Context, from querier, sql string, arguments ...any) (T, error) {
	found, _ := from.Query(ctx, sql, arguments...)
	return pgx.CollectExactlyOneRow(found, pgx.RowToStructByName[T])
}

// differences returns an error that names the first differences from what is expected, if
// there are any.
func (c Contents) differences(expected Contents) error {
	var missing, found []string
	for _, part := range slices.Backward(slices.Sorted(maps.Keys(expected))) { // everything comes last
		if c[part] == nil {
			missing = append(missing, part+" is missing")
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(expected[part])) {
			if c[part][name] != expected[part][name] {
				found = append(found, fmt.Sprintf("%s: %s is %q instead of %q", part, name, c[part][name], expected[part][name]))
			}
		}
	}
	switch found = append(missing, found...); {
	case len(found) > 3:
		found = append(found[:3], fmt.Sprintf("and %d more differences", len(found)-3))
	case len(found) == 0 && len(c) == len(expected):
		return nil
	case len(found) == 0:
		found = []string{"it has more organizations"}
	}
	return fmt.Errorf("the backup does not have what its manifest lists: %s", strings.Join(found, ", "))
}

// Compare returns an error unless a database has what the manifest lists. It also collects PostgreSQL's statistics of the
// tables, which have to belong to the login of url.
func (m Manifest) Compare(ctx context.Context, url string) error {
	conn, err := connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return compare(ctx, tx, m.Contents) })
	if err == nil {
		_, err = conn.Exec(ctx, `ANALYZE`)
	}
	return err
}

// compare works as dispo_operator in a transaction, and returns an error unless the database has these contents.
func compare(ctx context.Context, tx pgx.Tx, expected Contents) error {
	if _, err := tx.Exec(ctx, `SET LOCAL ROLE dispo_operator`); err != nil {
		return err
	}
	found, err := readContents(ctx, tx)
	if err != nil {
		return fmt.Errorf("cannot compare the database with the manifest: %w", err)
	}
	return found.differences(expected)
}
