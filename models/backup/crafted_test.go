package backup_test

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models/backup"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// crafted returns a backup with the same dump and a changed manifest.
func crafted(t *testing.T, path string, change func(*backup.Manifest)) *backup.File {
	t.Helper()
	m := open(t, path).Manifest
	change(&m)
	return open(t, rewrite(t, path, m))
}

// newMark returns the path of a file that does not exist, and that PostgreSQL's user can create.
func newMark(t *testing.T) string {
	t.Helper()
	folder, err := modelstest.MakeDirectory()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	require.NoError(t, os.Chmod(folder, 0o777))
	return filepath.Join(folder, "mark")
}

func check(t *testing.T, file *backup.File) error {
	return file.Check(t.Context(), os.Getenv("PG_BIN"))
}

func restore(t *testing.T, file *backup.File, url string) error {
	return modelstest.ErrorOf(file.Restore(t.Context(), backup.Target{URL: url}))
}

// What a manifest names is looked up and never run, neither in the private server of a check
// nor in a database that is restored.
func TestManifestIsNotRun(t *testing.T) {
	t.Parallel()
	path, mark := newSource(t).backup(t), newMark(t)
	owning := func(name, owner string) *backup.File {
		return crafted(t, path, func(m *backup.Manifest) { m.Contents["functions"][name] = owner })
	}
	const before, after, differs = `mail_tend() OWNER TO dispo_operator; `, `; ALTER FUNCTION mail_tend()`, "does not have what its manifest lists"
	require.ErrorContains(t,
		check(t, owning(before+`COPY (SELECT 1) TO PROGRAM 'touch `+mark+`'`+after, "dispo_operator")), differs)
	require.NoFileExists(t, mark)

	to := modelstest.OwnedDatabase(t, roles...)
	leak := owning(
		before+`ALTER POLICY tenant ON companies USING (true); UPDATE restore_unfinished SET compared = true; COMMIT; BEGIN`+after,
		"dispo_operator",
	)
	for _, file := range []*backup.File{leak, leak, owning("mail_tend()", "dispo_app"), owning("add_key(text)", "dispo_keeper")} {
		require.ErrorContains(t, restore(t, file, to), differs)
	}
	require.Zero(t,
		modelstest.ValueAt[int](t, to, `SELECT count(*) FROM pg_policies WHERE policyname = 'tenant' AND qual = 'true'`))
}

// A dump runs code, such as the functions in checks of its tables. It can do no more than the
// owner of the database that it is restored into, so the login may not be a superuser or become
// one, nor have PostgreSQL's own roles.
func TestDumpRunsAsTheOwner(t *testing.T) {
	t.Parallel()
	s, mark := newSource(t), newMark(t)
	modelstest.ExecuteAt(t, s.url, `CREATE FUNCTION run() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
		IF to_regclass('public.restore_unfinished') IS NOT NULL THEN COPY (SELECT 1) TO PROGRAM 'touch `+mark+`'; END IF; RETURN true; END $$`)
	modelstest.ExecuteAt(t, s.url, `ALTER TABLE sign_in_failures ADD CONSTRAINT runs CHECK (run())`)
	file := open(t, s.backup(t))
	require.ErrorContains(t, check(t, file), "pg_restore failed")
	require.ErrorContains(t, restore(t, file, modelstest.OwnedDatabase(t, roles...)), "pg_restore failed")

	super := modelstest.Conn(t, s.url)
	owned := func(change string) string {
		url := modelstest.OwnedDatabase(t, roles...)
		modelstest.Execute(t, super, strings.ReplaceAll(change, "LOGIN", modelstest.Conn(t, url).Config().User))
		return url
	}
	mighty := []string{
		modelstest.EmptyDatabase(t),
		owned(`GRANT pg_read_server_files TO LOGIN`),
		owned(`GRANT ` + super.Config().User + ` TO LOGIN`),
	}
	if modelstest.Value[int](
		t,
		super,
		`SELECT current_setting('server_version_num')::int / 10000`,
	) < 16 { // since then such a role cannot grant itself PostgreSQL's own
		mighty = append(mighty, owned(`ALTER ROLE LOGIN CREATEROLE`))
	}
	for _, url := range mighty {
		require.ErrorContains(t, restore(t, file, url), "use the database's owner")
		require.Zero(t,
			modelstest.ValueAt[int](t, url, `SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace`))
	}
	require.NoFileExists(t, mark)
	modelstest.ExecuteAt(t, s.url, `ALTER TABLE sign_in_failures DROP CONSTRAINT runs`)
	require.NoError(t, restore(t, open(t, s.backup(t)), owned(`ALTER ROLE LOGIN BYPASSRLS`)))
}

// A dump that agrees with its manifest and would not keep organizations apart is never restored to
// the end, also at the second try, and its check fails.
func TestRestoredRightsHold(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	for i, row := range []struct{ do, undo, problem string }{
		{`ALTER POLICY tenant ON companies USING (true)`, `ALTER POLICY tenant ON companies USING (organization_id = current_organization())`, "The policy tenant of the table companies lets the service see"},
		{`GRANT DELETE ON companies TO dispo_app`, `REVOKE DELETE ON companies FROM dispo_app`, "REVOKE DELETE ON companies FROM dispo_app"},
		{`CREATE FUNCTION mine() RETURNS text LANGUAGE sql SECURITY DEFINER RETURN 'x'`, `DROP FUNCTION mine()`, `mine\(\), which works as `},
		{`ALTER FUNCTION mail_tend() SECURITY INVOKER`, `ALTER FUNCTION mail_tend() SECURITY DEFINER`, "The function mail_tend is missing, or does not work as"},
	} {
		modelstest.ExecuteAt(t, s.url, row.do)
		file, to := open(t, s.backup(t)), modelstest.OwnedDatabase(t, roles...)
		modelstest.ExecuteAt(t, s.url, row.undo)
		failed := []error{restore(t, file, to)}
		if i == 0 { // they ask the same questions
			failed = append(failed, restore(t, file, to), check(t, file))
		}
		for _, err := range failed {
			require.Error(t, err, row.do)
			require.Regexp(t, row.problem, err.Error())
		}
		require.ErrorIs(t, modelstest.ErrorOf(database.Open(t.Context(), database.Config{URL: to, Role: database.Service})),
			migrations.ErrRestore)
	}
}

// A file in the archive that is compressed, or larger than any that dispo writes, is refused
// before it is in memory.
func archive(t *testing.T, path string) {
	manifest, err := json.Marshal(open(t, path).Manifest)
	require.NoError(t, err)
	padded := func(size int) []byte { return append([]byte(strings.Repeat(" ", size-len(manifest))), manifest...) }
	for _, row := range []struct {
		method           uint16
		manifest, secret []byte
		problem          string
	}{
		{zip.Store, padded(16 << 20), make([]byte, 1<<10), ""},
		{zip.Deflate, manifest, nil, "is compressed"},
		{zip.Store, padded(16<<20 + 1), nil, "its manifest.json has more than 16777216 bytes"},
		{zip.Store, manifest, make([]byte, 1<<10+1), "its secret has more than 1024 bytes"},
	} {
		file, err := backup.Open(
			pack(t, path, row.method, map[string][]byte{"manifest.json": row.manifest, "secret": row.secret}))
		if row.problem != "" {
			require.ErrorContains(t, err, row.problem)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, file.Close())
	}
}

// A backup that the program before makes after an upgrade of the schema names the release that
// can restore it.
func TestBackupOfANewerSchema(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	modelstest.ExecuteAt(t, s.url,
		`INSERT INTO goose_db_version (version_id, is_applied) SELECT max(version_id) + 1, true FROM goose_db_version`)
	modelstest.ExecuteAt(
		t,
		s.url,
		`DO $$ BEGIN EXECUTE (SELECT format('COMMENT ON TABLE goose_db_version IS %L', format('%s, version %s serves %s', obj_description('goose_db_version'::regclass), max(version_id), max(version_id) - 1)) FROM goose_db_version); END $$`,
	)
	file := open(t, s.backup(t))
	require.ErrorContains(t, restore(t, file, modelstest.OwnedDatabase(t, roles...)),
		"the schema of the release after dispo 1.2.3, which is not this one's: restore it with that version")
	require.NoError(t, check(t, file))
}

// One restore at a time fills a database. The next one can begin when it has ended.
func oneRestoreAtATime(t *testing.T, path string) {
	file, to := open(t, path), modelstest.OwnedDatabase(t, roles...)
	first := modelstest.Conn(t, to)
	modelstest.Execute(t, first, `SELECT pg_advisory_lock(7203611902)`)
	require.ErrorContains(t, restore(t, file, to), "another `dispo restore` is filling this database")
	modelstest.Execute(t, first, `SELECT pg_advisory_unlock_all()`)
	require.NoError(t, restore(t, file, to))
}
