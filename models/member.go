package models

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models/terms"
)

// Member is a user's membership in an organization.
type Member struct {
	OrganizationID uuid.UUID
	UserID         uuid.UUID
	Role           terms.Role
	CreatedAt      time.Time `gorm:"default:clock_timestamp()"`
}

// TableName is the members' table.
func (Member) TableName() string { return "memberships" }

// Manage runs f in one transaction on the organization's rows, for a change that only
// owners and admins may make. It first locks the actor's membership, so f can rely on
// the role: a demotion that has committed counts, and a later one waits until the
// change is done. The operator acts as an owner. Errors: KindForbidden.
func (t Tenant) Manage(ctx context.Context, f func(tx *gorm.DB, actor terms.Role) error) error {
	return t.Write(ctx, func(tx *gorm.DB) error {
		actor, err := t.lockActor(tx)
		switch {
		case err != nil:
			return err
		case actor != terms.Owner && actor != terms.Admin:
			return ErrNotAllowed
		}
		return f(tx, actor)
	})
}

// lockActor returns the actor's role, or "" if the actor is not a member.
func (t Tenant) lockActor(tx *gorm.DB) (terms.Role, error) {
	if t.actor == OperatorActor {
		return terms.Owner, nil
	}
	var found []Member
	err := tx.Clauses(clause.Locking{Strength: "SHARE"}).Where("user_id = ?", t.actor.UserID).Find(&found).Error
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0].Role, nil
}

// ErrNotAllowed refuses a change that the actor's role does not allow.
var ErrNotAllowed = NewError(KindForbidden, "You don’t have permission to do that. Ask an owner of the organization.")
