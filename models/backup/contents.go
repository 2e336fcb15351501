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
	Contents
}

// Contents are what is compared after a restore.
type Contents struct {
	Schema        int64                   `json:"schema"`
	Edition       string                  `json:"edition"` // of the schema
	Rows          map[string]int64        `json:"rows"`    // of each table
	Organizations map[string]Organization `json:"organizations"`
	Functions     map[string]string       `json:"functions"` // that work as another role than their caller's, and that role
}

// Organization is what an organization has. It is listed by its id.
type Organization struct {
	Slug      string           `json:"slug"`
	Rows      map[string]int64 `json:"rows"`      // of each table that has some
	AmountDKK string           `json:"amountDkk"` // of its transactions
}

// tables are those to count, and which column says whose a row is.
const tables = `SELECT c.relname::text, coalesce(t.own, 'NULL::uuid') FROM pg_class c LEFT JOIN tenant_tables() t ON t.name = c.relname
	WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'restore_unfinished'
		AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') ORDER BY 1`

// read counts everything as dispo_operator, in a transaction that works as that role.
func read(ctx context.Context, tx pgx.Tx) (Contents, error) {
	c := Contents{Rows: map[string]int64{}, Organizations: map[string]Organization{}, Functions: map[string]string{}}
	err := tx.QueryRow(ctx, `SELECT max(version_id), obj_description('goose_db_version'::regclass) FROM goose_db_version WHERE is_applied`).Scan(&c.Schema, &c.Edition)
	if err != nil {
		return c, err
	}
	var name, other string
	each := func(f func(), query string, fields ...any) error {
		rows, err := tx.Query(ctx, query)
		if err == nil {
			_, err = pgx.ForEachRow(rows, fields, func() error { f(); return nil })
		}
		return err
	}
	queries := map[string]string{}
	if err := each(func() {
		amount, slug := "''", "''"
		switch name {
		case "transactions":
			amount = "sum(amount_dkk)::text"
		case "organizations":
			slug = "min(slug)"
		}
		c.Rows[name] = 0
		queries[name] = fmt.Sprintf(`SELECT coalesce(%s::text, ''), count(*), %s, %s FROM %s GROUP BY %[1]s`, other, amount, slug, pgx.Identifier{name}.Sanitize())
	}, tables, &name, &other); err != nil {
		return c, err
	}
	var id, amount, slug string
	var count int64
	for table, query := range queries {
		if err := each(func() {
			c.Rows[table] += count
			if id == "" {
				return
			}
			o := c.Organizations[id]
			if o.Rows == nil {
				o.Rows = map[string]int64{}
			}
			o.Rows[table], o.AmountDKK, o.Slug = count, o.AmountDKK+amount, o.Slug+slug
			c.Organizations[id] = o
		}, query, &id, &count, &amount, &slug); err != nil {
			return c, err
		}
	}
	return c, each(func() { c.Functions[name] = other }, `SELECT oid::regprocedure::text, proowner::regrole::text FROM pg_proc
		WHERE pronamespace = 'public'::regnamespace AND prosecdef AND proowner IN ('dispo_operator'::regrole, 'dispo_keeper'::regrole)`, &name, &other)
}

const there = "there"

// facts returns the contents as names and values.
func (c Contents) facts() map[string]string {
	facts := map[string]string{"schema": strconv.FormatInt(c.Schema, 10), "edition": c.Edition}
	for table, n := range c.Rows {
		facts["table "+table] = strconv.FormatInt(n, 10)
	}
	for _, o := range c.Organizations {
		name := "organization " + o.Slug
		facts[name] = there
		facts[name+": sum"] = o.AmountDKK
		for table, n := range o.Rows {
			facts[name+": "+table] = strconv.FormatInt(n, 10)
		}
	}
	for name, owner := range c.Functions {
		facts["function "+name] = owner
	}
	return facts
}

// differences returns an error that names the first differences from what is expected, if
// there are any.
func (c Contents) differences(expected Contents) error {
	have, want := c.facts(), expected.facts()
	all := maps.Clone(have)
	maps.Copy(all, want)
	var found []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		got, known := have[name]
		if !known {
			got = "missing"
		}
		wanted, known := want[name]
		if !known {
			wanted = "nothing"
		}
		switch {
		case wanted == there && got != there:
			found = append(found, name+" is missing")
		case got != wanted:
			found = append(found, fmt.Sprintf("%s is %s instead of %s", name, got, wanted))
		}
	}
	if len(found) == 0 {
		return nil
	}
	more := ""
	if len(found) > 3 {
		more = fmt.Sprintf(", and %d more differences", len(found)-3)
	}
	return fmt.Errorf("the backup does not have what its manifest lists: %s%s", strings.Join(found[:min(3, len(found))], ", "), more)
}
