package models

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// Kind says what sort of failure an Error is. The API and the dashboard turn
// kinds into statuses, each in one place.
type Kind int

const (
	KindInternal        Kind = iota // a fault of ours
	KindInvalid                     // a value that can't be read as what it has to be
	KindUnprocessable               // values that are each right, but not together
	KindUnauthorized                // no key, or one that is not good
	KindCompanyNotFound             // the organization has no company with that CVR
	KindNotFound                    // anything else that is not there for the asker
	KindConflict                    // something of that name is there already
	KindUnavailable                 // the database does not answer
	KindForbidden                   // known, but not allowed to
	KindLimited                     // too many attempts
	KindBusy                        // it will be done, but not in the time that the asker has
)

// Error is a failure that somebody outside is told of: Message is for them, and
// tells nothing of the inside; the cause is for the log.
type Error struct {
	Kind    Kind
	Message string
	cause   error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// NewError makes an error of that kind, message being what the asker is told.
func NewError(kind Kind, message string) *Error { return &Error{Kind: kind, Message: message} }

// ErrorKind tells the kind of any error: KindInternal for one that has none.
func ErrorKind(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return KindInternal
}

// wrap turns an error of the database, of GORM or pgx, into one with a kind. It
// is the only place that knows their errors. An error of anything else passes through.
func wrap(err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, gorm.ErrRecordNotFound), errors.Is(err, pgx.ErrNoRows), errors.Is(err, sql.ErrNoRows):
		return &Error{Kind: KindNotFound, Message: "not found", cause: err}
	case errors.Is(err, gorm.ErrDuplicatedKey):
		return &Error{Kind: KindConflict, Message: "it is there already", cause: err}
	// Also where the server refuses the connection itself, whatever its reason.
	case unavailable(err), errors.As(err, new(*pgconn.ConnectError)):
		return &Error{Kind: KindUnavailable, Message: "the database does not answer", cause: err}
	}
	return err
}

func unavailable(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return true
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		switch server.Code[:2] {
		case "08", "53", "57": // connection, out of resources, operator intervention (shutting down, starting up)
			return true
		}
		return false
	}
	// No answer of the server's in it: the connection could not be made, or broke.
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) || brokenConnection(err)
}

func brokenConnection(err error) bool {
	return errors.Is(err, net.ErrClosed) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || err.Error() == "conn closed"
}

// constraint names the constraint that refused a change, or nothing.
func constraint(err error) string {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.ConstraintName
	}
	return ""
}

// sqlState is the server's five-character code in an error, or nothing.
func sqlState(err error) string {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.Code
	}
	return ""
}
