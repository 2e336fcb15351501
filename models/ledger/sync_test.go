package ledger_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// An import continues from the organization's highest id ever, even if that came from
// a machine whose clock was a year ahead, and stores its own highest id for the next
// import.
func TestImportsContinueFromTheHighestID(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	ahead := uuid.MustParse("f0000000-0000-7000-8000-000000000000")
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = $1`, ahead)

	last := ahead
	w.Companies(t, a, "10000001")
	for round := range 3 {
		w.Companies(t, a, fmt.Sprintf("2000000%d", round))
		w.Delivery(t, "10000001", 3)
		page, err := ledger.Transactions(t.Context(), w.Service.Tenant(a.ID), "10000001", ledger.Cursor{Limit: 100, After: &last})
		require.NoError(t, err)
		require.Len(t, page.Items, 3)
		require.Positive(t, bytes.Compare(page.Items[0].DeliveryFileID[:], last[:]))
		require.Positive(t, bytes.Compare(page.Items[0].ID[:], page.Items[0].DeliveryFileID[:]))
		last = modelstest.Value[uuid.UUID](t, conn, `SELECT change_id FROM delivery_files ORDER BY id DESC LIMIT 1`)
		require.Positive(t, bytes.Compare(last[:], page.Items[2].ID[:]))
		require.Equal(t, last, modelstest.Value[uuid.UUID](t, conn, `SELECT last_id FROM organizations`))
	}
	for _, company := range modelstest.Companies(t, w.Service, a) {
		require.Positive(t, bytes.Compare(company.ID[:], ahead[:]))
	}
}
