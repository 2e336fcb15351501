package mail_test

import (
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/mail"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

// runTests makes the program trust the mail servers of the tests.
func runTests(m *testing.M) int {
	directory, err := os.MkdirTemp("", "dispo-mail-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(directory)
	path, err := modelstest.MailCertificates(directory)
	if err == nil {
		err = os.Setenv("SSL_CERT_FILE", path)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return modelstest.Main(m)
}

const publicURL = "https://dispo.example.com"

// world is a database with an organization, whose mails go to a mail server.
type world struct {
	*modelstest.World
	organization models.Organization
	server       *modelstest.MailServer
	sender       *mail.Sender
	seen         int // mails that sent has returned
}

func newWorld(t *testing.T, mode modelstest.MailTLS) *world {
	t.Helper()
	w := &world{World: modelstest.NewWorld(t), server: modelstest.NewMailServer(t, mode)}
	w.organization = w.Organization(t, "a")
	w.sender = newSender(t, w.Service, w.server.URL)
	return w
}

func newSender(t *testing.T, instance *modelstest.Instance, server string) *mail.Sender {
	t.Helper()
	parsed, err := mail.ParseServer(server)
	require.NoError(t, err)
	public, err := url.Parse(publicURL)
	require.NoError(t, err)
	sender, err := mail.NewSender(t.Context(), mail.Config{
		Store:     instance.Store,
		Server:    parsed,
		From:      mail.Address{Name: "Dispo", Address: "dispo@example.com"},
		PublicURL: public,
		Log:       slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	return sender
}

// user creates a user, of whom owners are not told, and returns the tenant with the user as
// the actor.
func (w *world) user(t *testing.T, email string, role terms.Role) models.Tenant {
	t.Helper()
	require.NoError(
		t,
		modelstest.ErrorOf(
			w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(w.organization.ID), email, role, "")),
	)
	modelstest.ExecuteAt(t, w.URL, `DELETE FROM mails WHERE kind = 'member_joined'`)
	id := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM users WHERE email = $1`, email)
	return w.Service.Tenant(w.organization.ID).As(models.Actor{UserID: &id, Email: email, Address: "192.0.2.7"})
}

// write writes a mail about a key to the outbox.
func (w *world) write(t *testing.T, recipient string) uuid.UUID {
	t.Helper()
	return w.writeKind(t, recipient, "key_paused", `{"key": "Accounting", "hint": "TqP4", "at": "2026-11-22T09:00:00Z"}`)
}

func (w *world) writeKind(t *testing.T, recipient, kind, details string) uuid.UUID {
	t.Helper()
	return modelstest.ValueAt[uuid.UUID](t, w.URL, `INSERT INTO mails (organization_id, id, kind, recipient, details)
		VALUES ($1, gen_random_uuid(), $2, $3, $4) RETURNING id`, w.organization.ID, kind, recipient, details)
}

// state returns a mail's state, what the server answered, and the seconds until the next
// attempt.
func (w *world) state(t *testing.T, id uuid.UUID) (state, answer string, pause float64) {
	t.Helper()
	state = modelstest.ValueAt[string](
		t,
		w.URL,
		`SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN given_up_at IS NOT NULL THEN 'given up' ELSE 'waiting' END FROM mails WHERE id = $1`,
		id,
	)
	answer = modelstest.ValueAt[string](t, w.URL, `SELECT answer FROM mails WHERE id = $1`, id)
	pause = modelstest.ValueAt[float64](t, w.URL,
		`SELECT extract(epoch FROM next_attempt_at - now())::float8 FROM mails WHERE id = $1`, id)
	return state, answer, pause
}

// due makes all waiting mails due.
func (w *world) due(t *testing.T) {
	t.Helper()
	modelstest.ExecuteAt(t, w.URL,
		`UPDATE mails SET next_attempt_at = now() WHERE sent_at IS NULL AND given_up_at IS NULL`)
}

// recipients returns whom the server has got mails for, in order.
func recipients(mails []modelstest.ReceivedMail) []string {
	var all []string
	for _, m := range mails {
		all = append(all, m.To)
	}
	slices.Sort(all)
	return all
}
