//go:build linux

package database

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A connection breaks when the other machine has not answered for a minute, whether or not
// something was sent to it.
func TestSilentMachinesAreNoticed(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	config, err := poolConfig(Config{URL: "postgres://" + listener.Addr().String() + "/dispo", timelines: &timelines{}})
	require.NoError(t, err)
	conn, err := config.ConnConfig.DialFunc(t.Context(), "tcp", listener.Addr().String())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	socket, err := conn.(*net.TCPConn).SyscallConn()
	require.NoError(t, err)
	require.NoError(t, socket.Control(func(fd uintptr) {
		for option, expect := range map[int]int{unix.TCP_USER_TIMEOUT: 60_000, unix.TCP_KEEPIDLE: 30, unix.TCP_KEEPINTVL: 10, unix.TCP_KEEPCNT: 3} {
			value, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, option)
			require.NoError(t, err)
			require.Equal(t, expect, value)
		}
	}))
}
