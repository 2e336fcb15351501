package accounts_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

func guess(t *testing.T, p *accounts.Accounts, email, address string) error {
	t.Helper()
	_, err := p.SignIn(t.Context(), accounts.SignIn{Email: email, Password: "wrong", Address: address})
	return err
}

// guesses makes so many wrong guesses, ten at once because each is answered late, and returns
// how many were checked. N in the address is the number of the guess.
func guesses(t *testing.T, p *accounts.Accounts, n int, email, address string) int {
	t.Helper()
	var checked atomic.Int32
	var atOnce errgroup.Group
	atOnce.SetLimit(10)
	for i := range n {
		atOnce.Go(func() error {
			if models.ErrorKind(
				guess(t, p, email, strings.ReplaceAll(address, "N", fmt.Sprintf("%02x", i))),
			) == models.KindUnauthorized {
				checked.Add(1)
			}
			return nil
		})
	}
	_ = atOnce.Wait()
	return int(checked.Load())
}

// Wrong passwords lock an account for the network that they came from, and for no other.
// From very many networks they lock it for all, except for the devices on which its user
// has signed in before. Setting a new password by the operator's link unlocks it.
func TestGuessesLockOutNobodyElse(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	p, conn := w.Service.Accounts, modelstest.Conn(t, w.URL)
	right := func(password, address, device string) (accounts.SignedIn, error) {
		return p.SignIn(t.Context(),
			accounts.SignIn{Email: "kari@example.com", Password: password, Address: address, Device: device})
	}
	known, err := right(password, "192.0.2.200", "")
	require.NoError(t, err)

	require.Equal(t, 10, guesses(t, p, 11, "kari@example.com", "192.0.2.1"))
	modelstest.RequireKind(t, models.KindLimited, modelstest.ErrorOf(right(password, "192.0.2.1", "")))
	_, err = right(password, "192.0.2.1", known.Device)
	require.NoError(t, err, "a known device in the same network")
	require.NoError(t, modelstest.ErrorOf(right(password, "192.0.2.2", "")), "another network")

	modelstest.Execute(t, conn,
		`INSERT INTO sign_in_failures VALUES ('account kari@example.com in all', 100, now() + interval '15 minutes')`)
	modelstest.RequireKind(t, models.KindLimited, modelstest.ErrorOf(right(password, "192.0.2.3", "")))
	again, err := right(password, "192.0.2.3", known.Device)
	require.NoError(t, err)
	require.NotEmpty(t, again.Device)

	link := passwordLink(t, w, "kari@example.com")
	require.NoError(t, p.PasswordSet(t.Context(), link, "my newest long password", "192.0.2.1"))
	require.NoError(t, modelstest.ErrorOf(right("my newest long password", "192.0.2.1", "")), "a reset releases")
}

// A device is known for its own user alone, until the password changes, and guesses on
// it count like anybody's after ten.
func TestKnownDevice(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	p, conn := w.Service.Accounts, modelstest.Conn(t, w.URL)
	w.User(t, a, "ole@example.com", terms.Owner, password)
	signedIn := enter(t, w, "kari@example.com", password)
	lock := func() {
		modelstest.Execute(t, conn, `DELETE FROM sign_in_failures`)
		modelstest.Execute(
			t,
			conn,
			`INSERT INTO sign_in_failures SELECT 'account ' || email || ' in all', 100, now() + interval '15 minutes' FROM users`,
		)
	}
	try := func(email, password, device string) error {
		_, err := p.SignIn(t.Context(),
			accounts.SignIn{Email: email, Password: password, Address: "192.0.2.9", Device: device})
		return err
	}
	lock()
	modelstest.RequireKind(t, models.KindLimited, try("ole@example.com", password, signedIn.Device))
	modelstest.RequireKind(t, models.KindLimited, try("kari@example.com", password, signedIn.Device+"x"))
	for range 10 {
		modelstest.RequireKind(t, models.KindUnauthorized, try("kari@example.com", "wrong", signedIn.Device))
	}
	modelstest.RequireKind(t, models.KindLimited, try("kari@example.com", password, signedIn.Device))
	lock()
	require.NoError(t, try("kari@example.com", password, signedIn.Device))

	session := sessionOf(t, w, signedIn)
	device, err := p.PasswordChange(t.Context(), session, models.Actor{UserID: &session.UserID, Email: session.Email},
		signedIn.Device, password, "my newest long password")
	require.NoError(t, err)
	lock()
	modelstest.RequireKind(t, models.KindLimited, try("kari@example.com", "my newest long password", signedIn.Device))
	lock()
	require.NoError(t, try("kari@example.com", "my newest long password", device),
		"the browser in which the password was changed")
}

// While strangers guess from very many networks at once, people who have signed in on
// their device before get in, each before the crowd is through. The others wait their
// turn, and are told so if it does not come in time.
func TestSignInInACrowd(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	p := w.Service.Accounts
	known := enter(t, w, "kari@example.com", password)

	crowd, goHome := context.WithCancel(t.Context())
	var guessers sync.WaitGroup
	for i := range 200 {
		guessers.Go(func() {
			for n := 0; crowd.Err() == nil; n++ {
				_, _ = p.SignIn(crowd, accounts.SignIn{
					Email:    fmt.Sprintf("somebody%d@example.com", i),
					Password: "wrong",
					Address:  fmt.Sprintf("198.51.%d.%d", n%250, i),
				})
			}
		})
	}
	for range 7 {
		require.NoError(
			t,
			modelstest.ErrorOf(p.SignIn(t.Context(),
				accounts.SignIn{Email: "kari@example.com", Password: password, Address: "192.0.2.1", Device: known.Device})),
		)
	}
	goHome()
	guessers.Wait()
	signIn(t, w, "kari@example.com")
}

// Whoever has an IPv6 prefix of 64, 56 or 48 bits has one share of the guesses, however
// many networks it has, and locks the account for nobody else.
func TestGuessesFromIPv6(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	p := w.Service.Accounts
	for _, row := range []struct {
		address string // in networks of 64 bits
		checked int
	}{{"2001:db8:1:N::1", 15}, {"2001:db8:1:1N::1", 5}, {"2001:db8:2:N00::1", 20}} {
		require.Equal(t, row.checked, guesses(t, p, 30, "kari@example.com", row.address), row.address)
	}
	require.NoError(
		t,
		modelstest.ErrorOf(
			p.SignIn(t.Context(), accounts.SignIn{Email: "kari@example.com", Password: password, Address: "2001:db8:3::1"})),
	)

	conn := modelstest.Conn(t, w.URL)
	require.ElementsMatch(t, []string{"network 2001:db8:1::/64", "network 2001:db8:1::/56", "network 2001:db8:1::/48"},
		modelstest.Column[string](t, conn, `SELECT subject FROM sign_in_failures WHERE subject ~ '^network 2001:db8:1::/'`))
	modelstest.Execute(t, conn, `UPDATE sign_in_failures SET count = 100 WHERE subject = 'network 2001:db8:1::/48'`)
	modelstest.RequireKind(t, models.KindLimited, guess(t, p, "ole@example.com", "2001:db8:1:ffff::1"))
	modelstest.RequireKind(t, models.KindUnauthorized, guess(t, p, "ole@example.com", "2001:db8:4::1"))
}

// A sign-in that is refused after too many failures writes nothing, whatever its e-mail
// address. That many are checked at once too. An address cannot name another account's
// count.
func TestRefusedSignInsWriteNothing(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	conn := modelstest.Conn(t, w.URL)
	modelstest.RequireKind(t, models.KindUnauthorized, guess(t, w.Service.Accounts, "kari@example.com", "192.0.2.1"))
	modelstest.Execute(t, conn, `UPDATE sign_in_failures SET count = 50 WHERE subject = 'network 192.0.2.1'`)
	before := modelstest.Dump(t, conn)
	for _, email := range []string{"kari@example.com", "ole@example.com", "per@example.com"} {
		modelstest.RequireKind(t, models.KindLimited, guess(t, w.Service.Accounts, email, "192.0.2.1"))
	}
	require.Equal(t, before, modelstest.Dump(t, conn))
	require.Equal(t, 10, guesses(t, w.Service.Accounts, 30, "ole@example.com", "192.0.2.3"))
	modelstest.RequireKind(t, models.KindUnauthorized, guess(t, w.Service.Accounts, "kari@example.com from", "192.0.2.2"))
	require.Zero(t,
		modelstest.Value[int](t, conn, `SELECT count(*) FROM sign_in_failures WHERE subject LIKE '%from from%'`))
}
