// Package terms has the words that rows, the API and pages share: the roles of members, the
// states of keys and the statuses of companies. It knows no database, so pages may use it.
package terms

// Role is what a member may do in an organization.
type Role string

// The roles.
const (
	Owner  Role = "owner"  // everything, including making others owners
	Admin  Role = "admin"  // manages keys, members and settings
	Viewer Role = "viewer" // sees everything, changes nothing
)

// Roles are all roles.
var Roles = []Role{Owner, Admin, Viewer}

// MayGive reports whether a member with role r may give others the role: only owners make
// owners.
func (r Role) MayGive(role Role) bool {
	switch role {
	case Admin, Viewer:
		return r == Owner || r == Admin
	case Owner:
		return r == Owner
	}
	return false
}

// MayChange reports whether a member with role r may change or remove a member with the role:
// admins may not change owners.
func (r Role) MayChange(role Role) bool {
	return r == Owner || r == Admin && role != Owner
}

// KeyState is the state of an API key.
type KeyState string

// The states of a key.
const (
	KeyActive  KeyState = "active"
	KeyPaused  KeyState = "paused"
	KeyExpired KeyState = "expired"
	KeyRevoked KeyState = "revoked"
)

// The states of a company's registration with the card network.
const (
	Created    = "CREATED"
	Registered = "REGISTERED"
	Modified   = "MODIFIED"
	Terminated = "TERMINATED"
	Rejected   = "REJECTED"
)

// Statuses are the states of a company's registration.
var Statuses = []string{Created, Registered, Modified, Terminated, Rejected}
