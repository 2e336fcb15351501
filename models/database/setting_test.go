package database_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// After a read that failed, a connection does not go on working for the
// organization of the read before it.
func TestFailedReadLeavesNoOrganization(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	db := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: 1}, nil).DB()
	read := func(organization uuid.UUID, column string) error {
		ctx := database.WithOrganization(t.Context(), organization)
		_, err := database.Read[struct{ One int }](ctx, db, db.Compose(ctx).Table("organizations").Clauses(database.Columns(column)))
		return err
	}
	require.NoError(t, read(a.ID, "1"))
	require.Error(t, read(b.ID, "1 / (random() * 0)::int"))
	var organization *uuid.UUID
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT current_organization()`).Scan(&organization))
	require.Nil(t, organization)
}

// A query composed once that the scope does not reach is refused, because it would
// serve every organization with the same rows.
func TestComposedQueriesAreScoped(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	ctx := database.WithOrganization(t.Context(), a.ID)
	unscoped := database.ComposeOnce[struct{ ID uuid.UUID }](func(db *gorm.DB) *gorm.DB {
		return db.Model(&models.Organization{}).Clauses(database.Columns("id"))
	})
	for range 2 {
		_, err := unscoped.Read(ctx, w.Service.DB())
		require.ErrorIs(t, err, database.ErrNoTenant)
	}
	scoped := database.ComposeOnce[struct{ ID uuid.UUID }](func(db *gorm.DB) *gorm.DB {
		return db.Model(&models.Company{}).Clauses(database.Columns("id")).Where("cvr = ?", database.Parameter(0))
	})
	_, err := scoped.Read(t.Context(), w.Service.DB(), "10000001")
	require.ErrorIs(t, err, database.ErrNoTenant)
	w.Companies(t, a, "10000001")
	found, err := scoped.Read(ctx, w.Service.DB(), "10000001")
	require.NoError(t, err)
	require.Len(t, found, 1)
}
