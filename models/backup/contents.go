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

// uncounted selects the schema's and the functions' part.
const uncounted = `
	SELECT 'schema' AS part, 'version' AS name, max(version_id)::text AS value FROM goose_db_version WHERE is_applied
	UNION ALL SELECT 'schema', 'edition', obj_description('goose_db_version'::regclass)
	UNION ALL SELECT 'functions', oid::regprocedure::text, proowner::regrole::text FROM pg_proc
	WHERE pronamespace = 'public'::regnamespace AND prosecdef AND proowner IN ('dispo_operator'::regrole, 'dispo_keeper'::regrole)`

// counts selects, for each table, a query that counts its rows.
const counts = `SELECT format($$
	SELECT part, name, value FROM (
		SELECT CASE WHEN GROUPING(t.own) = 1 THEN 'everything' ELSE coalesce('organization ' || o.slug, 'no organization') END AS part, count(*) AS rows, %s AS sum
		FROM (SELECT *, %s AS own FROM %I) t LEFT JOIN organizations o ON o.id = t.own GROUP BY GROUPING SETS ((t.own, o.slug), ())
	) c, LATERAL (VALUES (%L, c.rows::text), ('sum', c.sum::text)) v (name, value) WHERE value IS NOT NULL $$,
	CASE c.relname WHEN 'transactions' THEN 'coalesce(sum(t.amount_dkk), 0)' ELSE 'NULL' END, coalesce(quote_ident(t.own), 'NULL::uuid'), c.relname, c.relname)
	FROM pg_class c LEFT JOIN tenant_tables() t ON t.name = c.relname
	WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'restore_unfinished'
		AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`

// read reads the contents in a transaction that works as dispo_operator.
func read(ctx context.Context, tx pgx.Tx) (Contents, error) {
	rows, _ := tx.Query(ctx, counts) // an error comes with the rows
	queries, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	c := Contents{}
	for _, query := range append(queries, uncounted) {
		rows, _ := tx.Query(ctx, query)
		found, err := pgx.CollectRows(rows, pgx.RowToStructByName[struct{ Part, Name, Value string }])
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if c[f.Part] == nil {
				c[f.Part] = map[string]string{}
			}
			c[f.Part][f.Name] = f.Value
		}
	}
	return c, nil
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
