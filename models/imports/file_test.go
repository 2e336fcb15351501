package imports_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// A path that is not a file is refused in one sentence that names it.
func TestImportOfNoFile(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	directory := t.TempDir()
	missing := filepath.Join(directory, "missing.csv")
	for path, sentence := range map[string]string{
		directory:                   directory + " is a directory: name a file",
		missing:                     "there is no file " + missing,
		filepath.Join(missing, "x"): "there is no file " + filepath.Join(missing, "x"),
	} {
		_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path})
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Equal(t, sentence, err.Error())
		_, err = w.ImportCompanies(t.Context(), a, path)
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Equal(t, sentence, err.Error())
	}
}
