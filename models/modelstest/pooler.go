package modelstest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// The modes of a pooler.
const TransactionMode, SessionMode = true, false

// NewPooler starts what stands in front of a server like PgBouncer, until the test ends: it lets clients
// log in by itself, and passes their messages on. In transaction mode all clients share
// one session, as they do while such a pooler is idle. It returns its address.
func NewPooler(t testing.TB, address string, transactionMode bool) string {
	t.Helper()
	listener, url, _ := ListenInFront(t, address)
	shared := make(chan *pgproto3.Frontend, 1)
	shared <- serverSession(t, address)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			sessions := shared
			if !transactionMode {
				sessions = make(chan *pgproto3.Frontend, 1)
				sessions <- serverSession(t, address)
			}
			go func() {
				defer client.Close()
				_ = relay(pgproto3.NewBackend(client, client), sessions)
			}()
		}
	}()
	return url
}

func serverSession(t testing.TB, address string) *pgproto3.Frontend {
	conn, err := pgconn.Connect(context.Background(), address)
	if err != nil {
		return nil // the test has ended
	}
	hijacked, err := conn.Hijack()
	if err != nil {
		return nil
	}
	t.Cleanup(func() { _ = hijacked.Conn.Close() })
	return hijacked.Frontend
}

// relay lets a client log in, with a process id that is made up. Then it takes a session
// for each group of messages up to a Query or Sync, and returns it after the answers.
func relay(client *pgproto3.Backend, sessions chan *pgproto3.Frontend) error {
	if _, err := client.ReceiveStartupMessage(); err != nil {
		return err
	}
	client.Send(&pgproto3.AuthenticationOk{})
	client.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	client.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	client.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{0, 0, 0, 0}})
	client.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if err := client.Flush(); err != nil {
		return err
	}
	var session *pgproto3.Frontend
	for {
		message, err := client.Receive()
		if _, ends := message.(*pgproto3.Terminate); err != nil || ends {
			return err
		}
		if session == nil {
			session = <-sessions
		}
		session.Send(message)
		switch message.(type) {
		case *pgproto3.Query, *pgproto3.Sync:
		default:
			continue
		}
		if err := session.Flush(); err != nil {
			return err
		}
		for ready := false; !ready; {
			answer, err := session.Receive()
			if err != nil {
				return err
			}
			client.Send(answer)
			_, ready = answer.(*pgproto3.ReadyForQuery)
		}
		if err := client.Flush(); err != nil {
			return err
		}
		sessions <- session
		session = nil
	}
}
