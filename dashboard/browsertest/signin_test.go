package browsertest

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"dispo/models"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"
)

// authenticator generates TOTP codes. A code is valid once, in its own time step and
// in the ones before and after, so each code is from a later step than the last.
type authenticator struct {
	t      testing.TB
	secret string
	step   int64 // time step of the last code
}

const stepSeconds = 30

func (a *authenticator) code() string {
	a.t.Helper()
	now := time.Now().Unix()
	earliest := now/stepSeconds - 1
	if now%stepSeconds > stepSeconds-10 { // it could expire while it is typed
		earliest++
	}
	a.step = max(a.step+1, earliest)
	waitFor(a.t, func() bool { return a.step <= time.Now().Unix()/stepSeconds+1 }, func() string { return "the next code" })
	code, err := totp.GenerateCode(a.secret, time.Unix(a.step*stepSeconds, 0))
	require.NoError(a.t, err)
	return code
}

// wrongCode returns a code that is not valid within the next minutes.
func (a *authenticator) wrongCode() string {
	a.t.Helper()
	valid := ""
	for i := range 10 {
		code, err := totp.GenerateCode(a.secret, time.Now().Add(time.Duration(i-5)*stepSeconds*time.Second))
		require.NoError(a.t, err)
		valid += code + " "
	}
	for _, code := range []string{"000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777", "888888", "999999", "123456"} {
		if !strings.Contains(valid, code) {
			return code
		}
	}
	return "654321"
}

// enroll turns the second factor on, and returns the recovery codes.
func (b *tab) enroll() (*authenticator, []string) {
	b.t.Helper()
	b.open("/profile")
	b.follow("link", "Turn on")
	b.click("summary", "I can’t scan the code")
	uri, err := url.Parse(mustEval[string](b, "document.querySelector('a[href^=\"otpauth:\"]').href"))
	require.NoError(b.t, err)
	a := &authenticator{t: b.t, secret: uri.Query().Get("secret")}
	require.Equal(b.t, a.secret, strings.ReplaceAll(mustEval[string](b, "document.getElementById('secret').value"), " ", ""))
	b.fill("Code", a.wrongCode())
	b.follow("button", "Turn on")
	b.waitForText("The code is wrong")
	b.click("summary", "I can’t scan the code")
	require.Equal(b.t, a.secret, strings.ReplaceAll(mustEval[string](b, "document.getElementById('secret').value"), " ", ""), "the page must keep the secret")
	b.fill("Code", a.code())
	b.follow("button", "Turn on")
	b.waitForText("Save your recovery codes", "Your second factor is on.")
	return a, strings.Fields(mustEval[string](b, "document.getElementById('codes').value"))
}

// signInUntilCode submits e-mail and password, and waits for the code page.
func (b *tab) signInUntilCode(email string) {
	b.t.Helper()
	b.signIn(email)
	b.waitForText("Enter your code")
}

// With the second factor on, signing in takes the password and a code from the app
// or a recovery code. Every code works only once.
func TestSecondFactorIsRequired(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	b.signIn(o.owner)
	app, codes := b.enroll()
	require.Len(t, codes, 10)
	b.follow("link", "I have saved them")
	b.waitForText("You have 10 unused codes")
	b.follow("button", "Sign out")
	b.waitForText("You are signed out.")

	b.signInUntilCode(o.owner)
	b.open("/settings/api-keys")
	require.Contains(t, b.path(), "/sign-in?next=", "the password alone must not be enough")
	b.signInUntilCode(o.owner)
	b.fill("Code", app.wrongCode())
	b.follow("button", "Sign in")
	b.waitForText("The code is wrong or was already used.")
	usedCode := app.code()
	b.fill("Code", usedCode)
	b.follow("button", "Sign in")
	require.Equal(t, "/", b.path())

	b.follow("button", "Sign out")
	b.signInUntilCode(o.owner)
	b.fill("Code", usedCode)
	b.follow("button", "Sign in")
	b.waitForText("The code is wrong or was already used.")
	b.fill("Code", codes[3])
	b.follow("button", "Sign in")
	require.Equal(t, "/", b.path())
	b.open("/profile")
	b.waitForText("You have 9 unused codes")

	b.follow("button", "Sign out")
	b.signInUntilCode(o.owner)
	b.fill("Code", codes[3])
	b.follow("button", "Sign in")
	b.waitForText("The code is wrong or was already used.")
	b.fill("Code", app.code())
	b.follow("button", "Sign in")

	b.open("/profile")
	b.follow("link", "New recovery codes")
	b.follow("button", "Create new codes")
	b.waitForText("Your old codes no longer work.")
	b.requireNoText(codes[0])
	b.follow("link", "I have saved them")
	b.waitForText("You have 10 unused codes")
	execute(t, "UPDATE sessions SET confirmed_at = now() - interval '16 minutes' WHERE user_id = (SELECT id FROM users WHERE email = $1)", o.owner)
	b.follow("link", "Turn off")
	b.fill("Password, or a code from your authenticator app", "not the password")
	b.follow("button", "Confirm")
	b.waitForText("The password or code is wrong")
	b.fill("Password, or a code from your authenticator app", codes[0])
	b.follow("button", "Confirm")
	b.waitForText("The password or code is wrong")
	b.fill("Password, or a code from your authenticator app", password)
	b.follow("button", "Confirm")
	b.follow("button", "Turn off")
	b.waitForText("Your second factor is off.")
	b.follow("button", "Sign out")
	b.signIn(o.owner)
	require.Equal(t, "/", b.path())
}

// Signing in leads to the requested page. Signing out, ending another session, and
// changing the password take effect at once.
func TestSignedOutSessionsEndAtOnce(t *testing.T) {
	parallel(t)
	o := newOrganization(t)
	here, there := newTab(t), newTab(t)
	here.open("/settings/members?x=1")
	require.Equal(t, "/sign-in?next=%2Fsettings%2Fmembers%3Fx%3D1", here.path())
	here.fill("E-mail", strings.ToUpper(o.owner))
	here.fill("Password", password)
	here.follow("button", "Sign in")
	require.Equal(t, "/settings/members?x=1", here.path())
	there.signIn(o.owner)
	there.waitForText("Overview")

	here.open("/profile")
	other := "2"
	if here.has("button", "End session 1") {
		other = "1" // the other session was seen later
	}
	here.requireActions("Turn on", "End session "+other+", Chrome on Linux", "End all other sessions", "Save", "Show", "Show", "Change password")
	here.waitForText("This session", "127.0.0.1")
	here.follow("button", "End session "+other)
	here.waitForText("Session ended.")
	require.False(t, here.has("button", "End all other sessions"))
	there.reload()
	require.Contains(t, there.path(), "/sign-in")

	there.signIn(o.owner)
	here.reload()
	here.fill("Current password", password)
	here.fill("New password", "some other long words")
	here.follow("button", "Change password")
	here.waitForText("Password changed. You are signed out everywhere else.")
	there.reload()
	require.Contains(t, there.path(), "/sign-in")
	there.signIn(o.owner)
	there.waitForText("The e-mail address or the password is wrong.")

	here.follow("button", "Sign out")
	here.history(-1) // the browser may have cached the page
	require.Contains(t, here.path(), "/sign-in")
	here.requireNoText(o.Name)
	here.open("/settings/api-keys")
	require.Contains(t, here.path(), "/sign-in")
}

// invite invites a person, and returns the path of the invitation's link.
func (b *tab) invite(email, role string) string {
	b.t.Helper()
	b.open("/settings/members")
	b.fill("E-mail", email)
	b.choose("Role", role)
	b.follow("button", "Invite")
	b.waitForText("Send this link", "You won’t be able to see it again.")
	link := mustEval[string](b, "document.getElementById('link').value")
	require.True(b.t, strings.HasPrefix(link, b.url+"/invitations/"), link)
	return strings.TrimPrefix(link, b.url)
}

// An invitation admits the invited person: a newcomer sets a password, somebody with
// an account signs in. It works once, and for nobody else.
func TestInvitationAdmitsOnlyInvitedPerson(t *testing.T) {
	parallel(t)
	o, other := newOrganization(t), newOrganization(t)
	owner, guest := newTab(t), newTab(t)
	owner.signIn(o.owner)

	newcomer := o.email("newcomer")
	link := owner.invite(newcomer, "Admin")
	guest.open(link)
	guest.waitForText("Join "+o.Name, o.owner+" has invited "+newcomer+" to join as an admin")
	guest.fill("Choose a password", "short")
	guest.follow("button", "Join")
	guest.waitForText("The password needs at least 12 characters.")
	guest.fill("Choose a password", password)
	guest.follow("button", "Join")
	require.Equal(t, "/", guest.path())
	guest.waitForText("You have joined "+o.Name+".", newcomer)
	guest.open("/settings/api-keys")
	require.True(t, guest.has("link", "Create key"))
	guest.follow("button", "Sign out")
	guest.open(link)
	guest.requireStatus(404)
	guest.waitForText("This link no longer works")
	guest.signIn(newcomer)
	guest.waitForText(o.Name)
	guest.follow("button", "Sign out")

	link = owner.invite(other.owner, "Viewer")
	guest.open(link)
	guest.waitForText("You already have an account with this e-mail address. Sign in to join.")
	guest.follow("main link", "Sign in")
	guest.submitSignIn(newcomer)
	require.Equal(t, link, guest.path())
	guest.waitForText("You are signed in as " + newcomer + ".")
	require.False(t, guest.has("button", "Join"))
	guest.clickOn("main form button")
	guest.waitForText("You are signed out.")
	guest.open(link)
	guest.follow("main link", "Sign in")
	guest.submitSignIn(other.owner)
	guest.waitForText("Join " + o.Name)
	guest.follow("button", "Join")
	guest.waitForText("You have joined "+o.Name+".", "Switch")
	guest.open("/settings/api-keys")
	require.False(t, guest.has("link", "Create key"), "a viewer cannot create keys")
	owner.open("/settings/members")
	owner.waitForText(newcomer, other.owner)
}

// A user whom the operator creates sets a password through the link that the command
// prints. The link works once, and weak passwords are rejected.
func TestPasswordLinkWorksOnce(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	email := o.email("new")
	link := o.createUserLink(email)
	b.signIn(email)
	b.waitForText("The e-mail address or the password is wrong.")
	b.open(link)
	b.waitForText("Set your password", "Choose a password for "+email+".")
	b.fill("New password", "password1234")
	b.follow("button", "Set password")
	b.waitForText("This password is too common. Choose another one.")
	b.fill("New password", password)
	b.follow("button", "Set password")
	b.waitForText("Password set. Sign in with it now.")
	b.submitSignIn(email)
	b.waitForText(o.Name)
	b.open(link)
	b.requireStatus(404)
	b.waitForText("This link no longer works")

	_ = runCommand(t, password+"\n", "user", "create", o.email("piped"), "--organization", o.Slug, "--role", "viewer", "--password-stdin")
	b.follow("button", "Sign out")
	b.signIn(o.email("piped"))
	b.waitForText(o.Name)
}

// After ten wrong passwords, even the right one is rejected, and the page says how
// long to wait. Other people can still sign in.
func TestGuessingPasswordsIsLimited(t *testing.T) {
	parallel(t)
	b, o := newTab(t), newOrganization(t)
	other := o.user("other", models.RoleViewer)
	t.Cleanup(func() { execute(t, `DELETE FROM sign_in_failures WHERE subject LIKE 'address %'`) }) // all tests share one address
	b.open("/sign-in")
	for range 10 {
		b.fill("E-mail", o.owner)
		b.fill("Password", "a wrong password")
		b.follow("button", "Sign in")
		b.waitForText("The e-mail address or the password is wrong.")
	}
	b.signIn(o.owner)
	b.requireStatus(429)
	b.waitForText("Too many attempts. Try again in 15 minutes.")
	b.inspect("too many attempts")
	b.signIn(other)
	b.waitForText("Overview")
}
