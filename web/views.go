// Package web holds the dashboard's pages: templ components, their stylesheet,
// script and icons. It knows neither HTTP nor the database: a page is a function
// of one view struct, which holds just what the page shows.
//
// # Rules that hold for every view
//
//   - The page XxxPage takes the XxxView and is rendered with Render, whole or
//     not at all.
//   - Every form is sent by POST as application/x-www-form-urlencoded and carries
//     form_token (Frame.FormToken), unless its comment says GET. The comment of a
//     view names each form's path and fields: that is the agreement between page
//     and handler.
//   - A form that was refused is shown again by the same page, status 422, with
//     what was typed in Field.Value and the reason in Field.Error. What was typed
//     into a password field is never shown again.
//   - A change answers 303 to the page it came from, with Frame.Notice set there
//     for once, except where a comment says that the answer shows something once.
//   - A zero time.Time means "never" or "not yet". Pages show times in UTC; the
//     script turns them into the browser's zone.
//   - Dates and amounts are text as the API has them (2026-01-31, -1234.50); pages
//     write them in the reader's way, without going through a float.
//   - An answer that shows a key, link or codes once, and every page of somebody
//     signed in, is sent with Cache-Control: no-store.
package web

import "time"

// Locale is how a reader writes numbers.
type Locale string

const (
	English Locale = "en" // 1,234.50; also what the empty Locale means
	Danish  Locale = "da" // 1.234,50
)

// Role is what a person may do in an organization.
type Role string

const (
	Owner  Role = "owner"  // everything, and making others owners
	Admin  Role = "admin"  // keys and members
	Member Role = "member" // sees everything, changes nothing
)

// Frame is what stands around every page.
type Frame struct {
	// Path is the path asked for, without its query: it marks where one is in the
	// navigation, and is where forms that belong to the frame return to.
	Path string
	// Now is the time at which the page was made; "3 minutes ago" counts from it.
	Now time.Time
	// Locale is the reader's, from Accept-Language.
	Locale Locale
	// UserEmail is who is signed in; empty: nobody is, and the page stands alone,
	// without navigation.
	UserEmail string
	// Organization is the one that the user works in at the moment.
	Organization Organization
	// Organizations are all that the user belongs to, the current one among them,
	// by name. With two or more, the frame offers to switch: POST /organization
	// with organization (an Organization.ID), answered by 303 to /.
	Organizations []Organization
	// Role is the user's in Organization.
	Role Role
	// CanManage tells whether the user may change keys and members. Where it is
	// false, pages show the same without buttons, and say who can.
	CanManage bool
	// FormToken goes into every form as form_token. Pages that anyone can open
	// (signing in, invitations, passwords) need one too. Signing out, which the
	// frame offers, is POST /sign-out with nothing besides.
	FormToken string
	// Notice says, once, after a redirect, what has been done: one or two
	// sentences, for instance: Key “Production” is revoked.
	Notice string
}

// Organization is one that a user belongs to.
type Organization struct {
	ID   string
	Name string
	Role Role // the user's there
}

// Field is one field of a form.
type Field struct {
	Value string // as typed before, or what is proposed at first
	Error string // why it was refused, a sentence; empty: it was not
}

// Pager leads through a long list. Prev and Next are paths with their queries;
// empty: there is no such page.
type Pager struct {
	Prev string
	Next string
}

// SignInView is GET and POST /sign-in.
//
// Form: POST /sign-in with email, password, and next. Right: 303 to Next, or to
// /sign-in/second-factor. Wrong: the page again, with Problem.
type SignInView struct {
	Frame
	Email string // as typed before
	// Problem is why signing in failed; it doesn't tell whether the e-mail exists.
	Problem string
	// Next is the site's own path to go to afterwards; empty: /.
	Next string
}

// SecondFactorView is GET and POST /sign-in/second-factor: the password was
// right, and a code is asked for. Who waits for it stands in a cookie of the
// handler's; without one, GET answers 303 to /sign-in.
//
// Form: POST /sign-in/second-factor with code (six digits of the app, or a
// recovery code; spaces and hyphens may be among them) and next.
type SecondFactorView struct {
	Frame
	Problem string // why the code was refused
	Next    string // as in SignInView
}

// PasswordView is GET and POST /password/{token}: setting a password by one-time
// link. A token that is used, unknown or expired is an ErrorView with status 404.
//
// Form: POST to Frame.Path with password. Done: 303 to /sign-in.
type PasswordView struct {
	Frame
	Email    string // whose password it is
	Password Field  // Value is never set
}

// InvitationState is who looks at an invitation.
type InvitationState string

const (
	InvitationNewcomer  InvitationState = "newcomer"   // nobody has an account with that e-mail: asks for a password
	InvitationSignIn    InvitationState = "sign-in"    // there is an account, and nobody is signed in: leads to /sign-in?next=…
	InvitationJoin      InvitationState = "join"       // signed in with that e-mail: one button
	InvitationOtherUser InvitationState = "other-user" // signed in with another e-mail: offers to sign out
)

// InvitationView is GET and POST /invitations/{token}. A token that is used,
// withdrawn, unknown or expired is an ErrorView with status 404.
//
// Form: POST to Frame.Path, with password where State is InvitationNewcomer.
// Done: 303 to /, signed in, in that organization.
type InvitationView struct {
	Frame
	State            InvitationState
	OrganizationName string
	Email            string // whom it is for
	Role             Role   // what they will be
	InvitedBy        string // e-mail; empty: not said
	ExpiresAt        time.Time
	Password         Field // Value is never set
}

// Use is how much of a limit is used up at the moment.
type Use struct {
	Used     int64     // requests counted in the window
	Limit    int64     // requests that the window allows
	ResetsAt time.Time // when the window starts anew; zero where nothing is counted
}

// ChartBy is how long a bar of the chart is.
type ChartBy string

const (
	ByHour ChartBy = "hour" // 48 bars, or the 24 of Chart.Day
	ByDay  ChartBy = "day"  // 30 bars
)

// Chart is requests over time.
type Chart struct {
	By ChartBy
	// Day narrows a chart by hour to one day in UTC, YYYY-MM-DD; empty: the latest
	// 48 hours. Rows of the table by day lead there.
	Day string
	// KeyID narrows to one key; empty: all of them.
	KeyID string
	// Bars are in order of time, without gaps, the present one last.
	Bars []Bar
	// Limit is the hourly limit where By is ByHour and the limit is counted over
	// what the bars count; 0: no line is drawn.
	Limit int64
}

// Bar is the requests of one hour or day.
type Bar struct {
	Start   time.Time // the hour's or day's start, in UTC
	Served  int64     // requests let in; those refused are not among them
	Refused int64     // requests answered with 401 or 429
}

// KeyUse is how much of the chart is one key's.
type KeyUse struct {
	ID      string
	Name    string
	Hint    string // the key's last four characters
	State   KeyState
	Served  int64 // over all of the chart's time, also while Chart.KeyID narrows it
	Refused int64
}

// Refusal is one refused request.
type Refusal struct {
	At        time.Time
	KeyID     string
	KeyName   string
	KeyHint   string
	Status    int    // 401 (key revoked or expired) or 429 (over a limit)
	Method    string // as sent
	Path      string // as sent; the page escapes and wraps it
	Address   string
	UserAgent string
}

// OverviewView is GET /?by=hour|day&day=YYYY-MM-DD&key=ID, all three optional; by
// is hour where it is missing.
//
// Form: GET / with by and key, to choose what the chart shows.
type OverviewView struct {
	Frame
	Minute Use
	Hour   Use
	Chart  Chart
	// Keys are all of the organization's keys, revoked ones too where they were
	// used in the chart's time: the choice of Chart.KeyID, and the table by key.
	// With none at all the page offers to create the first.
	Keys []KeyUse
	// Refusals are the latest, at most 20, the newest first.
	Refusals []Refusal
}

// CompanyStatus is the status of a registration with the card network, as the API
// has it.
type CompanyStatus string

const (
	Created    CompanyStatus = "CREATED"
	Registered CompanyStatus = "REGISTERED"
	Modified   CompanyStatus = "MODIFIED"
	Terminated CompanyStatus = "TERMINATED"
	Rejected   CompanyStatus = "REJECTED"
)

// CompanyRow is a company in a list.
type CompanyRow struct {
	CVR       string // 8 digits
	Name      string
	Status    CompanyStatus
	StartDate string // YYYY-MM-DD
	EndDate   string // YYYY-MM-DD; 9999-12-31: open-ended
}

// CompaniesView is GET /companies?q=&status=&after=&before=, all optional.
//
// Form: GET /companies with q (a CVR, its start, or part of a name) and status (a
// CompanyStatus; empty: any).
type CompaniesView struct {
	Frame
	Query  string        // q as typed
	Status CompanyStatus // empty: any
	Rows   []CompanyRow
	// Total is how many companies the organization has, whatever is searched for.
	Total int64
	Pager Pager // its paths keep q and status
}

// TransactionRow is a transaction in a company's list.
type TransactionRow struct {
	ID              string
	DispositionDate string // YYYY-MM-DD
	TransferType    string
	RegNumber       string
	AccountNumber   string
	Count           int64
	AmountDKK       string // decimal text as in the API: -1234.50
	Filename        string
	RecordIndex     int64
	RawLine         string
	ProcessedAt     time.Time
}

// CompanyView is GET /companies/{cvr}?after=&before=. Empty text in it means that
// the API has null there.
type CompanyView struct {
	Frame
	CVR                   string
	Name                  string
	Address               string
	Status                CompanyStatus
	StartDate             string // YYYY-MM-DD
	EndDate               string // YYYY-MM-DD; 9999-12-31: open-ended
	SenderRegNumber       string
	SenderAccountNumber   string
	ReceiverRegNumber     string
	ReceiverAccountNumber string
	DefaultAmountDKK      string // decimal text, two decimals, made of the cents
	CreatedAt             time.Time
	UpdatedAt             time.Time
	Transactions          []TransactionRow
	Total                 int64 // all of the company's transactions
	Pager                 Pager
}

// KeyState is what has become of a key.
type KeyState string

const (
	KeyActive  KeyState = "active"
	KeyExpired KeyState = "expired"
	KeyRevoked KeyState = "revoked"
)

// LastUse is a key's latest use. A zero At: it has never been used.
type LastUse struct {
	At        time.Time
	Address   string
	UserAgent string // as sent; empty: the client sent none
}

// KeyRow is a key as people see it. Nothing in it helps to make or guess one, and
// it has no room for a secret.
type KeyRow struct {
	ID        string
	Name      string
	Hint      string // the last four characters; shown as dispo_…1a2B
	State     KeyState
	CreatedBy string // e-mail; empty: the operator
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	RevokedAt time.Time // zero: it isn't
	LastUse   LastUse
	// SuccessorID is the key that is to take over from this one: the newest that was
	// created by rotating it and isn't revoked. With one, and while this key is
	// active, its rotation is under way.
	SuccessorID string
}

// KeyText is a whole key. Printed by way of fmt or a log it gives nothing away.
type KeyText string

// String keeps the key out of logs and messages.
func (KeyText) String() string { return "[key]" }

// GoString keeps the key out of logs and messages.
func (KeyText) GoString() string { return "[key]" }

// KeysView is GET /settings/api-keys.
type KeysView struct {
	Frame
	// Keys are all keys, the newest first; the page sets the expired and revoked
	// ones apart.
	Keys []KeyRow
}

// KeyFields are the fields by which a key is created.
type KeyFields struct {
	Name Field // name: 1 to 100 characters
	// Expires: expires, one of never, 30, 90, 365 (days) or date. An empty Value
	// stands for never.
	Expires Field
	// ExpiresOn: expires_on, YYYY-MM-DD, read where expires is date, and after
	// today; the key works to the end of that day in UTC.
	ExpiresOn Field
	// Nonce: nonce, hidden, made anew for every showing of the form and good once,
	// so that a reload of the answer doesn't create a second key.
	Nonce string
}

// KeyNewView is GET and POST /settings/api-keys/new.
//
// Form: POST /settings/api-keys/new with name, expires, expires_on and nonce.
// Done: status 200 with KeyCreatedPage, no redirect, since the key is shown once.
type KeyNewView struct {
	Frame
	KeyFields
}

// KeyCreatedView is the answer to the POST of KeyNewView. It and
// RotationView.NewKey are the only places where a page holds a key.
type KeyCreatedView struct {
	Frame
	Key KeyRow
	// Text is the key itself. Empty: the form was sent again with the same nonce,
	// and the page says that the key has been shown already; Key is then the one
	// created before, if the handler still knows it.
	Text    KeyText
	BaseURL string // ends in /api; for the ready curl line
}

// KeyRevokeView is GET and POST /settings/api-keys/{id}/revoke: the question
// before a key is revoked. For a key that is revoked already, it says so.
//
// Form: POST to that path with nothing besides. Done: 303 to /settings/api-keys
// with a Notice.
type KeyRevokeView struct {
	Frame
	Key KeyRow
	// RequestsLastDay are the requests made with the key in the last 24 hours, or as
	// near to that as they are counted.
	RequestsLastDay int64
	// LastActive tells that no other active key would be left.
	LastActive bool
}

// RotationStep is how far the person says to be; it stands in the link as ?step=.
type RotationStep string

const (
	// RotationUpdate, the empty one: not said.
	RotationUpdate RotationStep = ""
	// RotationVerify: "I have updated my application".
	RotationVerify RotationStep = "verify"
	// RotationRevoke: "Revoke now" was chosen before it is safe; the page asks once
	// more.
	RotationRevoke RotationStep = "revoke"
)

// RotationView is GET and POST /settings/api-keys/{id}/rotate?step=, where id is
// the old key's, and GET /settings/api-keys/{id}/rotate/status?step=, which
// answers with RotationSteps alone (no page around it) to the polling script,
// with the same view and without NewKey.
//
// The page finds the state of the four steps from the facts below: 1 (create) is
// done when there is a Successor; 2 (update) when Step says so or the successor
// has been used; 3 (verify) when the successor has been used; 4 (revoke) when Old
// is revoked.
//
// Forms, all POST to /settings/api-keys/{id}/rotate, all with action:
//
//   - action=create with KeyFields' four: creates the successor. Done: status 200
//     with RotationPage and NewKey set. Refused: status 422, KeyFields filled.
//     The same nonce again, or a successor that is there already: 303 to the page.
//   - action=recreate with nonce: for somebody who lost the key before using it.
//     Revokes the successor, if that has never been used, and creates another with
//     its name and expiry. Answers like create.
//   - action=revoke, with confirm=early where it was asked once more. Revokes Old:
//     303 to the page, which then shows that all is done. Where it isn't safe and
//     confirm is missing: 303 to the page with ?step=revoke.
type RotationView struct {
	Frame
	Old       KeyRow
	Successor *KeyRow // nil: not created yet
	Step      RotationStep
	// KeyFields are shown while there is no Successor. Name.Value is at first the old
	// key's name. Its Nonce is also needed while the successor has not been used.
	KeyFields
	// NewKey is the successor's text, in the answer to its creation only; empty else.
	NewKey  KeyText
	BaseURL string // ends in /api
	// SafeToRevoke: the successor has been used, and Old hasn't been for SilenceNeeded,
	// or never.
	SafeToRevoke bool
	// SilenceNeeded is how long Old must have been silent; whole minutes.
	SilenceNeeded time.Duration
	// SafeAt is when it becomes safe if Old stays silent from now on; zero while the
	// successor has not been used, and not read where SafeToRevoke holds.
	SafeAt time.Time
}

// MemberRow is a person of the organization.
type MemberRow struct {
	ID           string // the user's; stands in the paths of the forms
	Email        string
	Role         Role
	Self         bool      // it is who looks
	SecondFactor bool      // signs in with a second factor
	JoinedAt     time.Time // zero: unknown, not shown
	// Roles are those that who looks may give this person, the present one among
	// them; with fewer than two, no form is shown.
	Roles []Role
	// CanRemove tells whether who looks may take this person away, or leave, where
	// Self.
	CanRemove bool
	// LastOwner tells that this is the only owner, who therefore stays owner.
	LastOwner bool
}

// InvitationRow is an invitation that nobody has taken up yet.
type InvitationRow struct {
	ID        string
	Email     string
	Role      Role
	InvitedBy string // e-mail; empty: not said
	CreatedAt time.Time
	ExpiresAt time.Time // may have passed
}

// MembersView is GET /settings/members, and POST /settings/members/invite where
// that was refused.
//
// Forms, shown where Frame.CanManage:
//
//   - POST /settings/members/invite with email and role. Done: status 200 with
//     InvitationCreatedPage, no redirect, since the link is shown once. Inviting an
//     e-mail again replaces its invitation.
//   - POST /settings/members/{id}/role with role: 303 back.
//   - POST /settings/members/invitations/{id}/revoke: 303 back.
//   - Links lead to GET /settings/members/{id}/remove.
type MembersView struct {
	Frame
	Members     []MemberRow
	Invitations []InvitationRow
	InviteEmail Field
	InviteRole  Field  // Value is a Role; empty: member
	InviteRoles []Role // those that who looks may give
	// Problem is why a change other than an invitation was refused; empty: none was.
	Problem string
}

// MemberRemoveView is GET and POST /settings/members/{id}/remove: the question
// before a person is taken out of the organization, or leaves it.
//
// Form: POST to that path. Done: 303 to /settings/members, or to / for who left.
type MemberRemoveView struct {
	Frame
	Member MemberRow
	// Keys is how many active keys that person created; they go on working.
	Keys int64
}

// InvitationCreatedView is the answer to POST /settings/members/invite.
type InvitationCreatedView struct {
	Frame
	Email     string
	Role      Role
	Link      string // the whole address, shown once
	ExpiresAt time.Time
}

// AuditRow is one thing that somebody did.
type AuditRow struct {
	At time.Time
	// Who is the e-mail; empty: the operator's command.
	Who string
	// Action is the kind of thing; the page has words for
	//
	//	session.start, session.fail (a wrong password or code), session.end,
	//	key.create, key.rotate (created as a successor), key.revoke,
	//	member.invite, member.uninvite, member.join, member.role, member.remove,
	//	user.create, password.set, password.link, second_factor.on,
	//	second_factor.off, recovery_codes.create, recovery_codes.use
	//
	// and shows any other as it is.
	Action  string
	Subject string // what it was done to, in words; may be empty
	Address string // from where; empty: the operator's command
}

// AuditLogView is GET /settings/audit-log?before=, the newest first.
type AuditLogView struct {
	Frame
	Rows  []AuditRow
	Pager Pager // Prev leads to newer entries, Next to older ones
}

// SessionRow is a place where the user is signed in.
type SessionRow struct {
	ID        string
	Current   bool // the one that asks
	Address   string
	UserAgent string
	StartedAt time.Time
	SeenAt    time.Time
}

// ProfileView is GET /profile, and POST /profile/password where that was refused.
//
// Forms:
//
//   - POST /profile/password with current_password and new_password. Done: 303
//     back; every other session is ended.
//   - POST /profile/sessions/{id}/end: 303 back; not offered for the current one.
//   - POST /profile/sessions/end-others: 303 back.
//   - Links lead to GET /profile/second-factor, /profile/second-factor/remove and
//     /profile/second-factor/recovery-codes.
type ProfileView struct {
	Frame
	CurrentPassword   Field // Value is never set
	NewPassword       Field // Value is never set
	SecondFactor      bool  // it is on
	RecoveryCodesLeft int
	Sessions          []SessionRow // the latest seen first
}

// TOTPSetupView is GET and POST /profile/second-factor: turning the second factor
// on. Where it is on already: 303 to /profile.
//
// Form: POST /profile/second-factor with setup and code. Done: status 200 with
// RecoveryCodesPage, no redirect, since the codes are shown once.
type TOTPSetupView struct {
	Frame
	// Secret is for typing into an app that can't scan, base32 without padding; the
	// page groups it by four.
	Secret string
	// URI is the otpauth:// address that the QR code holds: on a phone, a link to it
	// opens the app.
	URI string
	// QR is the QR code, true is dark, without its quiet zone, row by row; the page
	// draws it. Empty: only the secret is shown.
	QR [][]bool
	// Setup is the handler's sealed form of the secret, hidden as setup, so that the
	// same secret is confirmed that was shown. Empty: the handler keeps it elsewhere.
	Setup string
	Code  Field // Value is never set
}

// SecondFactorRemoveView is GET and POST /profile/second-factor/remove.
//
// Form: POST to that path with password. Done: 303 to /profile.
type SecondFactorRemoveView struct {
	Frame
	Password Field // Value is never set
}

// RecoveryCodesNewView is GET and POST /profile/second-factor/recovery-codes: the
// question before the codes are made anew.
//
// Form: POST to that path with password. Done: status 200 with RecoveryCodesPage,
// no redirect.
type RecoveryCodesNewView struct {
	Frame
	Left     int   // how many of the present codes are unused
	Password Field // Value is never set
}

// RecoveryCodesView is the answer that shows new recovery codes, once.
type RecoveryCodesView struct {
	Frame
	Codes []string
	// Turned tells that the second factor was turned on by the same form; else the
	// codes were made anew, and the former ones are void.
	Turned bool
}

// DocsView is GET /docs, for people who write the client; anyone may read it.
type DocsView struct {
	Frame
	BaseURL     string // ends in /api
	LimitMinute int64  // requests per minute
	LimitHour   int64  // requests per hour
	// PerKey tells that the limits are counted for each key instead of over all of an
	// organization's keys.
	PerKey bool
}

// ErrorView is any page that can't be shown: 400, 403, 404, 405, 422, 429, 500,
// 503 and others. The page has words for each; Message, where set, stands instead
// of its explanation.
type ErrorView struct {
	Frame
	Status     int
	Message    string        // a public sentence or two
	RequestID  string        // shown from 500 on, to tell the operator; may be empty
	RetryAfter time.Duration // for 429 and 503; zero: not said
}
