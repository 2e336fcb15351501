package backup_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/backup"
	"dispo/models/database"
	"dispo/models/erasures"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/secrets"
	"dispo/models/terms"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

var roles = []string{"dispo_app", "dispo_operator", "dispo_keeper"}

// source is a database to back up, and its backup.
type source struct {
	*modelstest.World
	url, login string // as the superuser, and as the commands' login
	a, b       models.Organization
}

// newSource returns a database with two organizations that have some of everything.
func newSource(t *testing.T) *source {
	t.Helper()
	from := modelstest.OwnedDatabase(t, roles...)
	require.NoError(t, modelstest.ErrorOf(migrations.Up(t.Context(), from)))
	s := &source{
		url:   modelstest.As(from, modelstest.Conn(t, modelstest.Database(t)).Config().User),
		login: modelstest.Login(t, from, "dispo_operator"),
	}
	s.World = &modelstest.World{
		URL:      s.url,
		Service:  modelstest.Open(t, from, database.Service),
		Operator: modelstest.Open(t, from, database.Operator),
	}
	modelstest.ExecuteAt(t, s.url, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	for slug, o := range map[string]*models.Organization{"a": &s.a, "b": &s.b} {
		*o = s.Organization(t, slug, "10000001")
		s.Key(t, *o)
		s.User(t, *o, slug+"@example.com", terms.Owner, "correct horse battery")
		require.NoError(
			t,
			modelstest.ErrorOf(
				s.Service.Accounts.SignIn(
					t.Context(),
					accounts.SignIn{
						Email:     slug + "@example.com",
						Password:  "correct horse battery",
						Address:   "192.0.2.1",
						UserAgent: "test",
					},
				),
			),
		)
		modelstest.Invite(t, s.Operator.Tenant(o.ID), "new@example.com", terms.Viewer)
		require.NoError(t, modelstest.ErrorOf(s.Operator.Accounts.PasswordLinkCreate(t.Context(), slug+"@example.com")))
	}
	s.Delivery(t, "10000001", 3)
	modelstest.ExecuteAt(t, s.url,
		`INSERT INTO recovery_codes (user_id, code_hash) SELECT id, decode(repeat('00', 60), 'hex') FROM users`)
	modelstest.ExecuteAt(t, s.url, `INSERT INTO sign_in_failures VALUES ('account x', 1, now())`)
	modelstest.ExecuteAt(
		t,
		s.url,
		`INSERT INTO mails (organization_id, id, kind, recipient, details) SELECT id, id, 'unlock', 'a@example.com', '{}' FROM organizations`,
	)
	return s
}

// writing returns a directory of programs whose pg_dump first adds a row to the database.
func (s *source) writing(t *testing.T) (binDir string) {
	t.Helper()
	return delayed(t, "pg_dump", `psql --quiet --command="INSERT INTO sign_in_failures VALUES ('late', 1, now())" '`+
		modelstest.With(s.url, "statement_timeout", "")+`'`)
}

// delayed returns a directory of programs, one of which first runs a command.
func delayed(t *testing.T, program, command string) (binDir string) {
	t.Helper()
	binDir = t.TempDir()
	for _, name := range []string{"pg_restore", "pg_dump"} {
		real, err := exec.LookPath(name)
		require.NoError(t, err)
		first := ""
		if name == program {
			first = `[ "$1" = --version ] || ` + command
		}
		require.NoError(t,
			os.WriteFile(filepath.Join(binDir, name), []byte("#!/bin/sh\n"+first+"\nexec "+real+` "$@"`), 0o755))
	}
	return binDir
}

// backup writes a backup as the commands' login, and returns its path.
func (s *source) backup(t *testing.T, binDir ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.dispo")
	_, err := backup.Create(
		t.Context(),
		backup.Source{
			URL:     s.login,
			Pool:    modelstest.Open(t, s.login, database.Operator).DB().Pool,
			BinDir:  strings.Join(binDir, ""),
			Program: "1.2.3",
			Secret:  []byte("s"),
		},
		path,
	)
	require.NoError(t, err)
	return path
}

func open(t *testing.T, path string) *backup.File {
	t.Helper()
	file, err := backup.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, file.Close()) })
	return file
}

// A backup has every row, and needs neither a superuser nor a role that bypasses the
// policies: the login of the operator's commands makes it, and another database's owner, who
// may not create roles, restores it. The dump and the manifest are of one moment. With active keys only what grants
// access is missing.
func TestBackup(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	_, text := s.Key(t, s.a)
	file := open(t, s.backup(t, s.writing(t)))
	require.EqualValues(
		t,
		1,
		modelstest.ValueAt[int](t, s.url,
			`WITH late AS (DELETE FROM sign_in_failures WHERE subject = 'late' RETURNING 1) SELECT count(*) FROM late`),
	)
	of := file.Manifest.Contents["organization a"]
	require.Equal(t, "1 3 3.03 2 1",
		strings.Join([]string{of["companies"], of["transactions"], of["sum"], of["api_keys"], of["memberships"]}, " "))
	require.EqualValues(t, 6, file.Manifest.Contents.Count("transactions"))
	require.Equal(t, []byte("s"), file.Secret)
	require.NoError(t, file.Check(t.Context(), os.Getenv("PG_BIN")))

	to := modelstest.OwnedDatabase(t, roles...)
	done, err := file.Restore(t.Context(), backup.Target{URL: to, KeysActive: true})
	require.NoError(t, err)
	require.Equal(t, backup.Restored{Held: 2}, done, "mails about keys to the owners")
	restored := modelstest.Conn(t, modelstest.As(to, modelstest.Conn(t, s.url).Config().User))
	for _, table := range []string{"sessions", "password_links", "invitations"} {
		require.Zero(t, modelstest.Value[int](t, restored, `SELECT count(*) FROM `+table))
		modelstest.ExecuteAt(t, s.url, `DELETE FROM `+table)
	}
	modelstest.ExecuteAt(t, s.url, `DELETE FROM mails WHERE kind = 'unlock'`) // their links have ended
	modelstest.ExecuteAt(t, s.url, `UPDATE mails SET next_attempt_at = '9999-12-31Z'`)
	require.EqualValues(t, 2,
		modelstest.Value[int](t, restored, `SELECT count(*) FROM audit_log WHERE action = $1`, models.ActionHistoryRenewed))
	for _, url := range []string{s.url, restored.Config().ConnString()} {
		modelstest.ExecuteAt(t, url,
			`UPDATE organizations SET history = id, data_version = 0, last_id = 'ffffffff-ffff-7fff-bfff-ffffffffffff'`)
		modelstest.ExecuteAt(t, url,
			`SET session_replication_role = replica; DELETE FROM audit_log WHERE action = 'organization.renew_history'`)
	}
	require.Equal(t, modelstest.Dump(t, modelstest.Conn(t, s.url)), modelstest.Dump(t, restored))
	service := modelstest.Open(t, to, database.Service)
	require.Len(t, modelstest.Transactions(t, service, s.a, "10000001"), 3)
	require.NoError(t, service.Verify(t, text), "the functions have the owner that they need")
	require.ErrorContains(t, modelstest.ErrorOf(file.Restore(t.Context(), backup.Target{URL: to})),
		"the database is not empty")
}

// After a restore each organization has another history, and the ids and versions that follow
// are greater than those that were lost, also of an import on a machine whose clock was ahead.
func TestRestoreRenewsHistory(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	path := s.backup(t)
	modelstest.ExecuteAt(t, s.url,
		`UPDATE organizations SET data_version = data_version + 7200000000, last_id = next_id(last_id, 7200000)`)
	s.Delivery(t, "10000001", 1)

	to := modelstest.OwnedDatabase(t, roles...)
	require.NoError(t, modelstest.ErrorOf(open(t, path).Restore(t.Context(), backup.Target{URL: to})))
	restored := &modelstest.World{
		URL:      to,
		Service:  modelstest.Open(t, to, database.Service),
		Operator: modelstest.Open(t, to, database.Operator),
	}
	restored.Delivery(t, "10000001", 1)
	for _, o := range []models.Organization{s.a, s.b} {
		lost, err := s.Service.Tenant(o.ID).DataVersion(t.Context())
		require.NoError(t, err)
		found, err := restored.Service.Tenant(o.ID).DataVersion(t.Context())
		require.NoError(t, err)
		require.NotEqual(t, lost.History, found.History)
		require.Greater(t, found.DataVersion, lost.DataVersion)
		before, after := modelstest.Transactions(t, s.Service, o, "10000001"), modelstest.Transactions(t, restored.Service, o,
			"10000001")
		require.Len(t, after, len(before))
		require.Greater(t, after[3].ID.String(), before[3].ID.String())
	}
}

// A restore brings back nothing that was taken away since: an organization, a user or a key
// that was erased goes again, other keys are paused and say why, and mails wait until they are
// released. If it ends in the middle, nothing uses the database until the same file is
// restored again, which goes on.
func TestRestoreTakesAway(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	revoked, _ := s.Key(t, s.a)
	user := modelstest.ValueAt[[16]byte](t, s.url, `SELECT id FROM users WHERE email = 'a@example.com'`)
	modelstest.ExecuteAt(t, s.url, `INSERT INTO erasures (kind, id) VALUES ('key', gen_random_uuid())`)
	modelstest.ExecuteAt(t, s.url, `SELECT erasures_keep('old:/file')`)
	path := s.backup(t)
	file := open(t, path)
	to := modelstest.OwnedDatabase(t, roles...)
	super := modelstest.As(to, modelstest.Conn(t, s.url).Config().User)
	var deleting []string
	target := backup.Target{URL: to, Erased: []erasures.Erasure{
		{
			At:   time.Now(),
			Kind: erasures.Organization,
			ID:   s.b.ID,
		},
		{At: time.Now(), Kind: erasures.User, ID: user},
		{At: time.Now(), Kind: erasures.Key, ID: revoked.ID},
	}, Deleting: func(name string) { deleting = append(deleting, name) }}
	modelstest.ExecuteAt(t, super, `CREATE TABLE unexpected ()`)
	require.ErrorContains(t, modelstest.ErrorOf(file.Restore(t.Context(), target)), "the database is not empty")
	name := modelstest.ValueAt[string](t, super, `SELECT current_database()::text`)
	modelstest.ExecuteAt(t, super, `DROP TABLE unexpected; GRANT CREATE ON DATABASE `+name+` TO dispo_app`)
	require.ErrorContains(t, modelstest.ErrorOf(file.Restore(t.Context(), target)),
		"run: REVOKE CREATE ON DATABASE "+name+" FROM dispo_app")
	for _, role := range []database.Role{database.Service, database.Operator} {
		require.ErrorIs(t, modelstest.ErrorOf(database.Open(t.Context(), database.Config{URL: to, Role: role})),
			migrations.ErrRestore)
	}
	require.ErrorIs(t, modelstest.ErrorOf(migrations.Up(t.Context(), to)), migrations.ErrRestore)
	require.ErrorContains(t, modelstest.ErrorOf(open(t, s.backup(t)).Restore(t.Context(), target)),
		"the restore of another backup")

	modelstest.ExecuteAt(t, super, `REVOKE CREATE ON DATABASE `+name+` FROM dispo_app`)
	done, err := file.Restore(t.Context(), target)
	require.NoError(t, err)
	require.Equal(t, backup.Restored{Paused: 1}, done, "a's mails were to its deleted owner")
	require.Equal(t, []string{"b", "a@example.com"}, deleting)
	conn := modelstest.Conn(t, super)
	require.Zero(t,
		modelstest.Value[int](t, conn, `SELECT (SELECT count(*) FROM erasures) + (SELECT count(*) FROM erasure_files)`))
	require.Equal(t, []string{"a"}, modelstest.Column[string](t, conn, `SELECT slug FROM organizations`))
	require.Equal(t, []string{"b@example.com"}, modelstest.Column[string](t, conn, `SELECT email FROM users`))
	require.Equal(
		t,
		[]string{"key.pause test (d", "key.revoke test (d"},
		modelstest.Column[string](
			t,
			conn,
			`SELECT action || ' ' || left(subject, 7) FROM audit_log WHERE subject LIKE '%, because a backup was restored' ORDER BY 1`,
		),
	)
	require.Equal(t, []bool{true, false},
		modelstest.Column[bool](t, conn, `SELECT paused_at IS NOT NULL AND revoked_at IS NULL FROM api_keys ORDER BY id`))
	modelstest.Open(t, to, database.Service)
}

// rewrite writes a copy of a backup with another manifest, for the same dump.
func rewrite(t *testing.T, path string, manifest backup.Manifest) string {
	t.Helper()
	manifest.SHA256 = open(t, path).Manifest.SHA256
	return replace(t, path, manifest)
}

// replace writes a copy of a backup with another manifest.
func replace(t *testing.T, path string, manifest backup.Manifest) string {
	t.Helper()
	text, err := json.Marshal(manifest)
	require.NoError(t, err)
	return pack(t, path, zip.Store, map[string][]byte{"manifest.json": text})
}

// pack writes a backup with the dump of another one and these files, and returns its path.
func pack(t *testing.T, path string, method uint16, files map[string][]byte) string {
	t.Helper()
	from, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer from.Close()
	files["database.dump"], err = fs.ReadFile(from, "database.dump")
	require.NoError(t, err)
	var written bytes.Buffer
	to := zip.NewWriter(&written)
	for name, content := range files {
		file, err := to.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		require.NoError(t, err)
		require.NoError(t, modelstest.ErrorOf(file.Write(content)))
	}
	require.NoError(t, to.Close())
	packed := filepath.Join(t.TempDir(), "packed.dispo")
	require.NoError(t, os.WriteFile(packed, written.Bytes(), 0o600))
	return packed
}

// A dump that lacks a row or an organization is found by Check, and Restore does not end. A
// backup of another schema or of a newer PostgreSQL is refused before anything is restored.
func TestManifest(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	whole := open(t, s.backup(t)).Manifest
	modelstest.ExecuteAt(t, s.url,
		`DELETE FROM transactions WHERE organization_id = '`+s.a.ID.String()+`' AND record_index = 2`)
	path := s.backup(t)
	require.ErrorContains(t, modelstest.ErrorOf(backup.Open(replace(t, path, whole))), "its dump is another one's")
	path = rewrite(t, path, whole)
	require.ErrorContains(
		t,
		open(t, path).Check(t.Context(), os.Getenv("PG_BIN")),
		`organization a: sum is "2.02" instead of "3.03", organization a: transactions is "2" instead of "3", everything: sum is "5.05" instead of "6.06", and 1 more`,
	)
	require.NoError(t, organizations.DeleteOrganization(t.Context(), s.Operator.Store, s.b.ID))
	to := modelstest.OwnedDatabase(t, roles...)
	require.ErrorContains(t,
		modelstest.ErrorOf(open(t, rewrite(t, s.backup(t), whole)).Restore(t.Context(), backup.Target{URL: to})),
		"manifest lists: organization b is missing, ")
	require.ErrorIs(t, modelstest.ErrorOf(database.Open(t.Context(), database.Config{URL: to, Role: database.Service})),
		migrations.ErrRestore)

	empty := modelstest.OwnedDatabase(t, roles...)
	for problem, change := range map[string]func(*backup.Manifest){
		"the schema of dispo 1.2.3":             func(m *backup.Manifest) { m.Contents["schema"]["version"] = "1" },
		"the schema of dispo 1.2.3, ":           func(m *backup.Manifest) { m.Contents["schema"]["edition"] = "dispo edition x" },
		"the backup was made by PostgreSQL 999": func(m *backup.Manifest) { m.PostgreSQL = 999 },
		"another role":                          nil,
	} {
		m, target := open(t, path).Manifest, empty
		if change == nil {
			target, problem = modelstest.OwnedDatabase(t, "dispo_app",
				"dispo_operator"), "the login may not work as Dispo's roles: run docs/roles.sql"
		} else {
			change(&m)
		}
		require.ErrorContains(t,
			modelstest.ErrorOf(open(t, rewrite(t, path, m)).Restore(t.Context(), backup.Target{URL: target})), problem)
		require.Zero(t,
			modelstest.ValueAt[int](t, target, `SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace`))
	}
}

// These tests only read a backup, so they share one.
func TestOneBackup(t *testing.T) {
	t.Parallel()
	path := newSource(t).backup(t)
	for name, test := range map[string]func(*testing.T, string){
		"room": checkNeedsRoom, "full disk": checkFillsDisk, "damage": damage, "archive": archive, "two restores": oneRestoreAtATime,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, path)
		})
	}
}

// A check ends before it begins where there is less room than the database takes, and says where
// and how much.
func checkNeedsRoom(t *testing.T, path string) {
	m := open(t, path).Manifest
	require.Greater(t, m.Bytes, int64(1<<20))
	m.Bytes = 1 << 60
	require.ErrorContains(t, open(t, rewrite(t, path, m)).Check(t.Context(), ""),
		"the check needs 1099511627904 MB in "+os.TempDir()+", which has ")
}

// A check that fills the disk of its copy says so, and where, instead of what PostgreSQL says.
func checkFillsDisk(t *testing.T, path string) {
	binDir := t.TempDir()
	for _, name := range []string{"postgres", "initdb", "pg_dump"} {
		program, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t,
			os.WriteFile(filepath.Join(binDir, name), []byte("#!/bin/sh\nexec "+program+` "$@"`), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(binDir, "pg_restore"),
		[]byte("#!/bin/sh\necho 'pg_restore: error: could not extend file: No space left on device' >&2; exit 1"), 0o755))
	for folder := binDir; folder != filepath.Clean(os.TempDir()); folder = filepath.Dir(folder) {
		require.NoError(t, os.Chmod(folder, 0o755)) // PostgreSQL's user runs them
	}
	require.EqualError(t, open(t, path).Check(t.Context(), binDir),
		"the check has filled "+os.TempDir()+": set TMPDIR to a folder on a larger disk")
}

// A drill fails for a secret under which none of the keys was made, or that does not open what was
// encrypted, and for a backup from which a key reads nothing.
func TestDrill(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	drill := func(secret secrets.Secret) error {
		tried, err := open(t, s.backup(t)).Drill(t.Context(), os.Getenv("PG_BIN"), secret)
		require.True(t, tried)
		return err
	}
	modelstest.ExecuteAt(t, s.url, `DELETE FROM recovery_codes`)
	_, _, err := keys.Create(t.Context(), s.Operator.Tenant(s.a.ID), keys.NewKey{Name: "with a fingerprint"})
	require.NoError(t, err)
	require.NoError(t, drill(modelstest.Secret))
	other := secrets.Secret{bytes.Repeat([]byte("x"), 32)}
	require.ErrorContains(t, drill(other), "under another DISPO_SECRET")
	require.NoError(t, drill(append(other, modelstest.Secret...)), "the second one is the one before it")
	modelstest.ExecuteAt(t, s.url, `UPDATE api_keys SET fingerprint = NULL`)
	require.NoError(t, drill(other), "nothing is encrypted")
	modelstest.ExecuteAt(t, s.url,
		`INSERT INTO recovery_codes (user_id, code_hash) SELECT id, decode(repeat('00', 60), 'hex') FROM users`)
	require.ErrorContains(t, drill(other), "under another DISPO_SECRET")
	modelstest.ExecuteAt(t, s.url, `DELETE FROM recovery_codes; DELETE FROM companies`)
	require.ErrorContains(t, drill(modelstest.Secret), "reads no company")
}

// A drill of a backup of another schema, as there is one before each upgrade, restores it and
// compares it with its manifest, and says that this was all.
func TestDrillOfAnotherSchema(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	modelstest.ExecuteAt(t, s.url, `COMMENT ON TABLE goose_db_version IS 'another edition'`)
	path := filepath.Join(t.TempDir(), "x.dispo")
	_, err := backup.Create(t.Context(), backup.Source{URL: s.login, Pool: s.Operator.DB().Pool, Program: "1.2.3"}, path)
	require.NoError(t, err)
	tried, err := open(t, path).Drill(t.Context(), os.Getenv("PG_BIN"), nil)
	require.NoError(t, err)
	require.False(t, tried)
	changed := crafted(t, path, func(m *backup.Manifest) { m.Contents["everything"]["companies"] = "1" })
	_, err = changed.Drill(t.Context(), os.Getenv("PG_BIN"), nil)
	require.ErrorContains(t, err, "does not have what its manifest lists")
}

// A byte of the content that changed, and a file that was cut, are found.
func damage(t *testing.T, path string) {
	whole := modelstest.ReadFile(t, path)
	manifest := bytes.Index(whole, []byte(`"program"`))
	damaged := map[string][]byte{}
	for _, at := range []int{512, 40_000, len(whole) / 2, manifest, bytes.Index(whole, []byte(`"contents"`)), bytes.LastIndex(whole, []byte("manifest.json"))} {
		changed := slices.Clone(whole)
		changed[at] ^= 1
		damaged[fmt.Sprintf("byte %d", at)] = changed
	}
	for _, length := range []int{0, 1, 512, 40_000, len(whole) / 2, manifest, len(whole) - 30, len(whole) - 1} {
		damaged[fmt.Sprintf("length %d", length)] = whole[:length]
	}
	path = filepath.Join(t.TempDir(), "damaged.dispo")
	for _, name := range slices.Sorted(maps.Keys(damaged)) {
		require.NoError(t, os.WriteFile(path, damaged[name], 0o600))
		require.ErrorContains(t, modelstest.ErrorOf(backup.Open(path)), path+" is ", name)
	}
}

// A backup that fails leaves no file behind, and one that is there stays.
func TestFailedBackup(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	path := s.backup(t)
	before := modelstest.ReadFile(t, path)
	modelstest.ExecuteAt(t, s.url, `CREATE TABLE closed ()`) // it can be counted, but not by pg_dump
	source := backup.Source{URL: s.login, Pool: modelstest.Open(t, s.url, database.Service).DB().Pool}
	require.Error(t, modelstest.ErrorOf(backup.Create(t.Context(), source, path)))
	source.Pool = modelstest.Open(t, s.login, database.Operator).DB().Pool
	require.ErrorContains(t, modelstest.ErrorOf(backup.Create(t.Context(), source, path)),
		"permission denied for table closed")
	require.Equal(t, before, modelstest.ReadFile(t, path))
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// Every table can be dumped by the operator's role, whole: it may be read, and has a
// policy that shows every row if policies hold. Sequences can be, too.
func TestOperatorReadsEverything(t *testing.T) {
	t.Parallel()
	conn := modelstest.Conn(t, modelstest.Database(t))
	require.Empty(t, modelstest.Column[string](t, conn, `SELECT c.relname::text FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S') AND (NOT has_table_privilege('dispo_operator', c.oid, 'SELECT')
			OR c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_policies p
				WHERE p.schemaname = 'public' AND p.tablename = c.relname AND p.cmd = 'ALL' AND p.qual = 'true' AND 'dispo_operator' = ANY (p.roles)))`))
}
