package server

import (
	"errors"
	"net"
	"syscall"

	"github.com/gofiber/fiber/v2"
)

// Serve serves an application from New until it is shut down or the listener fails.
func Serve(app *fiber.App, listener net.Listener) error {
	return app.Listener(&hearing{listener})
}

// hearing accepts connections that know whether they have received anything.
type hearing struct{ net.Listener }

func (l *hearing) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: accepted}, nil
}

type conn struct {
	net.Conn
	heard bool
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.heard = c.heard || n > 0
	return n, err
}

// SyscallConn returns the socket, so that an answer under way can find out whether its
// client is still there.
func (c *conn) SyscallConn() (syscall.RawConn, error) {
	if socket, ok := c.Conn.(syscall.Conn); ok {
		return socket.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}
