package modelstest

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Login creates a login role that is neither a superuser nor an owner, as the operator
// of a managed database would, grants it these roles, and returns the database's
// address as that role.
func Login(t testing.TB, address string, granted ...string) string {
	t.Helper()
	role := newName()
	ExecuteAt(t, serverURL, "CREATE ROLE "+role+" LOGIN NOSUPERUSER")
	for _, name := range granted {
		ExecuteAt(t, serverURL, "GRANT "+name+" TO "+role)
	}
	return As(address, role)
}

// OwnedDatabase creates an empty database that belongs to a login role of its own,
// which cannot create roles and was granted these. It returns the database's address
// as that role.
func OwnedDatabase(t testing.TB, granted ...string) string {
	t.Helper()
	address := EmptyDatabase(t)
	owned := Login(t, address, granted...)
	parsed, err := url.Parse(owned)
	require.NoError(t, err)
	ExecuteAt(t, serverURL, "ALTER DATABASE "+strings.TrimPrefix(parsed.Path, "/")+" OWNER TO "+parsed.User.Username())
	return owned
}
