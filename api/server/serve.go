package server

import (
	"net"
	"syscall"

	"github.com/gofiber/fiber/v2"
)

// Serve serves an application from New until it is shut down or the listener fails.
func Serve(app *fiber.App, listener net.Listener) error {
	return app.Listener(&connListener{listener})
}

// connListener accepts connections of the type conn.
type connListener struct{ net.Listener }

func (l *connListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: accepted}, nil
}

// conn knows whether it has received anything, and whether its client is still there.
type conn struct {
	net.Conn
	received bool
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.received = c.received || n > 0
	return n, err
}

// Gone reports whether the client has closed the connection. While nothing is read or
// sent, nothing else notices.
func (c *conn) Gone() bool {
	socket, ok := c.Conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return true
	}
	closed := false
	err = raw.Control(func(descriptor uintptr) { closed = peerClosed(descriptor) })
	return closed || err != nil
}
