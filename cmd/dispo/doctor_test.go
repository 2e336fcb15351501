package main_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	neturl "net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// breaking breaks something, and returns the settings to run doctor with.
type breaking func(*testing.T, world) program

func bySQL(statements ...string) breaking {
	return func(t *testing.T, w world) program {
		for _, statement := range statements {
			modelstest.ExecuteAt(t, w.URL, statement)
		}
		return w.program
	}
}

func byLogin(roles ...string) breaking {
	return func(t *testing.T, w world) program {
		return w.with("DATABASE_URL=" + modelstest.Login(t, w.URL, roles...))
	}
}

func bySettings(variables ...string) breaking {
	return func(_ *testing.T, w world) program { return w.with(variables...) }
}

var freshSecret = base64.StdEncoding.EncodeToString([]byte("a new secret, thirty-two bytes long"))

// bySecrets is other secrets than those with which the database was filled.
func bySecrets(secrets string) breaking {
	return func(t *testing.T, w world) program {
		w.User(t, w.acme, "kari@example.com", models.RoleOwner, "korrekt hest batteri")
		modelstest.ExecuteAt(t, w.URL, `UPDATE users SET totp_secret = $1`, modelstest.Secret.Encrypt("totp", []byte("x")))
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET fingerprint = $1`, modelstest.ParseKey(t, w.key).Fingerprint(modelstest.Secret))
		return w.with("DISPO_SECRET=" + secrets)
	}
}

// byProxy is a proxy before the service that passes on X-Forwarded-For as it comes, or adds
// to it.
func byProxy(adds bool, trusted string) breaking {
	return func(t *testing.T, w world) program {
		s := w.with("DISPO_TRUSTED_PROXIES=" + trusted).serve(t)
		target, err := neturl.Parse(s.url)
		require.NoError(t, err)
		proxy := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
			if adds {
				r.Out.Header.Add("X-Forwarded-For", "198.51.100.7")
			}
		}})
		t.Cleanup(proxy.Close)
		certificate := file(t, "certificate.pem", "-----BEGIN CERTIFICATE-----\n"+base64.StdEncoding.EncodeToString(proxy.Certificate().Raw)+"\n-----END CERTIFICATE-----\n")
		return w.with("DISPO_PUBLIC_URL="+proxy.URL, "SSL_CERT_FILE="+certificate)
	}
}

// breakings are what doctor finds, with the lines that say so, in their order.
var breakings = map[string]struct {
	breaking
	says string
}{
	"no database":        {bySettings("DATABASE_URL="), `failure +database +there is no database|cannot use`},
	"database down":      {bySettings("DATABASE_URL=postgres://dispo:hunter2@" + nowhere + "/dispo"), `failure +database +The database does not answer: .*connection refused. See whether it runs.*\nwarning +server +not checked, because the check of the database failed`},
	"wrong database":     {func(t *testing.T, w world) program { return w.with("DATABASE_URL=" + modelstest.At(w.URL, "nobody")) }, `failure +database +The database refuses the login: .*"nobody" does not exist. Correct`},
	"unsafe setting":     {bySettings(), `failure +server +The setting fsync is off: a power failure can destroy the database. Set fsync = on.`},
	"old schema":         {bySQL(`DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`), `failure +schema +.*version \d of \d: run .dispo migrate.`},
	"no role":            {byLogin(), `failure +login +The login test_\w+ may work neither .*\nwarning +schema +not checked`},
	"two roles":          {byLogin("dispo_app", "dispo_operator"), `failure +logins +test_\w+ may work as dispo_operator and as dispo_app.*REVOKE dispo_operator FROM test_`},
	"a right too many":   {bySQL(`GRANT UPDATE ON transactions TO dispo_app`), `failure +rights +.*REVOKE UPDATE ON transactions FROM dispo_app`},
	"a right too few":    {bySQL(`REVOKE SELECT ON companies FROM dispo_app`, `REVOKE UPDATE (name) ON organizations FROM dispo_app`), `failure +rights +dispo_app lacks the right UPDATE \([a-z_, ]+\) on organizations.*\nfailure +rights +dispo_app lacks the right SELECT on companies.*GRANT SELECT ON companies TO dispo_app`},
	"a function for all": {bySQL(`GRANT EXECUTE ON FUNCTION mail_tend() TO PUBLIC`), `failure +rights +Everybody may call mail_tend\(\), which works as dispo_operator.*REVOKE ALL ON FUNCTION mail_tend\(\) FROM PUBLIC`},
	"row security":       {bySQL(`ALTER TABLE companies NO FORCE ROW LEVEL SECURITY`), `failure +row security +Row-level security of the table companies is not forced.*ALTER TABLE companies ENABLE ROW LEVEL SECURITY, FORCE`},
	"a policy too many":  {bySQL(`CREATE POLICY leak ON mails TO dispo_app USING (true)`), `failure +row security +The policy leak of the table mails .*DROP POLICY leak ON mails`},
	"a policy too few":   {bySQL(`DROP POLICY tenant ON audit_log`), `failure +row security +The table audit_log has lost a policy`},
	"a table of its own": {bySQL(`CREATE TABLE copies AS SELECT * FROM companies`, `GRANT SELECT ON copies TO PUBLIC`), `failure +row security +The table copies has rows of organizations`},
	"no trigger":         {bySQL(`ALTER TABLE audit_log DISABLE TRIGGER USER`), `failure +row security +The trigger append_only of the table audit_log is disabled`},
	"changed totals": {func(t *testing.T, w world) program {
		t.Cleanup(func() {
			bySQL(`UPDATE organizations SET transaction_count = transaction_count - 1`, `UPDATE companies SET transaction_count = transaction_count - 1`)(t, w)
		})
		return bySQL(`UPDATE organizations SET transaction_count = transaction_count + 1`, `UPDATE companies SET transaction_count = transaction_count + 1`)(t, w)
	}, `failure +totals +acme: totals of companies that differ from what counting says: 1(?s:.*)failure +totals +acme: totals of the organization that differ`},
	"another secret":  {bySecrets(freshSecret), `failure +secret +Second factors and recovery codes that do not fit DISPO_SECRET: 1. Use.*\nwarning +secret +Keys left on another DISPO_SECRET: 1 .acme: test.. Each is`},
	"two secrets":     {bySecrets(freshSecret + "," + secret), `warning +secret +Second factors and recovery codes left on the old DISPO_SECRET: 1. Keep both.*\nwarning +secret +Keys left on another DISPO_SECRET: 1`},
	"foreign network": {bySettings("DATABASE_URL=postgres://dispo:hunter2@255.255.255.255/dispo"), `warning +settings +The connection to the database may lead elsewhere`},
	"no Redis":        {bySettings("REDIS_URL=redis://:hunter2@" + nowhere), `failure +redis +Redis at 127.0.0.1:1 cannot be used: .*connection refused`},
	"silent feed": {func(t *testing.T, w world) program {
		proxy := modelstest.NewProxy(t, w.URL)
		proxy.Feed(modelstest.Hung)
		return w.with("DATABASE_URL=" + proxy.URL)
	}, `failure +feed +A notification was not heard within 1s`},
	"pooler": {func(t *testing.T, w world) program {
		return w.with("DATABASE_URL=" + modelstest.NewPooler(t, w.URL, true))
	},
		`failure +pooler +the database's address leads to a pooler in transaction mode.*(?s:.*)warning +login +not checked, because the check of the pooler failed`},
	"silent database": {func(t *testing.T, w world) program {
		proxy := modelstest.NewProxy(t, w.URL)
		proxy.All(modelstest.Hung)
		return w.with("DATABASE_URL=" + proxy.URL)
	}, `failure +database +The database does not answer: .*(deadline|timeout)`},
	"wrong password of mail": {func(t *testing.T, w world) program {
		server := modelstest.NewMailServer(t, modelstest.MailStartTLS)
		certificates, err := modelstest.MailCertificates(newFolder(t))
		require.NoError(t, err)
		return w.mailed(server).with("DISPO_SMTP_URL="+strings.Replace(server.URL, "word", "hunter2", 1), "SSL_CERT_FILE="+certificates)
	}, `failure +mail server +127.0.0.1:\d+ cannot be used: .*535`},
	"silent mail server": {func(t *testing.T, w world) program {
		address, _ := modelstest.NewSilentMailServer(t)
		return w.with("DISPO_SMTP_URL=smtp://"+address+"?tls=none", "DISPO_MAIL_FROM=dispo@example.com", "DISPO_PUBLIC_URL=http://"+nowhere)
	}, `failure +mail server +127.0.0.1:\d+ cannot be used: .*did not complete the connection and sign-in within 10s`},
	"mail settings":      {bySettings("DISPO_SMTP_URL=smtp://localhost:1?tls=none"), `failure +settings +.*DISPO_MAIL_FROM is required with DISPO_SMTP_URL`},
	"a period too short": {bySettings("DISPO_KEEP_MAILS=1d"), `failure +settings +.dispo serve. refuses these settings: DISPO_KEEP_MAILS is 1d`},
	"mails waiting": {bySQL(`INSERT INTO mails (organization_id, id, kind, recipient, details, created_at) SELECT id, id, 'key_paused', 'a@example.com', '{}', now() - interval '2 hours' FROM organizations`),
		`warning +mails +Mails that have waited for more than an hour: 1, the oldest since`},
	"held records": {func(t *testing.T, w world) program {
		w.run(t, "import", "delivery", "--skip-unknown", file(t, "delivery.csv", delivery("99999999"))).requireDone(t)
		return w.program
	}, `warning +held records +Records that are held because no organization has their company: 1,`},
	"late delivery": {bySQL(`UPDATE organizations SET expected_by = '00:00', expected_since = now() - interval '30 days'`), `warning +deliveries +Organizations whose delivery is late: 1 .acme.`},
	"nobody serves": {bySettings("DISPO_PUBLIC_URL=http://" + nowhere), `failure +public URL +http://127.0.0.1:1 does not answer: connection refused`},
	"another service": {func(t *testing.T, w world) program {
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		t.Cleanup(other.Close)
		return w.with("DISPO_PUBLIC_URL=" + other.URL)
	}, `failure +public URL +.* is healthy, but not a service with this DISPO_SECRET`},
	"believed addresses": {byProxy(false, "127.0.0.1"), `failure +public URL +Callers can pretend to have any address`},
	"unknown proxy":      {byProxy(true, "10.0.0.1"), `warning +public URL +All callers through the proxy count as one, with the address 127.0.0.1. Name the proxy`},
	"good proxy":         {byProxy(true, "127.0.0.1"), `ok +public URL +https://127.0.0.1:\d+ is this service, which saw us at 198.51.100.7`},
	"old backup": {func(t *testing.T, w world) program {
		path := file(t, "old.dispo", "")
		require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-30*time.Hour)))
		return w.with("DISPO_BACKUPS=" + filepath.Dir(path))
	}, `warning +backups +The newest backup, .*/old.dispo, is 30 hours old`},
	"no backup":          {bySettings("DISPO_BACKUPS=/"), `warning +backups +There is no backup in /. Run .dispo backup.`},
	"trusted by all":     {bySettings("DISPO_TRUSTED_PROXIES=0.0.0.0/0"), `failure +settings +DISPO_TRUSTED_PROXIES trusts every address`},
	"no temporary files": {bySettings("TMPDIR=/dev/null/none"), `failure +machine +The folder of TMPDIR, /dev/null/none, cannot be used`},
	"service's login":    {byLogin("dispo_app"), `ok +login +test_\w+ works as dispo_app(?s:.*)ok +row security(?s:.*)warning +secret +not checked, because the login works as dispo_app(?s:.*)warning +totals +not checked, because the login works as dispo_app`},
	"commands' login":    {byLogin("dispo_operator"), `ok +login +test_\w+ works as dispo_operator(?s:.*)ok +totals +counted for 1 of 1 organizations`},
}

// Whatever is broken, doctor says so in one line, with what to do. What depends on it is not
// checked, the rest is. Doctor ends, also if what it asks never answers.
func TestDoctorFinds(t *testing.T) {
	t.Parallel()
	for name, row := range breakings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			got := row.breaking(t, w).run(t, "doctor")
			require.Regexp(t, `(?m)^`+row.says, got.out)
			require.NotContains(t, got.out+got.err, "hunter2")
			require.NotContains(t, got.out, "%!")
			require.Len(t, regexp.MustCompile(`(?m)^(ok|warning|failure) `).FindAllString(got.out, -1), strings.Count(got.out, "\n"), got.out)
			failures := strings.Count("\n"+got.out, "\nfailure")
			require.Equal(t, min(failures, 1), got.status)
		})
	}
}

// With the embedded database all is well, whether or not the service is running. As JSON,
// the findings are an array. A used database without a service is not changed.
func TestDoctorOnEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	dir, _ := filled(t)
	require.NoError(t, os.Chmod(filepath.Join(dir, "secret"), 0o644))
	var found []struct{ Check, Level, Message, Do string }
	require.NoError(t, json.Unmarshal([]byte(onData(dir).run(t, "doctor", "--json", "--all").requireDone(t)), &found))
	levels := map[string]string{}
	for _, f := range found {
		levels[f.Check] = f.Level
	}
	require.Contains(t, fmt.Sprint(found), "DISPO_SECRET may be read by others than its owner. Run: chmod 600 "+dir+"/secret}")
	require.Equal(t, "ok", levels["totals"])
	require.Equal(t, "ok", levels["logins"])
	require.Equal(t, "warning", levels["public URL"], "nobody serves")
	s := onData(dir).serve(t)
	text := onData(dir).run(t, "doctor", "--listen", strings.TrimPrefix(s.url, "http://")).requireDone(t)
	require.Regexp(t, `ok +public URL +http://127.0.0.1:\d+ is this service, which saw us at 127.0.0.1`, text)
	onData(dir).run(t, "doctor", "--everything").requireRefused(t, 2, "--everything")
}
