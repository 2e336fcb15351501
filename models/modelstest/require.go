package modelstest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
)

// Patience is how long a test waits for something that should come at once.
const Patience = 10 * time.Second

// RequireKind requires an error of that kind.
func RequireKind(t testing.TB, kind models.Kind, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, models.ErrorKind(err), err.Error())
}

// BadFile requires that an import was refused for bad lines, and returns them.
func BadFile(t testing.TB, err error) *imports.BadFile {
	t.Helper()
	var bad *imports.BadFile
	require.ErrorAs(t, err, &bad)
	return bad
}
