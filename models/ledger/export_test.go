package ledger_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// An export sees one moment: nothing of an import that is stored while it reads. It is in
// the ledger's order, and has the rows of its organization alone.
func TestExportSeesOneMoment(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "20000001")
	w.Organization(t, "b", "20000001", "20000002")
	w.Delivery(t, "20000001", 5000)
	w.Delivery(t, "20000002", 3)
	tenant := w.Service.Tenant(a.ID)
	var seen []ledger.Item
	require.NoError(t, ledger.EachTransaction(t.Context(), tenant, ledger.TransactionFilter{}, func(x *ledger.Item) error {
		if len(seen) == 0 {
			w.Delivery(t, "20000001", 100)
			w.Companies(t, a, "20000009")
		}
		require.Equal(t, a.ID, x.OrganizationID)
		require.Equal(t, "Company 20000001", x.CompanyName)
		seen = append(seen, *x)
		return nil
	}))
	require.Len(t, seen, 5000)
	for i := range seen[1:] {
		require.Positive(t, seen[i].Position().Compare(seen[i+1].Position()))
	}
	companies := 0
	require.NoError(t, ledger.EachCompany(t.Context(), tenant, ledger.CompanySearch{}, func(*models.Company) error { companies++; return nil }))
	require.Equal(t, 2, companies)
}

// An export stops at an error of its writer, and its connection goes back.
func TestExportStops(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "20000001")
	w.Delivery(t, "20000001", 5000)
	full := errors.New("the disk is full")
	rows := 0
	err := ledger.EachTransaction(t.Context(), w.Service.Tenant(a.ID), ledger.TransactionFilter{}, func(*ledger.Item) error {
		rows++
		return full
	})
	require.ErrorIs(t, err, full)
	require.Equal(t, 1, rows)
	modelstest.Eventually(t, func() bool { return w.Service.DB().Connections().Busy == 0 })
}
