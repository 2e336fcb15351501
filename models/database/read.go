package database

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Statement is a query for rows of T that GORM composes once, with its scope, and pgx runs as
// often as needed, prepared and in binary. Its arguments are names, such as @cvr. It holds no
// organization: @organization stands for the one of the context that it is run in. With
// Limit(LimitArgument), the limit is the argument "limit".
type Statement[T any] struct {
	compose func(*gorm.DB) *gorm.DB

	once      sync.Once
	sql       string   // the names are numbers in it, but for limitName
	arguments []string // the name of each number
	err       error
}

// Arguments are the values of a statement's names.
type Arguments map[string]any

// NewStatement returns the statement that compose composes, when it is first run.
func NewStatement[T any](compose func(*gorm.DB) *gorm.DB) *Statement[T] {
	return &Statement[T]{compose: compose}
}

const (
	// LimitArgument is the limit of a statement whose limit is an argument.
	LimitArgument = -1

	organizationName = "organization"
	limitName        = "@limit"
)

var argumentName = regexp.MustCompile(`@[a-z]+`)

// prepare composes the statement, unless that is done, and checks that it has its arguments.
func (s *Statement[T]) prepare(db *DB, arguments Arguments) error {
	s.once.Do(func() {
		ctx := context.WithValue(context.Background(), composingKey{}, true)
		session := db.orm.Session(&gorm.Session{Context: ctx, DryRun: true})
		composed := s.compose(session).Find(new([]T))
		if s.err = composed.Error; s.err == nil && len(composed.Statement.Vars) > 0 {
			s.err = fmt.Errorf("a statement that is composed once has values: %v", composed.Statement.Vars)
		}
		s.sql = argumentName.ReplaceAllStringFunc(composed.Statement.SQL.String(), func(name string) string {
			if name == limitName {
				return name
			}
			if !slices.Contains(s.arguments, name[1:]) {
				s.arguments = append(s.arguments, name[1:])
			}
			return "$" + strconv.Itoa(1+slices.Index(s.arguments, name[1:]))
		})
	})
	if s.err != nil {
		return s.err
	}
	for _, name := range s.arguments {
		if _, ok := arguments[name]; !ok && name != organizationName {
			return fmt.Errorf("a statement lacks its argument @%s", name)
		}
	}
	return nil
}

// queue adds the statement to a message. Its rows will be in items.
func (s *Statement[T]) queue(batch *pgx.Batch, organization uuid.UUID, arguments Arguments, items *[]T) {
	values := make([]any, len(s.arguments))
	for i, name := range s.arguments {
		values[i] = arguments[name]
		if name == organizationName {
			values[i] = organization
		}
	}
	sql := s.sql
	if limit, ok := arguments["limit"].(int); ok {
		// PostgreSQL plans a limit that is a parameter as a tenth of all rows.
		sql = strings.ReplaceAll(sql, limitName, strconv.Itoa(limit))
	}
	batch.Queue(sql, values...).Query(func(rows pgx.Rows) (err error) {
		*items, err = collect[T](rows)
		return err
	})
}

// Read runs a statement for the context's organization and returns its rows. Columns go to
// the fields of T by their names, each to one. The errors are GORM's, Query's and ErrNoTenant.
func Read[T any](ctx context.Context, db *DB, statement *Statement[T], arguments Arguments) (items []T, err error) {
	if err := statement.prepare(db, arguments); err != nil {
		return nil, err
	}
	err = db.message(ctx, func(batch *pgx.Batch, organization uuid.UUID) {
		statement.queue(batch, organization, arguments, &items)
	})
	return items, err
}

// ReadBoth is Read for two statements, which see the data of one moment.
func ReadBoth[A, B any](
	ctx context.Context, db *DB, first *Statement[A], second *Statement[B], arguments Arguments,
) (a []A, b []B, err error) {
	if err := first.prepare(db, arguments); err != nil {
		return nil, nil, err
	}
	if err := second.prepare(db, arguments); err != nil {
		return nil, nil, err
	}
	err = db.message(ctx,
		func(batch *pgx.Batch, organization uuid.UUID) { first.queue(batch, organization, arguments, &a) },
		func(batch *pgx.Batch, organization uuid.UUID) { second.queue(batch, organization, arguments, &b) })
	return a, b, err
}

// The row-level security policies compare a row's organization with this setting.
// Without it no row is visible. It is only ever set for one transaction, so no
// connection keeps an organization.
const setOrganization = `SELECT set_config('dispo.organization_id', $1, true)`

// setOrganizationAndLimit also bounds the statement that follows, in milliseconds.
const setOrganizationAndLimit = setOrganization + `, set_config('statement_timeout', $2, true)`

// setRest bounds the statement that follows by what the transaction has left of that.
const setRest = `SELECT set_config('statement_timeout',
	greatest(1, $1 - 1000 * extract(epoch FROM clock_timestamp() - now()))::int::text, true)`

// message runs statements, each added by a queue, in one snapshot and in one message with the
// context's organization and the time that is left of its deadline, for all of them together.
func (db *DB) message(ctx context.Context, queues ...func(*pgx.Batch, uuid.UUID)) error {
	organization := organizationOf(ctx)
	if organization == uuid.Nil {
		return ErrNoTenant
	}
	db = db.reads
	conn, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return again(func() error {
		batch := &pgx.Batch{}
		if !db.snapshots {
			batch.Queue("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
		}
		deadline, limited := ctx.Deadline()
		limited = limited && db.limited
		limit := statementLimit(time.Until(deadline))
		if limited {
			batch.Queue(setOrganizationAndLimit, organization.String(), strconv.FormatInt(limit, 10))
		} else {
			batch.Queue(setOrganization, organization.String())
		}
		for i, queue := range queues {
			if limited && i > 0 {
				batch.Queue(setRest, limit)
			}
			queue(batch, organization)
		}
		if !db.snapshots {
			batch.Queue("COMMIT")
		}
		err := conn.SendBatch(ctx, batch).Close()
		if err != nil && !conn.Conn().IsClosed() && inTransaction(conn.Conn()) {
			// Nobody needs its answer, but without it the pool would close the connection.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTimeout)
			defer cancel()
			_, _ = conn.Exec(ctx, "ROLLBACK")
		}
		return err
	})
}

// statementLimit returns statement_timeout for a request that has so much time left: less, so
// that the server ends the statement and the connection stays.
func statementLimit(left time.Duration) int64 { return max(1, (left * 3 / 4).Milliseconds()) }

func inTransaction(conn *pgx.Conn) bool { return conn.PgConn().TxStatus() != 'I' }

// again runs a message, and once more if a statement in it may have been prepared before a
// migration changed the columns that it reads. pgx has then forgotten the message's
// statements, and the same connection prepares them again.
func again(run func() error) error {
	err := run()
	switch sqlState(err) {
	case "0A000", "42804": // feature not supported, datatype mismatch
		err = run()
	}
	return err
}

// literalLimit writes LIMIT with the number in the text, because PostgreSQL
// plans a parameter there as a tenth of all rows. The service has no offsets.
func literalLimit(c clause.Clause, builder clause.Builder) {
	limit, ok := c.Expression.(clause.Limit)
	switch {
	case !ok || limit.Limit == nil:
	case *limit.Limit == LimitArgument:
		_, _ = builder.WriteString("LIMIT " + limitName)
	default:
		_, _ = builder.WriteString("LIMIT " + strconv.Itoa(*limit.Limit))
	}
}

// Columns selects columns, named like the fields that they go to. GORM's Select would take the
// text apart first.
func Columns(columns string) clause.Select {
	return clause.Select{Columns: []clause.Column{{Name: columns, Raw: true}}}
}

// usualPage is how many rows a page usually has. Room for them is made at once: growing row
// by row is a fourteenth of the service's work for such a page.
const usualPage = 50

// collect returns all rows.
func collect[T any](rows pgx.Rows) (items []T, err error) {
	err = EachRow(rows, func(item *T) error {
		if len(items) == 1 {
			items = slices.Grow(items, usualPage)
		}
		items = append(items, *item)
		return nil
	})
	return items, err
}

// ErrBusy means that the caller's deadline passed while all connections were in use.
var ErrBusy = errors.New("all connections to the database are in use")

// acquire returns a connection of the pool, or ErrBusy if its caller's deadline passed
// because others have them all, and not because the server is silent.
func (db *DB) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	conn, err := db.Pool.Acquire(ctx)
	if err != nil && ctx.Err() != nil {
		if stat := db.Pool.Stat(); stat.AcquiredConns() == stat.MaxConns() {
			return nil, fmt.Errorf("%w: %w", ErrBusy, err)
		}
	}
	return conn, err
}

// EachRow calls f with every row, until it fails. Columns go to the fields of T by their
// names, each to one. The T is valid only until f returns.
//
// pgx looks up each column's field again for every row. These are the fields of the first row's T,
// for all rows, and the service spends a fifth less on a list of 50 companies.
func EachRow[T any](rows pgx.Rows, f func(*T) error) error {
	defer rows.Close()
	first := &keptTargets{Rows: rows}
	var row *T
	for rows.Next() {
		var err error
		if row == nil {
			row, err = pgx.RowToAddrOfStructByName[T](first)
		} else {
			*row = *new(T)
			err = rows.Scan(first.targets...)
		}
		if err == nil {
			err = f(row)
		}
		if err != nil {
			return err
		}
	}
	return rows.Err()
}

// keptTargets keeps where a row was scanned to.
type keptTargets struct {
	pgx.Rows
	targets []any
}

func (k *keptTargets) Scan(targets ...any) error {
	k.targets = targets
	return k.Rows.Scan(targets...)
}
