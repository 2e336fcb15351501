package backup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models/backup"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// strange are settings that an administrator may make for a database, and that change what SQL
// means, what it finds, or how values become text.
var strange = strings.Split(`client_encoding = 'LATIN1'
search_path = other
datestyle = 'SQL, DMY'
intervalstyle = sql_standard
timezone = 'Asia/Kathmandu'
bytea_output = escape
standard_conforming_strings = off
array_nulls = off
transform_null_equals = on
quote_all_identifiers = on
row_security = off
default_transaction_isolation = 'serializable'
default_transaction_deferrable = on
idle_session_timeout = '2s'
extra_float_digits = -5
check_function_bodies = off
backslash_quote = off
work_mem = '64kB'
plan_cache_mode = force_generic_plan
enable_indexscan = off`, "\n")

// strangeDatabase creates a database with these settings, and returns its address, as its owner.
func strangeDatabase(t *testing.T) string {
	t.Helper()
	url := modelstest.OwnedDatabase(t, roles...)
	for _, setting := range strange {
		modelstest.ExecuteAt(
			t,
			modelstest.As(url, modelstest.Superuser),
			`DO $x$ BEGIN EXECUTE format('ALTER DATABASE %I SET `+strings.ReplaceAll(
				setting,
				"'",
				"''",
			)+`', current_database()); END $x$`,
		)
	}
	return url
}

// What the server, the database or the login sets changes nothing: records that arrive again are
// noticed, text and days come back as they were, an export has dates as everywhere, and a backup
// fills another such database.
func TestStrangeSettings(t *testing.T) {
	t.Parallel()
	from := strangeDatabase(t)
	require.NoError(t, modelstest.ErrorOf(migrations.Up(t.Context(), from)))
	s := &source{login: modelstest.Login(t, from, "dispo_operator"), World: &modelstest.World{
		Service:  modelstest.Open(t, from, database.Service),
		Operator: modelstest.Open(t, from, database.Operator),
	}}
	a := s.Organization(t, "a")
	path := modelstest.File(t, "companies.csv", "cvr,name,startDate\n10000001,Blåbær & Ærø ApS,2026-01-02\n")
	require.NoError(t, modelstest.ErrorOf(s.ImportCompanies(t.Context(), a, path)))

	const kept, more = "10000001,1234,0012345678,Overførsel,2026-02-01,3,1234.50\n", "10000001,1234,1,CARD,2026-12-31,1,-0.50\n"
	s.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, kept)})
	again := imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, kept, more)}
	require.ErrorContains(t, modelstest.ErrorOf(s.ImportDelivery(t.Context(), again)), "repeats 1 stored record (line 2)")
	again.Repeated = imports.RepeatedReplace
	require.NotNil(t, s.Import(t, again).Replaced)

	file := open(t, s.backup(t))
	require.NoError(t, file.Check(t.Context(), os.Getenv("PG_BIN")))
	to := strangeDatabase(t)
	require.NoError(t, modelstest.ErrorOf(file.Restore(t.Context(), backup.Target{URL: to,
		BinDir: delayed(t, "pg_restore", "sleep 3")})))

	for _, service := range []*modelstest.Instance{s.Service, modelstest.Open(t, to, database.Service)} {
		require.Equal(t, "Blåbær & Ærø ApS", modelstest.Companies(t, service, a)[0].Name)
		found := modelstest.Transactions(t, service, a, "10000001")
		require.Len(t, found, 2)
		require.Equal(
			t,
			"Overførsel 2026-02-01 1234.50 "+strings.TrimSpace(kept),
			strings.Join([]string{found[0].TransferType,
				found[0].DispositionDate.Format("2006-01-02"), found[0].AmountDKK, found[0].RawLine}, " "),
		)
		days, err := ledger.Days(t.Context(), service.Tenant(a.ID), "10000001", ledger.DayCursor{Limit: 10})
		require.NoError(t, err)
		require.Len(t, days.Items, 2)
		require.Equal(t, "2026-12-31", days.Items[1].DispositionDate.Format("2006-01-02"))
	}
	folder := filepath.Join(t.TempDir(), "a")
	require.NoError(t, organizations.Export(t.Context(), s.Operator.Store, a, folder))
	text, err := os.ReadFile(filepath.Join(folder, "companies.csv"))
	require.NoError(t, err)
	require.Contains(t, string(text), "Blåbær & Ærø ApS,,2026-01-02,9999-12-31,")
	require.Regexp(t, `,2\d{3}-\d\d-\d\d \d\d:\d\d:\d\d[.]\d+\+00\b`, string(text), "times in UTC")
}
