// Package database connects to PostgreSQL, and keeps the rules that every
// connection must follow: the role that the connections work as, the organization they work
// for, the change feed, ids that rise in commit order, and the writers' lock.
package database

import (
	"cmp"
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
	eachTimeout        = time.Second      // the same if there are several hosts, one of which may be silent
	pingTimeout        = time.Second      // for a connection that was idle, before it is used
	finishTimeout      = 30 * time.Second // for a commit, also of a large import
	defaultConnections = 16               // enough that a few slow queries block nobody
	leastShared        = 4                // with fewer connections, pages and exports have none of their own
	leastRest          = 4                // the same for the API's reads, of the connections that are left

	// Each page size and list has a statement of its own, because the limit is
	// part of its text.
	statementCache = 1024
)

// Config says how to open a DB.
type Config struct {
	URL            string       // PostgreSQL, in any form that pgx reads
	ReadURL        string       // of replicas, one or more hosts; empty for none
	Role           Role         // the role that all connections take
	MaxConnections int          // in all; 0 means pool_max_conns of the URL, or 16
	Restoring      bool         // open a database whose restore has not ended, too
	Serving        bool         // divide the connections, see divide
	Log            *slog.Logger // nil means slog's default

	timelines *timelines // of the primary
}

// DB is a pool of connections to the database. It is safe for concurrent use.
type DB struct {
	Role     Role // the role that its connections take
	Pool     *pgxpool.Pool
	Feed     *Feed
	Replicas *Replicas
	orm      *gorm.DB
	// Each is the DB itself if it has no connections of its own: for the dashboard's pages, for
	// downloads, and for what is composed as a Statement.
	pages, exports, reads *DB

	snapshots     bool          // its transactions are snapshots by themselves, see snapshotsOnly
	limited       bool          // its statements have the service's limit of time, and not one of the URL's
	finishTimeout time.Duration // tests change it
}

// Open connects to a database whose schema is the one that this program knows, or a newer
// one that still serves it.
// A DB that works as Service also follows the change feed. Its error is one
// sentence for the operator.
func Open(ctx context.Context, config Config) (*DB, error) {
	config.Log = cmp.Or(config.Log, slog.Default())
	config.timelines = &timelines{log: config.Log}
	poolConfig, err := poolConfig(config)
	if err != nil {
		return nil, err
	}
	feed := newFeed(poolConfig.ConnConfig, config.timelines, config.Log)
	rest, pages, exports, reads := divide(poolConfig.MaxConns, config.Serving)
	db, err := newDB(ctx, poolConfig, rest, config.Role, feed)
	if err != nil {
		return nil, err
	}
	if pages > 0 {
		if db.pages, err = newDB(ctx, poolConfig, pages, config.Role, feed); err != nil {
			return nil, err
		}
		if db.exports, err = newDB(ctx, poolConfig, exports, config.Role, feed); err != nil {
			return nil, err
		}
	}
	if reads > 0 {
		if db.reads, err = newDB(ctx, snapshotsOnly(poolConfig), reads, config.Role, feed); err != nil {
			return nil, err
		}
	}
	db.pages.exports, db.reads.snapshots = db.exports, reads > 0
	err = db.checkSchema(ctx, config)
	if err == nil {
		db.Replicas, err = openReplicas(ctx, config, feed)
		db.pages.Replicas = db.Replicas
	}
	if err != nil {
		db.closePools()
		return nil, err
	}
	// Whatever broke the feed's connection may have broken the pools' silently, and
	// discovering each would cost a timeout.
	feed.reconnected = func() {
		for _, pool := range db.pools() {
			pool.Reset()
		}
	}
	if config.Role == Service {
		feed.start()
	}
	return db, nil
}

// divide says how many connections serve what. Of four or more, a quarter is for the
// dashboard's pages and a fifth for downloads. Of four or more that are left, half is for the
// API's reads. All else shares the rest.
func divide(all int32, serving bool) (rest, pages, exports, reads int32) {
	rest = all
	if serving && rest >= leastShared {
		pages, exports = all/4, max(1, all/5)
		rest -= pages + exports
		if rest >= leastRest {
			reads = (rest + 1) / 2
			rest -= reads
		}
	}
	return rest, pages, exports, reads
}

// snapshotsOnly returns the configuration of a pool whose transactions only read, each the data
// of one moment, whatever the URL says: so the statements of one message are a snapshot.
func snapshotsOnly(config *pgxpool.Config) *pgxpool.Config {
	config = config.Copy()
	connected := config.AfterConnect
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if err := connected(ctx, conn); err != nil {
			return err
		}
		_, err := conn.Exec(ctx,
			"SET default_transaction_isolation = 'repeatable read'; SET default_transaction_read_only = on")
		return err
	}
	return config
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
	hosts := EachHost(parsed)
	if parsed.ConnConfig.ConnectTimeout == 0 {
		parsed.ConnConfig.ConnectTimeout = connectTimeout
		if len(hosts) > 1 {
			parsed.ConnConfig.ConnectTimeout = eachTimeout
		}
	}
	if len(hosts) > 1 && parsed.ConnConfig.ValidateConnect == nil {
		parsed.ConnConfig.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	parsed.ConnConfig.DialFunc = dialer.DialContext
	migrations.Pin(&parsed.ConnConfig.Config)
	parsed.ConnConfig.ValidateConnect = config.timelines.validate(parsed.ConnConfig.ValidateConnect)
	parsed.PrepareConn = config.timelines.prepare
	if parsed.PingTimeout == 0 {
		parsed.PingTimeout = pingTimeout
	}
	parsed.ConnConfig.StatementCacheCapacity = statementCache
	parsed.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		registerTypes(conn.TypeMap())
		return takeRole(ctx, conn, config.Role)
	}
	parsed.BeforeClose = closeBroken
	keeps := parsed.ConnConfig.OnPgError
	parsed.ConnConfig.OnPgError = func(conn *pgconn.PgConn, err *pgconn.PgError) bool {
		if replaced(err) {
			config.Log.Error(errReplaced.Error(), "error", err)
		}
		return keeps(conn, err)
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

// newDB returns a DB with that many connections at most. It does not connect yet.
func newDB(ctx context.Context, config *pgxpool.Config, connections int32, role Role, feed *Feed) (*DB, error) {
	config = config.Copy()
	config.MaxConns = connections
	config.MinConns, config.MinIdleConns = min(config.MinConns, connections), min(config.MinIdleConns, connections)
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
		ClauseBuilders:         map[string]clause.ClauseBuilder{"LIMIT": literalLimit},
	})
	if err == nil {
		err = orm.Use(tenantScope{})
	}
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("cannot use the database: %w", err)
	}
	db := &DB{Role: role, Pool: pool, Feed: feed, Replicas: &Replicas{}, orm: orm, finishTimeout: finishTimeout}
	db.pages, db.exports, db.reads = db, db, db
	_, own := config.ConnConfig.RuntimeParams["statement_timeout"]
	db.limited = role == Service && !own
	return db, nil
}

func (db *DB) checkSchema(ctx context.Context, config Config) error {
	pool := db.Pool.Config()
	timeout := pool.ConnConfig.ConnectTimeout
	if hosts := len(EachHost(pool)); hosts > 1 {
		timeout *= time.Duration(2 * hosts) // for two connections, and hosts that are silent
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	sqlDB, err := db.orm.DB()
	if err == nil {
		err = db.Pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error { return RefusePooler(ctx, conn.Conn()) })
	}
	var schema migrations.Schema
	if err == nil {
		schema, err = migrations.Read(ctx, sqlDB)
	}
	if config.Restoring && errors.Is(err, migrations.ErrRestore) {
		return nil
	}
	if err == nil {
		err = schema.Check()
	}
	if err == nil && schema.Newer() {
		config.Log.Warn(
			"the database's schema is newer than this program, which it still serves until the next release: upgrade this instance",
			"schema",
			schema.Version,
			"program",
			migrations.Latest(),
		)
	}
	if err == nil && db.Role == Service {
		err = migrations.CheckRights(ctx, sqlDB)
	}
	return connectError(err, pool.ConnConfig)
}

// Close stops following the change feed and closes all connections.
func (db *DB) Close() {
	db.Feed.stop()
	db.closePools()
}

func (db *DB) closePools() {
	for _, pool := range append(db.pools(), db.Replicas.pools()...) {
		pool.Close()
	}
}

// pools returns the pools of connections.
func (db *DB) pools() []*pgxpool.Pool {
	pools := []*pgxpool.Pool{db.Pool}
	for _, other := range []*DB{db.pages, db.exports, db.reads} {
		if other != db {
			pools = append(pools, other.Pool)
		}
	}
	return pools
}

// ForPages returns the database over the connections that are kept for pages, so that the
// API never waits for them. With fewer than four connections all share the same ones. It
// shares db's feed and is closed with it.
func (db *DB) ForPages() *DB { return db.pages }

// ForExports is ForPages for the connections that are kept for exports.
func (db *DB) ForExports() *DB { return db.exports }

// Ping checks that the database answers. It does not wait for a free connection: an answer
// to something that the change feed asks from now on is enough.
func (db *DB) Ping(ctx context.Context) error {
	for began := time.Now(); !db.Feed.heardAfter(began); {
		attempt, cancel := context.WithTimeout(ctx, feedPing)
		err := db.Pool.Ping(attempt)
		cancel()
		if replaced(err) {
			return fmt.Errorf("%w: %w", errReplaced, err)
		}
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
	return nil
}

// Up reports whether the database answers. If Ping cannot tell, because the feed's connection is
// broken and all others are in use, Up opens one.
func (db *DB) Up(ctx context.Context) bool {
	pinging, cancel := context.WithTimeout(ctx, 2*feedPing)
	defer cancel()
	err := db.Ping(pinging)
	if errors.Is(err, context.DeadlineExceeded) {
		var conn *pgx.Conn
		if conn, err = pgx.ConnectConfig(ctx, db.Pool.Config().ConnConfig); err == nil {
			err = conn.Close(ctx)
		}
	}
	return err == nil || sqlState(err) == "53300" // too_many_connections is an answer
}

// GORM returns a new GORM session. Its queries on tenants' tables need a context
// from WithOrganization or WithOperator, else they fail with ErrNoTenant.
func (db *DB) GORM(ctx context.Context) *gorm.DB { return db.orm.WithContext(ctx) }

// Connections counts connections: all of them, those in use, how many may be opened, and the
// waits for one since the start, with their seconds.
type Connections struct{ Total, Busy, Max, Waits, WaitSeconds float64 }

// EachPool calls f for each pool of connections, with its name: pages, exports, reads, or other
// for all else.
func (db *DB) EachPool(f func(name string, count Connections)) {
	for name, of := range map[string]*DB{"other": db, "pages": db.pages, "exports": db.exports, "reads": db.reads} {
		if of == db && name != "other" {
			continue
		}
		stat := of.Pool.Stat()
		f(name, Connections{
			float64(stat.TotalConns()), float64(stat.AcquiredConns()), float64(stat.MaxConns()),
			float64(stat.EmptyAcquireCount()), stat.EmptyAcquireWaitTime().Seconds(),
		})
	}
}
