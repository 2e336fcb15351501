package main_test

import (
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// The service goes on when nobody reads its access log any more, and counts the lines.
func TestAccessLogWithoutReader(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, read.Close())
	p := newWorld(t).with("DISPO_LISTEN=127.0.0.1:0", "DISPO_ACCESS_LOG=on", "DISPO_METRICS_LISTEN=127.0.0.1:0").
		prepare("serve")
	p.cmd.Stdout = write
	s := started(t, p.begin(t))
	require.NoError(t, write.Close())
	modelstest.Eventually(t, func() bool {
		require.Equal(t, http.StatusOK, s.get(t, "/api/health", "").status)
		return regexp.MustCompile(`(?m)^dispo_access_log_dropped_lines_total [1-9]`).MatchString(s.exposition(t))
	})
}
