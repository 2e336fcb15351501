package web

// OrganizationView is the view of GET and POST /settings/organization.
//
// Form: POST to that path with name and time_zone. Success redirects with 303 to it with
// a Notice.
type OrganizationView struct {
	Frame
	Name     Field // 1 to 100 characters
	TimeZone Field // an IANA name
}

// commonZones are offered while a zone is typed. Every other IANA name is accepted too.
var commonZones = []string{
	"Europe/Copenhagen", "America/Nuuk", "Atlantic/Faroe", "Europe/Amsterdam", "Europe/Berlin", "Europe/Helsinki",
	"Europe/London", "Europe/Oslo", "Europe/Paris", "Europe/Stockholm", "Europe/Warsaw", "UTC",
}
