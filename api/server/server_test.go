package server_test

import (
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/api"
	"dispo/api/server"
)

// A connection that sends nothing is closed without an answer. One that stops within
// a request gets 400.
func TestSilentConnections(t *testing.T) {
	t.Parallel()
	served, _ := api.New(api.Config{Log: slog.New(slog.DiscardHandler)})
	app := server.New(server.Config{Prefix: api.Prefix, API: served})
	app.Server().ReadTimeout = 50 * time.Millisecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- server.Serve(app, listener) }()
	for sent, answer := range map[string]string{
		"":                                   "",
		"\r\n":                               "",
		"G":                                  "HTTP/1.1 400 ",
		"GET /api/openapi.yaml HTTP/1.1\r\n": "HTTP/1.1 400 ",
		"POST /api/health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhell": "HTTP/1.1 400 ",
	} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		require.NoError(t, err)
		_, err = io.WriteString(conn, sent)
		require.NoError(t, err)
		received, err := io.ReadAll(conn)
		require.NoError(t, err)
		if answer == "" {
			require.Empty(t, string(received), "%q", sent)
		} else {
			require.Contains(t, string(received), answer, "%q", sent)
			require.Contains(t, string(received), "did not arrive completely", "%q", sent)
		}
		require.NoError(t, conn.Close())
	}
	require.NoError(t, app.Shutdown())
	require.NoError(t, <-done)
}

// A body that is too large is refused as soon as its length is known. Its client can still send
// all of it, so that it reads the response instead of reporting that it cannot send.
func TestRefusedBodiesCanBeSent(t *testing.T) {
	t.Parallel()
	served, _ := api.New(api.Config{Log: slog.New(slog.DiscardHandler)})
	app := server.New(server.Config{Prefix: api.Prefix, API: served})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- server.Serve(app, listener) }()
	conn, err := net.Dial("tcp", listener.Addr().String())
	require.NoError(t, err)
	_, err = io.WriteString(conn, "POST /api/health HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
	require.NoError(t, err)
	received, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.Contains(t, string(received), "its body is too large")
	for range 100 {
		_, err = conn.Write(make([]byte, 1000))
		require.NoError(t, err)
	}
	require.NoError(t, conn.Close())
	require.NoError(t, app.Shutdown())
	require.NoError(t, <-done)
}
