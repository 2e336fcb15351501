package web

// OrganizationView is the view of GET and POST /settings/organization.
//
// Form: POST to that path with name, time_zone and notification_address. Success redirects
// with 303 to it with a Notice.
type OrganizationView struct {
	Frame
	Name     Field // 1 to 100 characters
	TimeZone Field // an IANA name
	// NotificationAddress gets the e-mails that owners and admins get. Its value may be
	// empty.
	NotificationAddress Field
	Mail                bool // e-mails are sent
}

func (v OrganizationView) notificationHint() string {
	if v.Mail {
		return v.T("Gets every e-mail that owners and admins get: about API keys and withdrawn deliveries. Leave it empty for none.")
	}
	return v.T("Would get every e-mail that owners and admins get. This server sends no e-mail at present.")
}

// commonZones are offered while a zone is typed. Every other IANA name is accepted too.
var commonZones = []string{
	"Europe/Copenhagen", "America/Nuuk", "Atlantic/Faroe", "Europe/Amsterdam", "Europe/Berlin", "Europe/Helsinki",
	"Europe/London", "Europe/Oslo", "Europe/Paris", "Europe/Stockholm", "Europe/Warsaw", "UTC",
}
