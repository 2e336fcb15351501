package ledger

import (
	"fmt"
	"strings"
)

// union names the columns that the queries of a UNION ALL have in common, each with what a
// query without it selects. PostgreSQL joins such queries by position: only here is an
// order written down.
type union []struct{ name, absent string }

// values are what a query of a union selects, by the union's columns.
type values map[string]string

// columns returns what a query of the union selects. It panics on a value for a column
// that the union lacks, or if a column has neither a value nor one for its absence.
func (u union) columns(v values) string {
	selected, used := make([]string, len(u)), 0
	for i, column := range u {
		value, found := v[column.name]
		if found {
			used++
		} else if value = column.absent; value == "" {
			panic(fmt.Sprintf("a query of a union has no value for %s", column.name))
		}
		selected[i] = value + " AS " + column.name
	}
	if used != len(v) {
		panic(fmt.Sprintf("a query of a union has other columns: %v", v))
	}
	return strings.Join(selected, ", ")
}
