package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// line is the state of a connection between the service and its database.
type line int

const (
	up   line = iota
	cut       // connections break, and new ones are refused
	hung      // connections stand, and nothing comes through until the line is up again
)

// proxy stands between the service and its database, and can be told what becomes
// of the connections: of all, of those alone that the service listens for changes
// on, or of those that send a certain text.
type proxy struct {
	url      string
	database string // the unix socket
	mu       sync.Mutex
	changed  sync.Cond
	all      line
	feed     line
	held     string // connections that send this hang; none: nothing is held
	open     map[*proxied]struct{}
	working  sync.WaitGroup
}

type proxied struct {
	service, database net.Conn
	feed, held        bool // what it has sent makes it one
	dead              bool // hangs for ever
}

// newProxy starts a proxy for a database, and ends it with the test.
func newProxy(t testing.TB, database string) *proxy {
	t.Helper()
	config, err := pgx.ParseConfig(database)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := url.URL{Scheme: "postgres", User: url.User(config.User), Host: listener.Addr().String(), Path: "/" + config.Database, RawQuery: "sslmode=disable"}
	p := &proxy{
		url:      address.String(),
		database: filepath.Join(config.Host, fmt.Sprintf(".s.PGSQL.%d", config.Port)),
		open:     map[*proxied]struct{}{},
	}
	p.changed.L = &p.mu
	p.working.Go(func() { p.accept(listener) })
	t.Cleanup(func() {
		_ = listener.Close()
		p.setAll(cut)
		p.working.Wait()
	})
	return p
}

// setAll changes the line of every connection, setFeed of those that listen; hold
// lets those hang that send the text from here on.
func (p *proxy) setAll(to line)   { p.set(func() { p.all = to }) }
func (p *proxy) setFeed(to line)  { p.set(func() { p.feed = to }) }
func (p *proxy) hold(text string) { p.set(func() { p.held = text }) }

// abandon lets the connections that there are hang for ever, as those to a server
// that is gone without a word: new ones go to the one that took its place.
// abandonIdle spares those that listen, which are never idle for long.
func (p *proxy) abandon()     { p.abandonThose(func(*proxied) bool { return true }) }
func (p *proxy) abandonIdle() { p.abandonThose(func(c *proxied) bool { return !c.feed }) }

func (p *proxy) abandonThose(wanted func(*proxied) bool) {
	p.set(func() {
		for c := range p.open {
			c.dead = c.dead || wanted(c)
		}
	})
}

// holds tells whether a connection hangs because of the text.
func (p *proxy) holds() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		if c.held {
			return true
		}
	}
	return false
}

func (p *proxy) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	for c := range p.open {
		if p.lineOf(c) == cut {
			c.close()
		}
	}
	p.changed.Broadcast()
}

func (p *proxy) lineOf(c *proxied) line {
	switch {
	case p.all != up:
		return p.all
	case c.feed && p.feed != up:
		return p.feed
	case c.dead, c.held && p.held != "":
		return hung
	}
	return up
}

func (c *proxied) close() {
	_ = c.service.Close()
	_ = c.database.Close()
}

func (p *proxy) accept(listener net.Listener) {
	for {
		service, err := listener.Accept()
		if err != nil {
			return
		}
		database, err := net.Dial("unix", p.database)
		if err != nil {
			_ = service.Close()
			continue
		}
		c := &proxied{service: service, database: database}
		p.mu.Lock()
		p.open[c] = struct{}{}
		p.mu.Unlock()
		p.working.Go(func() { p.copy(c, service, database) })
		p.working.Go(func() { p.copy(c, database, service) })
	}
}

// copy copies one direction of a connection, as the line allows.
func (p *proxy) copy(c *proxied, from io.Reader, to io.Writer) {
	defer func() {
		p.mu.Lock()
		delete(p.open, c)
		p.mu.Unlock()
		c.close()
	}()
	chunk := make([]byte, 1<<16)
	for {
		n, err := from.Read(chunk)
		if n > 0 {
			if !p.pass(c, chunk[:n]) {
				return
			}
			if _, err := to.Write(chunk[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// pass waits until a chunk may go through, and tells whether it may.
func (p *proxy) pass(c *proxied, chunk []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.feed = c.feed || bytes.Contains(chunk, []byte("LISTEN dispo"))
	c.held = c.held || p.held != "" && bytes.Contains(chunk, []byte(p.held))
	for p.lineOf(c) == hung {
		p.changed.Wait()
	}
	return p.lineOf(c) == up
}
