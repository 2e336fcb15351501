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
	Program    string    `json:"program"`    // the version of dispo
	PostgreSQL int       `json:"postgresql"` // the major version of pg_dump
	At         time.Time `json:"at"`         // of the snapshot
	SHA256     string    `json:"sha256"`     // of the dump
	Contents   Contents  `json:"contents"`
}

// Contents are what is compared after a restore: the rows of each table and the sum of the
// transactions, of everything and of each organization; the version of the schema; and the
// functions that work as another role than their caller's, with that role.
type Contents map[string]map[string]string

// The keys of Contents. An organization's is "organization " and its slug.
const (
	Everything = "everything"
	functions  = "functions"
	schema     = "schema"
)

// Count returns the number of rows of a table.
func (c Contents) Count(table string) int64 {
	n, _ := strconv.ParseInt(c[Everything][table], 10, 64)
	return n
}

// tables are those to count, and whose a row is.
const tables = `SELECT c.relname::text, coalesce(t.own, 'NULL::uuid'), '' FROM pg_class c LEFT JOIN tenant_tables() t ON t.name = c.relname
	WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'restore_unfinished'
		AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`

// counted counts a table of organizations' rows.
const counted = `SELECT CASE WHEN GROUPING(t.own) = 1 THEN 'everything' ELSE coalesce('organization ' || o.slug, 'no organization') END, count(*)::text, %s
	FROM (SELECT *, %s AS own FROM %s) t LEFT JOIN organizations o ON o.id = t.own GROUP BY GROUPING SETS ((t.own, o.slug), ())`

// read reads the contents in a transaction that works as dispo_operator.
func read(ctx context.Context, tx pgx.Tx) (Contents, error) {
	c, queries := Contents{}, map[string]string{}
	each := func(query string, f func(a, b, more string)) error {
		var a, b, more string
		rows, err := tx.Query(ctx, query)
		if err == nil {
			_, err = pgx.ForEachRow(rows, []any{&a, &b, &more}, func() error { f(a, b, more); return nil })
		}
		return err
	}
	set := func(of, name, value string) {
		if c[of] == nil {
			c[of] = map[string]string{}
		}
		c[of][name] = value
	}
	err := each(`SELECT max(version_id)::text, obj_description('goose_db_version'::regclass), '' FROM goose_db_version WHERE is_applied`, func(version, edition, _ string) {
		set(schema, "version", version)
		set(schema, "edition", edition)
	})
	if err == nil {
		err = each(`SELECT oid::regprocedure::text, proowner::regrole::text, '' FROM pg_proc
			WHERE pronamespace = 'public'::regnamespace AND prosecdef AND proowner IN ('dispo_operator'::regrole, 'dispo_keeper'::regrole)`,
			func(function, owner, _ string) { set(functions, function, owner) })
	}
	if err == nil {
		err = each(tables, func(table, own, _ string) {
			sum := "''"
			if table == "transactions" {
				sum = "coalesce(sum(t.amount_dkk), 0)::text"
			}
			queries[table] = fmt.Sprintf(counted, sum, own, pgx.Identifier{table}.Sanitize())
		})
	}
	for table, query := range queries {
		if err == nil {
			err = each(query, func(of, count, sum string) {
				set(of, table, count)
				if sum != "" {
					set(of, "sum", sum)
				}
			})
		}
	}
	return c, err
}

// differences returns an error that names the first differences from what is expected, if
// there are any.
func (c Contents) differences(expected Contents) error {
	var found []string
	for _, of := range slices.Backward(slices.Sorted(maps.Keys(expected))) { // everything is last
		if c[of] == nil {
			found = slices.Insert(found, 0, of+" is missing")
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(expected[of])) {
			if c[of][name] != expected[of][name] {
				found = append(found, fmt.Sprintf("%s: %s is %q instead of %q", of, name, c[of][name], expected[of][name]))
			}
		}
	}
	switch {
	case len(found) > 3:
		found = append(found[:3], fmt.Sprintf("and %d more differences", len(found)-3))
	case len(found) == 0 && len(c) == len(expected):
		return nil
	case len(found) == 0:
		found = []string{"it has more organizations"}
	}
	return fmt.Errorf("the backup does not have what its manifest lists: %s", strings.Join(found, ", "))
}
