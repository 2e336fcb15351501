package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/jackc/pgx/v5"

	"dispo/models/disk"
	"dispo/models/mail"
	"dispo/models/retention"
	"dispo/models/secrets"
)

type settings struct {
	Data           string `help:"Directory of the embedded database." placeholder:"DIR" env:"DISPO_DATA"` // empty if there is no default
	PostgresBinDir string `name:"pg-bin" help:"Directory of PostgreSQL's programs, for the embedded database and backups." placeholder:"DIR" env:"PG_BIN"`
	LogLevel       string `help:"Lowest level to log: ${enum}." enum:"debug,info,warn,error" default:"info" env:"DISPO_LOG_LEVEL"`

	Erasures string `help:"File that remembers deletions and revocations, for restores of older backups." placeholder:"FILE" env:"DISPO_ERASURES"` // empty: none

	Backups string `help:"Folder of the backups, to watch their age." placeholder:"DIR" env:"DISPO_BACKUPS"` // empty: not watched

	PublicURL      origin         `help:"URL at which browsers reach the service." placeholder:"URL" env:"DISPO_PUBLIC_URL"` // empty: from the listen address
	Support        contact        `help:"Where people who write clients get help: an e-mail address or an https URL." placeholder:"ADDRESS" env:"DISPO_SUPPORT"`
	TrustedProxies prefixes       `help:"Proxies whose X-Forwarded-For and X-Request-Id are trusted: addresses or networks, separated by commas." placeholder:"LIST" env:"DISPO_TRUSTED_PROXIES"`
	LimitMinute    limit          `help:"Requests allowed in a minute." default:"60" env:"DISPO_LIMIT_MINUTE"`
	LimitHour      limit          `help:"Requests allowed in an hour." default:"1000" env:"DISPO_LIMIT_HOUR"`
	LimitBy        limitBy        `help:"Count requests by organization or by key." default:"organization" env:"DISPO_LIMIT_BY"`
	LimitFailures  limit          `help:"Failed keys allowed in a minute from one address." default:"30" env:"DISPO_LIMIT_FAILURES"`
	CacheMB        megabytes      `name:"cache-mb" help:"Memory for remembered responses, in MB; 0 remembers none." default:"64" env:"DISPO_CACHE_MB"`
	AccessLog      string         `help:"Whether to write a line of JSON to standard output for each request: ${enum}." enum:"on,off" default:"off" env:"DISPO_ACCESS_LOG"`
	Drain          *time.Duration `help:"How long /api/health says that the service stops, before it stops, so that load balancers hear of it. Default: 5s with DATABASE_URL, else 0s." placeholder:"DURATION" env:"DISPO_DRAIN"`
	MetricsListen  address        `help:"Where to serve Prometheus metrics and profiles; never a public address." placeholder:"HOST:PORT" env:"DISPO_METRICS_LISTEN"` // empty: off
	MetricsHosts   []string       `help:"Names under which the metrics are reached, besides their address and the loopback names, separated by commas." placeholder:"LIST" env:"DISPO_METRICS_HOSTS"`

	MCP bool `name:"mcp" help:"Whether assistants may read with a key at /mcp, by the Model Context Protocol." default:"true" negatable:"" env:"DISPO_MCP"`

	RequireSecondFactor bool `help:"Require a second factor of every user, who has a week to set it up." env:"DISPO_REQUIRE_SECOND_FACTOR"`

	OIDCPrivate bool `name:"oidc-private" help:"Let identity providers have private addresses and plain http, and reach them by HTTPS_PROXY." env:"DISPO_OIDC_PRIVATE"`

	Keep retention.Periods `embed:"" prefix:"keep-"`

	MailFrom mail.Address `help:"Sender of e-mails, such as Dispo <dispo@example.com>." placeholder:"ADDRESS" env:"DISPO_MAIL_FROM"`

	EnvFile string `help:"File of the service's settings, which commands that use the database read, and then that with -commands at its end; none reads neither." default:"/etc/default/dispo" env:"DISPO_ENV_FILE"`

	refusedLogin   error    `kong:"-"` // why a command may not use DatabaseURL, or nil
	ignored        []string `kong:"-"` // PG… variables that were set
	misspelt       []string `kong:"-"` // variables that are no settings, with those that they resemble
	secretSettings `kong:"-"`
}

// secretSettings may contain passwords. They have no flags, because other users of a
// machine can see command lines.
type secretSettings struct {
	DatabaseURL  string // empty: the embedded database
	ReadURL      string // empty: no replicas
	MigrationURL string // empty: DatabaseURL
	RedisURL     string
	Secret       secrets.Secret // nil if not set
	MailServer   *mail.Server   // nil: no mail is sent
}

// secretNames are the variables of secrets.
var secretNames = []string{
	"DATABASE_URL",
	"DATABASE_READ_URL",
	"DATABASE_MIGRATION_URL",
	"REDIS_URL",
	"DISPO_SMTP_URL",
	"DISPO_SECRET",
}

const secretMinimum = 32 // bytes

// readSecrets reads the environment, and the files that it names. Its errors do not repeat
// values.
func readSecrets() (secretSettings, error) {
	values := map[string]string{}
	for _, name := range secretNames {
		value, err := readSecret(name)
		if err != nil {
			return secretSettings{}, err
		}
		values[name] = value
		if value != "" && strings.HasPrefix(name, "DATABASE_") {
			if _, err := pgx.ParseConfig(value); err != nil {
				return secretSettings{}, fmt.Errorf("cannot parse %s: expected postgres://user:password@host:port/database, and "+
					"files that can be read if it names any (service= needs servicefile= beside it)", name)
			}
			// Otherwise a part of the password would be the host, which errors and the log name.
			if u, err := url.Parse(value); err == nil && strings.Contains(u.EscapedPath()+u.EscapedFragment(), "@") {
				return secretSettings{}, fmt.Errorf("cannot parse %s: it has an @ after the host, so write each / and # "+
					"of the password as %%2F and %%23, and each @ as %%40", name)
			}
		}
	}
	s := secretSettings{
		DatabaseURL:  values["DATABASE_URL"],
		ReadURL:      values["DATABASE_READ_URL"],
		MigrationURL: values["DATABASE_MIGRATION_URL"],
		RedisURL:     values["REDIS_URL"],
	}
	if text := values["DISPO_SMTP_URL"]; text != "" {
		server, err := mail.ParseServer(text)
		if err != nil {
			return secretSettings{}, fmt.Errorf("DISPO_SMTP_URL %w", err)
		}
		s.MailServer = &server
	}
	if text := values["DISPO_SECRET"]; text != "" {
		var err error
		if s.Secret, err = decodeSecrets(text); err != nil {
			return secretSettings{}, fmt.Errorf("DISPO_SECRET %w", err)
		}
	}
	return s, nil
}

// readSecret returns a variable's value, or the content of the file that the variable with
// _FILE names, without the line end.
func readSecret(name string) (string, error) {
	value, path := os.Getenv(name), os.Getenv(name+"_FILE")
	if path == "" {
		return value, nil
	}
	if value != "" {
		return "", fmt.Errorf("%s and %[1]s_FILE are both set: unset one of them", name)
	}
	content, err := disk.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("cannot read the file that %s_FILE names: %w", name, err)
	}
	if value = strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r"); value == "" {
		return "", fmt.Errorf("the file that %s_FILE names is empty: %s", name, path)
	}
	return value, nil
}

// decodeSecrets decodes the server's secret, or two with a comma between them: the present
// one and the one before it. Its error completes a sentence and does not repeat a secret.
func decodeSecrets(text string) (secrets secrets.Secret, err error) {
	parts := strings.Split(text, ",")
	if len(parts) > 2 {
		return nil, fmt.Errorf("has %d secrets, separated by commas, but may have two: the new one and the one before it",
			len(parts))
	}
	for _, part := range parts {
		secret, err := decodeSecret(part)
		if err != nil {
			return nil, err
		}
		if len(secrets) > 0 && bytes.Equal(secrets[0], secret) {
			return nil, errors.New("has the same secret twice: the new one comes first, and then the one before it")
		}
		secrets = append(secrets, secret)
	}
	return secrets, nil
}

// decodeSecret decodes base64, standard or URL-safe, with or without padding. Its
// error completes a sentence and does not repeat the secret.
func decodeSecret(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(strings.TrimSpace(text))
	secret, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") { // two lines would make one secret
		return nil, errors.New("is not base64: create one with `openssl rand -base64 32`")
	}
	if len(secret) < secretMinimum {
		return nil, fmt.Errorf("has %d bytes but needs at least %d: create one with `openssl rand -base64 32`", len(secret),
			secretMinimum)
	}
	return secret, nil
}

// unsetEmpty removes empty variables from the environment, so that they count as
// unset.
func unsetEmpty() {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); value == "" {
			_ = os.Unsetenv(name)
		}
	}
}

// ignorePostgres unsets the variables of PostgreSQL's own programs, and hides its files at
// home, because a connection's settings stand in its URL. It returns the variables' names.
func ignorePostgres() (names []string) {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "PG") && name != "PG_BIN" {
			_ = os.Unsetenv(name)
			names = append(names, name)
		}
	}
	_ = os.Setenv("HOME", os.DevNull) // without HOME, PostgreSQL's programs would ask the system for it
	slices.Sort(names)
	return names
}

// misspelt returns the variables that look like one of our settings but are none, each with the
// setting that may be meant. Others that begin with DISPO_ may be somebody else's: Kubernetes sets
// DISPO_PORT for a service named dispo, and clients read DISPO_KEY.
func misspelt(commands *kong.Node) (found []string) {
	known := slices.Clone(secretNames)
	for _, name := range secretNames {
		known = append(known, name+"_FILE")
	}
	_ = kong.Visit(commands, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			known = append(known, flag.Envs...)
		}
		return next(nil)
	})
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "DISPO_") || slices.Contains(known, name) {
			continue
		}
		if i := slices.IndexFunc(known, func(setting string) bool { return edits(name, setting) <= 2 }); i >= 0 {
			found = append(found, name+" (is "+known[i]+" meant?)")
		}
	}
	slices.Sort(found)
	return found
}

// edits returns how many bytes to insert, remove or replace to turn one text into the other.
func edits(from, to string) int {
	row := make([]int, len(to)+1)
	for i := range row {
		row[i] = i
	}
	for i := range len(from) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(to) {
			replaced := diagonal
			if from[i] != to[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(to)]
}

// dataDirectory returns the absolute path of the data directory. The default is
// /var/lib/dispo for root, and a directory that follows the XDG base directory
// specification for other users. It is empty for a user without a home, who can
// use everything but the embedded database.
func dataDirectory(set string) (string, error) {
	home, xdg := os.Getenv("HOME"), os.Getenv("XDG_DATA_HOME")
	switch {
	case set != "":
	case os.Geteuid() == 0:
		set = "/var/lib/dispo"
	case xdg != "":
		set = filepath.Join(xdg, "dispo")
	case home != "":
		set = filepath.Join(home, ".local", "share", "dispo")
	default:
		return "", nil
	}
	absolute, err := filepath.Abs(set)
	if err != nil {
		return "", fmt.Errorf("cannot use --data: %w", err)
	}
	return absolute, nil
}

// origin is a URL without a path.
type origin string

func (o *origin) UnmarshalText(text []byte) error {
	*o = origin(strings.TrimSuffix(string(text), "/"))
	u, err := url.Parse(string(*o))
	if err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) || u.Host == "" || u.Path != "" {
		return errors.New("expected a URL such as https://dispo.example.com")
	}
	return nil
}

// contact is an e-mail address or an https URL.
type contact string

func (c *contact) UnmarshalText(text []byte) error {
	*c = contact(text)
	if u, err := url.Parse(string(text)); err == nil && u.Scheme == "https" && u.Host != "" {
		return nil
	}
	if address, err := netmail.ParseAddress(string(text)); err == nil && address.Address == string(text) {
		return nil
	}
	return errors.New("expected an e-mail address such as support@example.com, or a URL such as " +
		"https://example.com/support")
}

// prefixes are networks. A single address is a network of one.
type prefixes []netip.Prefix

func (p *prefixes) UnmarshalText(text []byte) error {
	*p = nil
	for _, part := range strings.FieldsFunc(string(text), func(r rune) bool { return r == ',' || r == ' ' }) {
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			address, err := netip.ParseAddr(part)
			if err != nil {
				return errors.New("expected addresses or networks such as 10.0.0.0/8, separated by commas")
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}

// limit is a number of requests.
type limit int64

func (l *limit) UnmarshalText(text []byte) (err error) {
	*l, err = wholeNumber[limit](text, 1, 1_000_000_000)
	return err
}

type megabytes int64

func (m *megabytes) UnmarshalText(text []byte) (err error) {
	*m, err = wholeNumber[megabytes](text, 0, 1_000_000)
	return err
}

func wholeNumber[T ~int64](text []byte, least, most int64) (T, error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("expected a whole number from %d to %d", least, most)
	}
	return T(n), nil
}

// limitBy is what requests are counted by.
type limitBy string

const (
	byOrganization limitBy = "organization"
	byKey          limitBy = "key"
)

func (l *limitBy) UnmarshalText(text []byte) error {
	*l = limitBy(text)
	if *l != byOrganization && *l != byKey {
		return errors.New("expected organization or key")
	}
	return nil
}

// listenFlag is a flag of the commands that serve, or that need the address of the
// service.
type listenFlag struct {
	Listen address `help:"Address of the service." default:"127.0.0.1:8080" env:"DISPO_LISTEN" placeholder:"HOST:PORT"`
}

// address is a host and a port.
type address string

func (a *address) UnmarshalText(text []byte) error {
	*a = address(text)
	_, port, err := net.SplitHostPort(string(text))
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return errors.New("expected host:port such as 127.0.0.1:8080")
	}
	return nil
}
