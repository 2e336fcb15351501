package main_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// While the secret is being changed, what was made under the old one works: an open form, and
// a key whose fingerprint is then renewed. Afterwards only what was renewed does.
func TestTwoSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fresh := base64.StdEncoding.EncodeToString([]byte("a new secret, thirty-two bytes long"))
	s := w.serve(t)
	require.Equal(t, http.StatusOK, s.get(t, "/api/v1/companies", w.key).status)
	b := newBrowser(t, s, io.Discard)
	b.send("GET", "/sign-in", "", nil)
	form := url.Values{
		"form_token": {formToken.FindStringSubmatch(b.body)[1]},
		"email":      {"nobody@example.com"},
		"password":   {"wrong"},
	}.Encode()
	restart := func(secrets string) {
		require.Zero(t, b.service.end(t, terminate))
		b.service = w.with("DISPO_SECRET=" + secrets).serve(t)
	}
	fingerprint := func() string {
		return modelstest.ValueAt[string](t, w.URL, `SELECT fingerprint::text FROM api_keys`)
	}
	old := fingerprint()
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET secret_hash = $1`, modelstest.NoHash) // bcrypt would refuse it
	restart(fresh + "," + secret)
	require.Equal(t, http.StatusUnauthorized, b.send("POST", "/sign-in", form, nil),
		"the form is accepted, the password is not")
	require.Equal(t, http.StatusOK, b.service.get(t, "/api/v1/companies", w.key).status)
	require.NotEqual(t, old, fingerprint())
	restart(fresh)
	require.Equal(t, http.StatusForbidden, b.send("POST", "/sign-in", form, nil))
	require.Equal(t, http.StatusOK, b.service.get(t, "/api/v1/companies", w.key).status)
}

// Secrets are never written: not by the service, whose log is at debug level, or its
// metrics, not by commands, and not by the database to its log.
func TestNothingSecretIsWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	address, err := url.Parse(w.URL)
	require.NoError(t, err)
	address.User = url.UserPassword(address.User.Username(), "swordfish")
	p := on(address.String()).with("DISPO_METRICS_LISTEN=127.0.0.1:0", "DISPO_LOG_LEVEL=debug", "DISPO_LIMIT_MINUTE=20",
		"REDIS_URL=redis://:swordfish@"+nowhere)
	_, expired := w.Key(t, w.acme)
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET expires_at = now() WHERE lookup_id = $1`, expired[6:18])
	revokedKey, revoked := w.Key(t, w.acme)
	elsewhere := modelstest.NewWorld(t)
	_, unknown := elsewhere.Key(t, elsewhere.Organization(t, "acme"))

	s := p.serve(t)
	var written strings.Builder
	record := func(r result) result {
		written.WriteString(r.err)
		return r
	}
	const account, badAccount = "9876501234", "98765012349"
	made := record(p.run(t, "key", "create", "--organization", "acme", "--name", "k")).requireDone(t)
	link := record(
		p.run(t, "user", "create", "ada@example.com", "--organization", "acme", "--role", "owner")).requireDone(t)
	record(
		p.runWith(t, "swordfish gammel havn bro", "user", "create", "bo@example.com", "--organization", "acme", "--role",
			"owner", "--password-stdin"),
	).requireDone(t)
	written.WriteString(record(p.run(t, "key", "list", "--organization", "acme")).requireDone(t))
	record(p.run(t, "key", "revoke", revokedKey.ID.String())).requireDone(t)
	require.Equal(t, 2, record(p.run(t, "key", "revoke", made)).status)
	for _, number := range []string{account, badAccount} {
		records := strings.Replace(delivery(cvr), "0000000001", number, 1)
		companies := "cvr,name,senderRegNumber,senderAccountNumber\n" + cvr + ",A,1234," + number + "\n"
		want := 0
		if number == badAccount {
			want = 1
		}
		require.Equal(t, want,
			record(p.run(t, "import", "companies", file(t, "companies.csv", companies), "--organization", "acme")).status)
		require.Equal(t, want, record(p.run(t, "import", "delivery", file(t, "delivery.csv", records))).status)
	}

	keys := []string{w.key, made, expired, revoked, unknown, unknown[:56] + "~", "swordfish"}
	for _, key := range append(keys, "") {
		for _, path := range []string{"/api/v1/companies", "/api/v1/companies/" + cvr, "/api/v1/companies/" + cvr + "/transactions"} {
			s.get(t, path, key)
		}
	}
	require.Contains(t, s.get(t, "/api/v1/companies/"+cvr, made).body, account, "the account is in the data")
	modelstest.ExecuteAt(t, w.URL, `REVOKE SELECT ON companies FROM dispo_app`)
	require.Equal(t, http.StatusInternalServerError, s.get(t, "/api/v1/companies?limit=99", w.key).status,
		"a page that is not remembered")
	modelstest.Eventually(t,
		func() bool { return s.get(t, "/api/v1/companies", w.key).status == http.StatusTooManyRequests })
	written.WriteString(s.exposition(t))
	require.Zero(t, s.end(t, terminate))
	require.Contains(t, s.err.String(), `"level":"DEBUG","msg":"request"`)
	require.Contains(t, s.err.String(), `"level":"ERROR","msg":"request failed"`)
	written.WriteString(s.out.String() + s.err.String())

	config, err := pgx.ParseConfig(w.URL)
	require.NoError(t, err)
	logs, err := filepath.Glob(filepath.Join(config.Host, "log", "*"))
	require.NoError(t, err)
	var text []byte
	for _, log := range logs {
		part, err := os.ReadFile(log)
		require.NoError(t, err)
		text = append(text, part...)
	}
	require.True(t, strings.Contains(string(text), "permission denied for table companies"),
		"this is not the log of the test's database")
	written.Write(text)

	secrets := []string{secret, string(modelstest.Secret[0]), base64.RawURLEncoding.EncodeToString(modelstest.Secret[0]),
		"swordfish", account, filepath.Base(link)}
	for _, key := range keys[:6] {
		secrets = append(secrets, key[19:51])
	}
	requireWithout(t, written.String(), secrets...)
}
