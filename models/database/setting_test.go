package database_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// No connection keeps an organization: each statement and each transaction, of Read, of
// Each and of GORM, sets it for itself alone, whether it succeeds, fails, or its caller
// gives up. Meanwhile the policies hold, also for SQL without a condition.
func TestNoConnectionKeepsAnOrganization(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000001", "10000002", "10000003")
	db := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: 1}, nil).DB()
	type count struct{ Count int64 }
	const all = `SELECT count(*) FROM companies`
	for name, run := range map[string]func(ctx context.Context, sql string) (int64, error){
		"Query": func(ctx context.Context, sql string) (int64, error) {
			rows, err := database.Query[count](ctx, db, sql)
			if err != nil {
				return 0, err
			}
			return rows[0].Count, nil
		},
		"Each": func(ctx context.Context, sql string) (found int64, err error) {
			err = database.ReadSnapshot(ctx, db, func(s database.Snapshot) error {
				return database.Each(s, db.GORM(ctx).Raw(sql), func(row *count) error {
					found = row.Count
					return nil
				})
			})
			return found, err
		},
		"GORM": func(ctx context.Context, sql string) (found int64, err error) {
			return found, db.GORM(ctx).Raw(sql).Scan(&found).Error
		},
		"GORM's Exec": func(ctx context.Context, sql string) (int64, error) {
			done := db.GORM(ctx).Exec(`SELECT generate_series(1, (` + sql + `))`)
			return done.RowsAffected, done.Error
		},
		"GORM's transaction": func(ctx context.Context, sql string) (found int64, err error) {
			err = db.GORM(ctx).Transaction(func(tx *gorm.DB) error {
				if err := tx.Exec(`SELECT 1`).Error; err != nil {
					return err
				}
				return tx.Raw(sql).Scan(&found).Error
			})
			return found, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			requireNone := func() {
				t.Helper()
				var kept string
				require.NoError(t,
					db.Pool.QueryRow(t.Context(), `SELECT coalesce(current_setting('dispo.organization_id', true), '')`).Scan(&kept))
				require.Empty(t, kept)
				found, err := run(t.Context(), all)
				require.NoError(t, err)
				require.Zero(t, found)
			}
			for organization, companies := range map[models.Organization]int64{a: 2, b: 3} {
				ctx := database.WithOrganization(t.Context(), organization.ID)
				for range 2 { // also with the statement prepared
					found, err := run(ctx, all)
					require.NoError(t, err)
					require.Equal(t, companies, found)
					requireNone()
					require.ErrorContains(t, modelstest.ErrorOf(run(ctx, all+` WHERE 1 / (random() * 0)::int = 1`)),
						"division by zero")
					requireNone()
				}
				short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
				require.Error(t, modelstest.ErrorOf(run(short, all+`, pg_sleep(60)`)))
				cancel()
				requireNone()
			}
		})
	}
}

// The operator may read a snapshot, such as an export, for as long as that takes. The service
// has 15 minutes, and keeps no snapshot without reading it.
func TestTheOperatorsSnapshotsHaveNoLimit(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	for role, expected := range map[database.Role]string{database.Operator: "0 0 false", database.Service: "60000 900000 true"} {
		db := modelstest.Open(t, url, role).DB()
		require.NoError(t, database.ReadSnapshot(t.Context(), db, func(s database.Snapshot) error {
			_, limited := s.Deadline()
			found, err := database.Rows[struct{ Settings string }](
				s,
				`SELECT string_agg(setting, ' ' ORDER BY name) AS settings FROM pg_settings WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout')`,
			)
			require.NoError(t, err)
			require.Equal(t, expected, fmt.Sprint(found[0].Settings, " ", limited))
			return nil
		}))
	}
}
