package web

import "time"

// OrganizationView is the view of GET and POST /settings/organization.
//
// Form: POST to that path with name, time_zone, expected_by and notification_address.
// Success redirects with 303 to it with a Notice.
type OrganizationView struct {
	Frame
	Name     Field // 1 to 100 characters
	TimeZone Field // an IANA name
	// ExpectedBy is by when a delivery is expected on bank days: HH:MM, or empty for not at all.
	ExpectedBy Field
	// NotificationAddress gets the e-mails that owners and admins get. Its value may be
	// empty.
	NotificationAddress Field
	Mail                bool // e-mails are sent
}

func (v OrganizationView) notificationHint() string {
	if v.Mail {
		return v.T("Gets the e-mails about API keys, and about late or withdrawn deliveries. Leave it empty for none.")
	}
	return v.T(
		"Would get the e-mails about API keys, and about late or withdrawn deliveries. This server sends no e-mail at present.",
	)
}

// expectedBy is a time of day, HH:MM, for the reader. Other text stays as it is.
func (f Frame) expectedBy(text string) string {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return f.orNone(text)
	}
	return f.Clock(at.In(time.FixedZone("", 0)))
}

// commonZones are offered while a zone is typed. Every other IANA name is accepted too.
var commonZones = []string{
	"Europe/Copenhagen", "America/Nuuk", "Atlantic/Faroe", "Europe/Amsterdam", "Europe/Berlin", "Europe/Helsinki",
	"Europe/London", "Europe/Oslo", "Europe/Paris", "Europe/Stockholm", "Europe/Warsaw", "UTC",
}
