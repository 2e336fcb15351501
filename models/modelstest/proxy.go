package modelstest

import (
	"bytes"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Proxy stands between an instance and the server. It can disturb the instance's
// change feed, which is the connection that sends LISTEN, while other connections go
// on, and it can abandon all connections.
type Proxy struct {
	URL string // the database's address through the proxy

	feed              atomic.Int32 // what happens to the feed: one of the constants below
	opened, abandoned atomic.Int32 // how many connections there were, and how many of them hang
}

const (
	passes int32 = iota
	silent
	cut
	closed // and all other connections too
)

// NewProxy starts a proxy in front of the database.
func NewProxy(t testing.TB, address string) *Proxy {
	t.Helper()
	listener, url, socket := ListenInFront(t, address)
	p := &Proxy{URL: url}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("unix", socket)
			if err != nil {
				_ = client.Close()
				continue
			}
			var feed atomic.Bool
			number := p.opened.Add(1)
			go p.relay(number, &feed, client, server)
			go p.relay(number, &feed, server, client)
		}
	}()
	t.Cleanup(func() { p.feed.Store(closed) })
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

// Silence keeps the feed's connections open, and lets nothing through.
func (p *Proxy) Silence() { p.feed.Store(silent) }

// Cut breaks the feed's connections, including new ones.
func (p *Proxy) Cut() { p.feed.Store(cut) }

// Restore lets the feed through again.
func (p *Proxy) Restore() { p.feed.Store(passes) }

// Abandon lets the present connections hang forever, as if the server had vanished
// without a word. New connections work.
func (p *Proxy) Abandon() { p.abandoned.Store(p.opened.Load()) }

// relay copies data, and waits while the connection hangs. In the end it closes both sides.
func (p *Proxy) relay(number int32, feed *atomic.Bool, from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		_ = from.SetReadDeadline(time.Now().Add(10 * time.Millisecond)) // then it looks whether it may go on
		n, err := from.Read(buffer)
		if bytes.Contains(buffer[:n], []byte("LISTEN ")) {
			feed.Store(true)
		}
		for state := p.feed.Load(); state != closed && (number <= p.abandoned.Load() || feed.Load() && state == silent); state = p.feed.Load() {
			time.Sleep(time.Millisecond)
		}
		if state := p.feed.Load(); state == closed || feed.Load() && state == cut || err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
