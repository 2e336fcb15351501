package imports_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

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

func TestMain(m *testing.M) {
	if text := os.Getenv(importVariable); text != "" {
		os.Exit(runChildImport(text))
	}
	os.Exit(modelstest.Main(m))
}
