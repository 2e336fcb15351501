package api_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// exchange sends bytes over a new connection, and returns what comes back until the
// service closes it.
func (i *instance) exchange(t testing.TB, sent string) string {
	t.Helper()
	conn := i.dial(t)
	_, err := io.WriteString(conn, sent)
	require.NoError(t, err)
	received, err := io.ReadAll(conn)
	require.NoError(t, err)
	return string(received)
}

// dial opens a connection, and closes it with the test.
func (i *instance) dial(t testing.TB) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", i.address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// readAnswer reads an answer from a connection and validates it. request is nil if
// what was sent is not a valid request.
func readAnswer(t testing.TB, from *bufio.Reader, request *http.Request) answer {
	t.Helper()
	response, err := http.ReadResponse(from, request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	validate(t, request, response, body)
	return answer{status: response.StatusCode, header: response.Header, body: body}
}
