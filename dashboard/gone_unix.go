//go:build unix

package dashboard

import (
	"net"
	"syscall"
)

// gone reports whether the client has closed the connection. It looks at what arrived,
// and leaves it for the next request.
func gone(client net.Conn) bool {
	socket, ok := client.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	err = raw.Control(func(fd uintptr) {
		n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		closed = n == 0 && err == nil || err == syscall.ECONNRESET
	})
	return closed || err != nil
}
