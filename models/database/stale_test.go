package database_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A migration that changes a column's type, or adds a column, while the service runs
// fails no query, although every connection has prepared it for the old columns.
func TestColumnsChangeWhileServing(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(context.Context, *modelstest.Instance, models.Tenant) error{
		"Read": func(ctx context.Context, _ *modelstest.Instance, tenant models.Tenant) error {
			_, err := ledger.Companies(ctx, tenant, ledger.Cursor{Limit: 1})
			return err
		},
		"Read of one": func(ctx context.Context, _ *modelstest.Instance, tenant models.Tenant) error {
			_, err := ledger.Company(ctx, tenant, "10000001")
			return err
		},
		"GORM": func(ctx context.Context, _ *modelstest.Instance, tenant models.Tenant) error {
			var companies []models.Company
			return tenant.DB(ctx).Find(&companies).Error
		},
		"GORM's transaction": func(ctx context.Context, _ *modelstest.Instance, tenant models.Tenant) error {
			return tenant.Change(ctx, func(tx *gorm.DB) error {
				var companies []models.Company
				return tx.Find(&companies).Error
			})
		},
	} {
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
						require.NoError(t, read(t.Context(), instance, instance.Tenant(organization.ID)))
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
