package mail_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// Each reader gets mails in the language that they chose, or else in that of their
// browser. Those without an account get them in that of the inviter, and the notification
// address in that of the first owner.
func TestMailsAreInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	owner := w.user(t, "owner@a.example", models.RoleOwner)
	admin := w.user(t, "admin@a.example", models.RoleAdmin)
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET notification_address = 'notice@a.example'`)
	modelstest.ExecuteAt(t, w.URL, `UPDATE users SET language = 'en' WHERE email = 'admin@a.example'`)
	for _, email := range []string{"owner@a.example", "admin@a.example"} {
		id := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM users WHERE email = $1`, email)
		require.NoError(t, w.Service.Accounts.LanguageSeen(t.Context(), accounts.Session{UserID: id}, i18n.Danish))
	}
	_, _, err := keys.Create(t.Context(), owner, keys.NewKey{Name: "Bogholderi"})
	require.NoError(t, err)
	_, _, err = accounts.Invite(t.Context(), admin, "new@a.example", models.RoleViewer)
	require.NoError(t, err)

	subjects := map[string]string{}
	for _, m := range w.sent(t, 0) {
		requireHarmless(t, m)
		subjects[m.To] = m.Header(t, "Subject")
		_, html := m.Parts(t)
		language := i18n.Danish
		if m.To == "admin@a.example" || m.To == "new@a.example" {
			language = i18n.English
		}
		require.Contains(t, html, `<html lang="`+language.Tag()+`">`)
	}
	require.Equal(t, map[string]string{
		"owner@a.example":  "Ny API-nøgle ”Bogholderi” til " + w.organization.Name,
		"admin@a.example":  "New API key “Bogholderi” for " + w.organization.Name,
		"notice@a.example": "Ny API-nøgle ”Bogholderi” til " + w.organization.Name,
		"new@a.example":    "Join " + w.organization.Name + " on Dispo",
	}, subjects)
}

// A mail that still waits when its reader stops being a member is not sent: it is about
// what they may no longer see.
func TestFormerMembersGetNoMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	owner := w.user(t, "owner@a.example", models.RoleOwner)
	w.user(t, "admin@a.example", models.RoleAdmin)
	_, _, err := keys.Create(t.Context(), owner, keys.NewKey{Name: "x"})
	require.NoError(t, err)
	admin := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM users WHERE email = 'admin@a.example'`)
	require.NoError(t, accounts.RemoveMember(t.Context(), owner, admin))

	var to []string
	for _, m := range w.sent(t, 0) {
		to = append(to, m.To)
	}
	require.Equal(t, []string{"owner@a.example", "owner@a.example"}, to, "about the key, and about the member")
	require.Equal(t, "its reader is no longer a member", modelstest.ValueAt[string](t, w.URL, `SELECT answer FROM mails WHERE given_up_at IS NOT NULL`))
}

// Nobody is flooded with invitations, whoever sends them, and no organization sends many
// in a short time.
func TestInvitationsAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	owner := w.user(t, "owner@a.example", models.RoleOwner)
	invited := func(email func(int) string) (n int) {
		for {
			if _, _, err := accounts.Invite(t.Context(), owner, email(n), models.RoleViewer); err != nil {
				modelstest.RequireKind(t, models.KindLimited, err)
				return n
			}
			n++
		}
	}
	require.Equal(t, 5, invited(func(int) string { return "one@b.example" }))
	require.Equal(t, 45, invited(func(n int) string { return fmt.Sprintf("many%d@b.example", n) }))
}
