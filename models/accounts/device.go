package accounts

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/mail"
)

const deviceLife = 365 * 24 * time.Hour

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
	if err != nil || !a.passwordTagged(*user, tag) {
		return ""
	}
	return id
}

// unlocked begins the ids of devices on which a mailed link has lifted the limit.
const unlocked = "unlocked-"

// UnlockLink checks a link that Unlock uses up. Errors: as those of Unlock.
func (a *Accounts) UnlockLink(ctx context.Context, token string) error {
	_, err := a.linkUser(ctx, mail.Unlock, token, nil)
	return err
}

// Unlock uses up a link that lifts the limit of attempts to sign in. It returns what the
// browser keeps for the next 15 minutes instead of what it kept before: it then has counts
// of its own, like a known device. It still needs the password and the second factor, and its
// user gets the mail about a new device. Errors: KindNotFound for a link that was used, has
// expired or never existed.
func (a *Accounts) Unlock(ctx context.Context, token string) (ticket string, err error) {
	user, err := a.linkUser(ctx, mail.Unlock, token, nil)
	if err != nil {
		return "", err
	}
	return a.secret.Ticket("device", unlocked+newDevice()+" "+a.passwordTag(user),
		unlockLife), models.Wrap(useLink(a.db(ctx), token))
}

// passwordTag identifies a user with the present password.
func (a *Accounts) passwordTag(user User) string { return a.secret.Sign("device owner", user.owner()) }

func (a *Accounts) passwordTagged(user User, tag string) bool {
	return a.secret.Signed("device owner", user.owner(), tag)
}

func (u User) owner() string {
	if u.PasswordHash == nil {
		return u.ID.String()
	}
	return u.ID.String() + " " + *u.PasswordHash
}
