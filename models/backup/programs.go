package backup

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"dispo/models/database/embedded"
)

// program runs one of PostgreSQL's programs on the database at address. Its error is what
// the program says first.
func program(ctx context.Context, clients embedded.Clients, name, address string, in io.Reader, out io.Writer, arguments ...string) error {
	connection, environment, err := connection(address, clients.Major)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(clients.Dir, name), append(arguments, "--dbname="+connection)...)
	cmd.Env = append(os.Environ(), append(environment, "LC_ALL=C")...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &said
	if err = cmd.Run(); err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	line := lines[max(0, slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "error: ") }))]
	if _, text, found := strings.Cut(line, "error: "); found {
		line = text
	}
	return fmt.Errorf("%s failed (%w): %s", name, err, line)
}

// connection returns an address for PostgreSQL's programs, without the password, and the
// environment with it: other users of a machine see arguments.
func connection(address string, major int) (string, []string, error) {
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(u.Scheme, "postgres") {
		return "", nil, fmt.Errorf("PostgreSQL's programs need the database's address as postgres://user:password@host:port/database")
	}
	query := u.Query()
	password := query.Get("password")
	for name := range query {
		// The rest are parameters of the session, which these programs set themselves, or of the pool.
		if !strings.HasPrefix(name, "ssl") && !strings.Contains(" host hostaddr port user dbname connect_timeout target_session_attrs channel_binding gssencmode krbsrvname service passfile options ", " "+name+" ") {
			query.Del(name)
		}
	}
	// Dispo itself trusts the system's authorities.
	if major >= 16 && strings.HasPrefix(query.Get("sslmode"), "verify") && query.Get("sslrootcert") == "" && os.Getenv("PGSSLROOTCERT") == "" {
		query.Set("sslrootcert", "system")
	}
	if own, set := u.User.Password(); set {
		password, u.User = own, url.User(u.User.Username())
	}
	u.RawQuery = query.Encode()
	if password == "" {
		return u.String(), nil, nil
	}
	return u.String(), []string{"PGPASSWORD=" + password}, nil
}
