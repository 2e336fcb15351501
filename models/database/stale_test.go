package database_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// A migration that changes a column's type, or adds a column, while the service runs
// fails no query, although every connection has prepared it for the old columns.
func TestColumnsChangeWhileServing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001"), w.Organization(t, "b", "10000001")
	for name, read := range reads {
		t.Run(name, func(t *testing.T) {
			const connections = 3
			instance := modelstest.OpenConfig(t,
				database.Config{URL: w.URL, Role: database.Service, MaxConnections: connections}, modelstest.Secret)
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
			for _, change := range []string{`ALTER COLUMN name TYPE varchar(200)`, `ADD COLUMN added text`} { // still a string
				modelstest.ExecuteAt(t, w.URL, `ALTER TABLE companies `+change)
				readOnAll()
			}
			modelstest.ExecuteAt(t, w.URL, `ALTER TABLE companies ALTER COLUMN name TYPE text, DROP COLUMN added`)
			readOnAll()
		})
	}
}

// Nor does it fail a transaction, in whichever way its statements run, or a statement whose
// rows nobody reads.
func TestColumnsChangeBetweenTransactions(t *testing.T) {
	t.Parallel()
	const named, numbered = `SELECT name FROM companies WHERE cvr = ?`, `SELECT name FROM companies WHERE cvr = $1`
	w := modelstest.NewWorld(t)
	w.Organization(t, "a", "10000001")
	scan := func(row pgx.Row) error { return row.Scan(new(string)) }
	for name, run := range map[string]func(context.Context, *database.DB) error{
		"Write": func(ctx context.Context, db *database.DB) error {
			return db.Write(ctx, func(w *database.Writing) error {
				if err := scan(w.Conn.QueryRow(ctx, numbered, "10000001")); err != nil {
					return err
				}
				return w.ORM.Exec(named, "10000001").Error
			})
		},
		"InTransaction": func(ctx context.Context, db *database.DB) error {
			return pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
				conn := database.InTransaction(tx)
				if err := scan(conn.QueryRow(ctx, numbered, "10000001")); err != nil {
					return err
				}
				return modelstest.ErrorOf(conn.Exec(ctx, numbered, "10000001"))
			})
		},
		"ReadSnapshot": func(ctx context.Context, db *database.DB) error {
			return database.ReadSnapshot(ctx, db, func(s database.Snapshot) error {
				return modelstest.ErrorOf(database.Rows[struct{ Name string }](s, numbered, "10000001"))
			})
		},
		"GORM's Exec": func(ctx context.Context, db *database.DB) error { return db.GORM(ctx).Exec(named, "10000001").Error },
		"GORM's transaction": func(ctx context.Context, db *database.DB) error {
			return db.GORM(ctx).Transaction(func(tx *gorm.DB) error { return tx.Exec(named, "10000001").Error })
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Operator, MaxConnections: 1}, modelstest.Secret).
				DB()
			for _, kind := range []string{"varchar(300)", "varchar(200)", "text"} {
				require.NoError(t, run(t.Context(), db))
				modelstest.ExecuteAt(t, w.URL, `ALTER TABLE companies ALTER COLUMN name TYPE `+kind)
				require.NoError(t, run(database.WithOperator(t.Context()), db))
			}
		})
	}
}
