package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// The exit status of health shows whether a service is running and healthy.
func TestHealth(t *testing.T) {
	t.Parallel()
	s := on(modelstest.Database(t)).serve(t)
	address := strings.TrimPrefix(s.url, "http://")
	r := plain().run(t, "health", "--listen", address)
	require.Equal(t, "ok", r.requireDone(t))
	require.Empty(t, r.err)
	_, port, _ := strings.Cut(address, ":")
	for _, everywhere := range []string{":" + port, "0.0.0.0:" + port, "[::]:" + port} {
		plain().with("DISPO_LISTEN="+everywhere).run(t, "health").requireDone(t)
	}

	require.Zero(t, s.end(t, terminate))
	plain().run(t, "health", "--listen", address).requireRefused(t, 1, address, "does not answer", "refused")
	plain().run(t, "health", "--listen", "x").requireRefused(t, 2, "--listen", "127.0.0.1:8080")
}
