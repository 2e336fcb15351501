// Package models is the domain: organizations, users, keys, companies,
// transactions and delivery files, and every query on them. It knows neither
// HTTP nor HTML.
package models

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"dispo/migrations"
)

// Role is what a store's connections work as; row-level security holds for both.
type Role string

const (
	// Service sees one organization at a time: the one that a Tenant is bound to.
	Service Role = "dispo_app"
	// Operator sees every organization; the operator's commands work as this.
	Operator Role = "dispo_operator"
)

// Config says how to open a Store.
type Config struct {
	URL            string       // PostgreSQL, as pgx reads it
	Role           Role         // what to work as
	Secret         []byte       // the server's secret, for key fingerprints; none: bcrypt decides
	MaxConnections int          // of the pool; 0: pool_max_conns of the URL, else 16
	Log            *slog.Logger // nil: slog's default
}

// Store is the way to the database. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	db     *gorm.DB
	secret []byte
	log    *slog.Logger
	feed   *feed
	keys   *Keyring
	usage  *usage

	versions *versions
	rounds   *rounds
}

// Open connects to a database whose schema is the one this program knows. The
// error is one sentence for the operator. A store that serves also starts to
// follow the change feed: Close ends it.
func Open(ctx context.Context, config Config) (*Store, error) {
	if config.Log == nil {
		config.Log = slog.Default()
	}
	poolConfig, err := pgxpool.ParseConfig(config.URL)
	if err != nil {
		// pgx's error repeats the address, and with it the password.
		return nil, errors.New("the database's address can't be read: expected postgres://user:password@host:port/database")
	}
	switch {
	case config.MaxConnections > 0:
		poolConfig.MaxConns = int32(config.MaxConnections)
	case !strings.Contains(config.URL, "pool_max_conns"):
		poolConfig.MaxConns = defaultConnections
	}
	if poolConfig.ConnConfig.ConnectTimeout == 0 {
		poolConfig.ConnConfig.ConnectTimeout = connectTimeout
	}
	if poolConfig.PingTimeout == 0 {
		poolConfig.PingTimeout = pingTimeout
	}
	poolConfig.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error { return takeRole(ctx, conn, config.Role) }
	poolConfig.PrepareConn = tellOrganization
	pool, err := pgxpool.NewWithConfig(ctx, poolConfig)
	if err != nil {
		return nil, fmt.Errorf("the database can't be used: %w", err)
	}
	store := &Store{pool: pool, secret: config.Secret, log: config.Log}
	if err := store.connect(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	store.feed = newFeed(poolConfig.ConnConfig, config.Log)
	store.keys = newKeyring(store)
	store.versions = newVersions(store)
	store.rounds = newRounds(pool)
	store.feed.keyChanged, store.feed.dataChanged = store.keys.forget, store.versions.forget
	again := false
	store.feed.missed = func() {
		store.keys.forgetAll()
		store.versions.forgetAll()
		// What the feed's connection died of, those of the pool may have died of too,
		// without a word: each would be found out at the cost of a timeout.
		if again {
			store.pool.Reset()
		}
		again = true
	}
	store.usage = newUsage(store)
	if config.Role == Service {
		store.feed.start()
		store.usage.start()
	}
	return store, nil
}

const (
	connectTimeout     = 5 * time.Second
	pingTimeout        = time.Second // of a connection that was idle, before it is used
	defaultConnections = 16          // enough that some slow queries keep nobody waiting
)

func (s *Store) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	sqlDB := stdlib.OpenDBFromPool(s.pool)
	db, err := gorm.Open(postgres.New(postgres.Config{Conn: sqlDB}), &gorm.Config{
		TranslateError:         true,
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		Logger:                 logger.Discard,
		NowFunc:                func() time.Time { return time.Now().UTC().Truncate(time.Microsecond) },
	})
	if err != nil {
		return fmt.Errorf("the database can't be used: %w", err)
	}
	s.db = db
	version, err := migrations.Version(ctx, sqlDB)
	if err != nil {
		return connectError(err, s.pool.Config().ConnConfig)
	}
	return migrations.Check(version)
}

// connectError says where the database was looked for, without the password.
func connectError(err error, config *pgx.ConnConfig) error {
	var missing *roleError
	if errors.As(err, &missing) {
		return missing
	}
	if unavailable(err) {
		return fmt.Errorf("the database at %s:%d does not answer: see that it runs, and that DATABASE_URL is right: %w", config.Host, config.Port, rootCause(err))
	}
	return fmt.Errorf("the database at %s:%d can't be used: %w", config.Host, config.Port, rootCause(err))
}

// rootCause is the innermost error: those around it repeat the address.
func rootCause(err error) error {
	for {
		if joined, ok := err.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) > 0 {
			all := joined.Unwrap()
			err = all[len(all)-1] // of several tries, the last
			continue
		}
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// Close writes what is still to be written, and ends the store's work.
func (s *Store) Close() {
	s.usage.stop()
	s.feed.stop()
	s.pool.Close()
}

// Ping asks the database for an answer.
func (s *Store) Ping(ctx context.Context) error { return wrap(s.pool.Ping(ctx)) }

// Hears tells whether this instance hears of changes at the moment; while it does
// not, it trusts nothing that it remembers.
func (s *Store) Hears() bool { return s.feed.fresh() }

// Connections is how many connections to the database there are, how many of
// them are at work, and how many there may be.
type Connections struct{ Total, Busy, Max int }

// Connections counts them.
func (s *Store) Connections() Connections {
	stat := s.pool.Stat()
	return Connections{Total: int(stat.TotalConns()), Busy: int(stat.AcquiredConns()), Max: int(stat.MaxConns())}
}

// Keys verifies the keys that callers bring.
func (s *Store) Keys() *Keyring { return s.keys }

// roleError says that the login role may not take a role of ours.
type roleError struct{ role Role }

func (e *roleError) Error() string {
	return fmt.Sprintf("the database's login role may not work as %s: run `dispo migrate`, then as the database's owner: GRANT %s TO the login role", e.role, e.role)
}

func takeRole(ctx context.Context, conn *pgx.Conn, role Role) error {
	statement := "SET ROLE " + pgx.Identifier{string(role)}.Sanitize()
	if role == Service {
		// What it reads much of are pages, in the order of an index. Of ids between two
		// bounds that it does not know yet, PostgreSQL expects one in 200, and where it
		// so takes a long list for a short one, it would rather read all of it and sort.
		statement += "; SET enable_bitmapscan = off"
	}
	_, err := conn.Exec(ctx, statement)
	if code := sqlState(err); code == "42501" || code == "22023" { // no right to it, or no such role
		// An empty database has no roles yet; what it lacks first is the schema,
		// and the check of that says so.
		if code == "22023" {
			return nil
		}
		return &roleError{role}
	}
	return err
}

type (
	organizationKey struct{}
	toldByFetchKey  struct{} // true: fetch tells the connection
)

const toldOrganization = "dispo.organization_id"

// withOrganization marks ctx: a connection acquired with it works for that
// organization alone.
func withOrganization(ctx context.Context, id uuid.UUID) context.Context {
	return context.WithValue(ctx, organizationKey{}, id)
}

const tellSQL = `SELECT set_config('dispo.organization_id', $1, false)`

// tellText is how a connection is told of the organization; nothing for none.
func tellText(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// tellOrganization tells the connection which organization it works for, as it
// is acquired: the setting that the policies compare. A connection that was told
// so already, or that works for none and is to, is left as it is; and so is one
// that fetch tells, together with its query.
func tellOrganization(ctx context.Context, conn *pgx.Conn) (bool, error) {
	wanted, _ := ctx.Value(organizationKey{}).(uuid.UUID)
	custom := conn.PgConn().CustomData()
	told, _ := custom[toldOrganization].(uuid.UUID)
	if told == wanted || ctx.Value(toldByFetchKey{}) != nil {
		return true, nil
	}
	if _, err := conn.Exec(ctx, tellSQL, tellText(wanted)); err != nil {
		delete(custom, toldOrganization)
		return false, err
	}
	custom[toldOrganization] = wanted
	return true, nil
}
