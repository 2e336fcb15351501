package web

import "time"

// ProviderStartView is the view of GET /sign-in/{slug}, /settings/sign-in/try and
// /confirm/provider, which lead to an organization's identity provider.
type ProviderStartView struct {
	Frame
	Address string // https, at the provider
	Host    string // of Address
	Back    string // the path to go back to
}

// ProviderLinkView is the view of GET /sign-in/return/{organization}/link, for somebody whom the
// provider has named, and who has to prove which account is theirs.
//
// Forms: POST to Frame.Path if Ready; to Mail.
type ProviderLinkView struct {
	Frame
	Host    string // the provider's
	Email   string // as the provider has it
	Ready   bool   // they have proved it, and one button is left
	SignIn  string // where to sign in by password, which proves it; empty if there is none
	Mail    string // where to ask for a mailed link; empty if there is none
	Invited bool   // they have to open the mailed link of their invitation
	Other   string // the e-mail address of another user who is signed in
}

// ProviderWayInView is the view of the answer 403 where the organization requires its identity
// provider, and the user signed in by password.
type ProviderWayInView struct {
	Frame
	Path string // where to sign in by the provider
}

// ProviderFactorView is the view of the answer 403 where a second factor is required beside the
// identity provider.
//
// Form: POST to /password/forgotten with email, if Mail and not HasFactor.
type ProviderFactorView struct {
	Frame
	Path      string // where to sign in by the provider, which asks for a code
	HasFactor bool   // the user has a second factor
	Mail      bool   // e-mails are sent
}

// ProviderView is the view of GET /settings/sign-in, and of a rejected POST to it.
//
// Forms, shown to owners: POST to /settings/sign-in with issuer, client_id and client_secret; to
// /settings/sign-in/enable, /require and /trust with on, yes or no.
type ProviderView struct {
	Frame
	Issuer, ClientID Field
	ClientSecret     Field  // Value is never set
	ReturnURL        string // that the provider sends browsers back to
	StartURL         string // that members sign in at
	IsOwner          bool
	Provider         *ProviderState // nil if none is set
}

// ProviderState is the state of an organization's identity provider.
type ProviderState struct {
	Host                       string
	TriedAt                    time.Time // zero for not yet
	Enabled, Required, Trusted bool
}

// ProviderRemoveView is the view of GET /settings/sign-in/remove.
//
// Form: POST to the same path.
type ProviderRemoveView struct {
	Frame
	Host string // the provider's
}

// ProviderTriedView is the view of an owner's trial.
type ProviderTriedView struct {
	Frame
	Host                 string
	Subject, Email, Name string
	EmailVerified        string // yes, no, or empty if the provider does not say
	AuthTime             time.Time
	AMR, ACR             string
}

func (v ProviderView) secretHint() string {
	if v.Provider == nil {
		return v.T("It is stored encrypted, and not shown again.")
	}
	return v.T("It is stored encrypted, and not shown again. Leave it empty to keep the present one.")
}

// claims lists the claims by their names in the protocol.
func (v ProviderTriedView) claims() []HiddenField {
	at := ""
	if !v.AuthTime.IsZero() {
		at = v.ExactTime(v.local(v.AuthTime))
	}
	return []HiddenField{
		{"sub", v.Subject}, {"email", v.Email}, {"email_verified", v.EmailVerified}, {"name", v.Name},
		{"auth_time", at}, {"amr", v.AMR}, {"acr", v.ACR},
	}
}
