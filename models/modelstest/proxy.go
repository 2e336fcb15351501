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

// Proxy stands between a store and the server, and can take the store's change
// feed away while its other connections go on: the feed's is the one that says
// LISTEN.
type Proxy struct {
	URL string // the database's address by way of the proxy

	server   string // the server's socket
	listener net.Listener
	mu       sync.Mutex
	changed  *sync.Cond
	mode     feedMode
	open     map[net.Conn]bool // the client's side of each connection: is it a feed?
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
	// Not t.TempDir: a socket's path has little room.
	directory, err := os.MkdirTemp("", "proxy")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(directory) })

	p := &Proxy{server: filepath.Join(query.Get("host"), name), open: map[net.Conn]bool{}}
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

// Silence keeps the feed's connections open, and lets nothing through to the store.
func (p *Proxy) Silence() { p.set(feedSilent) }

// Cut breaks the feed's connections, also every new one.
func (p *Proxy) Cut() { p.set(feedCut) }

// Restore lets the feed through again.
func (p *Proxy) Restore() { p.set(feedUp) }

func (p *Proxy) set(mode feedMode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = mode
	p.changed.Broadcast()
	for client, feed := range p.open {
		if feed && mode == feedCut {
			_ = client.Close()
		}
	}
}

func (p *Proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = feedUp
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
		p.mu.Lock()
		p.open[client] = false
		p.mu.Unlock()
		var both sync.WaitGroup
		both.Go(func() { relay(client, server, func(data []byte) bool { return p.fromClient(client, data) }) })
		both.Go(func() { relay(server, client, func([]byte) bool { return p.fromServer(client) }) })
		go func() {
			both.Wait()
			p.mu.Lock()
			delete(p.open, client)
			p.mu.Unlock()
		}()
	}
}

// relay carries bytes as long as they may pass, and then ends both sides.
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

func (p *Proxy) fromClient(client net.Conn, data []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if bytes.Contains(data, []byte("LISTEN ")) {
		p.open[client] = true
	}
	return !p.open[client] || p.mode != feedCut
}

func (p *Proxy) fromServer(client net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.open[client] && p.mode == feedSilent {
		p.changed.Wait()
	}
	return !p.open[client] || p.mode != feedCut
}
