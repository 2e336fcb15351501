package main_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// Clients that take all descriptors keep others waiting, but do not end the service. It
// says at its start that it has few.
func TestServiceOutlivesLackOfDescriptors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.with("DISPO_LISTEN=127.0.0.1:0").prepare("serve")
	p.cmd.Path, p.cmd.Args = "/bin/sh", []string{"sh", "-c", `ulimit -n 64 && exec "$0" serve`, binary}
	s := started(t, p.begin(t))
	require.Contains(t, s.err.String(), "the limit of open files is low")
	require.Equal(t, http.StatusOK, s.get(t, "/api/health", "").status)

	var connections []net.Conn
	modelstest.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		require.NoError(t, err)
		connections = append(connections, conn)
		return len(s.entries("cannot accept connections: trying again soon")) > 0 || s.hasEnded()
	})
	for _, conn := range connections {
		require.NoError(t, conn.Close())
	}
	modelstest.Eventually(t, func() bool {
		got, err := ask(s.url+"/api/health", "")
		return err == nil && got.status == http.StatusOK || s.hasEnded()
	})
	require.Zero(t, s.end(t, terminate), s.err.String())
}
