package backup

import (
	"bytes"
	"context"
	"errors"
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

// program runs one of PostgreSQL's programs on the database at address. Its error has the
// first one that the program writes.
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
	text := strings.TrimSpace(said.String())
	if _, first, found := strings.Cut(text, "error: "); found {
		text = first
	}
	line, _, _ := strings.Cut(text, "\n")
	return fmt.Errorf("%s failed (%w): %s", name, err, line)
}

// passed are the parameters of an address that PostgreSQL's programs get, besides those that
// begin with ssl. The others are of the session, which these programs set themselves, or of the pool.
var passed = strings.Fields("host hostaddr port user dbname connect_timeout target_session_attrs channel_binding gssencmode krbsrvname service passfile options")

// connection returns an address for PostgreSQL's programs, without the password, and the
// environment with it: other users of a machine see arguments. net/url does not read every
// address that these programs do, such as one with several hosts and their ports.
func connection(address string, major int) (string, []string, error) {
	errAddress := errors.New("PostgreSQL's programs need the database's address as postgres://user:password@host:port/database")
	scheme, rest, _ := strings.Cut(address, "://")
	if scheme != "postgres" && scheme != "postgresql" {
		return "", nil, errAddress
	}
	var user, password string
	if login, hosts, found := strings.Cut(rest, "@"); found && !strings.Contains(login, "/") {
		user, password, _ = strings.Cut(login, ":")
		rest = hosts
	}
	rest, text, _ := strings.Cut(rest, "?")
	var parameters []string
	for parameter := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		if name == "password" {
			password = value
		} else if strings.HasPrefix(name, "ssl") || slices.Contains(passed, name) {
			parameters = append(parameters, parameter)
		}
	}
	text = strings.Join(parameters, "&")
	// As dispo itself does: of several hosts use the primary, and trust the system's authorities.
	if strings.Contains(rest+text, ",") && !strings.Contains(text, "target_session_attrs=") {
		text += "&target_session_attrs=read-write"
	}
	if major >= 16 && strings.Contains(text, "sslmode=verify") && !strings.Contains(text, "sslrootcert=") && os.Getenv("PGSSLROOTCERT") == "" {
		text += "&sslrootcert=system"
	}
	address = scheme + "://" + user + "@" + rest + "?" + text
	if password == "" {
		return address, nil, nil
	}
	password, err := url.PathUnescape(password)
	if err != nil {
		return "", nil, errAddress
	}
	return address, []string{"PGPASSWORD=" + password}, nil
}
