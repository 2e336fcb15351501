package modelstest

import (
	"fmt"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

var logins atomic.Int64

// Login makes a login role that is neither a superuser nor anybody's owner, as a
// managed database's operator would, grants it these roles, and gives the
// address of the database as that role.
func Login(t testing.TB, address string, granted ...string) string {
	t.Helper()
	role := fmt.Sprintf("login_%d", logins.Add(1))
	require.NoError(t, execute("CREATE ROLE "+role+" LOGIN NOSUPERUSER"))
	t.Cleanup(func() { _ = execute("DROP ROLE IF EXISTS " + role) })
	for _, name := range granted {
		require.NoError(t, execute("GRANT "+name+" TO "+role))
	}
	return As(t, address, role)
}

// As is the address with another login role.
func As(t testing.TB, address, role string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	parsed.User = url.User(role)
	return parsed.String()
}
