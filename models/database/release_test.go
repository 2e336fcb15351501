package database_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"dispo/migrations"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

var releaseDump = flag.Bool("release-dump", false, "make the dump of the first release again")

// The first release's data: release is a dump by pg_dump, in which every table has rows, and
// a key and a user that the test knows.
const (
	release         = "../../migrations/testdata/1.0.0.sql"
	releaseUser     = "a@example.com"
	releasePassword = "correct horse battery"
)

var releaseKey = modelstest.WithChecksum("dispo_releasekey01_" + "0123456789abcdefghijklmnopqrstuv")

// TestMakeReleaseDump makes the dump of the first release. make release-dump runs it.
func TestMakeReleaseDump(t *testing.T) {
	if !*releaseDump {
		return
	}
	w, conn, _, _ := modelstest.Filled(t)
	w.Sandbox(t, "sandbox")
	hash, err := bcrypt.GenerateFromPassword([]byte(releaseKey), bcrypt.MinCost)
	require.NoError(t, err)
	modelstest.Execute(t, conn, `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name)
		SELECT gen_random_uuid(), id, 'releasekey01', $1, right($2, 4), 'of the first release' FROM organizations WHERE slug = 'a'`, string(hash), releaseKey)
	for _, statement := range []string{
		`INSERT INTO recovery_codes (user_id, code_hash) SELECT id, decode(repeat('00', 60), 'hex') FROM users`,
		`INSERT INTO sign_in_failures VALUES ('account x', 1, now())`,
		`INSERT INTO delivery_names SELECT id, 0, 'name ' || id FROM deliveries`,
		`INSERT INTO password_links (token_hash, kind, user_id, expires_at) SELECT sha256('x'), 'password', id, now() FROM users LIMIT 1`,
		`INSERT INTO password_requests VALUES (gen_random_uuid(), 'password', 'x@example.com', '192.0.2.1')`,
		`INSERT INTO erasures (kind, id) VALUES ('user', gen_random_uuid())`,
		`SELECT erasures_keep('machine:/path')`,
		`INSERT INTO refused_deliveries (deliveries, records) VALUES (1, 20)`,
	} {
		modelstest.Execute(t, conn, statement)
	}
	for _, table := range modelstest.Column[string](t, conn, tables) {
		assert.NotZero(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM `+table), "%s has no rows", table)
	}
	require.False(t, t.Failed())
	dump := exec.Command("pg_dump", "--inserts", "--rows-per-insert=100",
		"--dbname="+modelstest.With(w.URL, "statement_timeout", ""))
	var problem bytes.Buffer
	dump.Stderr = &problem
	text, err := dump.Output()
	require.NoError(t, err, problem.String())
	// Psql's own commands, and settings that older servers do not know.
	text = regexp.MustCompile(`(?m)^(\\.*|SET transaction_timeout .*)\n`).ReplaceAll(text, nil)
	require.NoError(t, os.MkdirAll(filepath.Dir(release), 0o755))
	require.NoError(t, os.WriteFile(release, text, 0o644))
	t.Logf("wrote %s: %d kB, schema version %d, %d tables, all with rows", release, len(text)>>10, migrations.Latest(),
		len(modelstest.Column[string](t, conn, tables)))
}

const tables = `SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`

// The schema upgrades the data of the first release, and loses nothing: every table still has
// rows, totals equal counts, a key and a user get in, and a delivery can be imported.
func TestUpgradeOfTheFirstRelease(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(release)
	require.NoError(t, err, "run make release-dump")
	url := modelstest.EmptyDatabase(t)
	conn := modelstest.Conn(t, url)
	modelstest.Execute(t, conn, string(text))
	require.NoError(t, conn.Close(t.Context())) // it has the dump's settings
	modelstest.ExecuteAt(
		t,
		url,
		`DO $$ DECLARE statement text; BEGIN FOR statement IN SELECT rights_to_correct() LOOP EXECUTE statement; END LOOP; END $$`,
	)
	counted := `SELECT count(*)::int FROM `
	before := map[string]int{}
	conn = modelstest.Conn(t, url)
	for _, table := range modelstest.Column[string](t, conn, tables) {
		before[table] = modelstest.Value[int](t, conn, counted+table)
		require.NotZero(t, before[table], table)
	}

	_, err = migrations.Up(t.Context(), url)
	require.NotErrorIs(t, err, migrations.ErrEdition,
		"until the first release is tagged, run make release-dump; afterwards, add a file instead of editing one")
	require.NoError(t, err)
	for table, rows := range before {
		if table != "goose_db_version" {
			require.Equal(t, rows, modelstest.Value[int](t, conn, counted+table), table)
		}
	}
	modelstest.RequireTotals(t, url)
	w := &modelstest.World{
		URL:      url,
		Service:  modelstest.Open(t, url, database.Service),
		Operator: modelstest.Open(t, url, database.Operator),
	}
	require.NoError(t, w.Service.Verify(t, releaseKey))
	_, err = w.Service.Accounts.SignIn(t.Context(),
		accounts.SignIn{Email: releaseUser, Password: releasePassword, Address: "192.0.2.1"})
	require.NoError(t, err)
	a, err := organizations.BySlug(t.Context(), w.Operator.Store, "a")
	require.NoError(t, err)
	require.NotEmpty(t, modelstest.Transactions(t, w.Service, a, "10000001"))
	w.Delivery(t, "10000002", 3)
	require.Len(t, modelstest.Transactions(t, w.Service, a, "10000002"), 3)
	modelstest.RequireTotals(t, url)
}
