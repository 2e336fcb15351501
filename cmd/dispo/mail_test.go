package main_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
	"dispo/models/terms"
)

// mailed is the program with a mail server.
func (w world) mailed(server *modelstest.MailServer) program {
	return w.with("DISPO_SMTP_URL="+server.URL, "DISPO_MAIL_FROM=Dispo <dispo@example.com>",
		"DISPO_PUBLIC_URL=https://dispo.example.com")
}

// An instance that is killed loses no mail. If that is between the server's acceptance and
// its own commit, the mail comes twice, which is the one such case. The Message-ID is the same.
func TestMailKilledBeforeCommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := modelstest.NewMailServer(t, modelstest.MailPlain)
	arrived, accept := make(chan bool, 1), make(chan bool)
	server.Answer(func(m modelstest.ReceivedMail) error {
		if m.Data != nil {
			arrived <- true
			<-accept
		}
		return nil
	})
	modelstest.ExecuteAt(
		t,
		w.URL,
		`INSERT INTO mails (organization_id, id, kind, recipient, details) VALUES ($1, gen_random_uuid(), 'key_paused', 'kari@example.com', '{}')`,
		w.acme.ID,
	)
	killed := w.mailed(server).serve(t)
	<-arrived
	release := hold(t, w.URL, `LOCK TABLE mails IN SHARE MODE`) // so that it cannot be noted as sent
	close(accept)
	server.Wait(t, 1)
	modelstest.Eventually(t, func() bool { return waits(t, w.URL) })
	require.NoError(t, killed.cmd.Process.Kill())
	killed.wait(t)
	release()
	w.mailed(server).serve(t)
	modelstest.Eventually(t, func() bool {
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM mails WHERE sent_at IS NULL`) == 0
	})
	mails := server.Mails()
	require.Len(t, mails, 2)
	require.Equal(t, mails[0].Header(t, "Message-ID"), mails[1].Header(t, "Message-ID"))
}

// `dispo mail test` sends a mail, and prints what the server answered. The program introduces
// itself with a domain name: that of the public URL, or else the sender's.
func TestMailTest(t *testing.T) {
	t.Parallel()
	certificates, err := modelstest.MailCertificates(newFolder(t))
	require.NoError(t, err)
	server := modelstest.NewMailServer(t, modelstest.MailStartTLS)
	p := world{program: plain()}.mailed(server).with("SSL_CERT_FILE=" + certificates)
	out := p.run(t, "mail", "test", "kari@example.com").requireDone(t)
	require.Regexp(t, `^127\.0\.0\.1:\d+ accepted the mail to kari@example.com: 2\.0\.0 OK: queued$`, out)
	require.Equal(t, "kari@example.com", server.Wait(t, 1)[0].To)

	for public, hello := range map[string]string{
		"https://dispo.example.com:8443": "dispo.example.com", "http://192.0.2.7:8080": "sender.example", "http://[2001:db8::7]": "sender.example", "http://dispo": "sender.example", "https://dispo.bøger.example": "dispo.xn--bger-gra.example",
	} {
		seen := len(server.Mails())
		p.with("DISPO_PUBLIC_URL="+public, "DISPO_MAIL_FROM=dispo@sender.example").
			run(t, "mail", "test", "kari@example.com").
			requireDone(t)
		require.Equal(t, hello, server.Wait(t, seen+1)[seen].Hello, public)
	}

	server.Answer(func(modelstest.ReceivedMail) error { return modelstest.MailRefusal(550, [2]int{}, "no such mailbox") })
	p.run(t, "mail", "test", "kari@example.com").requireRefused(t, 1, "did not accept the mail", "550", "no such mailbox")
	p.with("DISPO_SMTP_URL="+strings.Replace(server.URL, "word", "hunter2", 1)).
		run(t, "mail", "test", "kari@example.com").
		requireRefused(t, 1, "535")
	p.with("DISPO_SMTP_URL=smtp://"+nowhere+"?tls=none").
		run(t, "mail", "test", "kari@example.com").
		requireRefused(t, 1, nowhere, "connection refused")
	p.run(t, "mail", "test", "kari").requireRefused(t, 2, "kari", "not a valid e-mail address")
	plain().run(t, "mail", "test", "kari@example.com").requireRefused(t, 2, "DISPO_SMTP_URL is required")
}

// A request with another Host header gets a link to the service's own address. The mails
// that wait, and those that were given up, are listed and counted, and no log has the
// password or a link.
func TestMailsOfAService(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server := modelstest.NewMailServer(t, modelstest.MailPlain)
	require.NoError(
		t,
		modelstest.ErrorOf(
			w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(w.acme.ID), "kari@example.com", terms.Owner, "")),
	)
	require.Contains(t, w.run(t, "mail", "list").err, "No mails wait")
	s := w.mailed(server).with("DISPO_METRICS_LISTEN=127.0.0.1:0").serve(t)

	page := s.get(t, "/password/forgotten", "")
	token := regexp.MustCompile(`name="form_token" value="([^"]+)"`).FindStringSubmatch(page.body)
	require.NotNil(t, token, page.body)
	request, err := http.NewRequest(http.MethodPost, s.url+"/password/forgotten",
		strings.NewReader("email=kari%40example.com&form_token="+token[1]))
	require.NoError(t, err)
	request.Host = "evil.example"
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Cookie", strings.Split(page.header.Get("Set-Cookie"), ";")[0])
	response, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusSeeOther, response.StatusCode)
	text, html := server.Wait(t, 1)[0].Parts(t)
	require.Contains(t, text, "https://dispo.example.com/password/")
	require.NotContains(t, text+html, "evil.example")
	link := regexp.MustCompile(`/password/(\S+)`).FindStringSubmatch(text)[1]

	server.Answer(func(modelstest.ReceivedMail) error {
		return modelstest.MailRefusal(550, [2]int{}, "no such \x1b[31mmailbox")
	})
	w.run(t, "key", "revoke", w.keyID).requireDone(t)
	modelstest.Eventually(t, func() bool {
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM mails WHERE given_up_at IS NOT NULL`) == 1
	})
	list := w.run(t, "mail", "list").requireDone(t)
	require.Regexp(t, `acme +key_revoked +kari@example.com .* 1 +given up .*550.*no such`, list)
	require.NotContains(t, list, "\x1b")
	modelstest.Eventually(t, func() bool { return s.metric(t, "dispo_mails_waiting") == "0" }) // counted once a minute
	require.Equal(t, "Mails that are sent again now: 1", w.run(t, "mail", "retry").requireDone(t))
	require.NotContains(t, s.err.String(), link)
	require.NotContains(t, s.err.String(), "hunter2")

	// What another instance writes while the server refuses waits.
	server.Answer(func(modelstest.ReceivedMail) error { return modelstest.MailRefusal(451, [2]int{}, "later") })
	modelstest.ExecuteAt(
		t,
		w.URL,
		`INSERT INTO mails (organization_id, id, kind, recipient, details) VALUES ($1, $2, 'sign_in', 'kari@example.com', '{}')`,
		w.acme.ID,
		uuid.New(),
	)
	modelstest.Eventually(t, func() bool { return strings.Contains(w.run(t, "mail", "list").requireDone(t), "451") })
	require.Zero(t, s.end(t, terminate))
	again := w.mailed(server).with("DISPO_METRICS_LISTEN=127.0.0.1:0").serve(t)
	require.NotEqual(t, "0", again.metric(t, "dispo_mails_waiting")+again.metric(t, "dispo_mails_given_up"))
}
