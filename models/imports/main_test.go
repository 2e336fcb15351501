package imports_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// requireResult requires what an import reports, besides ids.
func requireResult(t *testing.T, expected, done imports.DeliveryResult) {
	t.Helper()
	require.Equal(t, expected.Organizations, len(done.Shares))
	done.ID, done.Shares = expected.ID, expected.Shares
	require.Equal(t, expected, done)
}

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

// newWorld returns a world with an organization that has these companies.
func newWorld(t testing.TB, cvrs ...string) (*modelstest.World, models.Organization) {
	t.Helper()
	w := modelstest.NewWorld(t)
	return w, w.Organization(t, "a", cvrs...)
}

func importCompanies(
	t testing.TB, w *modelstest.World, organization models.Organization, text string,
) (imports.CompaniesResult, error) {
	t.Helper()
	return w.ImportCompanies(t.Context(), organization, modelstest.File(t, "companies.csv", text))
}

// loadCompanies imports companies, which must be good.
func loadCompanies(
	t testing.TB, w *modelstest.World, organization models.Organization, text string,
) imports.CompaniesResult {
	t.Helper()
	done, err := importCompanies(t, w, organization, text)
	require.NoError(t, err)
	return done
}
