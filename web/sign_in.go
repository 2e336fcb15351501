package web

import "time"

func (f Frame) passwordHint() string {
	return f.T("Use at least 12 characters. Several unrelated words are easy to remember and hard to guess.")
}

// SignInView is the view of GET and POST /sign-in.
//
// Form: POST /sign-in with email, password and next. Success redirects with 303 to
// next, or to /sign-in/second-factor. Failure shows the page again with Problem.
type SignInView struct {
	Frame
	Email string // as submitted
	// Problem is why signing in failed. It does not reveal whether an account with
	// the e-mail exists.
	Problem string
	// Next is the path on this site to go to after signing in; empty means /.
	Next string
}

// SecondFactorView is the view of GET and POST /sign-in/second-factor, which asks
// for a code after the password was correct. The handler keeps the pending sign-in
// in a cookie; without it, GET redirects with 303 to /sign-in.
//
// Form: POST /sign-in/second-factor with next and code (six digits from the app or
// a recovery code; spaces and hyphens are allowed).
type SecondFactorView struct {
	Frame
	Problem string // why the code was rejected
	Next    string // as in SignInView
}

// ForgottenView is the view of GET and POST /password/forgotten, which asks for a link to
// set a new password.
//
// Form: POST to that path with email. Success redirects with 303 to /sign-in with a
// Notice, which is the same whether there is such an account or not.
type ForgottenView struct {
	Frame
	Mail  bool // e-mails are sent; otherwise the page says whom to ask
	Email Field
}

// PasswordView is the view of GET and POST /password/{token}, which sets a
// password by one-time link. For a used, unknown or expired token, show an
// ErrorView with status 404.
//
// Form: POST to Frame.Path with password. Success redirects with 303 to /sign-in.
type PasswordView struct {
	Frame
	Email    string // of the account
	Password Field  // Value is never set
}

// InvitationState is how the person opening an invitation can accept it.
type InvitationState string

const (
	InvitationNewcomer  InvitationState = "newcomer"   // no account has that e-mail: asks for a password
	InvitationSignIn    InvitationState = "sign-in"    // the account exists, nobody is signed in: links to /sign-in?next=…
	InvitationJoin      InvitationState = "join"       // signed in with that e-mail: shows one button
	InvitationOtherUser InvitationState = "other-user" // signed in with another e-mail: offers to sign out
)

// InvitationView is the view of GET and POST /invitations/{token}. For a used,
// withdrawn, unknown or expired token, show an ErrorView with status 404.
//
// Form: POST to Frame.Path, with password if State is InvitationNewcomer. Success
// signs the person in to that organization and redirects with 303 to /.
type InvitationView struct {
	Frame
	State            InvitationState
	OrganizationName string
	Email            string // of the invited person
	Role             Role   // that the invited person gets
	InvitedBy        string // e-mail; empty if not shown
	ExpiresAt        time.Time
	Password         Field // Value is never set
}
