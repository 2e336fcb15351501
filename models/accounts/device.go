package accounts

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

const deviceLife = 365 * 24 * time.Hour

// newDevice returns the id of a new device.
func newDevice() string { return uuid.NewString() }

// deviceTicket returns what a browser keeps of a sign-in, so that it is known the next
// time. It is good until the password changes.
func (p *People) deviceTicket(user User, id string) string {
	return p.secret.Ticket("device", id+" "+p.deviceOwner(user), deviceLife)
}

// knownDevice returns the id of the device if its ticket is from a sign-in of that
// user, else "".
func (p *People) knownDevice(user *User, ticket string) string {
	if user == nil {
		return ""
	}
	text, err := p.secret.OpenTicket("device", ticket)
	id, owner, _ := strings.Cut(text, " ")
	if err != nil || owner != p.deviceOwner(*user) {
		return ""
	}
	return id
}

// deviceOwner identifies a user and the password.
func (p *People) deviceOwner(user User) string {
	password := ""
	if user.PasswordHash != nil {
		password = *user.PasswordHash
	}
	return p.secret.Sign("device owner", user.ID.String()+" "+password)
}
