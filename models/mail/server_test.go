package mail_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/modelstest"
)

// A mail server's URL is checked completely, and neither an error nor the server's name
// repeats the password.
func TestParseServer(t *testing.T) {
	t.Parallel()
	for text, expected := range map[string]string{
		"smtp://dispo:hunter2@mail.example.com":          "mail.example.com:587",
		"smtp://dispo:hunter2@mail.example.com:2525":     "mail.example.com:2525",
		"smtps://dispo%40x:hunt%2Fer2@mail.example.com/": "mail.example.com:465",
		"smtp://mail.example.com":                        "mail.example.com:587",
		"smtp://localhost:25?tls=none":                   "localhost:25",
		"smtp://dispo:hunter2@127.0.0.1:25?tls=none":     "127.0.0.1:25",
		"smtp://[::1]:25?tls=none":                       "[::1]:25",
	} {
		server, err := mail.ParseServer(text)
		require.NoError(t, err, text)
		require.Equal(t, expected, server.String())
	}
	for text, expected := range map[string]string{
		"hunter2":                                        "smtp://user:password@host:587",
		"http://dispo:hunter2@mail.example":              "smtp://user:password@host:587",
		"smtp://":                                        "smtp://user:password@host:587",
		"smtp://dispo:hunt%er2@mail":                     "percent-encoded",
		"smtp://dispo:hunter2@mail:many":                 "smtp://user:password@host:587",
		"smtp://dispo:hunter2@mail:0":                    "port",
		"smtp://dispo:hunter2@mail:99999":                "port",
		"smtp://dispo:hunt/er2@mail":                     "smtp://user:password@host:587",
		"smtp://dispo:hunter2@mail/inbox":                "more than a host",
		"smtp://dispo@mail":                              "both a user and a password",
		"smtp://:hunter2@mail":                           "both a user and a password",
		"smtp://dispo:hunter2%0a@mail":                   "line break",
		"smtp://dispo:hunter2@mail?tls=off":              "only ?tls=none",
		"smtp://dispo:hunter2@mail.example.com?tls=none": "same machine",
		"smtp://10.0.0.1:25?tls=none":                    "same machine",
		"smtps://localhost?tls=none":                     "contradicts",
	} {
		_, err := mail.ParseServer(text)
		require.ErrorContains(t, err, expected, text)
		require.NotContains(t, err.Error(), "hunter2")
	}
}

// A server that cannot be used gets no mail: the mail waits, with what was wrong but without
// the password, and goes out when that is mended: by STARTTLS with a login, by TLS from the
// start, or in the clear to the same machine. smtp:// without ?tls=none never speaks in
// the clear, even to a server that offers no TLS, and a certificate for another name is
// refused, so that neither a mail nor the login is sent.
func TestUnusableServerGetsNoMail(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		mode        modelstest.MailTLS
		url, answer string
	}{
		"no TLS":              {modelstest.MailPlain, "smtp://dispo:hunter2@127.0.0.1:PORT", "(?i)starttls.*[?]tls=none"},
		"another certificate": {modelstest.MailStartTLS, "smtp://dispo:hunter2@localhost:PORT", "certificate"},
		"TLS from the start":  {modelstest.MailImplicit, "smtps://dispo:hunter2@localhost:PORT", "certificate"},
		"wrong password":      {modelstest.MailStartTLS, "smtp://" + modelstest.MailUser + ":hunter2@127.0.0.1:PORT", "535"},
		"away":                {modelstest.MailPlain, "smtp://127.0.0.1:1?tls=none", "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, row.mode)
			right, err := url.Parse(w.server.URL)
			require.NoError(t, err)
			id := w.write(t, "kari@example.com")
			err = newSender(t, w.Service, strings.Replace(row.url, "PORT", right.Port(), 1)).SendDue(t.Context())
			require.ErrorContains(t, err, "the mail server cannot be used")
			state, answer, pause := w.state(t, id)
			require.Equal(t, "waiting", state)
			require.Regexp(t, row.answer, answer)
			require.NotContains(t, err.Error()+answer, "hunter2")
			require.InDelta(t, 60, pause, 10)
			require.Empty(t, w.server.Mails())
			w.due(t)
			mails := w.sent(t)
			require.Len(t, mails, 1)
			require.Equal(t, "dispo@example.com", mails[0].From)
			require.Equal(t, "kari@example.com", mails[0].To)
			for name, expected := range map[string]string{
				"From": `"Dispo" <dispo@example.com>`, "To": "<kari@example.com>", "Message-ID": "<" + id.String() + "@example.com>", "Auto-Submitted": "auto-generated",
				"Subject": "API key “Accounting” of Organization a was paused",
			} {
				require.Equal(t, expected, mails[0].Header(t, name))
			}
			state, answer, _ = w.state(t, id)
			require.Equal(t, "sent", state)
			require.NotEmpty(t, answer)
		})
	}
}

// What the server answers decides: a mail is sent, tried again after growing pauses, or
// given up. Only a refusal of the recipient is final: the operator can correct the rest. No
// refused mail keeps others waiting. The answer is stored, without the password.
func TestAnswers(t *testing.T) {
	t.Parallel()
	type row struct {
		code      int
		about     [2]int
		atContent bool
		state     string
	}
	rows := map[string]row{
		"mailbox-busy":     {450, [2]int{}, false, "waiting"},
		"greylisted":       {451, [2]int{}, true, "waiting"},
		"refused":          {550, [2]int{}, false, "given up"},
		"no-such-mailbox":  {550, [2]int{1, 1}, false, "given up"},
		"mailbox-disabled": {550, [2]int{2, 1}, true, "given up"},
		"sender-refused":   {550, [2]int{7, 1}, false, "waiting"},
		"quota":            {550, [2]int{4, 5}, false, "waiting"},
		"content-refused":  {554, [2]int{}, true, "waiting"},
		"shutting-down":    {421, [2]int{}, false, "waiting"},
		"out-of-disk":      {452, [2]int{}, true, "waiting"},
	}
	w := newWorld(t, modelstest.MailStartTLS)
	var mended atomic.Bool
	w.server.Answer(func(m modelstest.ReceivedMail) error {
		name, _, _ := strings.Cut(m.To, "@")
		if row, refused := rows[name]; refused && !mended.Load() && row.atContent == (m.Data != nil) {
			return modelstest.MailRefusal(row.code, row.about, name+", go away with your "+modelstest.MailPassword)
		}
		return nil
	})
	ids := map[string]uuid.UUID{}
	expected := []string{"per@example.com"}
	for name, row := range rows {
		ids[name] = w.write(t, name+"@example.com")
		if row.state == "waiting" {
			expected = append(expected, name+"@example.com")
		}
	}
	w.write(t, "per@example.com")
	for attempt := range 4 {
		require.NoError(t, w.sender.SendDue(t.Context()))
		for name, row := range rows {
			state, answer, pause := w.state(t, ids[name])
			require.Equal(t, row.state, state, name)
			require.Contains(t, answer, name+", go away with your …")
			if state == "waiting" {
				require.InDelta(t, float64(int(60)<<attempt), pause, 10, name)
			}
		}
		require.Equal(t, []string{"per@example.com"}, recipients(w.server.Mails()))
		require.NoError(t, w.sender.SendDue(t.Context()), "nothing is due")
		w.due(t)
	}
	mended.Store(true)
	require.NoError(t, w.sender.SendDue(t.Context()))
	require.ElementsMatch(t, expected, recipients(w.server.Mails()))
}

// A server that stops answering before it lets us in holds a mail for ten seconds, not for
// the ten minutes that it may take over the mail itself, and its connection is closed. At a
// stop it holds nothing up. Either way the mail waits, and goes out with another server.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		url     string
		answers []string
		stopped bool
	}{
		"greeting":          {url: "smtp://HOST?tls=none"},
		"EHLO":              {url: "smtp://HOST?tls=none", answers: []string{"220 hello"}},
		"STARTTLS":          {url: "smtp://HOST", answers: []string{"220 hello", "250-hello\r\n250 STARTTLS"}},
		"TLS":               {url: "smtp://HOST", answers: []string{"220 hello", "250-hello\r\n250 STARTTLS", "220 go on"}},
		"TLS from start":    {url: "smtps://HOST"},
		"AUTH":              {url: "smtp://dispo:secret@HOST?tls=none", answers: []string{"220 hello", "250-hello\r\n250 AUTH PLAIN"}},
		"greeting, at stop": {url: "smtp://HOST?tls=none", stopped: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, modelstest.MailPlain)
			address, connections := modelstest.NewSilentMailServer(t, row.answers...)
			sender := newSender(t, w.Service, strings.Replace(row.url, "HOST", address, 1))
			id := w.write(t, "kari@example.com")
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			done := make(chan error, 1)
			go func() { done <- sender.SendDue(ctx) }()
			modelstest.Eventually(t, func() bool { return connections() == 1 })
			if row.stopped {
				stop()
			}
			modelstest.Eventually(t, func() bool { return connections() == 0 })
			err := <-done
			require.Error(t, err)
			state, answer, _ := w.state(t, id)
			require.Equal(t, "waiting", state)
			if row.stopped {
				require.Empty(t, answer, "it is no fault of the mail's")
			} else {
				require.ErrorContains(t, err, "the mail server cannot be used")
				require.NotEmpty(t, answer)
			}
			w.due(t)
			require.Len(t, w.sent(t), 1)
		})
	}
}

// A mail that the server has accepted is sent, even if the connection breaks right after.
func TestAcceptedThenCutOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	w.server.HangUp.Store(true)
	id := w.write(t, "kari@example.com")
	require.NoError(t, w.sender.SendDue(t.Context()))
	state, _, _ := w.state(t, id)
	require.Equal(t, "sent", state)
	w.due(t)
	require.Len(t, w.sent(t), 1)
}

// A mail that could not be sent for three days is given up, counted, and can be tried
// again only while it is younger. After 30 days it is not counted any more.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	w.server.Answer(func(modelstest.ReceivedMail) error { return modelstest.MailRefusal(451, [2]int{}, "later") })
	id, young := w.write(t, "kari@example.com"), w.write(t, "per@example.com")
	modelstest.ExecuteAt(t, w.URL,
		`UPDATE mails SET created_at = now() - interval '73 hours', attempts = 70 WHERE id = $1`, id)
	require.NoError(t, w.sender.SendDue(t.Context()))
	state, answer, _ := w.state(t, id)
	require.Equal(t, "given up", state)
	require.Contains(t, answer, "later")
	state, _, pause := w.state(t, young)
	require.Equal(t, "waiting", state)
	require.Positive(t, pause)

	w.sender = newSender(t, w.Service, w.server.URL)
	require.EqualValues(t, 1, w.sender.GivenUp())
	require.EqualValues(t, 1, w.sender.Waiting())
	mails, err := mail.Unsent(t.Context(), w.Operator.Store)
	require.NoError(t, err)
	require.Len(t, mails, 2)
	retried, err := mail.Retry(t.Context(), w.Operator.Store)
	require.NoError(t, err)
	require.EqualValues(t, 1, retried)

	modelstest.ExecuteAt(t, w.URL,
		`UPDATE mails SET created_at = now() - interval '31 days', given_up_at = now() WHERE id = $1`, id)
	require.Zero(t, newSender(t, w.Service, w.server.URL).GivenUp())
}

// A mail of an organization that is gone holds up no other mail, whatever it is about, and is
// deleted before it is counted.
func TestGoneOrganizationHoldsUpNoMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	w.write(t, "kari@example.com")
	modelstest.ExecuteAt(
		t,
		w.URL,
		`INSERT INTO mails (organization_id, id, kind, recipient, details, next_attempt_at) VALUES (gen_random_uuid(), gen_random_uuid(), 'invitation', 'gone@example.com', '{}', now() - interval '1 hour')`,
	)
	require.Equal(t, []string{"kari@example.com"}, recipients(w.sent(t)))
	w.sender = newSender(t, w.Service, w.server.URL)
	require.Zero(t, w.sender.Waiting())
	require.Equal(t, 1, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM mails`))
}

// The address of the sender is checked.
func TestAddress(t *testing.T) {
	t.Parallel()
	var from mail.Address
	require.NoError(t, from.UnmarshalText([]byte("Dispo på nettet <dispo@example.com>")))
	require.Equal(t, mail.Address{Name: "Dispo på nettet", Address: "dispo@example.com"}, from)
	for _, text := range []string{"", "dispo", "dispo@example.com\r\nBcc: x@example.com", "a@example.com, b@example.com", "@example.com"} {
		require.Error(t, from.UnmarshalText([]byte(text)), text)
	}
}

// Three instances send each mail once, also those that the server refuses at first.
func TestThreeInstances(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	var refusals atomic.Int64
	w.server.Answer(func(m modelstest.ReceivedMail) error {
		if m.Data != nil && refusals.Add(1)%5 == 0 {
			return modelstest.MailRefusal(451, [2]int{}, "later")
		}
		return nil
	})
	const mails = 100
	for i := range mails {
		w.write(t, fmt.Sprintf("user%d@example.com", i))
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range 3 {
		sender := newSender(t, modelstest.Open(t, w.URL, database.Service), w.server.URL)
		running.Go(func() { sender.Run(ctx) })
	}
	modelstest.Eventually(t, func() bool {
		w.due(t) // what was refused
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM mails WHERE sent_at IS NOT NULL`) == mails
	})
	cancel()
	running.Wait()
	seen := map[string]bool{}
	for _, m := range w.server.Mails() {
		id := m.Header(t, "Message-ID")
		require.False(t, seen[id], "%s was sent twice", m.To)
		seen[id] = true
	}
	require.Len(t, seen, mails)
}
