package mail_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/mail"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/terms"
)

// sent sends what is due, and returns what the server has got since the last call.
func (w *world) sent(t *testing.T) []modelstest.ReceivedMail {
	t.Helper()
	require.NoError(t, w.sender.SendDue(t.Context()))
	all := w.server.Mails()
	since := all[w.seen:]
	w.seen = len(all)
	return since
}

// A mail's only links lead to the service, and it loads nothing, so nobody is tracked. It
// has no key, and says the same in plain text and in HTML.
func requireHarmless(t *testing.T, m modelstest.ReceivedMail) {
	t.Helper()
	text, html := m.Parts(t)
	for _, part := range []string{text, html, m.Header(t, "Subject")} {
		require.False(t, models.HasKey(part), part)
		require.NotContains(t, part, "{{")
		require.NotContains(t, part, "<no value>")
		require.NotContains(t, part, "“”")
		for _, link := range regexp.MustCompile(`https?://[^\s"<]*`).FindAllString(part, -1) {
			require.True(t, strings.HasPrefix(link, publicURL), link)
		}
	}
	for _, loading := range []string{"<img", "<link", "<script", "<iframe", "src=", "url(", "@import"} {
		require.NotContains(t, html, loading)
	}
	require.NotEmpty(t, linkOf(t, m))
	require.Contains(t, html, strings.ReplaceAll(linkOf(t, m), "&", "&amp;"))
}

// linkOf returns the link of a mail's button, from its plain text.
func linkOf(t *testing.T, m modelstest.ReceivedMail) string {
	t.Helper()
	text, _ := m.Parts(t)
	return regexp.MustCompile(regexp.QuoteMeta(publicURL) + `\S*`).FindString(text)
}

// Who gets a mail about a key that creator@example.com has created, and about what only makes
// life easier, of which the admin wants none.
var (
	always   = []string{"accounts@example.com", "admin@example.com", "creator@example.com", "owner@example.com"}
	optional = []string{"accounts@example.com", "creator@example.com", "owner@example.com"}
)

// told requires that something happened without an error, and that the mails about it go to these
// people, lead to a page, and say all of this in their subjects and texts.
func (w *world) told(
	t *testing.T, what string, err error, to []string, link string, says ...string,
) []modelstest.ReceivedMail {
	t.Helper()
	require.NoError(t, err, what)
	mails := w.sent(t)
	require.Equal(t, to, recipients(mails), what)
	link = publicURL + strings.ReplaceAll(link, "ORGANIZATION", "?organization="+w.organization.ID.String())
	var texts string
	for _, m := range mails {
		requireHarmless(t, m)
		text, _ := m.Parts(t)
		texts += m.Header(t, "Subject") + "\n" + text
		require.Equal(t, link, linkOf(t, m), what)
	}
	for _, said := range says {
		require.Contains(t, texts, said, what)
	}
	return mails
}

// silent requires that something happened without an error, and without a mail.
func (w *world) silent(t *testing.T, what string, err error) {
	t.Helper()
	require.NoError(t, err, what)
	require.Empty(t, w.sent(t), what)
}

// requireKeyMails pauses, schedules and revokes a key.
func (w *world) requireKeyMails(t *testing.T, owner models.Tenant, key uuid.UUID) {
	t.Helper()
	ctx, page := t.Context(), "/settings/api-keys/"+key.String()+"ORGANIZATION"
	_, err := keys.Pause(ctx, owner, key)
	w.told(t, "pause", err, optional, page, "was paused\n", "owner@example.com paused the API key")
	_, err = keys.Pause(ctx, owner, key)
	w.silent(t, "pause again", err)
	_, err = keys.Resume(ctx, owner, key)
	w.silent(t, "resume", err)
	_, err = keys.RevokeAfterIdle(ctx, owner, key, 35)
	w.told(t, "schedule by days", err, optional, page, "will be revoked\n", "has not been used for 35 days")
	_, err = keys.RevokeAfterIdle(ctx, owner, key, 1)
	w.told(t, "schedule by one day", err, optional, page, "will be revoked\n", "has not been used for 1 day")
	_, err = keys.RevokeAt(ctx, owner, key, time.Date(2098, 12, 31, 23, 0, 0, 0, time.UTC))
	w.told(t, "schedule at the end of a day", err, optional, page,
		"will be revoked\n", "It will be revoked after 31 December 2098 (Europe/Copenhagen)")
	modelstest.ExecuteAt(t, w.URL,
		`UPDATE api_keys SET revoke_at = now() - interval '1 minute' WHERE revoke_at IS NOT NULL`)
	err = keys.RevokeDue(ctx, w.Service.Store, time.Now())
	w.told(t, "revoke by schedule", err, always, page, "was revoked\n", "as scheduled")
}

// People whom a key or a delivery concerns get a mail in the transaction of what happened:
// owners, admins, the key's creator and the notification address, each once, and of a
// withdrawn delivery every member. Others do not, nor do disabled users, and nobody gets a mail about what failed. What only makes
// life easier can be switched off.
func TestWhoGetsMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	owner := w.user(t, "owner@example.com", terms.Owner)
	admin := w.user(t, "admin@example.com", terms.Admin)
	creator := w.user(t, "creator@example.com", terms.Admin)
	member := w.user(t, "member@example.com", terms.Viewer)
	w.user(t, "disabled@example.com", terms.Admin)
	require.NoError(t, w.Operator.Accounts.UserDisable(t.Context(), "disabled@example.com"))
	other := w.Organization(t, "b")
	require.NoError(
		t,
		modelstest.ErrorOf(
			w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(other.ID), "owner@b.example", terms.Owner, "")),
	)
	require.NoError(
		t,
		organizations.Change(t.Context(), owner, models.OrganizationSettings{
			Name:                "Nordlys & Søn <A/S>",
			TimeZone:            "Europe/Copenhagen",
			NotificationAddress: "Accounts@example.com",
		}),
	)
	w.Companies(t, w.organization, "10000001")
	var lines []string
	for _, day := range []string{"2026-02-02", "2026-01-31", "2026-02-01"} {
		lines = append(lines, "10000001,9876,0012345678,CARD,"+day+",1,2.00\n")
	}
	delivery := w.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines...)})
	require.NoError(t, w.Service.Accounts.UnwantedMailSet(t.Context(), *admin.Actor().UserID, mail.Topics))

	expires := time.Now().Add(90 * 24 * time.Hour)
	key, secret := modelstest.CreateKey(t, creator, keys.NewKey{Name: "Accounting", ExpiresAt: &expires})
	mails := w.sent(t)
	require.Equal(t, always, recipients(mails))
	for _, m := range mails {
		text, html := m.Parts(t)
		require.NotContains(t, text+html, secret)
		require.Contains(t, text, "creator@example.com created the API key “Accounting”")
		require.Contains(t, text, "Nordlys & Søn <A/S>")
		require.Contains(t, html, "Nordlys &amp; Søn &lt;A/S&gt;")
	}
	// The creator is no admin any more, and is still told about this key.
	require.NoError(
		t,
		modelstest.ErrorOf(
			accounts.ChangeRole(t.Context(), w.Operator.Tenant(w.organization.ID), *creator.Actor().UserID, terms.Viewer)),
	)
	modelstest.ExecuteAt(t, w.URL, `DELETE FROM mails WHERE kind = 'member_role'`)

	modelstest.RequireKind(t, models.KindForbidden, modelstest.ErrorOf(keys.Pause(t.Context(), member, key.ID)))
	another, _ := w.Key(t, w.organization)
	file := modelstest.ValueAt[string](t, w.URL, `SELECT id FROM delivery_files`)
	w.requireKeyMails(t, owner, key.ID)
	_, err := keys.Revoke(t.Context(), w.Operator.Tenant(w.organization.ID), another.ID)
	w.told(t, "revoke", err, []string{"accounts@example.com", "admin@example.com", "owner@example.com"},
		"/settings/api-keys/"+another.ID.String()+"ORGANIZATION",
		"was revoked\n", "The operator of this service revoked the API key")
	_, err = imports.Withdraw(t.Context(), w.Operator.DB(), delivery.ID, "sent twice", nil)
	w.told(t, "withdraw", err,
		[]string{"accounts@example.com", "creator@example.com", "member@example.com", "owner@example.com"},
		"/deliveries/"+file+"ORGANIZATION",
		"A delivery to Nordlys & Søn <A/S> was withdrawn\n", "Disposition dates: 31 January 2026 to 2 February 2026")
	// A mail that still waits when its reader stops being a member is not sent: it is about what they may no longer see.
	former := w.user(t, "former@example.com", terms.Admin)
	modelstest.CreateKey(t, owner, keys.NewKey{Name: "x"})
	require.NoError(t, accounts.RemoveMember(t.Context(), owner, *former.Actor().UserID))
	modelstest.ExecuteAt(t, w.URL, `DELETE FROM mails WHERE kind = 'member_removed'`)
	require.Equal(t, []string{"accounts@example.com", "admin@example.com", "owner@example.com"}, recipients(w.sent(t)))
	require.Equal(t, "its reader is no longer a member",
		modelstest.ValueAt[string](t, w.URL, `SELECT answer FROM mails WHERE given_up_at IS NOT NULL`))

	for _, m := range w.server.Mails() {
		requireHarmless(t, m)
		text, _ := m.Parts(t)
		for recipient, because := range map[string]string{
			"owner@example.com": "because you are an owner or admin", "accounts@example.com": "because this is the notification address",
		} {
			if strings.Contains(text, "because you are a member") { // as all are
				because = "because you are a member"
			}
			require.Equal(t, m.To == recipient, strings.Contains(text, because) && m.To == recipient, text)
		}
	}
}

// reader is a person who gets mails in Danish about an account, beside the owner of the
// organization.
type reader struct {
	*world
	people   *accounts.Accounts
	owner    models.Tenant
	session  accounts.Session
	actor    models.Actor
	signedIn accounts.SignedIn
	changed  string   // the browser in which the password was changed
	recovery []string // codes
}

const first, second, third = "korrekt hest batteri", "a new long password", "another long password"

func newReader(t *testing.T) *reader {
	t.Helper()
	w := newWorld(t, modelstest.MailPlain)
	k := &reader{world: w, people: w.Service.Accounts, owner: w.user(t, "owner@a.example", terms.Owner)}
	w.user(t, "admin@a.example", terms.Admin)
	require.NoError(
		t,
		modelstest.ErrorOf(
			w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(w.organization.ID), "kari@a.example", terms.Viewer,
				first),
		),
	)
	modelstest.ExecuteAt(t, w.URL, `UPDATE users SET language = CASE WHEN email LIKE 'kari%' THEN 'da' ELSE 'en' END`)
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET notification_address = 'notice@a.example'`)
	modelstest.ExecuteAt(t, w.URL, `DELETE FROM mails`)
	require.NoError(t, k.signIn(t, first, ""))
	var err error
	k.session, err = k.people.Session(t.Context(), k.signedIn.Token)
	require.NoError(t, err)
	k.actor = models.Actor{UserID: &k.session.UserID, Email: k.session.Email, Address: "192.0.2.9"}
	return k
}

func (k *reader) signIn(t *testing.T, password, device string) error {
	signedIn, err := k.people.SignIn(t.Context(), accounts.SignIn{
		Email:     "kari@a.example",
		Password:  password,
		Device:    device,
		Address:   "192.0.2.9",
		UserAgent: "Firefox",
	})
	if k.signedIn.Token == "" {
		k.signedIn = signedIn
	}
	return err
}

// set sets the password by a link.
func (k *reader) set(t *testing.T, password string) error {
	token, err := k.Operator.Accounts.PasswordLinkCreate(t.Context(), k.session.Email)
	require.NoError(t, err)
	return k.people.PasswordSet(t.Context(), token, password, "192.0.2.9")
}

// turnOn turns the second factor on.
func (k *reader) turnOn(t *testing.T) error {
	setup, err := k.people.SecondFactorStart(k.session)
	require.NoError(t, err)
	code, err := totp.GenerateCode(setup.Secret, time.Now())
	require.NoError(t, err)
	k.recovery, err = k.people.SecondFactorConfirm(t.Context(), k.session, k.actor, setup.Ticket, code)
	return err
}

// change changes the password.
func (k *reader) change(t *testing.T, old string) (err error) {
	k.changed, err = k.people.PasswordChange(t.Context(), k.session, k.actor, k.signedIn.Device, old, second)
	return err
}

// Where the links of mails about accounts and members lead.
const passwordPath, profilePath, membersPath = "/password/forgotten", "/profile", "/settings/membersORGANIZATION"

var toKari, toOwner = []string{"kari@a.example"}, []string{"owner@a.example"}

// about requires mails about an account, which name the address and no secret.
func (k *reader) about(t *testing.T, what string, err error, to []string, link string, says ...string) {
	t.Helper()
	for _, m := range k.told(t, what, err, to, link, says...) {
		text, _ := m.Parts(t)
		if link == passwordPath {
			require.Contains(t, text, "192.0.2.9", what)
		}
		for _, secret := range append([]string{first, second, third}, k.recovery...) {
			require.NotContains(t, text, secret)
		}
	}
}

// forget deletes the mails that wait.
func (k *reader) forget(t *testing.T) {
	t.Helper()
	modelstest.ExecuteAt(t, k.URL, `DELETE FROM mails WHERE sent_at IS NULL`)
}

// requireAccountMails changes how the reader signs in.
func (k *reader) requireAccountMails(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	k.silent(t, "known browser", k.signIn(t, first, k.signedIn.Device))
	k.about(t, "password", k.change(t, first), toKari, passwordPath,
		"Adgangskoden til Dispo-kontoen kari@a.example blev ændret den")
	require.Error(t, modelstest.ErrorOf(k.people.PasswordChange(ctx, k.session, k.actor, "", "wrong", third)))
	k.silent(t, "wrong password", nil)
	require.Error(t, k.signIn(t, "wrong", ""))
	k.silent(t, "failed sign-in", nil)
	k.silent(t, "browser in which the password was changed", k.signIn(t, second, k.changed))
	k.about(t, "factor on", k.turnOn(t), toKari, passwordPath,
		"Totrinsbekræftelse blev slået til på Dispo-kontoen kari@a.example den")

	challenge, err := k.people.SignIn(ctx,
		accounts.SignIn{Email: k.session.Email, Password: second, Device: k.signedIn.Device})
	require.NoError(t, err)
	_, err = k.people.SignInCode(ctx, challenge.Challenge, k.recovery[0], "192.0.2.9", "")
	modelstest.ExecuteAt(t, k.URL, `DELETE FROM mails WHERE kind = 'sign_in' AND sent_at IS NULL`)
	k.about(t, "recovery code", err, toKari, passwordPath,
		"En gendannelseskode til Dispo-kontoen kari@a.example blev brugt den")

	k.about(t, "factor off", k.people.SecondFactorRemove(ctx, k.session, k.actor), toKari, passwordPath,
		"Totrinsbekræftelse blev slået fra på Dispo-kontoen kari@a.example den")
	k.about(t, "password by link", k.set(t, third), toKari, passwordPath, "valgt via et engangslink den")

	require.NoError(t, k.turnOn(t))
	k.forget(t)
	modelstest.ExecuteAt(t, k.URL, `UPDATE users SET email_proven_at = NULL WHERE email = $1`, k.session.Email)
	k.about(t, "link that proves the address", k.set(t, first), append(toKari, toKari...), passwordPath,
		"Totrinsbekræftelse blev slået fra")

	k.silent(t, "no factor to reset", k.Operator.Accounts.UserResetSecondFactor(ctx, k.session.Email))
	require.NoError(t, k.turnOn(t))
	k.forget(t)
	k.about(t, "factor reset", k.Operator.Accounts.UserResetSecondFactor(ctx, k.session.Email), toKari, profilePath,
		"Operatøren af tjenesten slog totrinsbekræftelsen på Dispo-kontoen kari@a.example fra den")
}

// requireMemberMails changes the organization's members.
func (k *reader) requireMemberMails(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	role := func(by models.Tenant, user uuid.UUID, role terms.Role) error {
		return modelstest.ErrorOf(accounts.ChangeRole(ctx, by, user, role))
	}
	kari := k.session.UserID
	_, err := k.Operator.Accounts.UserCreate(ctx, k.Operator.Tenant(k.organization.ID), "new@a.example", terms.Viewer, "")
	k.about(t, "added", err, toOwner, membersPath,
		"The operator of this service added new@a.example to Organization a on")
	k.about(t, "role", role(k.owner, kari, terms.Admin), []string{"kari@a.example", "owner@a.example"}, membersPath,
		"Before: viewer. Now: admin.")
	k.silent(t, "the same role", role(k.owner, kari, terms.Admin))
	require.Error(t, role(k.owner.As(k.actor), kari, terms.Owner))
	k.silent(t, "forbidden role", nil)

	_, token := modelstest.Invite(t, k.owner, "bea@a.example", terms.Owner)
	modelstest.ExecuteAt(t, k.URL, `DELETE FROM mails WHERE kind = 'invitation'`)
	_, err = k.people.InvitationAccept(ctx, token, third, "192.0.2.9", "")
	k.about(t, "joined", err, toOwner, membersPath, "bea@a.example accepted an invitation on")
	bea := modelstest.ValueAt[uuid.UUID](t, k.URL, `SELECT id FROM users WHERE email = 'bea@a.example'`)
	k.about(t, "an owner becomes a viewer", role(k.owner, bea, terms.Viewer),
		[]string{"bea@a.example", "owner@a.example"}, membersPath, "Before: owner. Now: viewer.")
	k.about(t, "removed", accounts.RemoveMember(ctx, k.owner, bea), toOwner, membersPath,
		"owner@a.example removed bea@a.example from Organization a on")
	k.about(t, "left", accounts.RemoveMember(ctx, k.owner.As(k.actor), kari), toOwner, membersPath,
		"kari@a.example left Organization a on")
	k.silent(t, "no organization", k.people.SecondFactorRemove(ctx, k.session, k.actor))
}

// A sign-in in a browser that the user has not signed in with before, and each change of how
// a person can sign in, is reported to that person alone, with when and from where, in
// the person's language. What changes the members is reported to owners, and
// another role also to the member. It is written in the transaction of the change, so what
// failed is not reported.
func TestAccountMails(t *testing.T) {
	t.Parallel()
	k := newReader(t)
	mails := k.sent(t)
	require.Equal(t, toKari, recipients(mails), "the sign-in")
	requireHarmless(t, mails[0])
	text, _ := mails[0].Parts(t)
	require.Contains(t, text, "med Firefox, fra adressen 192.0.2.9")
	k.requireAccountMails(t)
	k.requireMemberMails(t)
}

// An invited person gets a link by mail that nobody else sees: it works, and proves that
// the address is theirs, so that they can join other organizations. The link that the
// inviter sees works too, and proves nothing. The database has neither.
func TestInvitationMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	owner := w.user(t, "owner@example.com", terms.Owner)
	proven := func(email string) bool {
		return modelstest.ValueAt[bool](t, w.URL, `SELECT email_proven_at IS NOT NULL FROM users WHERE email = $1`, email)
	}
	const password = "korrekt hest batteri"

	_, shown := modelstest.Invite(t, owner, "kari@example.com", terms.Admin)
	mails := w.sent(t)
	require.Equal(t, []string{"kari@example.com"}, recipients(mails))
	requireHarmless(t, mails[0])
	text, _ := mails[0].Parts(t)
	require.Contains(t, text, "owner@example.com has invited you to join Organization a on Dispo as an admin.")
	mailed, ok := strings.CutPrefix(linkOf(t, mails[0]), publicURL+"/invitations/")
	require.True(t, ok)
	require.NotEqual(t, shown, mailed)
	for _, token := range []string{shown, mailed} {
		require.NotContains(
			t,
			modelstest.ValueAt[string](t, w.URL,
				`SELECT concat((SELECT json_agg(m) FROM mails m), (SELECT json_agg(i) FROM invitations i))`),
			token,
		)
		open, err := w.Service.Accounts.Invitation(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, token == mailed, open.ProvesAddress)
	}
	require.NoError(t,
		modelstest.ErrorOf(w.Service.Accounts.InvitationAccept(t.Context(), mailed, password, "192.0.2.1", "test")))
	require.True(t, proven("kari@example.com"))
	modelstest.RequireKind(t, models.KindNotFound, modelstest.ErrorOf(w.Service.Accounts.Invitation(t.Context(), shown)))

	_, shown = modelstest.Invite(t, owner, "per@example.com", terms.Viewer)
	require.NoError(t,
		modelstest.ErrorOf(w.Service.Accounts.InvitationAccept(t.Context(), shown, password, "192.0.2.1", "test")))
	require.False(t, proven("per@example.com"))
	modelstest.ExecuteAt(t, w.URL, `DELETE FROM mails WHERE kind = 'member_joined'`)
	require.Empty(t, recipients(w.sent(t)), "an invitation that was accepted already is not sent")

	invitation, _ := modelstest.Invite(t, owner, "ann@example.com", terms.Viewer)
	require.NoError(t, accounts.RevokeInvitation(t.Context(), owner, invitation.ID))
	modelstest.Invite(t, w.Operator.Tenant(w.organization.ID), "ben@example.com", terms.Viewer)
	require.Empty(t, recipients(w.sent(t)), "nor is one that was withdrawn, or that the operator passes on")
}

// zoneWhere returns a time zone in which it is from one hour to another, at least four later.
func zoneWhere(t *testing.T, from, to int) string {
	t.Helper()
	for _, name := range []string{"Pacific/Honolulu", "America/Phoenix", "America/Panama", "America/Sao_Paulo", "UTC", "Africa/Lagos",
		"Africa/Nairobi", "Asia/Karachi", "Asia/Bangkok", "Asia/Tokyo", "Pacific/Guadalcanal", "Pacific/Tongatapu"} {
		if hour := time.Now().In(i18n.StoredZone(name)).Hour(); hour >= from && hour < to {
			return name
		}
	}
	require.Fail(t, "no time zone")
	return ""
}

// Of a key that expires, a mail is written 30, 7 and 1 days of the calendar before its last day,
// each exactly once, however many instances look, and not before 7 in the morning where the
// organization is. A key that was made for so many days or fewer gets none. The mail names the
// last day, or the time if the key ends within a day.
func TestExpiryMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	w.user(t, "owner@example.com", terms.Owner)
	long, _ := w.Key(t, w.organization)
	short, _ := w.Key(t, w.organization)
	instances := []*modelstest.Instance{
		w.Service,
		modelstest.Open(t, w.URL, database.Service),
		modelstest.Open(t, w.URL, database.Service),
	}
	moveTo := func(zone string) *time.Location {
		modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET time_zone = $1`, zone)
		return i18n.StoredZone(zone)
	}
	// set lets a key that is age days old end left days from today, at a time of that day.
	set := func(id uuid.UUID, left, age int, at string) {
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET expires_at = (today + $2::int + $4::interval) AT TIME ZONE zone,
			created_at = (today - $3::int + interval '12 hours') AT TIME ZONE zone
			FROM (SELECT time_zone AS zone, (now() AT TIME ZONE time_zone)::date AS today FROM organizations) o WHERE id = $1`,
			id, left, age, at)
	}
	announced := func() []modelstest.ReceivedMail {
		modelstest.AtOnce(t, len(instances),
			func(i int) error { return keys.AnnounceExpiring(t.Context(), instances[i].Store) })
		return w.sent(t)
	}
	zone := moveTo(zoneWhere(t, 9, 20))
	for _, row := range []struct {
		left    int
		subject string
	}{
		{31, ""}, {30, "stops working in 30 days"}, {29, ""}, {8, ""}, {7, "stops working in 7 days"}, {2, ""},
		{1, "stops working tomorrow"}, {0, ""}, {-1, ""},
	} {
		set(long.ID, row.left, 90-row.left, "24 hours")
		set(short.ID, row.left, 0, "24 hours")
		mails := announced()
		if row.subject == "" {
			require.Empty(t, mails, row.left)
			continue
		}
		require.Len(t, mails, 1, row.left)
		require.Contains(t, mails[0].Header(t, "Subject"), row.subject)
		text, _ := mails[0].Parts(t)
		day := time.Now().In(zone).AddDate(0, 0, row.left).Format("2 January 2006")
		require.Contains(t, text, "stops working after "+day+" ("+zone.String()+").")
		requireHarmless(t, mails[0])
	}
	for _, state := range []string{"revoked_at = now()", "paused_at = now()"} {
		key, _ := w.Key(t, w.organization)
		set(key.ID, 5, 60, "24 hours")
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET `+state+` WHERE id = $1`, key.ID)
		require.Empty(t, announced(), state)
	}
	key, _ := w.Key(t, w.organization)
	moveTo(zoneWhere(t, 2, 6))
	set(key.ID, 7, 1, "15:26")
	require.Empty(t, announced(), "before 7 in the morning")
	moveTo(zone.String())
	set(key.ID, 7, 1, "15:26")
	mails := announced()
	require.Len(t, mails, 1, "made for 8 days")
	text, _ := mails[0].Parts(t)
	require.Contains(t, text, "at 15:26 ("+zone.String()+").")
}

// A key that is used from where it is not allowed is told to those who manage keys, and to nobody
// else, once a day and by one of several instances, with the address. What is refused for another
// reason is not.
func TestMailAboutKeyFromElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	w.user(t, "owner@example.com", terms.Owner)
	w.user(t, "admin@example.com", terms.Admin)
	viewer := w.user(t, "viewer@example.com", terms.Viewer)
	key, _ := w.Key(t, w.organization)
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET created_by = $1`, viewer.Actor().UserID)
	instances := []*modelstest.Instance{w.Service, modelstest.Open(t, w.URL, database.Service)}
	refuse := func(reason, address string) {
		instance := modelstest.Open(t, w.URL, database.Service)
		instance.Usage.Record(modelstest.Caller(key), keys.Request{Status: 401, Reason: reason, Address: address})
		instance.Close()
	}
	announced := func() (to []string, text string) {
		modelstest.AtOnce(t, len(instances),
			func(i int) error { return keys.AnnounceElsewhere(t.Context(), instances[i].Store) })
		for _, m := range w.sent(t) {
			to = append(to, m.To)
			text, _ = m.Parts(t)
			requireHarmless(t, m)
			require.Contains(t, linkOf(t, m), "/settings/api-keys/"+key.ID.String())
		}
		slices.Sort(to)
		return to, text
	}
	refuse("paused", "203.0.113.8")
	to, _ := announced()
	require.Empty(t, to)
	for range 2 {
		refuse("elsewhere", "203.0.113.9")
		to, text := announced()
		require.Equal(t, []string{"admin@example.com", "owner@example.com"}, to)
		require.Contains(t, text, "203.0.113.9")
		refuse("elsewhere", "203.0.113.10")
		to, _ = announced()
		require.Empty(t, to, "the same day")
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET elsewhere_mailed_at = now() - interval '24 hours'`)
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET elsewhere_at = now() - interval '25 hours'`)
		to, _ = announced()
		require.Empty(t, to, "nothing happened since")
	}
}

// A key that leaked is told to owners and admins, with what it did in the last 24 hours and a link
// that replaces it. Where the key was not revoked, it is told again each day while the key works,
// once by several instances.
func TestMailAboutLeakedKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	w.user(t, "owner@example.com", terms.Owner)
	w.user(t, "viewer@example.com", terms.Viewer)
	instances := []*modelstest.Instance{w.Service, modelstest.Open(t, w.URL, database.Service)}
	report := func(text string) modelstest.ReceivedMail {
		suspects, err := w.Service.Keys.Suspects(t.Context(), keys.Find(text))
		require.NoError(t, err)
		_, err = w.Service.Keys.EndLeaked(t.Context(), suspects, keys.LeakActor("192.0.2.1"), 20)
		require.NoError(t, err)
		mails := w.sent(t)
		require.Len(t, mails, 1)
		require.Equal(t, "owner@example.com", mails[0].To)
		requireHarmless(t, mails[0])
		return mails[0]
	}
	key, token := w.Key(t, w.organization)
	recorder := modelstest.Open(t, w.URL, database.Service)
	for range 3 {
		recorder.Usage.Record(modelstest.Caller(key), modelstest.Request("203.0.113.9", "nightly/3"))
	}
	recorder.Close()
	leaked := report(token)
	text, _ := leaked.Parts(t)
	text = strings.ReplaceAll(text, "\u200c", "")
	require.Contains(t, text, "revoked it at once")
	require.Contains(t, text, "3 requests with the key were answered. They came from: nightly 203.0.113.9.")
	require.Contains(t, linkOf(t, leaked),
		"/settings/api-keys/new?organization="+w.organization.ID.String()+"&replaces="+key.ID.String())

	require.NoError(t, organizations.TellOfLeaks(t.Context(), w.Operator.Tenant(w.organization.ID), true))
	key, token = w.Key(t, w.organization)
	leaked = report(token)
	text, _ = leaked.Parts(t)
	require.Contains(t, text, "It still works")
	require.Contains(t, text, "nothing used the key")
	require.Contains(t, linkOf(t, leaked), "/settings/api-keys/"+key.ID.String()+"/rotate")
	announced := func() int {
		modelstest.AtOnce(t, len(instances),
			func(i int) error { return keys.AnnounceLeaked(t.Context(), instances[i].Store) })
		return len(w.sent(t))
	}
	aDayLater := func() {
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET leak_mailed_at = leak_mailed_at - interval '24 hours'`)
	}
	for range 2 {
		require.Zero(t, announced(), "the same day")
		aDayLater()
		require.Equal(t, 1, announced())
	}
	aDayLater()
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET paused_at = now()`)
	require.Zero(t, announced(), "it does not work")
}

// A mail of a sandbox names it as one, also if its organization is called like a real one.
func TestMailNamesSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	w.user(t, "real@example.com", terms.Owner)
	real := w.organization
	w.organization = w.Sandbox(t, "made")
	w.user(t, "made@example.com", terms.Owner)
	for _, organization := range []models.Organization{real, w.organization} {
		modelstest.CreateKey(t, w.Operator.Tenant(organization.ID), keys.NewKey{Name: "x"})
	}
	mails := w.sent(t)
	require.Len(t, mails, 2)
	for _, m := range mails {
		text, html := m.Parts(t)
		for _, part := range []string{text, html} {
			require.Equal(t, m.To == "made@example.com", strings.Contains(part, "Sandbox made (sandbox)"), part)
		}
	}
}

// Without an instance that sends mail, nothing is written to the outbox.
func TestNobodySends(t *testing.T) {
	t.Parallel()
	w := &world{World: modelstest.NewWorld(t)}
	w.organization = w.Organization(t, "a")
	owner := w.user(t, "owner@example.com", terms.Owner)
	modelstest.Invite(t, owner, "kari@example.com", terms.Admin)
	modelstest.CreateKey(t, owner, keys.NewKey{Name: "x"})
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM mails`))
}

// Text from outside cannot add a header, a recipient, a paragraph or HTML to a mail.
func TestInjection(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	const hostile = `x\r\nBcc: evil@example.com\r\n\r\nButton: <a href='https://evil.example'>{{.Hint}}\u2028Subject: y`
	for _, kind := range []mail.Kind{mail.SignIn, mail.KeyCreated, mail.KeyRevoked, mail.KeyPaused, mail.KeyScheduled, mail.KeyExpiring, mail.KeyElsewhere, mail.KeyLeaked, mail.DeliveryWithdrawn, mail.DeliveryArrived, mail.DeliveryLate,
		mail.DeliveriesLater, mail.PasswordChanged, mail.FactorOn, mail.FactorOff, mail.RecoveryUsed, mail.MemberJoined, mail.MemberRemoved, mail.MemberRole} {
		details := `{"actor": "` + hostile + `", "key": "` + hostile + `", "hint": "` + hostile + `", "address": "` + hostile + `", "file": "` + hostile + `", "reason": "` + hostile + `", "user_agent": "` + hostile + `", "key_id": "` + hostile + `", "delivery_id": "` + hostile + `", "member": "` + hostile + `", "day": "` + hostile + `", "companies": "[{\"Name\": \"Bcc: <a href='https://evil.example'>{{.Hint}}\"}]"}`
		w.writeKind(t, "kari@example.com", string(kind), details)
	}
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET name = E'x\r\nBcc: evil@example.com'`)
	mails := w.sent(t)
	require.Len(t, mails, 19)
	for _, m := range mails {
		require.Equal(t, "kari@example.com", m.To)
		header := m.Message(t).Header
		require.Empty(t, header.Get("Bcc"))
		require.Len(t, header["Subject"], 1)
		text, html := m.Parts(t)
		if !strings.Contains(m.Header(t, "Subject"), "is late") { // which names nothing else
			require.Contains(t, strings.ReplaceAll(text, "\u200c", ""), "{{.Hint}}", "a value is no template")
		}
		require.NotContains(t, html, "<a href='https://evil")
		require.Equal(t, 2+strings.Count(html, "<tr>"), strings.Count(html, "<a "))
		for line := range strings.Lines(text) {
			require.False(t,
				strings.HasPrefix(line, "Bcc") || strings.HasPrefix(line, "Button") || strings.HasPrefix(line, "Subject"), line)
		}
	}
}

// Each reader gets mails in the language that they chose, or else in that of their
// browser. Those without an account get them in that of the inviter, and the notification
// address in that of the first owner.
func TestMailsAreInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	owner := w.user(t, "owner@a.example", terms.Owner)
	admin := w.user(t, "admin@a.example", terms.Admin)
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET notification_address = 'notice@a.example'`)
	modelstest.ExecuteAt(t, w.URL, `UPDATE users SET language = 'en' WHERE email = 'admin@a.example'`)
	for _, email := range []string{"owner@a.example", "admin@a.example"} {
		id := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM users WHERE email = $1`, email)
		require.NoError(t, w.Service.Accounts.LanguageSeen(t.Context(), accounts.Session{UserID: id}, i18n.Danish))
	}
	modelstest.CreateKey(t, owner, keys.NewKey{Name: "Bogholderi"})
	modelstest.Invite(t, admin, "new@a.example", terms.Viewer)

	subjects := map[string]string{}
	for _, m := range w.sent(t) {
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

// Nobody is flooded with invitations, whoever sends them, and no organization sends many
// in a short time.
func TestInvitationsAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	owner := w.user(t, "owner@a.example", terms.Owner)
	invited := func(email func(int) string) (n int) {
		for {
			if _, _, err := accounts.Invite(t.Context(), owner, email(n), terms.Viewer); err != nil {
				modelstest.RequireKind(t, models.KindLimited, err)
				return n
			}
			n++
		}
	}
	require.Equal(t, 5, invited(func(int) string { return "one@b.example" }))
	require.Equal(t, 45, invited(func(n int) string { return fmt.Sprintf("many%d@b.example", n) }))
}
