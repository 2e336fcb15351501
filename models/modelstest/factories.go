package modelstest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

// World is a database with the service's store and the operator's on it.
type World struct {
	URL      string
	Service  *models.Store
	Operator *models.Store
}

// NewWorld makes a database and both stores. As the test ends, the totals that the
// database keeps must be what they count.
func NewWorld(t testing.TB) *World {
	t.Helper()
	url := Database(t)
	t.Cleanup(func() { RequireTotals(t, url) })
	return &World{URL: url, Service: Open(t, url, models.Service), Operator: Open(t, url, models.Operator)}
}

var numbers atomic.Int64

// Organization makes an organization.
func (w *World) Organization(t testing.TB, slug string) models.Organization {
	t.Helper()
	organization, err := w.Operator.OrganizationCreate(t.Context(), "Organization "+slug, slug)
	require.NoError(t, err)
	return organization
}

// Companies imports companies with these CVRs into the organization.
func (w *World) Companies(t testing.TB, organization models.Organization, cvrs ...string) {
	t.Helper()
	var text strings.Builder
	text.WriteString("cvr,name\n")
	for _, cvr := range cvrs {
		fmt.Fprintf(&text, "%s,Company %s\n", cvr, cvr)
	}
	_, err := w.Operator.ImportCompanies(t.Context(), organization, File(t, "companies.csv", text.String()), nil)
	require.NoError(t, err)
}

// Delivery imports a csv delivery with so many records of the company, which
// differs from every other one.
func (w *World) Delivery(t testing.TB, cvr string, records int) models.DeliveryImported {
	t.Helper()
	done, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: File(t, "delivery.csv", DeliveryCSV(cvr, records))})
	require.NoError(t, err)
	return done
}

// DeliveryCSV is the text of such a delivery.
func DeliveryCSV(cvr string, records int) string {
	number := numbers.Add(1)
	var text strings.Builder
	text.WriteString("cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n")
	for i := range records {
		fmt.Fprintf(&text, "%s,1234,%010d,CARD,2026-01-31,%d,%d.%02d\n", cvr, number, i+1, i, i%100)
	}
	return text.String()
}

// File writes a file in a folder of the test's own, and gives its path.
func File(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
