package database_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// A migration that changes a column's type, or adds a column, while the service runs
// fails no query, although every connection has prepared it for the old columns.
func TestColumnsChangeWhileServing(t *testing.T) {
	t.Parallel()
	for name, read := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const connections = 3
			w := modelstest.NewWorld(t)
			a, b := w.Organization(t, "a", "10000001"), w.Organization(t, "b", "10000001")
			w.Key(t, a)
			modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET lookup_id = 'lookup000000'`)
			instance := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: connections}, modelstest.Secret)
			// Reads on every connection, whether or not it last worked for the organization.
			readOnAll := func() {
				for range connections {
					for _, organization := range []models.Organization{a, a, b, b, a} {
						require.NoError(t, read(t.Context(), instance.Tenant(organization.ID)))
					}
					conn, err := instance.DB().Pool.Acquire(t.Context()) // so that the next reads take another
					require.NoError(t, err)
					defer conn.Release()
				}
			}
			readOnAll()
			for _, table := range []string{"companies", "api_keys"} {
				modelstest.ExecuteAt(t, w.URL, `ALTER TABLE `+table+` ALTER COLUMN name TYPE varchar(200)`) // still a string
				readOnAll()
				modelstest.ExecuteAt(t, w.URL, `ALTER TABLE `+table+` ADD COLUMN added text`)
				readOnAll()
			}
		})
	}
}
