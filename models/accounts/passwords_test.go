package accounts_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/terms"
)

// Of eight people who use one good link at once, one succeeds, and the others are told
// that it was used. That goes for links to set a password and for invitations.
func TestLinkUsedByManyAtOnce(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	p := w.Service.Accounts
	token := passwordLink(t, w, "kari@example.com")
	_, invitation := modelstest.Invite(t, w.Operator.Tenant(a.ID), "ole@example.com", terms.Viewer)
	for name, use := range map[string]func(password string) error{
		"password": func(password string) error { return p.PasswordSet(t.Context(), token, password, "192.0.2.1") },
		"invitation": func(password string) error {
			_, err := p.InvitationAccept(t.Context(), invitation, password, "192.0.2.1", "test")
			return err
		},
	} {
		failures := make(chan error, 8)
		for i := range cap(failures) {
			go func() { failures <- use(fmt.Sprintf("long password no. %d", i)) }()
		}
		succeeded := 0
		for range cap(failures) {
			if err := <-failures; err == nil {
				succeeded++
			} else {
				modelstest.RequireKind(t, models.KindNotFound, err)
				require.Regexp(t, "was used a moment ago|already used", err.Error())
			}
		}
		require.Equal(t, 1, succeeded, name)
	}
}

// The present password is refused by a link, as often as that is tried, and counts
// against the link and the network alone: others with the link and the account's user go
// on.
func TestLinkTriesAreLimited(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	token := passwordLink(t, w, "kari@example.com")
	set := func(text, address string) error {
		return w.Service.Accounts.PasswordSet(t.Context(), token, text, address)
	}
	for range 10 {
		require.ErrorContains(t, set(password, "192.0.2.1"), "already your password")
	}
	modelstest.RequireKind(t, models.KindLimited, set(password, "192.0.2.1"))
	modelstest.RequireKind(t, models.KindInvalid, set("short", "192.0.2.1"))
	signIn(t, w, "kari@example.com")
	require.NoError(t, set("my newest long password", "192.0.2.2"))
}

// From however many networks a link is tried, its tries have one place among those that
// wait for bcrypt. So at most 200 of them wait, and sign-ins come in between.
func TestLinkHasOnePlace(t *testing.T) {
	t.Parallel()
	p := modelstest.NewWorld(t).Service.Accounts
	atOnce := max(1, runtime.GOMAXPROCS(0)-1)
	results, release := make(chan error), make(chan struct{})
	stopped := errors.New("stopped")
	for i := range atOnce + 201 {
		go func() {
			_, err := accounts.HashByLink(p, t.Context(), "token", fmt.Sprintf("192.0.%d.%d", i/200, i%200),
				password, func() (*string, error) {
					<-release
					return nil, stopped
				})
			results <- err
		}()
	}
	modelstest.RequireKind(t, models.KindLimited, <-results)
	close(release)
	for range atOnce + 200 {
		require.ErrorIs(t, <-results, stopped)
	}
}

// The organization's name and the words of the service make a password guessable.
func TestGuessablePasswords(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	customer, err := organizations.Create(t.Context(), w.Operator.Store, "Zwqxyvpk A/S", "zwqxyvpk")
	require.NoError(t, err)
	p, tenant := w.Service.Accounts, w.Operator.Tenant(customer.ID)
	w.User(t, customer, "kari@example.com", terms.Owner, password)
	token := passwordLink(t, w, "kari@example.com")
	_, invitation := modelstest.Invite(t, tenant, "ole@example.com", terms.Viewer)
	session := signIn(t, w, "kari@example.com")
	for _, text := range []string{"Zwqxyvpk123456", "københavn2026", "Dispo2026!!!"} {
		_, created := w.Operator.Accounts.UserCreate(t.Context(), tenant, "per@example.com", terms.Viewer, text)
		_, accepted := p.InvitationAccept(t.Context(), invitation, text, "192.0.2.1", "test")
		_, changed := p.PasswordChange(t.Context(), session, models.Actor{UserID: &session.UserID, Email: session.Email}, "",
			password, text)
		for _, err := range []error{created, accepted, changed, p.PasswordSet(t.Context(), token, text, "192.0.2.1")} {
			require.ErrorContains(t, err, "too common", text)
		}
	}
}
