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

// Proxy stands between an instance and the server. It can disturb the instance's
// change feed, which is the connection that sends LISTEN, while other connections go
// on, and it can abandon all connections.
type Proxy struct {
	URL string // the database's address through the proxy

	server   string // the server's socket
	listener net.Listener
	mu       sync.Mutex
	changed  *sync.Cond
	mode     feedMode
	closed   bool
	open     map[net.Conn]*proxied // by the client's side
}

type proxied struct {
	feed      bool
	abandoned bool // nothing passes any more
}

type feedMode int

const (
	feedUp     feedMode = iota
	feedSilent          // connections stay, and nothing comes
	feedCut             // connections break, and new ones too
)

// NewProxy starts a proxy in front of the database.
func NewProxy(t testing.TB, address string) *Proxy {
	t.Helper()
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	query := parsed.Query()
	name := ".s.PGSQL." + query.Get("port")
	// t.TempDir would be too long for a socket's path.
	directory, err := os.MkdirTemp("", "proxy")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(directory) })

	p := &Proxy{server: filepath.Join(query.Get("host"), name), open: map[net.Conn]*proxied{}}
	p.changed = sync.NewCond(&p.mu)
	p.listener, err = net.Listen("unix", filepath.Join(directory, name))
	require.NoError(t, err)
	query.Set("host", directory)
	parsed.RawQuery = query.Encode()
	p.URL = parsed.String()
	go p.accept()
	t.Cleanup(p.close)
	return p
}

// Silence keeps the feed's connections open, and lets nothing through to the
// instance.
func (p *Proxy) Silence() { p.set(feedSilent) }

// Cut breaks the feed's connections, including new ones.
func (p *Proxy) Cut() { p.set(feedCut) }

// Restore lets the feed through again.
func (p *Proxy) Restore() { p.set(feedUp) }

// Abandon lets the present connections hang forever, as if the server had vanished
// without a word. New connections work.
func (p *Proxy) Abandon() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		c.abandoned = true
	}
}

func (p *Proxy) set(mode feedMode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = mode
	p.changed.Broadcast()
	for client, c := range p.open {
		if c.feed && mode == feedCut {
			_ = client.Close()
		}
	}
}

func (p *Proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.changed.Broadcast()
	for client := range p.open {
		_ = client.Close()
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", p.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		c := &proxied{}
		p.mu.Lock()
		p.open[client] = c
		p.mu.Unlock()
		var both sync.WaitGroup
		both.Go(func() {
			relay(client, server, func(data []byte) bool {
				return p.passes(c, func() bool {
					c.feed = c.feed || bytes.Contains(data, []byte("LISTEN "))
					return false
				})
			})
		})
		both.Go(func() {
			relay(server, client, func([]byte) bool {
				return p.passes(c, func() bool { return c.feed && p.mode == feedSilent })
			})
		})
		go func() {
			both.Wait()
			p.mu.Lock()
			delete(p.open, client)
			p.mu.Unlock()
		}()
	}
}

// relay copies data for as long as it passes, and then closes both sides.
func relay(from, to net.Conn, pass func(data []byte) bool) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || !pass(buffer[:n]) {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// passes waits while the connection hangs, and reports whether data may pass then.
func (p *Proxy) passes(c *proxied, hangs func() bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.closed && (hangs() || c.abandoned) {
		p.changed.Wait()
	}
	return !p.closed && (!c.feed || p.mode != feedCut)
}
