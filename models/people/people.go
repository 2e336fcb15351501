// Package people holds the people who use the dashboard: users, their
// memberships and invitations, their sessions, how they sign in, and their second
// factor.
package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
)

// People gives access to the people. It is safe for concurrent use.
type People struct {
	store   *models.Store
	secret  models.Secret
	bcrypts chan struct{} // one place for each password that may be checked at once
}

// New returns the store's people.
func New(store *models.Store) *People {
	return &People{store: store, secret: store.Secret(), bcrypts: make(chan struct{}, 1)}
}

// db returns a GORM session for the rows that belong to no organization: users,
// sessions, password links and recovery codes.
func (p *People) db(ctx context.Context) *gorm.DB { return p.store.DB().GORM(ctx) }

// memberships lists a user's organizations by name. It crosses organizations on
// purpose, by a function that returns this one user's.
func (p *People) memberships(ctx context.Context, userID uuid.UUID) ([]Membership, error) {
	var memberships []Membership
	err := p.db(ctx).Raw(`SELECT * FROM user_memberships(?)`, userID).Scan(&memberships).Error
	return memberships, models.Wrap(err)
}

// noteEverywhere notes what concerns a user, and no organization more than another,
// in the audit logs of all of the user's organizations.
func (p *People) noteEverywhere(ctx context.Context, userID uuid.UUID, actor models.Actor, action, subject string) error {
	memberships, err := p.memberships(ctx, userID)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		tenant := p.store.Tenant(m.OrganizationID).As(actor)
		if err := tenant.Change(ctx, func(tx *gorm.DB) error { return tenant.Note(tx, action, subject) }); err != nil {
			return err
		}
	}
	return nil
}

// newToken returns a random token and the hash under which it is stored.
func newToken() (token string, hash []byte) {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails: without random numbers the program ends
	token = base64.RawURLEncoding.EncodeToString(random)
	return token, tokenHash(token)
}

func tokenHash(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}
