// Package accounts holds the people who use the dashboard: users, their
// memberships and invitations, their sessions, how they sign in, and their second
// factor.
package accounts

import (
	"context"
	"crypto/rand"
	"encoding/base64"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/accounts/password"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/secrets"
)

// Accounts reads and changes users and their sessions. It is safe for concurrent use.
type Accounts struct {
	store     *models.Store
	secret    secrets.Secret
	passwords *password.Hasher

	requireFactor bool // see RequireSecondFactor
}

// New returns the accounts in the store.
func New(store *models.Store) *Accounts {
	return &Accounts{store: store, secret: store.Secret(), passwords: password.NewHasher()}
}

// db returns a GORM session for the rows that belong to no organization: users,
// sessions, password links and recovery codes.
func (a *Accounts) db(ctx context.Context) *gorm.DB { return a.store.DB().GORM(ctx) }

// memberships lists a user's organizations by name. It crosses organizations on
// purpose, by a function that returns this one user's.
func (a *Accounts) memberships(ctx context.Context, userID uuid.UUID) ([]Membership, error) {
	var memberships []Membership
	err := a.db(ctx).Raw(`SELECT * FROM organizations_of_user(?)`, userID).Scan(&memberships).Error
	sortMemberships(memberships)
	return memberships, models.Wrap(err)
}

func sortMemberships(memberships []Membership) {
	i18n.SortNames(memberships, func(m Membership) string { return m.Name })
}

// noteEverywhere notes what concerns a user, and no organization more than another, in
// the audit logs of all of the user's organizations, in the transaction of what it
// records.
func noteEverywhere(tx *gorm.DB, userID uuid.UUID, actor models.Actor, action, subject string) error {
	return tx.Exec(`SELECT audit_log_everywhere(?, ?, ?, ?, ?, ?, ?)`,
		userID, database.NewID(), actor.UserID, actor.Email, action, subject, actor.Address).Error
}

// concerned returns the error of a change, or notFound if it changed no row.
func concerned(changed *gorm.DB, notFound error) error {
	if changed.Error == nil && changed.RowsAffected == 0 {
		return notFound
	}
	return changed.Error
}

// newToken returns a random token and the hash under which it is stored.
func newToken() (token string, hash []byte) {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails: without random numbers the program ends
	token = base64.RawURLEncoding.EncodeToString(random)
	return token, secrets.TokenHash(token)
}
