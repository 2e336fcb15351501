// Package migrations contains the database's schema as numbered SQL files and
// applies them to a database.
package migrations

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// ErrSchema means that a database's schema is older or newer than this program's.
var ErrSchema = errors.New("the database's schema does not match this program")

// ErrEdition means that an unreleased edition of this program made the database. Its
// schema cannot be brought up to date.
var ErrEdition = errors.New(
	"the database was made by an unreleased edition of dispo: create a new one, and import the data again")

// ErrRestore means that a restore of the database has not ended. It may have part of the
// data, and keys that were revoked.
var ErrRestore = errors.New(
	"a restore of this database has not ended: run `dispo restore` again with the same file, or begin with an empty database",
)

// ErrRights means that the service's role may do more than it should, or the operator's less.
var ErrRights = errors.New("dispo_app has rights that it should not have, or dispo_operator lacks one")

// edition is what the first file notes in a database. Until the first release the files
// are edited in place, and each edit changes the edition: a test says to what. Each file that
// is added later also notes its version and the oldest version whose programs it still
// serves, because it only adds what they do not need to know:
//
//	COMMENT ON TABLE goose_db_version IS 'dispo edition 0123456789ab, version 9 serves 8';
const edition = "dispo edition fc566747cbd7"

// While another process migrates the database, Up tries again every second, for
// five minutes.
const (
	lockRetrySeconds = 1
	lockRetries      = 300
)

var (
	tenantTables = regexp.MustCompile(`(?s)FUNCTION tenant_tables\(\).*?\$\$;`)
	tenantTable  = regexp.MustCompile(`\('(\w+)', '\w+', `)
)

// TenantTables returns the tables whose rows belong to organizations, as the function
// tenant_tables has them.
var TenantTables = sync.OnceValue(func() (names []string) {
	text, err := files.ReadFile("00008_row_security.sql")
	if err != nil {
		panic(err) // impossible: it is embedded
	}
	for _, row := range tenantTable.FindAllSubmatch(tenantTables.Find(text), -1) {
		names = append(names, string(row[1]))
	}
	return names
})

// Latest returns the version of the schema that this program uses.
func Latest() int64 { return latest(files) }

func latest(files fs.FS) int64 {
	names, _ := fs.Glob(files, "*.sql")
	number, _, _ := strings.Cut(names[len(names)-1], "_")
	version, _ := strconv.ParseInt(number, 10, 64)
	return version
}

// Edition returns the edition of the schema.
func Edition() string { return edition }

// Roles returns the statements that create the roles that are missing, and let the login
// work as them.
func Roles() string {
	text, _ := files.ReadFile("00001_roles.sql")
	roles, _, _ := strings.Cut(string(text), "GRANT USAGE ON SCHEMA")
	return roles
}

// Hash returns a text that differs for each schema.
func Hash() string {
	hash := sha256.New()
	entries, _ := files.ReadDir(".")
	for _, entry := range entries {
		text, _ := files.ReadFile(entry.Name())
		hash.Write(text)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// Connect returns a handle for the database at url. It ignores the url's settings
// for a pgxpool, and does not connect yet.
func Connect(url string) (*sql.DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		// The parser's error repeats the address, which contains the password.
		return nil, errors.New("cannot parse the database's address: expected postgres://user:password@host:port/database")
	}
	for name := range config.RuntimeParams {
		if strings.HasPrefix(name, "pool_") {
			delete(config.RuntimeParams, name)
		}
	}
	Pin(&config.Config)
	return stdlib.OpenDB(*config), nil
}

// Up migrates the database at url to the latest version. It returns the names of
// the files that it applied, none if the database was up to date, or is newer and still
// serves this program. Of several concurrent calls, one migrates and the others wait. The
// login role becomes the owner of the tables, and needs CREATEROLE for the first migration.
func Up(ctx context.Context, url string) ([]string, error) { return Apply(ctx, url, files) }

// Apply is Up of the program with these files. Tests upgrade to a release that follows.
func Apply(ctx context.Context, url string, files fs.FS) ([]string, error) {
	db, err := Connect(url)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockRetrySeconds, lockRetries))
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("cannot migrate the database: %w", err)
	}
	if schema, err := Read(ctx, db); errors.Is(err, ErrEdition) || errors.Is(err, ErrRestore) {
		return nil, err
	} else if known := latest(files); err == nil && schema.Version > known {
		if err := schema.check(known); err != nil {
			return nil, err
		}
		return nil, CheckRights(ctx, db)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot migrate the database: %w", err)
	}
	applied := make([]string, len(results))
	for i, result := range results {
		applied[i] = result.Source.Path
	}
	return applied, CheckRights(ctx, db)
}

// CheckRights returns an ErrRights that says what to do, unless the rights of the roles in an
// up-to-date database are what the schema needs. The login's own rights do not matter.
func CheckRights(ctx context.Context, db *sql.DB) error {
	var statements sql.NullString
	if err := db.QueryRowContext(ctx, `SELECT string_agg(statement, '; ') FROM rights_to_correct() statement`).
		Scan(&statements); err != nil {
		return fmt.Errorf("cannot query the rights of dispo_app: %w", err)
	}
	if statements.Valid {
		return fmt.Errorf("%w: as the database's owner or an administrator, run: %s", ErrRights, statements.String)
	}
	return nil
}

// Schema is what a database says of its schema.
type Schema struct {
	Version int64 // the number of the newest file, 0 if there is no schema
	Serves  int64 // the oldest version whose programs it still serves
}

// Read reads what the database says of its schema. The error may be ErrEdition
// or ErrRestore.
func Read(ctx context.Context, db *sql.DB) (Schema, error) {
	var schema Schema
	var unfinished bool // package backup marks a database that it fills
	if err := db.QueryRowContext(ctx, `SELECT to_regclass('public.restore_unfinished') IS NOT NULL`).
		Scan(&unfinished); err != nil {
		return schema, err
	} else if unfinished {
		return schema, ErrRestore
	}
	var noted string
	err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).
		Scan(&schema.Version)
	if server, ok := errors.AsType[*pgconn.PgError](err); ok && server.Code == "42P01" { // undefined_table
		return Schema{}, nil
	}
	if err == nil {
		err = db.QueryRowContext(ctx, `SELECT coalesce(obj_description('goose_db_version'::regclass), '')`).Scan(&noted)
	}
	if err != nil {
		return Schema{}, err
	}
	serves, ours := strings.CutPrefix(noted, edition)
	if schema.Version > 0 && !ours {
		return Schema{}, ErrEdition
	}
	// The note of another file says nothing of this version.
	serves, _ = strings.CutPrefix(serves, fmt.Sprintf(", version %d serves ", schema.Version))
	if schema.Serves, err = strconv.ParseInt(serves, 10, 64); err != nil {
		schema.Serves = schema.Version
	}
	return schema, nil
}

// Check returns an ErrSchema that says what to do, unless this program can work with the
// schema: it is of version Latest, or newer and still serves this program.
func (s Schema) Check() error { return s.check(Latest()) }

func (s Schema) check(known int64) error {
	switch {
	case s.Version < known:
		return fmt.Errorf("%w: it is at version %d of %d: run `dispo migrate`", ErrSchema, s.Version, known)
	case s.Serves > known:
		return fmt.Errorf(
			"%w: it is at version %d, which serves programs from version %d on, and this one knows %d: use a newer dispo",
			ErrSchema, s.Version, s.Serves, known)
	}
	return nil
}

// Newer reports whether the schema is newer than this program.
func (s Schema) Newer() bool { return s.Version > Latest() }
