package models_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// patience is how long a test waits for what should come at once.
const patience = 10 * time.Second

// after is a channel that speaks up when patience is at its end.
func after(t *testing.T) <-chan time.Time {
	t.Helper()
	timer := time.NewTimer(patience)
	t.Cleanup(func() { timer.Stop() })
	return timer.C
}

// A path that is no file is refused in one sentence that names it.
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
		_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
		requireKind(t, models.KindInvalid, err)
		require.Equal(t, sentence, err.Error())
		_, err = w.Operator.ImportCompanies(t.Context(), a, path, nil)
		requireKind(t, models.KindInvalid, err)
		require.Equal(t, sentence, err.Error())
	}
}
