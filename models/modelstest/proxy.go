package modelstest

import (
	"bytes"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Line is the state of a connection between an instance and the server.
type Line int

const (
	Up   Line = iota
	Cut       // connections break, and new ones too
	Hung      // connections stay open, even if the server ends, but nothing gets through until they are up again
)

// Proxy stands between an instance and the server. It can break or hang all connections,
// only the change feed's, which is the one that sends LISTEN, or only those that send a
// certain text.
type Proxy struct {
	URL string // the database's address through the proxy

	mu        sync.Mutex
	changed   sync.Cond
	all, feed Line
	held      string // connections that send this text hang; empty for none
	open      map[*proxied]struct{}
	group     sync.WaitGroup
}

// proxied is a connection, and what it has done.
type proxied struct {
	service, server       net.Conn
	feed, held, abandoned bool
}

// NewProxy starts a proxy in front of the database, and stops it with the test.
func NewProxy(t testing.TB, address string) *Proxy {
	t.Helper()
	listener, url, socket := ListenInFront(t, address)
	p := &Proxy{URL: url, open: map[*proxied]struct{}{}}
	p.changed.L = &p.mu
	p.group.Go(func() {
		for {
			service, err := listener.Accept()
			if err != nil {
				return
			}
			if !p.pass(&proxied{}, nil) {
				_ = service.Close()
				continue
			}
			server, err := net.Dial("unix", socket)
			if err != nil {
				_ = service.Close()
				continue
			}
			c := &proxied{service: service, server: server}
			p.set(func() { p.open[c] = struct{}{} })
			p.group.Go(func() { p.relay(c, service, server) })
			p.group.Go(func() { p.relay(c, server, service) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		p.All(Cut)
		p.group.Wait()
	})
	return p
}

// ListenInFront listens on a socket of its own for clients of the database, until the test
// ends. It returns the database's address there, and the path of the server's socket.
func ListenInFront(t testing.TB, address string) (listener net.Listener, there, socket string) {
	t.Helper()
	// t.TempDir would be too long for a socket's path.
	directory, err := os.MkdirTemp("", "proxy")
	require.NoError(t, err)
	there = edit(address, func(_ *url.URL, query url.Values) {
		name := ".s.PGSQL." + query.Get("port")
		socket = filepath.Join(query.Get("host"), name)
		listener, err = net.Listen("unix", filepath.Join(directory, name))
		query.Set("host", directory)
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = listener.Close()
		_ = os.RemoveAll(directory)
	})
	return listener, there, socket
}

// All changes the state of every connection.
func (p *Proxy) All(state Line) { p.set(func() { p.all = state }) }

// Feed changes the state of the change feed's connection alone.
func (p *Proxy) Feed(state Line) { p.set(func() { p.feed = state }) }

// Hold hangs connections that send the text from now on. An empty text lets them go on.
func (p *Proxy) Hold(text string) { p.set(func() { p.held = text }) }

// Holding reports whether a connection hangs because of the text.
func (p *Proxy) Holding() (holding bool) {
	p.set(func() {
		for c := range p.open {
			holding = holding || c.held
		}
	})
	return holding
}

// Abandon lets the present connections hang forever, as if the server had vanished
// without a word. New connections work.
func (p *Proxy) Abandon() {
	p.set(func() {
		for c := range p.open {
			c.abandoned = true
		}
	})
}

func (p *Proxy) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	for c := range p.open {
		if p.stateOf(c) == Cut {
			c.close()
		}
	}
	p.changed.Broadcast()
}

func (p *Proxy) stateOf(c *proxied) Line {
	switch {
	case c.abandoned && p.all != Cut:
		return Hung
	case p.all != Up:
		return p.all
	case c.feed && p.feed != Up:
		return p.feed
	case c.held && p.held != "":
		return Hung
	}
	return Up
}

func (c *proxied) close() {
	_ = c.service.Close()
	_ = c.server.Close()
}

// relay copies one direction of a connection, as its state allows. In the end it closes both
// sides.
func (p *Proxy) relay(c *proxied, from, to net.Conn) {
	defer p.set(func() {
		delete(p.open, c)
		c.close()
	})
	chunk := make([]byte, 1<<16)
	for {
		n, err := from.Read(chunk)
		if n > 0 {
			if !p.pass(c, chunk[:n]) {
				return
			}
			_, err = to.Write(chunk[:n])
		}
		if err != nil {
			if from == c.server {
				p.pass(c, nil)
			}
			return
		}
	}
}

// pass waits while the connection hangs, and reports whether the chunk may pass.
func (p *Proxy) pass(c *proxied, chunk []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.feed = c.feed || bytes.Contains(chunk, []byte("LISTEN "))
	c.held = c.held || p.held != "" && bytes.Contains(chunk, []byte(p.held))
	for p.stateOf(c) == Hung {
		p.changed.Wait()
	}
	return p.stateOf(c) == Up
}
