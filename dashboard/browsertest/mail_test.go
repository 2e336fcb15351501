package browsertest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// With a mail server, somebody who forgot the password sets a new one by a link that
// comes by mail, and an invited person joins by one. The pages about mail are accessible.
func TestMailLinks(t *testing.T) {
	parallel(t)
	mails := modelstest.NewMailServer(t, modelstest.MailPlain)
	secret, err := os.ReadFile(filepath.Join(shared.data, "secret"))
	require.NoError(t, err)
	s, err := startService(shared.data, "serve", "DATABASE_URL="+shared.databaseURL(), "DISPO_SECRET="+strings.TrimSpace(string(secret)),
		"DISPO_SMTP_URL="+mails.URL(), "DISPO_MAIL_FROM=dispo@example.com", "DISPO_PUBLIC_URL=http://dispo.example.com")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.stop()) })
	o := newOrganization(t)
	mailed := func(to string) (path string) {
		waitFor(t, func() bool {
			for _, m := range mails.Mails() {
				if m.To == to {
					text, _ := m.Parts(t)
					if found := regexp.MustCompile(`http://dispo\.example\.com(/(password|invitations)/\S{30,})`).FindStringSubmatch(text); found != nil {
						path = found[1]
					}
				}
			}
			return path != ""
		}, func() string { return "a mail to " + to })
		return path
	}

	b := newTabOn(t, s.url)
	b.open("/sign-in")
	b.follow("link", "Forgot your password?")
	b.inspect("asking for a link")
	b.fill("E-mail", "nobody")
	b.submitInvalid("Send link", 422)
	b.fill("E-mail", o.owner)
	b.follow("button", "Send link")
	b.waitForText("If there is an account with that address")
	b.open(mailed(o.owner))
	b.fill("New password", "six other words in a row")
	b.follow("button", "Set password")
	b.fill("E-mail", o.owner)
	b.fill("Password", "six other words in a row")
	b.follow("button", "Sign in")
	b.openAndInspect("/profile", 200)
	b.openAndInspect("/settings/organization", 200)
	kari := o.email("kari")
	b.open("/settings/members")
	b.fill("E-mail", kari)
	b.choose("Role", "Viewer")
	b.follow("button", "Invite")
	b.waitForText("We are sending", kari, "Invitation link")
	b.inspect("invited by mail")

	other := newTabOn(t, s.url)
	other.open(mailed(kari))
	other.fill("Choose a password", password)
	other.follow("button", "Join")
	other.waitForText(o.Name)
	require.Equal(t, "/", other.path())
}
