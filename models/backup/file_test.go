package backup

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/database/embedded"
)

// PostgreSQL's programs reach whatever database dispo reaches. They get the password in their
// environment, or in a file that is deleted afterwards, and no parameter that they don't know. Of dispo's own
// environment they get no secret.
func TestConnection(t *testing.T) {
	for address, want := range map[string][]string{
		"postgres://ada:p%40ss@db/dispo":                               {"postgres://ada@db/dispo?", "PGPASSWORD=p@ss"},
		"postgresql://ada@a:1,b:2/dispo?pool_max_conns=9&password=x":   {"postgresql://ada@a:1,b:2/dispo?target_session_attrs=read-write", "PGPASSWORD=x"},
		"postgres:///dispo?host=/run/@x&options=-c%20a=b&search_path":  {"postgres://@/dispo?host=%2Frun%2F%40x&options=-c%20a%3Db"},
		"postgres:///?service=dispo&servicefile=/etc/my%20s&sslkey=/k": {"postgres://@/?service=dispo&sslkey=%2Fk", "PGSERVICEFILE=/etc/my s"},
		"postgres://db/dispo?sslmode=verify-full":                      {"postgres://@db/dispo?sslmode=verify-full&sslrootcert=system"},
		"postgres://db/dispo?sslmode=verify-ca&sslrootcert=/ca.pem":    {"postgres://@db/dispo?sslmode=verify-ca&sslrootcert=%2Fca.pem"},
	} {
		got, environment, _, err := connection(address, 17)
		require.NoError(t, err)
		require.Equal(t, want, append([]string{got}, environment...), address)
	}
	for address, part := range map[string]string{
		"postgres://db/dispo?sslpassword=hunter2%z":              "need the database's address as postgres://",
		"host=db password=hunter2":                               "need the database's address as postgres://",
		"postgres://db/dispo?sslpassword=hunter2&servicefile=/s": "move sslpassword into the service's file",
		"postgres://ada:hunter2%zz@db/dispo":                     "need the database's address as postgres://",
	} {
		_, _, _, err := connection(address, 17)
		require.ErrorContains(t, err, part)
		require.NotContains(t, err.Error(), "hunter2")
	}

	t.Setenv("DISPO_SECRET", "hunter2")
	bin, temporary := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	require.NoError(t, os.WriteFile(filepath.Join(bin, "pg_dump"), []byte(`#!/bin/sh
echo "$@"; env; cat "$PGSERVICEFILE"; ls -l "$PGSERVICEFILE" | cut -c1-10`), 0o755))
	var said bytes.Buffer
	require.NoError(
		t,
		program(t.Context(), embedded.Clients{Dir: bin, Major: 17}, "pg_dump",
			"postgres://ada:p@db/dispo?sslpassword=sword%20fish", nil, &said),
	)
	arguments, rest, _ := strings.Cut(said.String(), "\n")
	require.Equal(t, "--dbname=postgres://ada@db/dispo?&service=dispo", arguments)
	require.Contains(t, rest, "\nPGPASSWORD=p\n")
	require.True(t, strings.HasSuffix(rest, "[dispo]\nsslpassword=sword fish\n-rw-------\n"), rest)
	require.NotContains(t, rest, "hunter2")
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}
