package browsertest

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"dispo/models"
)

// authenticator is an app that shows codes. A code is good once, in its own 30
// seconds and the ones before and after: each comes from the next such step.
type authenticator struct {
	t      testing.TB
	secret string
	step   int64 // of the latest code
}

const stepSeconds = 30

func (a *authenticator) code() string {
	a.t.Helper()
	now := time.Now().Unix()
	earliest := now/stepSeconds - 1
	if now%stepSeconds > stepSeconds-10 { // it would end while it is typed
		earliest++
	}
	a.step = max(a.step+1, earliest)
	waitFor(a.t, func() bool { return a.step <= time.Now().Unix()/stepSeconds+1 }, func() string { return "the next code" })
	code, err := totp.GenerateCode(a.secret, time.Unix(a.step*stepSeconds, 0))
	require.NoError(a.t, err)
	return code
}

// wrongCode is none of the codes that are good around now.
func (a *authenticator) wrongCode() string {
	a.t.Helper()
	good := ""
	for i := range 10 {
		code, err := totp.GenerateCode(a.secret, time.Now().Add(time.Duration(i-5)*stepSeconds*time.Second))
		require.NoError(a.t, err)
		good += code + " "
	}
	for _, code := range []string{"000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777", "888888", "999999", "123456"} {
		if !strings.Contains(good, code) {
			return code
		}
	}
	return "654321"
}

// enroll turns the second factor on, as far as the recovery codes.
func (b *tab) enroll() (*authenticator, []string) {
	b.t.Helper()
	b.open("/profile")
	b.follow("link", "Turn on")
	b.click("summary", "I can’t scan it")
	uri, err := url.Parse(value[string](b, "document.querySelector('a[href^=\"otpauth:\"]').href"))
	require.NoError(b.t, err)
	a := &authenticator{t: b.t, secret: uri.Query().Get("secret")}
	require.Equal(b.t, a.secret, strings.ReplaceAll(value[string](b, "document.getElementById('secret').value"), " ", ""))
	b.fill("Code", a.wrongCode())
	b.follow("button", "Turn on")
	b.sees("That code is not right")
	b.click("summary", "I can’t scan it")
	require.Equal(b.t, a.secret, strings.ReplaceAll(value[string](b, "document.getElementById('secret').value"), " ", ""), "the same secret is confirmed")
	b.fill("Code", a.code())
	b.follow("button", "Turn on")
	b.sees("Keep these recovery codes", "The second factor is on.")
	return a, strings.Fields(value[string](b, "document.getElementById('codes').value"))
}

// passwordStep is signing in as far as the code.
func (b *tab) passwordStep(email string) {
	b.t.Helper()
	b.signIn(email)
	b.sees("Enter your code")
}

// With the second factor on, the password alone lets nobody in: a code of the app
// or a recovery code does, each once, and a wrong one doesn't.
func TestSecondFactor(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	b.signIn(o.owner)
	app, codes := b.enroll()
	require.Len(t, codes, 10)
	b.follow("link", "I have kept them")
	b.sees("10 recovery codes are left")
	b.follow("button", "Sign out")
	b.sees("You are signed out.")

	b.passwordStep(o.owner)
	b.open("/settings/api-keys")
	require.Contains(t, b.path(), "/sign-in?next=", "the password alone opens nothing")
	b.passwordStep(o.owner)
	b.fill("Code", app.wrongCode())
	b.follow("button", "Sign in")
	b.sees("That code is not right, or was used already.")
	used := app.code()
	b.fill("Code", used)
	b.follow("button", "Sign in")
	require.Equal(t, "/", b.path())

	b.follow("button", "Sign out")
	b.passwordStep(o.owner)
	b.fill("Code", used)
	b.follow("button", "Sign in")
	b.sees("That code is not right, or was used already.")
	b.fill("Code", codes[3])
	b.follow("button", "Sign in")
	require.Equal(t, "/", b.path())
	b.open("/profile")
	b.sees("9 recovery codes are left")

	b.follow("button", "Sign out")
	b.passwordStep(o.owner)
	b.fill("Code", codes[3])
	b.follow("button", "Sign in")
	b.sees("That code is not right, or was used already.")
	b.fill("Code", app.code())
	b.follow("button", "Sign in")

	b.open("/profile")
	b.follow("link", "New recovery codes")
	b.fill("Password", password)
	b.follow("button", "Make new codes")
	b.sees("The former codes no longer work.")
	b.seesNot(codes[0])
	b.follow("link", "I have kept them")
	b.sees("10 recovery codes are left")
	b.follow("link", "Turn off")
	b.fill("Password", "not the password")
	b.follow("button", "Turn off")
	b.sees("That is not your password.")
	b.fill("Password", password)
	b.follow("button", "Turn off")
	b.sees("The second factor is off.")
	b.follow("button", "Sign out")
	b.signIn(o.owner)
	require.Equal(t, "/", b.path())
}

// Signing in leads to where one was going, signing out ends it there and then; a
// person sees where they are signed in, and ends a session elsewhere at once.
func TestSessions(t *testing.T) {
	together(t)
	o := newOrganization(t)
	here, there := newTab(t), newTab(t)
	here.open("/settings/members?x=1")
	require.Equal(t, "/sign-in?next=%2Fsettings%2Fmembers%3Fx%3D1", here.path())
	here.fill("E-mail", strings.ToUpper(o.owner))
	here.fill("Password", password)
	here.follow("button", "Sign in")
	require.Equal(t, "/settings/members?x=1", here.path())
	there.signIn(o.owner)
	there.sees("Overview")

	here.open("/profile")
	other := "2"
	if here.has("button", "End session 1") {
		other = "1" // it was seen later
	}
	here.requireOffers("Turn on", "End session "+other+", Chrome on Linux", "End all others", "Show", "Show", "Change password")
	here.sees("This one", "127.0.0.1")
	here.follow("button", "End session "+other)
	here.sees("That session is ended.")
	require.False(t, here.has("button", "End all others"))
	there.reload()
	require.Contains(t, there.path(), "/sign-in")

	there.signIn(o.owner)
	here.reload()
	here.fill("Current password", password)
	here.fill("New password", "some other long words")
	here.follow("button", "Change password")
	here.sees("Your password is changed. You are signed out everywhere else.")
	there.reload()
	require.Contains(t, there.path(), "/sign-in")
	there.signIn(o.owner)
	there.sees("The e-mail or the password is not right.")

	here.follow("button", "Sign out")
	here.history(-1) // where the browser may have kept the page
	require.Contains(t, here.path(), "/sign-in")
	here.seesNot(o.Name)
	here.open("/settings/api-keys")
	require.Contains(t, here.path(), "/sign-in")
}

// invite invites somebody as the owner, and gives the link's path.
func (b *tab) invite(email, role string) string {
	b.t.Helper()
	b.open("/settings/members")
	b.fill("E-mail", email)
	b.choose("Role", role)
	b.follow("button", "Invite")
	b.sees("Send this link", "It won’t be shown again.")
	link := value[string](b, "document.getElementById('link').value")
	require.True(b.t, strings.HasPrefix(link, b.url+"/invitations/"), link)
	return strings.TrimPrefix(link, b.url)
}

// An invitation lets a newcomer in with a password of their choice, and somebody
// with an account once they have signed in; nobody else, and nobody twice.
func TestInvitation(t *testing.T) {
	together(t)
	o, other := newOrganization(t), newOrganization(t)
	owner, guest := newTab(t), newTab(t)
	owner.signIn(o.owner)

	newcomer := o.email("newcomer")
	link := owner.invite(newcomer, "Admin")
	guest.open(link)
	guest.sees("Join "+o.Name, o.owner+" has invited "+newcomer+" to join as an admin")
	guest.fill("Choose a password", "short")
	guest.follow("button", "Join")
	guest.sees("The password needs at least 12 characters.")
	guest.fill("Choose a password", password)
	guest.follow("button", "Join")
	require.Equal(t, "/", guest.path())
	guest.sees("You have joined "+o.Name+".", newcomer)
	guest.open("/settings/api-keys")
	require.True(t, guest.has("link", "Create key"))
	guest.follow("button", "Sign out")
	guest.open(link)
	guest.requireStatus(404)
	guest.sees("This link was used already, or has ended. Ask for a new one.")
	guest.signIn(newcomer)
	guest.sees(o.Name)
	guest.follow("button", "Sign out")

	link = owner.invite(other.owner, "Member")
	guest.open(link)
	guest.sees("There is an account with this e-mail. Sign in to join.")
	guest.follow("main link", "Sign in")
	guest.signInHere(newcomer)
	require.Equal(t, link, guest.path())
	guest.sees("You are signed in as " + newcomer + ".")
	require.False(t, guest.has("button", "Join"))
	guest.clickOn("main form button")
	guest.sees("You are signed out.")
	guest.open(link)
	guest.follow("main link", "Sign in")
	guest.signInHere(other.owner)
	guest.sees("Join " + o.Name)
	guest.follow("button", "Join")
	guest.sees("You have joined "+o.Name+".", "Switch")
	guest.open("/settings/api-keys")
	require.False(t, guest.has("link", "Create key"), "they are a member here")
	owner.open("/settings/members")
	owner.sees(newcomer, other.owner)
}

// signInHere fills the form of the page that is shown.
func (b *tab) signInHere(email string) {
	b.t.Helper()
	b.fill("E-mail", email)
	b.fill("Password", password)
	b.follow("button", "Sign in")
}

// A user whom the operator creates sets a password by the one-time link that the
// command prints: once, and one that is long enough.
func TestPasswordLink(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	email := o.email("new")
	link := o.linkFor(email)
	b.signIn(email)
	b.sees("The e-mail or the password is not right.")
	b.open(link)
	b.sees("Set your password", "For "+email)
	b.fill("New password", "password1234")
	b.follow("button", "Set password")
	b.sees("That password is among the first that are guessed: choose another one.")
	b.fill("New password", password)
	b.follow("button", "Set password")
	b.sees("Your password is set: sign in with it.")
	b.signInHere(email)
	b.sees(o.Name)
	b.open(link)
	b.requireStatus(404)
	b.sees("This link was used already, or has ended. Ask for a new one.")

	_ = command(t, password+"\n", "user", "create", o.email("piped"), "--organization", o.Slug, "--role", "member", "--password-stdin")
	b.follow("button", "Sign out")
	b.signIn(o.email("piped"))
	b.sees(o.Name)
}

// Who guesses passwords is stopped after ten, in words that say how long to wait;
// the right password doesn't help then, and other people sign in as before.
func TestTooManyWrongPasswords(t *testing.T) {
	together(t)
	b, o := newTab(t), newOrganization(t)
	other := o.user("other", models.Member)
	t.Cleanup(func() { execute(t, `DELETE FROM sign_in_failures WHERE subject LIKE 'address %'`) }) // all tests have the same
	b.open("/sign-in")
	for range 10 {
		b.fill("E-mail", o.owner)
		b.fill("Password", "a wrong password")
		b.follow("button", "Sign in")
		b.sees("The e-mail or the password is not right.")
	}
	b.signIn(o.owner)
	b.requireStatus(429)
	b.sees("There were too many attempts", "Wait 15 minutes, then try again.")
	b.inspect("too many attempts")
	b.signIn(other)
	b.sees("Overview")
}
