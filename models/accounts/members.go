package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/mail"
	"dispo/models/terms"
)

// MemberDetail is a member with what people are shown beside it.
type MemberDetail struct {
	models.Member
	Email        string
	SecondFactor bool
	HasPassword  bool
	Disabled     bool
	ProvidedAt   *time.Time // when the member last came by the organization's provider; nil for never
}

// Members lists the organization's members by e-mail.
func Members(ctx context.Context, tenant models.Tenant) ([]MemberDetail, error) {
	return models.Find[MemberDetail](memberDetails(tenant.DB(ctx)).Order("u.email"))
}

func memberDetails(db *gorm.DB) *gorm.DB {
	return db.Model(&models.Member{}).
		Select("memberships.*, u.email, u.totp_secret IS NOT NULL AS second_factor, u.password_hash IS NOT NULL AS has_password, u.disabled_at IS NOT NULL AS disabled, l.used_at AS provided_at").
		Joins("JOIN (?) AS u ON u.id = memberships.user_id", usersIn(db)).
		Joins("LEFT JOIN (?) AS l ON l.user_id = memberships.user_id",
			db.Session(&gorm.Session{NewDB: true}).Model(&ProviderLink{}).Select("user_id, used_at"))
}

func usersIn(db *gorm.DB) *gorm.DB {
	return db.Session(&gorm.Session{NewDB: true}).
		Model(&User{}).
		Select("id, email, totp_secret, password_hash, disabled_at")
}

// ChangeRole changes a member's role, as the actor's own role allows. It withdraws the
// invitations that the member made, and returns how many. Errors: KindNotFound,
// KindForbidden, and KindConflict if the organization would have no owner left.
func ChangeRole(
	ctx context.Context, tenant models.Tenant, userID uuid.UUID, role terms.Role,
) (withdrawn int, err error) {
	err = changeMember(ctx, tenant, userID, func(tx *gorm.DB, actor terms.Role, member MemberDetail) error {
		if !actor.MayGive(role) || !actor.MayChange(member.Role) {
			return models.ErrNotAllowed
		}
		if err := tx.Model(&models.Member{}).Where("user_id = ?", userID).Update("role", role).Error; err != nil {
			return err
		}
		if role != member.Role {
			details := mail.Details{"member": member.Email, "old_role": string(member.Role), "role": string(role)}
			if err := tellOwners(tx, tenant, mail.MemberRole, &userID, details); err != nil {
				return err
			}
		}
		if withdrawn, err = revokeInvitationsBy(tx, tenant, userID); err != nil {
			return err
		}
		return tenant.Note(tx, models.ActionRoleChanged, fmt.Sprintf("%s: %s", member.Email, role))
	})
	return withdrawn, err
}

// RemoveMember removes a member from the organization, or lets one leave. The
// member's sessions there end with their next request, and the invitations that
// the member made end too. Errors: KindNotFound, KindForbidden, and KindConflict
// for the last owner.
func RemoveMember(ctx context.Context, tenant models.Tenant, userID uuid.UUID) error {
	return changeMember(ctx, tenant, userID, func(tx *gorm.DB, actor terms.Role, member MemberDetail) error {
		if !isActor(tenant, userID) && !actor.MayChange(member.Role) {
			return models.ErrNotAllowed
		}
		if err := tx.Where("user_id = ?", userID).Delete(&models.Member{}).Error; err != nil {
			return err
		}
		if err := tx.Where("user_id = ?", userID).Delete(&ProviderLink{}).Error; err != nil {
			return err
		}
		if _, err := revokeInvitationsBy(tx, tenant, userID); err != nil {
			return err
		}
		if err := tenant.Note(tx, models.ActionMemberRemoved, member.Email); err != nil {
			return err
		}
		return tellOwners(tx, tenant, mail.MemberRemoved, nil, mail.Details{"member": member.Email})
	})
}

// tellOwners writes the mails about a change of a membership, in its transaction: to those
// who are owners by then, and to the member whom it concerns, if any.
func tellOwners(tx *gorm.DB, tenant models.Tenant, kind mail.Kind, concerned *uuid.UUID, details mail.Details) error {
	if tenant.Actor() != models.OperatorActor {
		details["actor"] = tenant.Actor().Email
	}
	return mail.WriteToMembers(tx, tenant.OrganizationID(), kind, concerned, details)
}

var errNoMember = models.NewError(models.KindNotFound, "This person is not a member.")

func isActor(tenant models.Tenant, userID uuid.UUID) bool {
	actor := tenant.Actor().UserID
	return actor != nil && *actor == userID
}

// changeMember runs a change to a membership. Unlike Tenant.Manage, it locks all of
// the organization's memberships, in one order, because the member's role counts as
// well, and the last owner has to be seen. Members may also change themselves, so f
// decides. The operator acts as an owner.
func changeMember(
	ctx context.Context,
	tenant models.Tenant,
	userID uuid.UUID,
	f func(tx *gorm.DB, actor terms.Role, member MemberDetail) error,
) error {
	return tenant.Write(ctx, func(tx *gorm.DB) error {
		var members []MemberDetail
		lock := clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "memberships"}}
		if err := memberDetails(tx).Clauses(lock).Order("memberships.user_id").Find(&members).Error; err != nil {
			return err
		}
		var actor terms.Role
		if tenant.Actor() == models.OperatorActor {
			actor = terms.Owner
		}
		var wanted *MemberDetail
		for i, m := range members {
			if isActor(tenant, m.UserID) {
				actor = m.Role
			}
			if m.UserID == userID {
				wanted = &members[i]
			}
		}
		if wanted == nil {
			return errNoMember
		}
		if err := f(tx, actor, *wanted); err != nil || wanted.Role != terms.Owner {
			return err
		}
		var owners int64
		if err := tx.Model(&models.Member{}).Where("role = ?", terms.Owner).Count(&owners).Error; err != nil {
			return err
		}
		if owners == 0 {
			return models.NewError(models.KindConflict, "An organization needs an owner. Make someone else an owner first.")
		}
		if tenant.Actor() == models.OperatorActor || !wanted.wayIn() {
			return nil
		}
		return CheckWayIn(tx)
	})
}
