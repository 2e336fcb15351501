package models_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// The database itself keeps organizations apart. In the service's role, a query
// without a WHERE sees the rows of the organization that the connection is set to,
// and no rows if it is set to none.
func TestRowLevelSecurity(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000002", "10000003")
	w.Delivery(t, "10000001", 3)
	w.Delivery(t, "10000003", 5)
	w.Key(t, a)
	w.Key(t, b)

	conn := modelstest.Conn(t, w.URL)
	require.NoError(t, modelstest.ErrorOf(conn.Exec(t.Context(), "SET ROLE dispo_app")))
	rows := func(organization uuid.UUID, table string) (all, own int) {
		text := ""
		if organization != uuid.Nil {
			text = organization.String()
		}
		require.NoError(t, modelstest.ErrorOf(conn.Exec(t.Context(), "SELECT set_config('dispo.organization_id', $1, false)", text)))
		column := "organization_id"
		if table == "organizations" {
			column = "id"
		}
		err := conn.QueryRow(t.Context(), "SELECT count(*), count(*) FILTER (WHERE "+column+" = $1) FROM "+pgx.Identifier{table}.Sanitize(), organization).Scan(&all, &own)
		require.NoError(t, err)
		return all, own
	}
	for table, expected := range map[string]map[uuid.UUID]int{
		"organizations":  {a.ID: 1, b.ID: 1},
		"api_keys":       {a.ID: 1, b.ID: 1},
		"companies":      {a.ID: 2, b.ID: 2},
		"delivery_files": {a.ID: 1, b.ID: 1},
		"transactions":   {a.ID: 3, b.ID: 5},
	} {
		for organization, count := range expected {
			all, own := rows(organization, table)
			require.Equal(t, count, all, table)
			require.Equal(t, all, own, table)
		}
		all, _ := rows(uuid.Nil, table)
		require.Zero(t, all, table)
	}
}
