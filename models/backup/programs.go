package backup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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
func program(
	ctx context.Context, clients embedded.Clients, name, address string, in io.Reader, out io.Writer, arguments ...string,
) error {
	connection, environment, password, err := connection(address, clients.Major)
	if err != nil {
		return err
	}
	if password != "" {
		file, err := serviceFile("sslpassword=" + password)
		if err != nil {
			return fmt.Errorf("cannot hand the key's password to %s: %w", name, err)
		}
		defer os.Remove(file)
		connection, environment = connection+"&service=dispo", append(environment, "PGSERVICEFILE="+file)
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(clients.Dir, name), append(arguments, "--dbname="+connection)...)
	cmd.Env = append(embedded.Environment(), environment...)
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

// serviceFile writes a file with the service dispo, for its owner's eyes only.
func serviceFile(setting string) (path string, err error) {
	file, err := os.CreateTemp("", "dispo-service-*")
	if err != nil {
		return "", err
	}
	_, err = file.WriteString("[dispo]\n" + setting + "\n")
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(file.Name())
	}
	return file.Name(), err
}

// passed are the parameters of an address that PostgreSQL's programs get, besides those that
// begin with ssl. The others are of the session, which these programs set themselves, or of the pool.
var passed = strings.Fields(
	"host hostaddr port user dbname connect_timeout target_session_attrs channel_binding gssencmode krbsrvname service passfile options",
)

// connection returns an address for PostgreSQL's programs, without passwords, because other users
// of a machine see arguments, and what they need besides: the environment with the password, and the
// password of the client's key, for which there is no variable. net/url does not read every
// address that these programs do, such as one with several hosts and their ports.
func connection(address string, major int) (_ string, environment []string, keyPassword string, _ error) {
	errAddress := errors.New(
		"PostgreSQL's programs need the database's address as postgres://user:password@host:port/database",
	)
	scheme, rest, _ := strings.Cut(address, "://")
	if scheme != "postgres" && scheme != "postgresql" {
		return "", nil, "", errAddress
	}
	var user, password string
	if login, hosts, found := strings.Cut(rest, "@"); found && !strings.Contains(login, "/") {
		user, password, _ = strings.Cut(login, ":")
		rest = hosts
	}
	rest, text, _ := strings.Cut(rest, "?")
	password, errPassword := url.PathUnescape(password)
	parameters, errParameters := url.ParseQuery(text)
	if errPassword != nil || errParameters != nil {
		return "", nil, "", errAddress
	}
	password, keyPassword = cmp.Or(parameters.Get("password"), password), parameters.Get("sslpassword")
	serviceFile := parameters.Get("servicefile") // not in an address before PostgreSQL 18
	if keyPassword != "" && serviceFile != "" {
		return "", nil, "", errors.New(
			"the database's address has sslpassword= and servicefile=: move sslpassword into the service's file",
		)
	}
	maps.DeleteFunc(parameters, func(name string, _ []string) bool {
		return name == "sslpassword" || !strings.HasPrefix(name, "ssl") && !slices.Contains(passed, name)
	})
	// As dispo itself does: of several hosts use the primary, and trust the system's authorities.
	if strings.Contains(rest+parameters.Get("host"), ",") && !parameters.Has("target_session_attrs") {
		parameters.Set("target_session_attrs", "read-write")
	}
	if major >= 16 && strings.HasPrefix(parameters.Get("sslmode"), "verify") && !parameters.Has("sslrootcert") {
		parameters.Set("sslrootcert", "system")
	}
	if password != "" {
		environment = append(environment, "PGPASSWORD="+password)
	}
	if serviceFile != "" {
		environment = append(environment, "PGSERVICEFILE="+serviceFile)
	}
	text = strings.ReplaceAll(parameters.Encode(), "+", "%20") // as these programs read a blank
	return scheme + "://" + user + "@" + rest + "?" + text, environment, keyPassword, nil
}
