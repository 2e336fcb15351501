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
func (a *Accounts) deviceTicket(user User, id string) string {
	return a.secret.Ticket("device", id+" "+a.passwordTag(user), deviceLife)
}

// knownDevice returns the id of the device if its ticket is from a sign-in of that
// user, else "".
func (a *Accounts) knownDevice(user *User, ticket string) string {
	if user == nil {
		return ""
	}
	text, err := a.secret.OpenTicket("device", ticket)
	id, tag, _ := strings.Cut(text, " ")
	if err != nil || tag != a.passwordTag(*user) {
		return ""
	}
	return id
}

// passwordTag identifies a user with the present password.
func (a *Accounts) passwordTag(user User) string {
	hash := ""
	if user.PasswordHash != nil {
		hash = *user.PasswordHash
	}
	return a.secret.Sign("device owner", user.ID.String()+" "+hash)
}
