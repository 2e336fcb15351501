package database_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A page is of one moment, also if an import commits between its figures and its items:
// whether or not the API's reads have connections of their own, and whatever isolation the
// database's URL asks for. All else is READ COMMITTED.
func TestPagesAreOfOneMoment(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]struct {
		isolation string
		most      int
	}{
		"own connections": {"", 8}, "own connections, URL": {"read committed", 8},
		"few connections": {"", 1}, "few connections, URL": {"serializable", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewWorld(t)
			a := w.Organization(t, "a", "10000001")
			w.Delivery(t, "10000001", 2)
			service := modelstest.OpenConfig(t, database.Config{
				URL:  modelstest.With(w.URL, "default_transaction_isolation", config.isolation),
				Role: database.Service, MaxConnections: config.most, Serving: true,
			}, modelstest.Secret)
			read := func() (page ledger.Page[models.Transaction]) {
				page, err := ledger.AllTransactions(t.Context(), service.Tenant(a.ID), nil, ledger.Cursor{Limit: 10})
				require.NoError(t, err)
				return page
			}
			before := read()
			release := modelstest.HoldImports(t, w.URL)
			imported := modelstest.Begin(func() imports.DeliveryResult { return w.Delivery(t, "10000001", 3) })
			modelstest.EventuallyBlocked(t, w.URL, 1)
			during := modelstest.Begin(read)
			modelstest.EventuallyBlocked(t, w.URL, 2)
			release()
			modelstest.Receive(t, imported)
			after := read()
			require.EqualValues(t, 5, after.Total)
			// A new connection prepares the statements first, and then waits before the page's moment.
			require.Contains(t, []ledger.Page[models.Transaction]{before, after}, modelstest.Receive(t, during))

			var isolation string
			require.NoError(t, service.DB().GORM(t.Context()).Raw(`SHOW transaction_isolation`).Scan(&isolation).Error)
			require.Equal(t, "read committed", isolation)
		})
	}
}

// A message that fails leaves its connection usable, and with no transaction.
func TestFailedReadsLeaveTheirConnection(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	service := modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: 1},
		modelstest.Secret)
	ctx := database.WithOrganization(t.Context(), a.ID)
	broken := database.NewStatement[struct{ Count int64 }](func(tx *gorm.DB) *gorm.DB {
		return tx.Model(&models.Company{}).Select("count(*) / 0 AS count")
	})
	require.ErrorContains(t, modelstest.ErrorOf(database.Read(ctx, service.DB(), broken, nil)), "division by zero")
	require.NoError(t, modelstest.ErrorOf(ledger.Company(t.Context(), service.Tenant(a.ID), "10000001")))
	require.EqualValues(t, 1, service.DB().Pool.Stat().NewConnsCount())
}

// A statement that is composed once holds no organization: composed for one and run for
// another, past the policies, it returns the other's rows alone. Without one it does not run.
func TestStatementsHoldNoOrganization(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001"), w.Organization(t, "b", "10000001", "10000002")
	db := w.Operator.DB()
	companies := database.NewStatement[models.Company](func(tx *gorm.DB) *gorm.DB {
		others := tx.Model(&models.Company{}).Select("cvr")
		return tx.Model(&models.Company{}).Where("companies.cvr IN (?) OR companies.cvr = @cvr", others)
	})
	cvr := database.Arguments{"cvr": "10000001"}
	for _, organization := range []models.Organization{a, b} {
		found, err := database.Read(
			database.WithOrganization(t.Context(), organization.ID), db, companies, cvr)
		require.NoError(t, err)
		require.Len(t, found, map[uuid.UUID]int{a.ID: 1, b.ID: 2}[organization.ID])
		for _, company := range found {
			require.Equal(t, organization.ID, company.OrganizationID)
		}
	}
	for _, ctx := range []context.Context{t.Context(), database.WithOperator(t.Context())} {
		require.ErrorIs(t, modelstest.ErrorOf(database.Read(ctx, db, companies, cvr)), database.ErrNoTenant)
	}
	composedWith := database.NewStatement[models.Company](func(tx *gorm.DB) *gorm.DB {
		return tx.Model(&models.Company{}).Where("companies.cvr = ?", "10000001")
	})
	err := modelstest.ErrorOf(database.Read(database.WithOrganization(t.Context(), a.ID), db, composedWith, nil))
	require.ErrorContains(t, err, "has values")
	misspelt := database.Arguments{"cv": "10000001"}
	err = modelstest.ErrorOf(database.Read(database.WithOrganization(t.Context(), a.ID), db, companies, misspelt))
	require.ErrorContains(t, err, "lacks its argument @cvr")
}

// The statements of one message share the time that is left of their deadline: the server ends the
// second in time, and the connection stays.
func TestStatementsShareTheirTime(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	service := modelstest.OpenConfig(t, database.Config{
		URL: modelstest.With(w.URL, "statement_timeout", ""), Role: database.Service, MaxConnections: 1,
	}, modelstest.Secret)
	sleep := func(seconds string) *database.Statement[struct{ Slept string }] {
		return database.NewStatement[struct{ Slept string }](func(tx *gorm.DB) *gorm.DB {
			return tx.Model(&models.Company{}).Select("pg_sleep(" + seconds + ")::text AS slept")
		})
	}
	ctx, cancel := context.WithTimeout(database.WithOrganization(t.Context(), a.ID), 4*time.Second)
	defer cancel()
	_, _, err := database.ReadBoth(ctx, service.DB(), sleep("2"), sleep("600"), nil)
	require.True(t, database.CutOff(err), err)
	require.EqualValues(t, 1, service.DB().Pool.Stat().NewConnsCount())
}
