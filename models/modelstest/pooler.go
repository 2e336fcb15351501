package modelstest

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// Pooler stands in front of a server like PgBouncer: it answers clients' connections
// itself, and has its own to the server. In transaction mode each transaction gets the
// session that was returned last. In session mode a client keeps its session.
type Pooler struct {
	URL         string // the database's address through the pooler
	Transaction atomic.Bool

	server   string // the database's address
	mu       sync.Mutex
	sessions []*pgproto3.Frontend // that no client has, the last one returned at the end
	open     []net.Conn
}

// NewPooler starts a pooler in session mode, and stops it with the test.
func NewPooler(t testing.TB, address string) *Pooler {
	t.Helper()
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	query := parsed.Query()
	directory, err := os.MkdirTemp("", "pooler") // t.TempDir would be too long for a socket's path
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	listener, err := net.Listen("unix", filepath.Join(directory, ".s.PGSQL."+query.Get("port")))
	require.NoError(t, err)
	query.Set("host", directory)
	parsed.RawQuery = query.Encode()
	p := &Pooler{URL: parsed.String(), server: address}
	var clients sync.WaitGroup
	clients.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			p.keep(client)
			clients.Go(func() {
				defer client.Close()
				_ = p.serve(pgproto3.NewBackend(client, client))
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		p.mu.Lock()
		for _, conn := range p.open {
			_ = conn.Close()
		}
		p.mu.Unlock()
		clients.Wait()
	})
	return p
}

func (p *Pooler) keep(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = append(p.open, conn)
}

// serve lets a client log in, and passes its messages on, each until the server is
// ready for the next.
func (p *Pooler) serve(client *pgproto3.Backend) error {
	if _, err := client.ReceiveStartupMessage(); err != nil {
		return err
	}
	key := make([]byte, 8) // made up, as by PgBouncer, which forwards cancellations itself
	_, _ = rand.Read(key)
	for _, message := range []pgproto3.BackendMessage{
		&pgproto3.AuthenticationOk{},
		&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"},
		&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"},
		&pgproto3.BackendKeyData{ProcessID: binary.BigEndian.Uint32(key), SecretKey: key[4:]},
		&pgproto3.ReadyForQuery{TxStatus: 'I'},
	} {
		client.Send(message)
	}
	if err := client.Flush(); err != nil {
		return err
	}
	var session *pgproto3.Frontend
	for {
		message, err := client.Receive()
		if _, ends := message.(*pgproto3.Terminate); err != nil || ends {
			return err // and the session, if the client has one, is not used again
		}
		if session == nil {
			if session, err = p.take(); err != nil {
				return err
			}
		}
		session.Send(message)
		switch message.(type) {
		case *pgproto3.Query, *pgproto3.Sync:
		default:
			continue
		}
		status, err := answer(session, client)
		if err != nil {
			return err
		}
		if p.Transaction.Load() && status == 'I' {
			p.mu.Lock()
			p.sessions = append(p.sessions, session)
			p.mu.Unlock()
			session = nil
		}
	}
}

// answer passes the server's messages on until it is ready, and returns in what state
// its transaction is.
func answer(session *pgproto3.Frontend, client *pgproto3.Backend) (status byte, err error) {
	if err := session.Flush(); err != nil {
		return 0, err
	}
	for {
		message, err := session.Receive()
		if err != nil {
			return 0, err
		}
		client.Send(message)
		if ready, ok := message.(*pgproto3.ReadyForQuery); ok {
			return ready.TxStatus, client.Flush()
		}
	}
}

// take returns a session that no client has, or else a new one.
func (p *Pooler) take() (*pgproto3.Frontend, error) {
	p.mu.Lock()
	if last := len(p.sessions) - 1; last >= 0 {
		defer p.mu.Unlock()
		session := p.sessions[last]
		p.sessions = p.sessions[:last]
		return session, nil
	}
	p.mu.Unlock()
	conn, err := pgconn.Connect(context.Background(), p.server)
	if err != nil {
		return nil, err
	}
	hijacked, err := conn.Hijack()
	if err != nil {
		return nil, err
	}
	p.keep(hijacked.Conn)
	return hijacked.Frontend, nil
}
