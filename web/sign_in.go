package web

import (
	"time"

	"dispo/models/terms"
)

func (f Frame) passwordHint() string {
	return f.T("Use at least 12 characters. Several unrelated words are easy to remember and hard to guess.")
}

// SignInView is the view of GET and POST /sign-in.
//
// Form: POST /sign-in with email, password and next. Success leads to next, or to
// /sign-in/second-factor.
type SignInView struct {
	Frame
	Email string // as submitted
	// Problem is why signing in failed. It does not reveal whether an account with
	// the e-mail exists.
	Problem string
	// Locked means that there were too many attempts. The page offers a link by mail, or says
	// whom to ask: POST /sign-in/link with email.
	Locked bool
	Mail   bool   // e-mails are sent
	Next   string // the path on this site to go to afterwards; empty means /
}

// SecondFactorView is the view of GET and POST /sign-in/second-factor, which asks
// for a code after the password was correct.
//
// Form: POST to that path with next and code.
type SecondFactorView struct {
	Frame
	Problem string // why the code was rejected
	Next    string // as in SignInView
}

// ForgottenView is the view of GET and POST /password/forgotten, which asks for a link to
// set a new password.
//
// Form: POST to that path with email. The answer is the same whether there is such an
// account or not.
type ForgottenView struct {
	Frame
	Mail  bool // e-mails are sent; otherwise the page says whom to ask
	Email Field
}

// PasswordView is the view of GET and POST /password/{token}, which sets a password by
// one-time link.
//
// Form: POST to Frame.Path with password.
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

// InvitationView is the view of GET and POST /invitations/{token}.
//
// Form: POST to Frame.Path, with password if State is InvitationNewcomer, or by_provider.
type InvitationView struct {
	Frame
	State            InvitationState
	OrganizationName string
	Email            string     // of the invited person
	Role             terms.Role // that the invited person gets
	InvitedBy        string     // e-mail; empty if not shown
	ExpiresAt        time.Time
	Password         Field // Value is never set
	// Provider is the host of the organization's identity provider, if it has just named the
	// invited person; else empty.
	Provider string
}
