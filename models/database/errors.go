package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"dispo/migrations"
)

// Unavailable reports whether err means that the database did not answer, so that
// trying again later may help.
func Unavailable(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return true
	}
	// The server refused the connection itself, for whatever reason.
	if errors.As(err, new(*pgconn.ConnectError)) {
		return true
	}
	if state := sqlState(err); state != "" {
		switch state[:2] {
		case "08", "53", "57": // connection, out of resources, operator intervention (shutting down, starting up)
			return true
		}
		// 25006: the server is read-only, such as a standby before it takes over. 40001: a standby
		// cancelled the query, because replay needed the rows it read.
		return state == "25006" || state == "40001"
	}
	// The server did not answer: the connection could not be made, or broke.
	_, network := errors.AsType[net.Error](err)
	return err != nil && (network || pgconn.SafeToRetry(err) || brokenConnection(err))
}

// broken are errors of connections that broke, and of transactions and pools that ended
// with their request or with the service.
var broken = []error{
	net.ErrClosed, driver.ErrBadConn, sql.ErrConnDone, sql.ErrTxDone, pgx.ErrTxClosed, io.EOF,
	io.ErrUnexpectedEOF,
}

func brokenConnection(err error) bool {
	return slices.ContainsFunc(broken, func(known error) bool { return errors.Is(err, known) }) ||
		err.Error() == "conn closed" || err.Error() == "closed pool"
}

// errReplaced means that an upgrade of PostgreSQL's package left a server running whose
// libraries are gone or do not fit it. Only connections that have loaded them still work.
var errReplaced = errors.New(
	"PostgreSQL cannot load its own libraries, so its programs were probably replaced while it was running: " +
		"restart PostgreSQL, or dispo serve if it runs the database",
)

func replaced(err error) bool {
	server, ok := errors.AsType[*pgconn.PgError](err)
	return ok &&
		(strings.HasPrefix(server.Message, "could not load library") || strings.HasPrefix(server.Message, "could not access file"))
}

// CutOff reports whether the server ended a statement because it took too long.
func CutOff(err error) bool { return sqlState(err) == "57014" } // query_canceled

// sqlState returns the server's five-character code in err, or "".
func sqlState(err error) string {
	if server, ok := errors.AsType[*pgconn.PgError](err); ok {
		return server.Code
	}
	return ""
}

// connectError says where the database was expected, without the password.
func connectError(err error, config *pgx.ConnConfig) error {
	for _, known := range []error{errNotService, errNotOperator, ErrPooler, migrations.ErrEdition, migrations.ErrRestore} {
		if errors.Is(err, known) {
			return known
		}
	}
	if err == nil || errors.Is(err, migrations.ErrSchema) || errors.Is(err, migrations.ErrRights) {
		return err
	}
	if Unavailable(err) && !errors.As(err, new(*pgconn.PgError)) {
		return fmt.Errorf("the database at %s:%d does not answer: check that it runs, and that DATABASE_URL is right: %w",
			config.Host, config.Port, RootCause(err))
	}
	return fmt.Errorf("cannot use the database at %s:%d: %w", config.Host, config.Port, RootCause(err))
}

// RootCause returns the innermost error, because those around it repeat what was called, and
// the address or path. Of several attempts it is the last one's.
func RootCause(err error) error {
	for {
		if joined, ok := err.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) > 0 {
			all := joined.Unwrap()
			err = all[len(all)-1]
		} else if next := errors.Unwrap(err); next != nil {
			err = next
		} else {
			return err
		}
	}
}

// Locked reports whether a lock could not be had at once, or in time: an import may hold that on
// deliveries. What it is for can be tried again later.
func Locked(err error) bool { return sqlState(err) == "55P03" } // lock_not_available

// Full reports whether the server's disk has no room.
func Full(err error) bool { return sqlState(err) == "53100" } // disk_full
