package backup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/database/embedded"
	"dispo/models/disk"
	"dispo/models/doctor"
	"dispo/models/erasures"
	"dispo/models/keys"
	"dispo/models/mail"
	"dispo/models/organizations"
)

// lock is the advisory lock of a restore.
const lock = 7_203_611_902

// full matches what PostgreSQL says when its disk is full.
var full = regexp.MustCompile("No space left on device|Check free disk space")

// overhead is what a server takes beside its tables, in bytes: its own, and its log.
const overhead = 128 << 20

// Target is a database to fill.
type Target struct {
	URL        string // as its owner, who may work as dispo_operator
	BinDir     string // PG_BIN
	Erased     []erasures.Erasure
	KeysActive bool // accept the keys of the backup
	// Deleting is called with each slug and address that Erased names and the backup has, before
	// anything is deleted.
	Deleting func(name string)
}

// Restored says what a restore took away.
type Restored struct {
	Paused int   // keys
	Held   int64 // mails
}

// Check restores the backup into a private server that is deleted afterwards, compares
// everything with the manifest, and checks the rights and row-level security as Restore does, if
// the backup has this program's schema. It needs as much room in the folder for temporary files
// as the database, and ends at once if there is less.
func (f *File) Check(ctx context.Context, binDir string) error {
	return f.inCopy(ctx, binDir, func(string) error { return nil })
}

// inCopy does what Check does, and then calls use with the restored database's address, as its
// owner, if the backup has this program's schema.
func (f *File) inCopy(ctx context.Context, binDir string, use func(url string) error) (err error) {
	free, err := disk.Free(os.TempDir())
	if err != nil {
		return fmt.Errorf("cannot use TMPDIR, %s: %w", os.TempDir(), err)
	}
	if needed := f.Manifest.Bytes + overhead; free < needed {
		return fmt.Errorf("the check needs %d MB in %s, which has %d MB: set TMPDIR to a folder on a larger disk",
			needed>>20, os.TempDir(), free>>20)
	}
	dir, err := os.MkdirTemp("", "dispo-check-*")
	if err != nil {
		return fmt.Errorf("cannot check the backup: %w", err)
	}
	defer os.RemoveAll(dir)
	defer func() {
		log, _ := os.ReadFile(filepath.Join(dir, "postgres.log"))
		if err != nil && full.MatchString(err.Error()+string(log)) {
			err = fmt.Errorf("the check has filled %s: set TMPDIR to a folder on a larger disk", os.TempDir())
		}
	}()
	settings := map[string]string{"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off",
		"wal_level": "minimal", "max_wal_senders": "0", "autovacuum": "off", "logging_collector": "off"}
	server, err := embedded.Open(ctx, embedded.Service,
		embedded.Options{Dir: dir, BinDir: binDir, Log: slog.New(slog.DiscardHandler), Settings: settings})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	conn, err := connect(ctx, server.URL())
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if err := f.fill(ctx, conn, Target{URL: server.URL(), BinDir: binDir}); err != nil {
		return err
	}
	if !f.isOurs() { // CheckRights asks for what this program's schema has
		return nil
	}
	if err := doctor.CheckRights(ctx, server.URL()); err != nil {
		return err
	}
	return use(server.URL())
}

// isOurs reports whether the backup has this program's schema.
func (f *File) isOurs() bool {
	return f.Manifest.Contents.version() == migrations.Latest() &&
		strings.HasPrefix(f.Manifest.Contents[schema]["edition"], migrations.Edition())
}

// Restore fills an empty database, compares it with the manifest, and takes away what must
// not come back. Until all of that is done the database is marked, and nothing else uses it.
// The next Restore of the same file goes on.
func (f *File) Restore(ctx context.Context, target Target) (done Restored, err error) {
	if !f.isOurs() {
		return done, fmt.Errorf("the backup has the schema of %s, which is not this one's: restore it with that version, "+
			"and then upgrade", f.Manifest.Program)
	}
	conn, err := connect(ctx, target.URL)
	if err != nil {
		return done, err
	}
	defer conn.Close(ctx)
	if err := f.fill(ctx, conn, target); err != nil {
		return done, err
	}
	db, err := database.Open(ctx,
		database.Config{URL: target.URL, Role: database.Operator, MaxConnections: 2, Restoring: true})
	if err != nil {
		return done, err
	}
	defer db.Close()
	if done, err = takeAway(ctx, models.NewStore(db, nil), f.Manifest.At, target); err != nil {
		return done, err
	}
	if err := doctor.CheckRights(ctx, target.URL); err != nil {
		return done, err
	}
	_, err = conn.Exec(ctx, `ANALYZE; DROP TABLE restore_unfinished`)
	return done, err
}

// unlimited ends the limits of time that an administrator may have set, for the transaction ($1) or the
// session: to read or fill a whole database takes longer, and the connection waits for pg_dump or
// pg_restore meanwhile. Not every version of PostgreSQL has all of them.
const unlimited = `SELECT set_config(name, '0', $1) FROM pg_settings WHERE name IN
	('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`

func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("cannot parse the database's address: expected postgres://user:password@host:port/database")
	}
	migrations.Pin(&config.ConnConfig.Config)
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err == nil {
		if _, err = conn.Exec(ctx, unlimited, false); err != nil {
			_ = conn.Close(ctx)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot use the database at %s:%d: %w", config.ConnConfig.Host, config.ConnConfig.Port,
			database.RootCause(err))
	}
	return conn, nil
}

// fill restores the dump and compares it, in a database that it marks as one that is being
// restored. It goes on where an earlier call was interrupted.
func (f *File) fill(ctx context.Context, conn *pgx.Conn, target Target) error {
	found, err := f.look(ctx, conn)
	if err != nil {
		return err
	}
	compared := false
	if found.Marked {
		compared, err = f.marked(ctx, conn)
	} else {
		err = f.mark(ctx, conn)
	}
	if err != nil || compared {
		return err
	}
	if found.Relations == 0 {
		if err := f.store(ctx, found.Server, target); err != nil {
			return err
		}
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return f.compareDatabase(ctx, tx) })
}

// state is what a restore finds in a database.
type state struct {
	Marked, Mighty    bool // Mighty: the login may do more than the owner of a database
	Server, Relations int  // the major version; the number of tables and the like
}

// look locks the database for this restore, and refuses one that cannot be filled. A dump runs code
// with the rights of the login: those of a superuser, of PostgreSQL's own roles, and of a role
// that may grant these to itself, reach beyond the database.
func (f *File) look(ctx context.Context, conn *pgx.Conn) (found state, err error) {
	// The server may keep the lock of a restore that has just ended for a moment.
	_, err = conn.Exec(ctx, fmt.Sprintf("SET lock_timeout = '5s'; SELECT pg_advisory_lock(%d); RESET lock_timeout", lock))
	if database.Locked(err) {
		return found, errors.New("another `dispo restore` is filling this database")
	} else if err != nil {
		return found, err
	}
	found, err = row[state](ctx, conn, `SELECT to_regclass('public.restore_unfinished') IS NOT NULL AS marked, s.server,
		EXISTS (SELECT FROM pg_roles WHERE pg_has_role(oid, 'MEMBER') AND (rolsuper OR rolname LIKE 'pg\_%' AND rolname <> 'pg_database_owner' OR rolcreaterole AND s.server < 16)) AS mighty,
		(SELECT count(*) FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND c.relname <> 'restore_unfinished'
			AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')) AS relations
		FROM (SELECT current_setting('server_version_num')::int / 10000 AS server) s`)
	switch {
	case err != nil:
	case found.Mighty:
		err = errors.New(
			"a backup can run code, and this login's rights reach beyond the database: use the database's owner, such as dispo_owner of docs/roles.sql, which is no superuser, creates no roles and is in none that begins with pg_",
		)
	case found.Server < f.Manifest.PostgreSQL:
		err = fmt.Errorf("the backup was made by PostgreSQL %d, and this is %d: restore it into a server of that version "+
			"or a newer one", f.Manifest.PostgreSQL, found.Server)
	case found.Relations > 0 && !found.Marked:
		err = errors.New("the database is not empty: `dispo restore` fills a new one, so create one with docs/roles.sql, " +
			"or for the embedded database move its directory away or name another with --data")
	}
	return found, err
}

// marked reports whether an earlier restore of the same backup has compared everything.
func (f *File) marked(ctx context.Context, conn *pgx.Conn) (bool, error) {
	mark, err := row[struct {
		SHA256   string
		Compared bool
	}](ctx, conn, `SELECT sha256, compared FROM restore_unfinished`)
	if err == nil && mark.SHA256 != f.Manifest.SHA256 {
		err = errors.New("the restore of another backup into this database has not ended: go on with that one, or begin " +
			"with an empty database")
	}
	return mark.Compared, err
}

// store runs pg_restore in one transaction, so that there is all of the dump or nothing. The owners
// of tables differ from one database to the next.
func (f *File) store(ctx context.Context, server int, target Target) error {
	clients, err := embedded.FindClients(ctx, target.BinDir, max(server, f.Manifest.PostgreSQL))
	if err != nil {
		return err
	}
	dump, err := f.archive.Open(dumpName)
	if err != nil {
		return err
	}
	defer dump.Close()
	return program(ctx, clients, "pg_restore", target.URL, dump, nil,
		"--single-transaction", "--exit-on-error", "--no-owner", "--schema=public", "--no-password")
}

// mark marks an empty database, and makes what pg_restore does not.
func (f *File) mark(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, migrations.Roles()); err != nil {
		return fmt.Errorf("the login may not work as Dispo's roles: run docs/roles.sql as an administrator, and use the "+
			"owner's login (%w)", err)
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(
			ctx,
			`CREATE TABLE restore_unfinished (sha256 text NOT NULL, compared boolean NOT NULL DEFAULT false);
			GRANT USAGE ON SCHEMA public TO dispo_app, dispo_operator, dispo_keeper; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
			DO $$ BEGIN
				EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
				EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO dispo_operator', current_database());
			END $$`,
		); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO restore_unfinished VALUES ($1)`, f.Manifest.SHA256)
		return err
	})
}

// owned selects the functions that work as another role than their caller's, and whether that
// is dispo_keeper by the manifest, $1, or dispo_operator. Nothing of a manifest becomes SQL.
const owned = `SELECT p.oid::regprocedure::text AS function, listed.value = 'dispo_keeper' AS keeper
	FROM pg_proc p JOIN jsonb_each_text($1) listed ON listed.key = p.oid::regprocedure::text
	WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef AND listed.value IN ('dispo_operator', 'dispo_keeper')`

// giveFunctions gives the functions their owners, which pg_restore leaves out.
func (f *File) giveFunctions(ctx context.Context, tx pgx.Tx) error {
	found, err := rows[struct {
		Function string // as PostgreSQL writes it in SQL
		Keeper   bool
	}](ctx, tx, owned, f.Manifest.Contents[functions])
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `GRANT CREATE ON SCHEMA public TO dispo_operator, dispo_keeper`); err != nil {
		return err
	}
	for _, one := range found {
		to := "dispo_operator"
		if one.Keeper {
			to = "dispo_keeper"
		}
		if _, err := tx.Exec(ctx, `ALTER FUNCTION `+one.Function+` OWNER TO `+to); err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, `REVOKE CREATE ON SCHEMA public FROM dispo_operator, dispo_keeper`)
	return err
}

// compareDatabase gives the functions their owners, and compares everything with the manifest.
func (f *File) compareDatabase(ctx context.Context, tx pgx.Tx) error {
	if err := f.giveFunctions(ctx, tx); err != nil {
		return fmt.Errorf("cannot set the owners of the functions: %w", err)
	}
	if err := compare(ctx, tx, f.Manifest.Contents); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `RESET ROLE; UPDATE restore_unfinished SET compared = true`)
	return err
}

// tellDeleting tells the target what is about to be deleted.
func tellDeleting(ctx context.Context, s *models.Store, target Target) error {
	var ids []uuid.UUID // nobody else's, so their kinds do not matter
	for _, e := range target.Erased {
		ids = append(ids, e.ID)
	}
	var slugs, addresses []string
	db := s.DB().GORM(database.WithOperator(ctx))
	err := errors.Join(db.Model(&models.Organization{}).Where("id IN ?", ids).Order("slug").Pluck("slug", &slugs).Error,
		db.Model(&accounts.User{}).Where("id IN ?", ids).Order("email").Pluck("email", &addresses).Error)
	for _, name := range append(slugs, addresses...) {
		target.Deleting(name)
	}
	return models.Wrap(err)
}

// takeAway ends and erases what must not come back with a backup that was made at a time. It
// can be repeated.
func takeAway(ctx context.Context, s *models.Store, at time.Time, target Target) (done Restored, err error) {
	if err := accounts.EndEverything(ctx, s); err != nil {
		return done, err
	}
	if err := tellDeleting(ctx, s, target); err != nil {
		return done, err
	}
	revoked := map[uuid.UUID]bool{}
	for _, e := range target.Erased {
		switch e.Kind {
		case erasures.Organization:
			err = organizations.DeleteOrganization(ctx, s, e.ID)
		case erasures.User:
			err = accounts.DeleteUser(ctx, s, e.ID)
		case erasures.Key:
			revoked[e.ID] = true
		}
		if err != nil {
			return done, fmt.Errorf("cannot apply DISPO_ERASURES again: %w", err)
		}
	}
	if _, err := organizations.RenewHistory(ctx, s, ""); err != nil {
		return done, err
	}
	pause := !target.KeysActive
	if done.Paused, err = keys.AfterRestore(ctx, s, at, revoked, pause); err != nil {
		return done, err
	}
	if err := erasures.Forget(ctx, s); err != nil {
		return done, err
	}
	done.Held, err = mail.Hold(ctx, s)
	return done, err
}
