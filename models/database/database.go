// Package database connects to PostgreSQL, and keeps the rules that every
// connection must follow: the role that the connections work as, the organization they work
// for, the change feed, ids that rise in commit order, and the writers' lock.
package database

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"

	"dispo/migrations"
)

const (
	connectTimeout     = 5 * time.Second
	pingTimeout        = time.Second // for a connection that was idle, before it is used
	defaultConnections = 16          // enough that a few slow queries block nobody

	// Each page size and list has a statement of its own, because the limit is
	// part of its text.
	statementCache = 1024
)

// Config says how to open a DB.
type Config struct {
	URL            string       // PostgreSQL, in any form that pgx reads
	Role           Role         // the role that all connections take
	MaxConnections int          // of the pool; 0 means pool_max_conns of the URL, or 16
	Log            *slog.Logger // nil means slog's default
}

// DB is a pool of connections to the database. It is safe for concurrent use.
type DB struct {
	Role Role // the role that its connections take
	Pool *pgxpool.Pool
	Feed *Feed
	orm  *gorm.DB
}

// Open connects to a database whose schema is the one that this program knows.
// A DB that works as Service also follows the change feed. Its error is one
// sentence for the operator.
func Open(ctx context.Context, config Config) (*DB, error) {
	if config.Log == nil {
		config.Log = slog.Default()
	}
	poolConfig, err := poolConfig(config)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, poolConfig)
	if err != nil {
		return nil, fmt.Errorf("cannot use the database: %w", err)
	}
	db := &DB{Role: config.Role, Pool: pool}
	if err := db.connect(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	db.Feed = newFeed(poolConfig.ConnConfig, config.Log)
	// Whatever broke the feed's connection may have broken the pool's silently, and
	// discovering each would cost a timeout.
	db.Feed.reconnected = pool.Reset
	if config.Role == Service {
		db.Feed.start()
	}
	return db, nil
}

func poolConfig(config Config) (*pgxpool.Config, error) {
	parsed, err := pgxpool.ParseConfig(config.URL)
	if err != nil {
		// pgx's error repeats the address, and with it the password.
		return nil, errors.New("cannot read the database's address: expected postgres://user:password@host:port/database")
	}
	switch {
	case config.MaxConnections > 0:
		parsed.MaxConns = int32(config.MaxConnections)
	case !strings.Contains(config.URL, "pool_max_conns"):
		parsed.MaxConns = defaultConnections
	}
	if parsed.ConnConfig.ConnectTimeout == 0 {
		parsed.ConnConfig.ConnectTimeout = connectTimeout
	}
	if parsed.PingTimeout == 0 {
		parsed.PingTimeout = pingTimeout
	}
	parsed.ConnConfig.StatementCacheCapacity = statementCache
	parsed.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		registerTypes(conn.TypeMap())
		return takeRole(ctx, conn, config.Role)
	}
	parsed.PrepareConn = setOrganization
	parsed.BeforeClose = closeBroken
	return parsed, nil
}

// closeBroken closes the socket of a connection that broke, for example at a
// deadline. pgx would wait up to 15 seconds for the server to end it, and its place
// in the pool would stay taken for as long.
func closeBroken(conn *pgx.Conn) {
	if conn.IsClosed() {
		_ = conn.PgConn().Conn().Close()
	}
}

func (db *DB) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	sqlDB := stdlib.OpenDBFromPool(db.Pool)
	orm, err := gorm.Open(postgres.New(postgres.Config{Conn: sqlDB}), &gorm.Config{
		TranslateError:         true,
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		QueryFields:            true,
		Logger:                 logger.Discard,
		NowFunc:                func() time.Time { return time.Now().UTC().Truncate(time.Microsecond) },
		ClauseBuilders:         map[string]clause.ClauseBuilder{"LIMIT": literalLimit},
	})
	if err == nil {
		err = orm.Use(tenantScope{})
	}
	if err != nil {
		return fmt.Errorf("cannot use the database: %w", err)
	}
	db.orm = orm
	version, err := migrations.Version(ctx, sqlDB)
	if err != nil {
		return connectError(err, db.Pool.Config().ConnConfig)
	}
	return migrations.Check(version)
}

// Close stops following the change feed and closes all connections.
func (db *DB) Close() {
	db.Feed.stop()
	db.Pool.Close()
}

// GORM returns a new GORM session. Its queries on tenants' tables need a context
// from WithOrganization or WithOperator, else they fail with ErrNoTenant.
func (db *DB) GORM(ctx context.Context) *gorm.DB { return db.orm.WithContext(ctx) }

// Ping checks that the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.Pool.Ping(ctx) }

// Connections counts the pool's connections: all of them, those in use, and how
// many the pool may open.
type Connections struct{ Total, Busy, Max int }

// Connections counts the pool's connections.
func (db *DB) Connections() Connections {
	stat := db.Pool.Stat()
	return Connections{Total: int(stat.TotalConns()), Busy: int(stat.AcquiredConns()), Max: int(stat.MaxConns())}
}
