// Package migrations holds the database's schema as numbered SQL files, and
// brings a database up to date with them.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// ErrSchema says that a database's schema is not the one this program knows.
var ErrSchema = errors.New("the database's schema is not the one this program knows")

// Who waits for another's migration asks again every second, for five minutes.
const (
	lockRetry   = 1 // seconds
	lockRetries = 300
)

// Latest is the version of the schema that this program knows.
func Latest() int64 {
	entries, _ := files.ReadDir(".")
	number, _, _ := strings.Cut(entries[len(entries)-1].Name(), "_")
	version, _ := strconv.ParseInt(number, 10, 64)
	return version
}

// Connect opens the database at url, as it is or as a service's with settings of
// a pool in it. It asks nothing of it yet.
func Connect(url string) (*sql.DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		// The parser's own error repeats the address, and with it the password.
		return nil, errors.New("the database's address can't be read: expected postgres://user:password@host:port/database")
	}
	for name := range config.RuntimeParams {
		if strings.HasPrefix(name, "pool_") {
			delete(config.RuntimeParams, name)
		}
	}
	return stdlib.OpenDB(*config), nil
}

// Up brings the database at url up to date, and tells the names of the files
// that it applied, none where it was up to date. Several may call it at once:
// one works, the others wait. The login role needs CREATEROLE, once, and owns
// what is made.
func Up(ctx context.Context, url string) ([]string, error) {
	db, err := Connect(url)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockRetry, lockRetries))
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("the database can't be migrated: %w", err)
	}
	if version, err := Version(ctx, db); err == nil && version > Latest() {
		return nil, fmt.Errorf("%w: it is at version %d, newer than %d: use a newer dispo", ErrSchema, version, Latest())
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return nil, fmt.Errorf("the database can't be migrated: %w", err)
	}
	applied := make([]string, len(results))
	for i, result := range results {
		applied[i] = result.Source.Path
	}
	return applied, nil
}

// Version tells at which version the database's schema is; 0 where it has none.
func Version(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (int64, error) {
	var version int64
	err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	var pgError *pgconn.PgError
	if errors.As(err, &pgError) && pgError.Code == "42P01" { // undefined_table
		return 0, nil
	}
	return version, err
}

// Check refuses a schema that is older or newer than this program knows, with a
// sentence that says what to do.
func Check(version int64) error {
	switch latest := Latest(); {
	case version < latest:
		return fmt.Errorf("%w: it is at version %d of %d: run `dispo migrate`", ErrSchema, version, latest)
	case version > latest:
		return fmt.Errorf("%w: it is at version %d, newer than %d: use a newer dispo", ErrSchema, version, latest)
	}
	return nil
}
