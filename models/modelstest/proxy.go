package modelstest

import (
	"bytes"
	"net"
	neturl "net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Proxy stands between an instance and the server. It can disturb the instance's
// change feed, which is the connection that sends LISTEN, while other connections go
// on, and it can abandon all connections.
type Proxy struct {
	URL string // the database's address through the proxy

	listener    net.Listener
	mu          sync.Mutex
	changed     *sync.Cond
	silent, cut bool // what happens to the feed
	closed      bool
	open        map[net.Conn]*proxied // by the client's side
}

type proxied struct {
	feed      bool
	abandoned bool // nothing passes any more
}

// NewProxy starts a proxy in front of the database.
func NewProxy(t testing.TB, address string) *Proxy {
	t.Helper()
	p := &Proxy{open: map[net.Conn]*proxied{}}
	p.changed = sync.NewCond(&p.mu)
	var server string
	p.listener, p.URL, server = ListenInFront(t, address)
	go p.accept(server)
	t.Cleanup(func() {
		_ = p.listener.Close()
		p.change(func() { p.closed = true })
	})
	return p
}

// ListenInFront listens on a socket of its own for clients of the database. It returns
// the database's address there, and the path of the server's socket.
func ListenInFront(t testing.TB, address string) (listener net.Listener, url, server string) {
	t.Helper()
	parsed, err := neturl.Parse(address)
	require.NoError(t, err)
	query := parsed.Query()
	name := ".s.PGSQL." + query.Get("port")
	server = filepath.Join(query.Get("host"), name)
	// t.TempDir would be too long for a socket's path.
	directory, err := os.MkdirTemp("", "proxy")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	listener, err = net.Listen("unix", filepath.Join(directory, name))
	require.NoError(t, err)
	query.Set("host", directory)
	parsed.RawQuery = query.Encode()
	return listener, parsed.String(), server
}

// Silence keeps the feed's connections open, and lets nothing through to the
// instance.
func (p *Proxy) Silence() { p.change(func() { p.silent, p.cut = true, false }) }

// Cut breaks the feed's connections, including new ones.
func (p *Proxy) Cut() { p.change(func() { p.silent, p.cut = false, true }) }

// Restore lets the feed through again.
func (p *Proxy) Restore() { p.change(func() { p.silent, p.cut = false, false }) }

// Abandon lets the present connections hang forever, as if the server had vanished
// without a word. New connections work.
func (p *Proxy) Abandon() {
	p.change(func() {
		for _, c := range p.open {
			c.abandoned = true
		}
	})
}

// change changes what passes, and closes the connections that may not stay.
func (p *Proxy) change(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	p.changed.Broadcast()
	for client, c := range p.open {
		if p.closed || c.feed && p.cut {
			_ = client.Close()
		}
	}
}

func (p *Proxy) accept(address string) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", address)
		if err != nil {
			_ = client.Close()
			continue
		}
		c := &proxied{}
		p.mu.Lock()
		p.open[client] = c
		p.mu.Unlock()
		go p.relay(c, client, server, func(data []byte) bool {
			c.feed = c.feed || bytes.Contains(data, []byte("LISTEN "))
			return c.abandoned
		})
		go func() {
			p.relay(c, server, client, func([]byte) bool { return c.abandoned || c.feed && p.silent })
			p.mu.Lock()
			delete(p.open, client)
			p.mu.Unlock()
		}()
	}
}

// relay copies data, and waits while the connection hangs. In the end it closes both sides.
func (p *Proxy) relay(c *proxied, from, to net.Conn, hangs func(data []byte) bool) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.mu.Lock()
		for !p.closed && hangs(buffer[:n]) {
			p.changed.Wait()
		}
		pass := !p.closed && !(c.feed && p.cut)
		p.mu.Unlock()
		if !pass {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
