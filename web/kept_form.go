package web

import (
	"strconv"

	"dispo/models/terms"
)

// HiddenField is a field of a form that is sent once more as it was typed.
type HiddenField struct {
	Name, Value string
}

// KeptFormView is the view of a form that was submitted, but not acted on: the answer 409
// to a form that was shown for another organization than the current one, and GET
// /kept-form after the session had ended.
//
// Form: POST to Path with Fields.
type KeptFormView struct {
	Frame
	Path     string        // of the form
	Fields   []HiddenField // as submitted, without passwords and codes
	ShownFor Organization  // that the form was shown for; without an id if the user is not a member, so that nothing is offered
	// Confirmed means that the reason is that the user was at the identity provider meanwhile, to
	// confirm that it is them.
	Confirmed bool
	Switched  bool     // whether the reason is that the user has switched since
	Secrets   []string // names of fields to type again, because Fields must not have them
}

// typed returns the fields that people type or choose, by their labels.
func (v KeptFormView) typed() (typed []HiddenField) {
	labels := []HiddenField{
		{"name", v.T("Name")},
		{"note", v.T("Note")},
		{"email", v.T("E-mail")},
		{"role", v.T("Role")},
		{"expires", v.T("Expires")},
		{"expires_on", v.T("Last day")},
		{"revoke_on", v.T("Last day")},
		{"time_zone", v.T("Time zone")},
		{"notification_address", v.T("Notification address")},
		{"issuer", v.T("Issuer")},
		{"client_id", v.T("Client ID")},
	}
	for _, label := range labels {
		for _, field := range v.Fields {
			if field.Name == label.Name && field.Value != "" {
				typed = append(typed, HiddenField{label.Value, v.choice(field)})
			}
		}
	}
	return typed
}

// choice returns what the form showed for a field's value.
func (v KeptFormView) choice(field HiddenField) string {
	switch field.Name {
	case "role":
		return v.roleTitle(terms.Role(field.Value))
	case "expires_on", "revoke_on":
		return v.dateText(field.Value)
	case "expires":
		switch field.Value {
		case "never":
			return v.T("Never")
		case "date":
			return v.T("On a date")
		case "30", "90", "365":
			days, _ := strconv.ParseInt(field.Value, 10, 64)
			return v.N(days, "In {n} day", "In {n} days")
		}
	}
	return field.Value
}

func (v KeptFormView) title() string {
	if v.Switched && v.ShownFor.ID != "" {
		return v.T("This form is for {organization}", "organization", v.ShownFor.Name)
	}
	if v.Confirmed {
		return v.T("Your changes are not saved yet")
	}
	return v.T("Your changes were not saved")
}

// secretLabel returns the label of a field to type again.
func (v KeptFormView) secretLabel(name string) string {
	switch name {
	case "password":
		return v.T("Password")
	case "current_password":
		return v.T("Current password")
	case "new_password":
		return v.T("New password")
	case "client_secret":
		return v.T("Client secret")
	case "code":
		return v.T("Code")
	case "confirmation":
		return v.T("Password, or a code from your authenticator app")
	}
	return name
}

// elsewhere reports whether the form has to switch back to its organization.
func (v KeptFormView) elsewhere() bool { return v.ShownFor.ID != v.Organization.ID }

// ConfirmView is the view of the answer to a request that needs the password or a code
// once more, because the user signed in more than 15 minutes ago.
//
// Form: POST to Path with Fields and confirmation. Success goes on with the request.
type ConfirmView struct {
	Frame
	SecondFactor bool // whether a code will do instead of the password
	Path         string
	Fields       []HiddenField
	Confirmation Field // Value is never set
	// Provider means that the organization's identity provider opened the session. It can confirm
	// too, if it may: GET /confirm/provider. HasSecret says whether the user has a password or a
	// second factor.
	Provider, HasSecret bool
}

func (v ConfirmView) label() string {
	if v.SecondFactor {
		return v.T("Password, or a code from your authenticator app")
	}
	return v.T("Password")
}
