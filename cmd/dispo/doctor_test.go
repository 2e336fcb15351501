package main_test

import (
	"archive/zip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/doctor"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// breaking breaks something, and returns the settings to run doctor with. All share a world,
// except those that change it.
type breaking func(*testing.T, world) program

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
func bySecrets(secrets string, others ...string) breaking {
	return func(t *testing.T, _ world) program {
		w := newWorld(t)
		w.User(t, w.acme, "kari@example.com", terms.Owner, "korrekt hest batteri")
		modelstest.ExecuteAt(t, w.URL, `UPDATE users SET totp_secret = $1`, modelstest.Secret.Encrypt("totp", []byte("x")))
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET fingerprint = $1`, modelstest.Secret.Fingerprint(w.key))
		return w.with(append(others, "DISPO_SECRET="+secrets)...)
	}
}

// bySpoiling leaves a database that answers, with little else right in it.
func bySpoiling(t *testing.T, _ world) program {
	w := newWorld(t)
	w.run(t, "import", "delivery", "--skip-unknown", file(t, "delivery.csv", delivery("99999999"))).requireDone(t)
	for _, statement := range []string{
		`GRANT UPDATE ON transactions TO dispo_app`, `REVOKE SELECT ON companies FROM dispo_app`, `REVOKE UPDATE (name) ON organizations FROM dispo_app`,
		`GRANT EXECUTE ON FUNCTION mail_tend() TO PUBLIC`, `ALTER TABLE companies NO FORCE ROW LEVEL SECURITY`, `CREATE POLICY leak ON mails TO dispo_app USING (true)`,
		`DROP POLICY tenant ON audit_log`, `CREATE TABLE copies AS SELECT * FROM companies`, `GRANT SELECT ON copies TO PUBLIC`, `ALTER TABLE audit_log DISABLE TRIGGER USER`, `SELECT lo_create(0)`,
		`CREATE FUNCTION mine() RETURNS text LANGUAGE sql SECURITY DEFINER RETURN 'x'`, `ALTER FUNCTION mail_settle SECURITY INVOKER`,
		`INSERT INTO mails (organization_id, id, kind, recipient, details, created_at) SELECT id, id, 'key_paused', 'a@example.com', '{}', now() - interval '2 hours' FROM organizations`,
		`INSERT INTO erasures (at, kind, id) VALUES (now() - interval '2 minutes', 'key', gen_random_uuid())`, `SELECT erasures_keep('web1:/erasures')`,
		`UPDATE organizations SET expected_by = '00:00', expected_since = now() - interval '30 days'`,
	} {
		modelstest.ExecuteAt(t, w.URL, statement)
	}
	miscount := func(by int) {
		for _, table := range []string{"organizations", "companies"} {
			modelstest.ExecuteAt(t, w.URL, `UPDATE `+table+` SET transaction_count = transaction_count + $1`, by)
		}
	}
	miscount(1)
	t.Cleanup(func() { miscount(-1) })
	return w.program
}

// byDeleting leaves an organization whose deletion has not ended.
func byDeleting(t *testing.T, _ world) program {
	w := newWorld(t)
	modelstest.ExecuteAt(t, w.URL,
		`UPDATE organizations SET deletion_started_at = '2026-01-31Z', transaction_count = transaction_count + 1`)
	t.Cleanup(func() {
		modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET transaction_count = transaction_count - 1`)
	})
	return w.program
}

// bySlug gives an organization a slug that is a word of the dashboard's addresses.
func bySlug(t *testing.T, _ world) program {
	w := newWorld(t)
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET slug = 'return'`)
	return w.program
}

// throughProxy is the database behind a line that something is done to.
func throughProxy(harm func(*modelstest.Proxy)) breaking {
	return func(t *testing.T, w world) program {
		proxy := modelstest.NewProxy(t, w.URL)
		harm(proxy)
		return w.with("DATABASE_URL=" + proxy.URL)
	}
}

// byReplicas leaves a replica that shows nothing newer, and a replication slot that nothing reads, and
// names the primary as a replica.
func byReplicas(t *testing.T, _ world) program {
	primary := modelstest.NewPrimary(t)
	standby := primary.NewStandby(t, "standby", nil)
	standby.Pause(t)
	modelstest.ExecuteAt(t, primary.URL, `SELECT pg_create_physical_replication_slot('lost', true)`)
	modelstest.ExecuteAt(t, primary.URL, `CREATE TABLE newer ()`)
	return on(primary.URL).with("DATABASE_READ_URL=" + modelstest.Hosts(t, "any", standby, primary))
}

// byOldBackup leaves a backup of 30 hours ago that was never checked, and a newer file that is empty.
func byOldBackup(t *testing.T, _ world) program {
	folder := newFolder(t)
	file, err := os.Create(filepath.Join(folder, "old.dispo"))
	require.NoError(t, err)
	archive := zip.NewWriter(file)
	manifest, err := archive.Create("manifest.json")
	require.NoError(t, err)
	require.NoError(t, json.NewEncoder(manifest).Encode(map[string]time.Time{"at": time.Now().Add(-30 * time.Hour)}))
	require.NoError(t, errors.Join(archive.Close(), file.Close()))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "new.dispo"), nil, 0o600))
	return plain().with("DISPO_BACKUPS=" + folder)
}

// breakings are what doctor finds, with the lines that say so.
var breakings = map[string]struct {
	breaking
	says []string
}{
	"no database": {bySettings("DATABASE_URL="), []string{`failure +database +(there is no database|.*cannot use)`}},
	"database down": {
		bySettings("DATABASE_URL=postgres://dispo:hunter2@" + nowhere + "/dispo"),
		[]string{
			`failure +database +The database does not answer: .*connection refused. See whether it runs.*\nwarning +server +not checked, because the check of the database failed`,
		},
	},
	"foreign network": {
		bySettings("DATABASE_URL=postgres://dispo:hunter2@255.255.255.255/dispo"),
		[]string{`warning +settings +The connection to the database may lead elsewhere`},
	},
	"wrong database": {
		func(_ *testing.T, w world) program { return w.with("DATABASE_URL=" + modelstest.At(w.URL, "nobody")) },
		[]string{`failure +database +The database refuses the login: .*"nobody" does not exist. Correct`},
	},
	"silent database": {
		throughProxy(func(p *modelstest.Proxy) { p.All(modelstest.Hung) }),
		[]string{`failure +database +The database does not answer: .*(deadline|timeout)`},
	},
	"silent feed": {
		throughProxy(func(p *modelstest.Proxy) { p.Feed(modelstest.Hung) }),
		[]string{`failure +feed +A notification was not heard within 1s`},
	},
	"pooler": {
		func(t *testing.T, w world) program {
			return w.with("DATABASE_URL=" + modelstest.NewPooler(t, w.URL, modelstest.TransactionMode))
		},
		[]string{
			`failure +pooler +the database's address leads to a pooler in transaction mode.*(?s:.*)warning +login +not checked, because the check of the pooler failed`,
		},
	},
	"old schema": {func(t *testing.T, _ world) program {
		w := newWorld(t)
		modelstest.ExecuteAt(t, w.URL,
			`DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
		return w.program
	}, []string{`failure +schema +.*version \d of \d: run .dispo migrate.`}},
	"no role": {
		byLogin(),
		[]string{`failure +login +The login test_\w+ may work neither .*\nwarning +schema +not checked`},
	},
	"two roles": {
		byLogin("dispo_app", "dispo_operator"),
		[]string{`failure +logins +test_\w+ may work as dispo_operator and as dispo_app.*REVOKE dispo_operator FROM test_`},
	},
	"service's login": {
		byLogin("dispo_app"),
		[]string{
			`ok +login +test_\w+ works as dispo_app(?s:.*)ok +row security(?s:.*)warning +secret +not checked, because the login works as dispo_app(?s:.*)warning +totals +not checked, because the login works as dispo_app`,
		},
	},
	"commands' login": {
		byLogin("dispo_operator"),
		[]string{
			`ok +login +test_\w+ works as dispo_operator(?s:.*)ok +totals +counted for 1 of 1 organizations`,
			`warning +logins +The login dispo is in use here, which is .* or a superuser. Use those two`, // by the world's service
		},
	},
	"spoiled database": {
		bySpoiling,
		[]string{
			`failure +server +The setting fsync is off: a power failure can destroy the database. Set fsync = on.`,
			`failure +rights +.*REVOKE UPDATE ON transactions FROM dispo_app`,
			`failure +rights +dispo_app lacks the right UPDATE \([a-z_, ]+\) on organizations`,
			`failure +rights +dispo_app lacks the right SELECT on companies.*GRANT SELECT ON companies TO dispo_app`,
			`failure +rights +Everybody may call mail_tend\(\), which works as dispo_operator.*REVOKE ALL ON FUNCTION mail_tend\(\) FROM PUBLIC`,
			`failure +rights +dispo_app may call mine\(\), which works as \w+. Nothing in dispo makes this function. As the owner, run: DROP FUNCTION mine\(\)`,
			`failure +rights +The function mail_settle is missing, or does not work as dispo_operator or dispo_keeper`,
			`warning +rights +Large objects, which nothing in dispo makes: 1, of \w+. If nobody else needs them`,
			`failure +row security +Row-level security of the table companies is not forced.*ALTER TABLE companies ENABLE ROW LEVEL SECURITY, FORCE`,
			`failure +row security +The policy leak of the table mails .*DROP POLICY leak ON mails`,
			`failure +row security +The table audit_log has lost a policy`,
			`failure +row security +The table copies has rows of organizations`,
			`failure +row security +The trigger append_only of the table audit_log is disabled`,
			`failure +totals +acme: totals of companies that differ from what counting says: 1`,
			`failure +totals +acme: totals of the organization that differ`,
			`warning +mails +Mails that have waited for more than an hour: 1, the oldest since`,
			`warning +erasures +Deletions and revocations that have waited for over a minute to be in the file of DISPO_ERASURES: 1, the oldest since .*See the log of the service that keeps it \(web1:/erasures since `,
			`warning +held records +Records that are held because no organization has their company: 1,`,
			`warning +deliveries +Organizations whose delivery is late: 1 .acme.`,
		},
	},
	"replicas": {
		byReplicas,
		[]string{
			`warning +replicas +The replica at .* is late: it lacks \d+ .* over a second ago. See in its log`,
			`warning +replicas +The server at .* is no standby`,
			`warning +server +Nothing reads the replication slot lost, which keeps .* of the write-ahead log. .*pg_drop_replication_slot\('lost'\)`,
		},
	},
	"replica gone": {
		bySettings("DATABASE_READ_URL=postgres://dispo:hunter2@255.255.255.255/dispo"),
		[]string{
			`warning +settings +The connection to the database may lead elsewhere.* Add .sslmode=verify-full to DATABASE_READ_URL`,
			`failure +replicas +The replica at 255.255.255.255:5432 cannot be used: .*Until then the primary is read.`,
		},
	},
	"unfinished restore": {func(t *testing.T, _ world) program {
		w := newWorld(t)
		modelstest.ExecuteAt(t, w.URL, `CREATE TABLE restore_unfinished ()`)
		return w.program
	}, []string{`failure +schema +.*restore`}},
	"old backup": {byOldBackup, []string{
		`warning +backups +The newest backup, .*/old.dispo, is 30 hours old. See why the daily`,
		`warning +backups +There is no backup whose checksums were compared in .*`,
		`warning +backups +There is no backup that was restored to check it in .*`,
	}},
	"secrets that others can read": {func(t *testing.T, w world) program {
		return w.with("DISPO_SECRET=", "DISPO_SECRET_FILE="+file(t, "secret", secret), "DATABASE_READ_URL="+
			"postgres://dispo@"+nowhere+"/dispo?passfile="+file(t, "passwords", "*:*:*:*:hunter2"))
	}, []string{
		`warning +machine +The secrets in .*/secret can be read by other users. Run: chmod 600 .*/secret`,
		`warning +machine +The secrets in .*/passwords can be read by other users.`,
	}},
	"unfinished deletion": {
		byDeleting,
		[]string{
			`warning +totals +The deletion of acme, which began on 2026-01-31, has not ended. .*dispo organization delete acme --confirm acme.*\nok +totals +counted`,
		},
	},
	"reserved slug": {
		bySlug,
		[]string{`warning +totals +The slug return means something else below /sign-in/.*UPDATE organizations SET slug`},
	},
	"another secret": {
		bySecrets(freshSecret, "DISPO_SMTP_URL=smtp://localhost:1?tls=none", "DISPO_BACKUPS=/"),
		[]string{
			`failure +secret +Second factors and recovery codes that do not fit DISPO_SECRET: 1. Use.*\nwarning +secret +Keys left on another DISPO_SECRET: 1 .acme: test.. Each is`,
			`failure +settings +.*DISPO_MAIL_FROM is required with DISPO_SMTP_URL`,
			`warning +backups +There is no backup in /. See why the daily .dispo backup. does not run.`,
		},
	},
	"two secrets": {
		bySecrets(freshSecret + "," + secret),
		[]string{
			`warning +secret +Second factors and recovery codes left on the old DISPO_SECRET: 1. Keep both.*\nwarning +secret +Keys left on another DISPO_SECRET: 1`,
		},
	},
	"settings": {func(t *testing.T, w world) program {
		address, _ := modelstest.NewSilentMailServer(t)
		return w.with("DISPO_SMTP_URL=smtp://"+address+"?tls=none", "DISPO_MAIL_FROM=dispo@example.com",
			"DISPO_PUBLIC_URL=http://"+nowhere, "DISPO_KEEP_MAILS=1d",
			"DISPO_TRUSTED_PROXIES=0.0.0.0/0", "TMPDIR=/dev/null/none", "REDIS_URL=redis://:hunter2@"+nowhere)
	}, []string{
		`failure +mail server +127.0.0.1:\d+ cannot be used: .*did not complete the connection and sign-in within 10s`,
		`failure +public URL +http://127.0.0.1:1 does not answer: connection refused`,
		`failure +settings +.dispo serve. refuses these settings: DISPO_KEEP_MAILS is 1d`,
		`failure +settings +DISPO_TRUSTED_PROXIES trusts every address`,
		`failure +machine +The folder of TMPDIR, /dev/null/none, cannot be used`,
		`failure +redis +Redis at 127.0.0.1:1 cannot be used, so each instance counts on its own: .*connection refused`,
	}},
	"others": {func(t *testing.T, w world) program {
		mail := modelstest.NewMailServer(t, modelstest.MailStartTLS)
		certificates, err := modelstest.MailCertificates(newFolder(t))
		require.NoError(t, err)
		service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		t.Cleanup(service.Close)
		return w.mailed(mail).
			with("DISPO_SMTP_URL="+strings.Replace(mail.URL, "word", "hunter2", 1), "SSL_CERT_FILE="+certificates, "DISPO_PUBLIC_URL="+service.URL)
	}, []string{
		`failure +mail server +127.0.0.1:\d+ cannot be used: .*535`,
		`failure +public URL +What answers at http://.* is not Dispo. See where the proxy leads to.`,
	}},
	"broken answer": {func(t *testing.T, w world) program {
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "15")
		}))
		t.Cleanup(service.Close)
		return w.with("DISPO_PUBLIC_URL=" + service.URL)
	}, []string{`failure +public URL +http://.*/api/health breaks off its answer: unexpected EOF`}},
}

// Whatever is broken, doctor says so in one line, with what to do. What depends on it is not
// checked, the rest is. Doctor ends, also if what it asks never answers.
func TestDoctorFinds(t *testing.T) {
	t.Parallel()
	shared := newWorld(t)
	for name, row := range breakings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := row.breaking(t, shared).run(t, "doctor")
			for _, line := range row.says {
				require.Regexp(t, `(?m)^`+line, got.out)
			}
			require.NotContains(t, got.out+got.err, "hunter2")
			require.NotContains(t, got.out, "%!")
			require.Len(t, regexp.MustCompile(`(?m)^(ok|warning|failure) `).FindAllString(got.out, -1),
				strings.Count(got.out, "\n"), got.out)
			failures := strings.Count("\n"+got.out, "\nfailure")
			require.Equal(t, min(failures, 1), got.status)
		})
	}
}

// A clock that differs is a warning, and a failure when codes of second factors are refused.
func TestDoctorComparesClocks(t *testing.T) {
	t.Parallel()
	nobody, err := url.Parse("http://" + nowhere)
	require.NoError(t, err)
	for ahead, want := range map[time.Duration]doctor.Level{
		0: doctor.OK, 20 * time.Second: doctor.Warning, -20 * time.Second: doctor.Warning,
		time.Minute: doctor.Failure, -time.Minute: doctor.Failure,
	} {
		var found []doctor.Finding
		doctor.Run(t.Context(), doctor.Config{
			PublicURL: nobody,
			Open:      func(context.Context) (string, error) { return "", errors.New("there is none") },
			Redis:     func(context.Context) (string, time.Time, error) { return "redis", time.Now().Add(ahead), nil },
		}, func(f doctor.Finding) { found = append(found, f) })
		i := slices.IndexFunc(found, func(f doctor.Finding) bool { return f.Check == "redis" })
		require.Equal(t, want, found[i].Level, "%v: %s", ahead, found[i].Message)
	}
}

// What never answers, such as a disk that is gone, takes a check's time and no more. The other checks
// are made.
func TestDoctorEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nobody, err := url.Parse("http://" + nowhere)
		require.NoError(t, err)
		gone := make(chan struct{})
		defer close(gone)
		var found []string
		began := time.Now() // of the bubble's clock
		doctor.Run(t.Context(), doctor.Config{
			PublicURL: nobody,
			Open:      func(context.Context) (string, error) { <-gone; return "", errors.New("it is gone") },
		}, func(f doctor.Finding) { found = append(found, f.Check+": "+f.Message) })
		require.LessOrEqual(t, time.Since(began), 2*time.Minute)
		require.Contains(t, found, "database: This cannot be checked: it does not answer.")
		require.Contains(t, found, "server: not checked, because the check of the database failed")
		require.Contains(t, found, "redis: none is set, so each instance counts on its own")
	})
}
