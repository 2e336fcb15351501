package backup

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// PostgreSQL's programs reach whatever database dispo reaches. They get the password in their
// environment, and no parameter that they don't know.
func TestConnection(t *testing.T) {
	for address, want := range map[string][]string{
		"postgres://ada:p%40ss@db/dispo":                              {"postgres://ada@db/dispo?", "PGPASSWORD=p@ss"},
		"postgresql://ada@a:1,b:2/dispo?pool_max_conns=9&password=x":  {"postgresql://ada@a:1,b:2/dispo?&target_session_attrs=read-write", "PGPASSWORD=x"},
		"postgres:///dispo?host=/run/@x&options=-c%20a=b&search_path": {"postgres://@/dispo?host=/run/@x&options=-c%20a=b"},
		"postgres://db/dispo?sslmode=verify-full":                     {"postgres://@db/dispo?sslmode=verify-full&sslrootcert=system"},
		"postgres://db/dispo?sslmode=verify-ca&sslrootcert=/ca.pem":   {"postgres://@db/dispo?sslmode=verify-ca&sslrootcert=/ca.pem"},
	} {
		got, environment, err := connection(address, 17)
		require.NoError(t, err)
		require.Equal(t, want, append([]string{got}, environment...), address)
	}
	_, _, err := connection("host=db password=hunter2", 17)
	require.ErrorContains(t, err, "need the database's address as postgres://")
}
