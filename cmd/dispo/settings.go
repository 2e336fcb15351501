package main

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// settings is everything that can be set, read once and checked. Flags are the
// commands' own; what may be secret, or is the same for every command, comes
// from the environment alone.
type settings struct {
	Data           string // the embedded database's directory; empty: none to be had
	PostgresBinDir string // PG_BIN
	DatabaseURL    string // empty: the embedded database
	MigrationURL   string // empty: DatabaseURL
	RedisURL       string
	Secret         []byte // empty: none given
	LimitMinute    int64
	LimitHour      int64
	LimitFailures  int64 // a minute, by address
	LimitByKey     bool
	AnswersMB      int64  // memory for answers that are remembered; 0: none is
	PublicURL      string // empty: from the listen address
	TrustedProxies []netip.Prefix
	MetricsListen  string // empty: off
}

const secretMinimum = 32 // bytes

// readSettings reads the environment. An error is one sentence that names the
// setting, and never repeats what may be secret.
func readSettings(variables []string, data string) (*settings, error) {
	env := environ(variables)
	s := &settings{
		Data:           data,
		PostgresBinDir: env["PG_BIN"],
		DatabaseURL:    env["DATABASE_URL"],
		MigrationURL:   env["DATABASE_MIGRATION_URL"],
		RedisURL:       env["REDIS_URL"],
		MetricsListen:  env["DISPO_METRICS_LISTEN"],
		PublicURL:      strings.TrimSuffix(env["DISPO_PUBLIC_URL"], "/"),
	}
	var err error
	if s.Data == "" {
		s.Data = defaultData(env)
	}
	if s.Data != "" {
		if s.Data, err = filepath.Abs(s.Data); err != nil {
			return nil, fmt.Errorf("--data can't be used: %w", err)
		}
	}
	for _, name := range []string{"DATABASE_URL", "DATABASE_MIGRATION_URL"} {
		// The parser's own error repeats the address, and with it the password.
		if _, err := pgx.ParseConfig(env[name]); err != nil && env[name] != "" {
			return nil, fmt.Errorf("%s can't be read: expected postgres://user:password@host:port/database", name)
		}
	}
	for _, setting := range []struct {
		name  string
		into  *int64
		value int64
		least int64
		most  int64
	}{
		{"DISPO_LIMIT_MINUTE", &s.LimitMinute, 60, 1, 1_000_000_000},
		{"DISPO_LIMIT_HOUR", &s.LimitHour, 1000, 1, 1_000_000_000},
		{"DISPO_LIMIT_FAILURES", &s.LimitFailures, 30, 1, 1_000_000_000},
		{"DISPO_ANSWERS_MB", &s.AnswersMB, 64, 0, 1_000_000},
	} {
		if *setting.into, err = number(env, setting.name, setting.value, setting.least, setting.most); err != nil {
			return nil, err
		}
	}
	switch by := env["DISPO_LIMIT_BY"]; by {
	case "", "organization":
	case "key":
		s.LimitByKey = true
	default:
		return nil, fmt.Errorf("DISPO_LIMIT_BY is %q: expected organization or key", by)
	}
	if text := env["DISPO_SECRET"]; text != "" {
		if s.Secret, err = decodeSecret(text); err != nil {
			return nil, fmt.Errorf("DISPO_SECRET %w", err)
		}
	}
	if s.TrustedProxies, err = prefixes(env["DISPO_TRUSTED_PROXIES"]); err != nil {
		return nil, err
	}
	if s.PublicURL != "" {
		public, err := url.Parse(s.PublicURL)
		if err != nil || (public.Scheme != "http" && public.Scheme != "https") || public.Host == "" || public.Path != "" {
			return nil, fmt.Errorf("DISPO_PUBLIC_URL is %q: expected an address such as https://dispo.example.com", s.PublicURL)
		}
	}
	if s.MetricsListen != "" {
		if err := checkAddress(s.MetricsListen); err != nil {
			return nil, fmt.Errorf("DISPO_METRICS_LISTEN %w", err)
		}
	}
	return s, nil
}

func environ(variables []string) map[string]string {
	env := make(map[string]string, len(variables))
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	return env
}

// defaultData is /var/lib/dispo as root, else a directory of the user's own, as
// the XDG base directory specification places it. A user without a home has
// none, which only the embedded database minds.
func defaultData(env map[string]string) string {
	switch {
	case os.Geteuid() == 0:
		return "/var/lib/dispo"
	case env["XDG_DATA_HOME"] != "":
		return filepath.Join(env["XDG_DATA_HOME"], "dispo")
	case env["HOME"] != "":
		return filepath.Join(env["HOME"], ".local", "share", "dispo")
	}
	return ""
}

func number(env map[string]string, name string, otherwise, least, most int64) (int64, error) {
	text := env[name]
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%s is %q: expected a whole number from %d to %d", name, text, least, most)
	}
	return n, nil
}

// decodeSecret reads base64, standard or for URLs, with or without padding. Its
// error does not repeat the secret.
func decodeSecret(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(strings.TrimSpace(text))
	secret, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("is not base64: `openssl rand -base64 32` makes a good one")
	}
	if len(secret) < secretMinimum {
		return nil, fmt.Errorf("is %d bytes long, and at least %d are needed: `openssl rand -base64 32` makes a good one", len(secret), secretMinimum)
	}
	return secret, nil
}

func prefixes(text string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			address, err := netip.ParseAddr(part)
			if err != nil {
				return nil, fmt.Errorf("DISPO_TRUSTED_PROXIES has %q: expected addresses or networks such as 10.0.0.0/8, separated by commas", part)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		all = append(all, prefix.Masked())
	}
	return all, nil
}

func checkAddress(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("is %q: expected host:port such as 127.0.0.1:8080", address)
	}
	return nil
}
