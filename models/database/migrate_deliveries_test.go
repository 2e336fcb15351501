package database_test

import (
	"os"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// Files that were stored before deliveries were known become deliveries: one for all
// organizations that have the same bytes, with totals, sums and dates. Nothing is lost,
// also if the migrating role is a plain owner, whom the policies hold for. Identical
// bytes still change nothing, and a copy in another form is refused.
func TestMigrateStoredFiles(t *testing.T) {
	t.Parallel()
	urlFor := modelstest.Server(t)
	admin := modelstest.Conn(t, urlFor("postgres"))
	modelstest.Execute(t, admin, `CREATE ROLE owner LOGIN NOSUPERUSER CREATEROLE`)
	modelstest.Execute(t, admin, `CREATE DATABASE one OWNER owner`)
	owner := modelstest.As(t, urlFor("one"), "owner")
	db, err := migrations.Connect(owner)
	require.NoError(t, err)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("../../migrations"), goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), 10)
	require.NoError(t, err)

	text := modelstest.DeliveryHeader + modelstest.Record("10000001") + modelstest.Record("10000002")
	conn := modelstest.Conn(t, urlFor("one"))
	modelstest.Execute(t, conn, `INSERT INTO organizations (id, slug, name, last_id) VALUES ('00000000-0000-7000-8000-00000000000a', 'a', 'A', '01900000-0000-7000-8000-0000000000ff'), ('00000000-0000-7000-8000-00000000000b', 'b', 'B', '01900000-0000-7000-8000-0000000000ff')`)
	modelstest.Execute(t, conn, `INSERT INTO companies (organization_id, id, cvr, name) SELECT id, gen_random_uuid(), '10000001', 'x' FROM organizations`)
	modelstest.Execute(t, conn, `INSERT INTO companies (organization_id, id, cvr, name) SELECT id, gen_random_uuid(), '10000002', 'x' FROM organizations WHERE slug = 'b'`)
	modelstest.Execute(t, conn, `INSERT INTO delivery_files (organization_id, id, filename, layout, sha256) SELECT id, '01900000-0000-7000-8000-000000000001', 'old.csv', 'csv', sha256($1::text::bytea) FROM organizations`, text)
	modelstest.Execute(t, conn, `INSERT INTO delivery_files (organization_id, id, filename, layout, sha256) SELECT id, '01900000-0000-7000-8000-000000000011', 'empty.csv', 'csv', sha256('') FROM organizations WHERE slug = 'a'`)
	modelstest.Execute(t, conn, `INSERT INTO transactions SELECT c.organization_id, ('01900000-0000-7000-8000-00000000000' || right(cvr, 1)::int + 1)::uuid, '01900000-0000-7000-8000-000000000001',
		right(cvr, 1)::int, 3, '2026-01-31', cvr, '1234', '0012345678', 'CARD', 1234.50, 'x' FROM companies c`)

	modelstest.Execute(t, conn, `INSERT INTO audit_log (organization_id, id, user_email, action, subject, address)
		SELECT id, gen_random_uuid(), '', 'delivery.withdraw', 'gone: 2.csv: 1 transaction of -1234.50 kr. Reason: wrong: twice', '' FROM organizations WHERE slug = 'a'`)

	_, err = migrations.Up(t.Context(), owner)
	require.NoError(t, err)
	modelstest.RequireTotals(t, urlFor("one"))
	require.Equal(t, []string{"(a,\"gone: 2.csv\",1,-1234.50,\"wrong: twice\")"}, modelstest.Column[string](t, conn, `SELECT (o.slug, filename, record_count, total_amount_dkk, reason)::text
		FROM withdrawn_files JOIN organizations o ON o.id = organization_id`), "what was withdrawn before is known from the audit log")
	w := &modelstest.World{URL: urlFor("one"), Service: modelstest.Open(t, owner, database.Service), Operator: modelstest.Open(t, owner, database.Operator)}
	deliveries, err := w.Operator.Deliveries(t.Context())
	require.NoError(t, err)
	require.Len(t, deliveries, 2)
	var old models.DeliverySummary
	for _, d := range deliveries {
		if d.Filename == "old.csv" {
			old = d
		}
	}
	require.Equal(t, []any{int64(2), "2469.00", int64(2), "2026-01-31"}, []any{old.RecordCount, old.TotalAmountDKK, old.Organizations, old.LastDate.Format("2006-01-02")})

	done, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.File(t, "again.csv", text)})
	require.NoError(t, err)
	require.True(t, done.Already)
	_, err = w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.File(t, "again.csv", "\ufeff"+text)})
	modelstest.RequireKind(t, models.KindConflict, err)
	require.ErrorContains(t, err, "again.csv repeats 2 stored records (lines 2, 3), of old.csv")

	withdrawn, err := imports.Withdraw(t.Context(), w.Operator.DB(), old.ID, "test", nil)
	require.NoError(t, err)
	require.Len(t, withdrawn.Shares, 2)
	require.Zero(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM transactions`))
	modelstest.RequireTotals(t, urlFor("one"))
}
