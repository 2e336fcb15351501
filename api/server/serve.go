package server

import (
	"errors"
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

// SyscallConn returns the socket, with which a download finds out whether its client is
// still there.
func (c *conn) SyscallConn() (syscall.RawConn, error) {
	if socket, ok := c.Conn.(syscall.Conn); ok {
		return socket.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

// Gone reports whether the client has closed the connection. While nothing is read or
// sent, nothing else notices.
func (c *conn) Gone() bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	err = raw.Control(func(descriptor uintptr) { closed = peerClosed(descriptor) })
	return closed || err != nil
}
