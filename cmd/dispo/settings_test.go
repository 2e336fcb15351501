package main_test

import (
	"encoding/base64"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// A wrong setting is refused at the start, in one sentence that names it and never
// repeats a secret. TestUsedWrongly has more wrong values.
func TestWrongSettings(t *testing.T) {
	t.Parallel()
	url := modelstest.Database(t)
	for _, row := range []struct{ name, value, secret string }{
		{name: "DISPO_LIMIT_MINUTE", value: "abc"},
		{name: "DISPO_LIMIT_BY", value: "x"},
		{name: "DISPO_SECRET", value: "c2VjcmV0", secret: "c2VjcmV0"},
		{name: "DISPO_SECRET", value: base64.StdEncoding.EncodeToString([]byte("one byte less than are needed..")), secret: "b25l"},
		{name: "DISPO_SECRET", value: "not base64, but hunter2", secret: "hunter2"},
		{name: "DISPO_TRUSTED_PROXIES", value: "x"},
		{name: "DISPO_SUPPORT", value: "javascript:alert(1)"},
		{name: "DISPO_METRICS_LISTEN", value: "127.0.0.1:99999"},
		{name: "REDIS_URL", value: "x"},
		{name: "REDIS_URL", value: "http://:hunter2@127.0.0.1", secret: "hunter2"},
		{name: "DATABASE_URL", value: "postgres://dispo:hun%ter2@localhost/dispo", secret: "hun"},
		{name: "DATABASE_URL", value: "mysql://dispo:hunter2@localhost/dispo", secret: "hunter2"},
		{name: "DATABASE_URL", value: "password=hunter2 port=many", secret: "hunter2"},
		{name: "DATABASE_MIGRATION_URL", value: "postgres://dispo:hunter2@localhost:many/dispo", secret: "hunter2"},
		{name: "DISPO_LISTEN", value: "127.0.0.1:http://"},
	} {
		name := row.name
		if name == "DISPO_LISTEN" {
			name = "--listen"
		}
		r := on(url).with("DISPO_LISTEN=127.0.0.1:0", row.name+"="+row.value).run(t, "serve")
		r.requireRefused(t, 2, name)
		if row.secret != "" {
			require.NotContains(t, r.err, row.secret)
		} else if name != "REDIS_URL" {
			require.Contains(t, r.err, `"`, "the error shows the value")
		}
	}
}

// Settings that may contain a password have no flag, and --help does not show their
// values. The error does not repeat them either.
func TestSecretsHaveNoFlag(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--database-url", "--database-migration-url", "--migration-url", "--redis-url", "--secret"} {
		r := plain().run(t, "serve", flag+"=hunter2")
		r.requireRefused(t, 2, "unknown flag "+flag)
		require.NotContains(t, r.err, "hunter2")
	}
	help := plain().with("DATABASE_URL=hunter2", "DATABASE_MIGRATION_URL=hunter2", "REDIS_URL=hunter2", "DISPO_SECRET=hunter2").run(t, "serve", "--help")
	require.NotContains(t, help.requireDone(t), "hunter2")
}

// A flag overrides its variable.
func TestFlagsOverrideVariables(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.with("DISPO_LIMIT_MINUTE=7").serve(t, "--limit-minute", "8")
	require.Equal(t, "8", s.get(t, "/api/v1/companies", w.key).header.Get("X-RateLimit-Limit"))
}

// With DATABASE_URL, the service requires a secret and says how to create one.
func TestServeNeedsSecret(t *testing.T) {
	t.Parallel()
	plain().with("DATABASE_URL="+modelstest.Database(t)).run(t, "serve", "--listen", "127.0.0.1:0").
		requireRefused(t, 2, "DISPO_SECRET", "DATABASE_URL", "openssl rand -base64 32")
}

// An address that is already in use is an error.
func TestPortInUse(t *testing.T) {
	t.Parallel()
	url, taken := modelstest.Database(t), listen(t)
	on(url).run(t, "serve", "--listen", taken).requireRefused(t, 1, taken, "--listen", "in use")
	on(url).with("DISPO_METRICS_LISTEN="+taken).run(t, "serve", "--listen", "127.0.0.1:0").
		requireRefused(t, 1, taken, "DISPO_METRICS_LISTEN", "in use")
}

// Correct settings are used: limits, proxies, a secret in URL-safe base64. An empty
// variable counts as unset.
func TestGoodSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.with("DISPO_LIMIT_MINUTE=7", "DISPO_LIMIT_HOUR=", "DISPO_LIMIT_BY=key", "DISPO_TRUSTED_PROXIES=127.0.0.1, 10.0.0.0/8",
		"DISPO_SECRET="+base64.RawURLEncoding.EncodeToString(modelstest.Secret), "DISPO_PUBLIC_URL=https://dispo.example.com/",
		"DISPO_METRICS_LISTEN=", "REDIS_URL=", "DISPO_LOG_LEVEL=").serve(t)
	got := s.get(t, "/api/v1/companies", w.key)
	require.Len(t, got.requirePage(t).Data, 1)
	require.Equal(t, "7", got.header.Get("X-RateLimit-Limit"))
	require.Contains(t, got.header.Get("RateLimit-Policy"), "q=1000")
	require.Equal(t, "max-age=31536000", got.header.Get("Strict-Transport-Security"))
	require.Empty(t, s.metrics)
	require.Zero(t, s.end(t, interrupt))
	require.Error(t, modelstest.ErrorOf(net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))))
}
