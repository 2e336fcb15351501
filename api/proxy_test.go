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

// lineState is the state of a connection between the service and its database.
type lineState int

const (
	up   lineState = iota
	cut            // connections break, and new ones are refused
	hung           // connections stay open, but nothing gets through until they are up again
)

// proxy stands between the service and its database. It can break or hang all
// connections, only the change feed's, or only those that send a certain text.
type proxy struct {
	url      string
	database string // the unix socket
	mu       sync.Mutex
	changed  sync.Cond
	all      lineState
	feed     lineState
	held     string // connections that send this text hang; empty for none
	open     map[*proxied]struct{}
	group    sync.WaitGroup
}

type proxied struct {
	service, database net.Conn
	feed              bool // it has sent LISTEN
	held              bool // it has sent the text
}

// newProxy starts a proxy for a database, and stops it with the test.
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
	p.group.Go(func() { p.accept(listener) })
	t.Cleanup(func() {
		_ = listener.Close()
		p.setAll(cut)
		p.group.Wait()
	})
	return p
}

// setAll changes the state of every connection, and setFeed of the change feed's. hold
// hangs connections that send the text from now on.
func (p *proxy) setAll(state lineState)  { p.set(func() { p.all = state }) }
func (p *proxy) setFeed(state lineState) { p.set(func() { p.feed = state }) }
func (p *proxy) hold(text string)        { p.set(func() { p.held = text }) }

// holding reports whether a connection hangs because of the text.
func (p *proxy) holding() bool {
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
		if p.stateOf(c) == cut {
			c.close()
		}
	}
	p.changed.Broadcast()
}

func (p *proxy) stateOf(c *proxied) lineState {
	switch {
	case p.all != up:
		return p.all
	case c.feed && p.feed != up:
		return p.feed
	case c.held && p.held != "":
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
		p.group.Go(func() { p.copy(c, service, database) })
		p.group.Go(func() { p.copy(c, database, service) })
	}
}

// copy copies one direction of a connection, as its state allows.
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

// pass waits while the connection hangs, and reports whether the chunk may pass.
func (p *proxy) pass(c *proxied, chunk []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.feed = c.feed || bytes.Contains(chunk, []byte("LISTEN dispo"))
	c.held = c.held || p.held != "" && bytes.Contains(chunk, []byte(p.held))
	for p.stateOf(c) == hung {
		p.changed.Wait()
	}
	return p.stateOf(c) == up
}
