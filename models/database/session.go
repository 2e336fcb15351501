package database

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"
)

// Role is the PostgreSQL role that connections take. Row-level security holds
// for both.
type Role string

const (
	// Service sees the rows of one organization at a time.
	Service Role = "dispo_app"
	// Operator sees the rows of every organization. The operator's commands use it.
	Operator Role = "dispo_operator"
)

// The login may not take one of our roles. Granting the operator's role to the service's
// login would open every organization to the service.
var (
	errNotService = errors.New(
		"the login in DATABASE_URL may not work as dispo_app: use the service's login, such as dispo_service")
	errNotOperator = errors.New(
		"the login in DATABASE_URL may not work as dispo_operator, which sees every organization: use the login of the operator's commands, such as dispo_commands, and never grant dispo_operator to the service's login",
	)
)

// statementTimeout is less than the deadline of any request, so that the server ends a
// statement and the connection stays.
const statementTimeout = 3 * time.Second

// locksEnd makes PostgreSQL close the connections of a machine that has disappeared, or of a
// program that was stopped, after a minute. By default they would hold their locks for two
// hours, or for good.
var locksEnd = map[string]string{
	"idle_in_transaction_session_timeout": "60000",
	"tcp_keepalives_idle":                 "30",
	"tcp_keepalives_interval":             "10",
	"tcp_keepalives_count":                "3",
	"tcp_user_timeout":                    "60000",
}

// takeRole makes a connection's settings. ALTER ROLE … SET would have no effect, because
// nobody logs in as these roles. What the database's URL sets stays.
func takeRole(ctx context.Context, conn *pgx.Conn, role Role) error {
	statement := "SET ROLE " + pgx.Identifier{string(role)}.Sanitize()
	settings := maps.Clone(locksEnd)
	if role == Service {
		settings["statement_timeout"] = fmt.Sprint(statementTimeout.Milliseconds())
		// The service mostly reads pages in index order. For ids between two unknown
		// bounds PostgreSQL expects one row in 200, and for a list that it takes to be
		// short it would rather read everything and sort.
		// It finds few rows of many organizations, mostly in memory or on an SSD. By default
		// PostgreSQL would rather read a whole table than an index for a hundredth of it.
		settings["enable_bitmapscan"], settings["random_page_cost"] = "off", "1.1"
	}
	for name, value := range settings {
		if _, set := conn.Config().RuntimeParams[name]; !set {
			statement += "; SET " + name + " = " + value
		}
	}
	_, err := conn.Exec(ctx, statement)
	switch sqlState(err) {
	case "22023": // no such role
		// An empty database has no roles yet. The check of the schema says what is
		// missing first.
		return nil
	case "42501": // no right to take it
		if role == Operator {
			return errNotOperator
		}
		return errNotService
	}
	return err
}

// ErrPooler means that the service's connections share sessions. Its role, its timeout,
// its prepared statements and its subscription to changes belong to a session, which
// such a pooler hands to whichever client comes next.
var ErrPooler = errors.New("the database's address leads to a pooler in transaction mode, which cannot work: " +
	"connect to PostgreSQL directly, or set the pooler to session mode (pool_mode = session in PgBouncer)")

// CheckSessions returns an error for the operator unless the database at url answers, and each
// connection to it keeps its session.
func CheckSessions(ctx context.Context, url string) error {
	config, err := poolConfig(Config{URL: url, timelines: &timelines{log: slog.Default()}})
	if err != nil {
		return err
	}
	return connectError(refusePooler(ctx, config.ConnConfig), config.ConnConfig)
}

// refusePooler is RefusePooler on connections of its own.
func refusePooler(ctx context.Context, config *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	return RefusePooler(ctx, conn)
}

// RefusePooler returns ErrPooler if one server process serves both this connection and another, or
// if several serve this one. A busy pooler may do neither at first, so it asks a few times.
func RefusePooler(ctx context.Context, conn *pgx.Conn) error {
	connections := [2]*pgx.Conn{conn}
	var before, now [2]uint32 // the processes that serve them
	for round := range 5 {
		for i := range connections {
			if connections[i] == nil {
				other, err := pgx.ConnectConfig(ctx, conn.Config())
				if err != nil {
					return err
				}
				defer func() { _ = other.Close(ctx) }()
				connections[i] = other
			}
			conn := connections[i]
			if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&now[i]); err != nil {
				return err
			}
			if now[i] == conn.PgConn().PID() {
				return nil // PostgreSQL itself answered when it connected
			}
		}
		if now[0] == now[1] || round > 0 && now != before {
			return ErrPooler
		}
		before = now
	}
	return nil
}
