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
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"

	"dispo/migrations"
)

const (
	connectTimeout     = 5 * time.Second
	pingTimeout        = time.Second      // for a connection that was idle, before it is used
	finishTimeout      = 30 * time.Second // for a commit, also of a large import
	defaultConnections = 16               // enough that a few slow queries block nobody

	// Each page size and list has a statement of its own, because the limit is
	// part of its text.
	statementCache = 1024
)

// Config says how to open a DB.
type Config struct {
	URL            string       // PostgreSQL, in any form that pgx reads
	Role           Role         // the role that all connections take
	MaxConnections int          // in all; 0 means pool_max_conns of the URL, or 16
	Pages          bool         // keep a quarter of the connections for DB.Pages, and a fifth for DB.Exports
	Log            *slog.Logger // nil means slog's default
}

// DB is a pool of connections to the database. It is safe for concurrent use.
type DB struct {
	Role    Role // the role that its connections take
	Pool    *pgxpool.Pool
	Feed    *Feed
	orm     *gorm.DB
	pages   *DB // nil if pages have no connections of their own
	exports *DB // nil if exports have none

	finishTimeout time.Duration // tests change it
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
	var pagesConfig, exportsConfig *pgxpool.Config
	if most := poolConfig.MaxConns; config.Pages {
		pagesConfig = splitOff(poolConfig, most/pagesShare)
		exportsConfig = splitOff(poolConfig, most/exportsShare)
	}
	db, err := newDB(ctx, poolConfig, config.Role)
	if err != nil {
		return nil, err
	}
	if err := db.checkSchema(ctx); err != nil {
		db.Pool.Close()
		return nil, err
	}
	db.Feed = newFeed(poolConfig.ConnConfig, config.Log)
	if pagesConfig != nil {
		if db.pages, err = newDB(ctx, pagesConfig, config.Role); err != nil {
			db.closePools()
			return nil, err
		}
		db.pages.Feed = db.Feed
	}
	if exportsConfig != nil {
		if db.exports, err = newDB(ctx, exportsConfig, config.Role); err != nil {
			db.closePools()
			return nil, err
		}
		db.exports.Feed = db.Feed
		db.pages.exports = db.exports
	}
	// Whatever broke the feed's connection may have broken the pools' silently, and
	// discovering each would cost a timeout.
	db.Feed.reconnected = func() {
		for _, pool := range db.pools() {
			pool.Reset()
		}
	}
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
	parsed.BeforeClose = closeBroken
	closes := parsed.ConnConfig.OnPgError // closes at fatal errors
	parsed.ConnConfig.OnPgError = func(conn *pgconn.PgConn, err *pgconn.PgError) bool {
		return closes(conn, err) && !lostSession(err) // which only a new connection leaves behind
	}
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

// newDB returns a DB without a feed. It does not connect yet.
func newDB(ctx context.Context, config *pgxpool.Config, role Role) (*DB, error) {
	db := &DB{Role: role, finishTimeout: finishTimeout}
	config.PrepareConn = func(ctx context.Context, conn *pgx.Conn) (bool, error) {
		if db.Feed != nil && db.Feed.pooled.Load() {
			return true, ErrPooler
		}
		return setOrganization(ctx, conn)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("cannot use the database: %w", err)
	}
	orm, err := gorm.Open(postgres.New(postgres.Config{Conn: openSQL(pool)}), &gorm.Config{
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
		pool.Close()
		return nil, fmt.Errorf("cannot use the database: %w", err)
	}
	db.Pool, db.orm = pool, orm
	return db, nil
}

func (db *DB) checkSchema(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	sqlDB, err := db.orm.DB()
	if err != nil {
		return err
	}
	if err := db.refusePooler(ctx); err != nil {
		return connectError(err, db.Pool.Config().ConnConfig)
	}
	version, err := migrations.Version(ctx, sqlDB)
	if errors.Is(err, migrations.ErrEdition) {
		return err
	}
	if err != nil {
		return connectError(err, db.Pool.Config().ConnConfig)
	}
	return migrations.Check(version)
}

// Close stops following the change feed and closes all connections.
func (db *DB) Close() {
	db.Feed.stop()
	db.closePools()
}

func (db *DB) closePools() {
	for _, pool := range db.pools() {
		pool.Close()
	}
}

// pools returns the pools of connections: db's own, the pages' and the exports'.
func (db *DB) pools() []*pgxpool.Pool {
	pools := []*pgxpool.Pool{db.Pool}
	for _, other := range []*DB{db.pages, db.exports} {
		if other != nil {
			pools = append(pools, other.Pool)
		}
	}
	return pools
}

// GORM returns a new GORM session. Its queries on tenants' tables need a context
// from WithOrganization or WithOperator, else they fail with ErrNoTenant.
func (db *DB) GORM(ctx context.Context) *gorm.DB { return db.orm.WithContext(ctx) }

// Connections counts connections: all of them, those in use, and how many may be opened.
type Connections struct{ Total, Busy, Max int }

// Connections counts the connections of all pools.
func (db *DB) Connections() (c Connections) {
	for _, pool := range db.pools() {
		stat := pool.Stat()
		c.Total += int(stat.TotalConns())
		c.Busy += int(stat.AcquiredConns())
		c.Max += int(stat.MaxConns())
	}
	return c
}
