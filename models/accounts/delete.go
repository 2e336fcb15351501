package accounts

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/erasures"
	"dispo/models/keys"
	"dispo/models/mail"
	"dispo/models/terms"
)

// UserDelete deletes a user as DeleteUser does, for the operator, and notes that before, as
// erasures.Noted does. Errors: KindInvalid, KindNotFound, and KindConflict for an
// organization's last owner.
func (a *Accounts) UserDelete(ctx context.Context, email string) error {
	user, err := a.knownUser(ctx, email)
	if err != nil {
		return err
	}
	db := a.db(database.WithOperator(ctx))
	if err := db.Transaction(func(tx *gorm.DB) error { return refuseLastOwner(tx, user) }); err != nil {
		return models.Wrap(err)
	}
	return erasures.Noted(ctx, a.store, erasures.User, user.ID, func() error {
		return models.Wrap(db.Transaction(func(tx *gorm.DB) error {
			if err := refuseLastOwner(tx, user); err != nil {
				return err
			}
			return deleteUser(tx, user)
		}))
	})
}

// DeleteUser deletes a user over the operator's connections: the account, memberships,
// sessions, links, invitations and mails. Audit logs name a deleted user instead. Keys that
// the user made go on working. It does nothing if there is no such user.
func DeleteUser(ctx context.Context, s *models.Store, id uuid.UUID) error {
	return models.Wrap(s.DB().GORM(database.WithOperator(ctx)).Transaction(func(tx *gorm.DB) error {
		var found []User
		if err := tx.Where("id = ?", id).Find(&found).Error; err != nil || len(found) == 0 {
			return err
		}
		return deleteUser(tx, found[0])
	}))
}

// refuseLastOwner refuses to delete the only owner of an organization. It locks the
// memberships that count.
func refuseLastOwner(tx *gorm.DB, user User) error {
	owned := func(by string) *gorm.DB {
		return tx.Model(&models.Member{}).
			Select("organization_id").
			Where("role = ? AND user_id "+by+" ?", terms.Owner, user.ID)
	}
	if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("role = ? AND organization_id IN (?)", terms.Owner, owned("=")).
		Order("organization_id, user_id").
		Find(&[]models.Member{}).Error; err != nil {
		return err
	}
	var slugs []string
	err := tx.Model(&models.Organization{}).
		Where("id IN (?) AND id NOT IN (?) AND deletion_started_at IS NULL", owned("="), owned("<>")).
		Order("slug").
		Pluck("slug", &slugs).Error
	if err != nil || len(slugs) == 0 {
		return err
	}
	return models.NewError(
		models.KindConflict,
		fmt.Sprintf(
			"%s is the last owner of %s: make somebody else an owner first, such as with `dispo user create EMAIL --organization %s --role owner`, or delete the organization",
			user.Email,
			strings.Join(slugs, " and "),
			slugs[0],
		),
	)
}

// deleteUser deletes the user, and takes the address out of what stays. It locks the user,
// so that nobody adds rows that refer to it.
func deleteUser(tx *gorm.DB, user User) error {
	if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", user.ID).Find(&[]User{}).Error; err != nil {
		return err
	}
	if err := noteEverywhere(tx, user.ID, models.OperatorActor, models.ActionUserDeleted, ""); err != nil {
		return err
	}
	if err := forgetNotificationAddress(tx, user.Email); err != nil {
		return err
	}
	without := func(column string) any { return gorm.Expr("without_email("+column+", ?)", user.Email) }
	for _, change := range []*gorm.DB{
		tx.Where("user_id = ?", user.ID).Delete(&sessionRow{}),
		tx.Where("user_id = ?", user.ID).Delete(&recoveryCode{}),
		tx.Where("user_id = ?", user.ID).Delete(&ProviderLink{}),
		tx.Where("user_id = ?", user.ID).Delete(&passwordLink{}),
		tx.Where("email = ?", user.Email).Delete(&passwordRequest{}),
		tx.Where("subject <> without_email(subject, ?)", user.Email).Delete(&failureCount{}),
		tx.Where("email = ? OR invited_by = ?", user.Email, user.ID).Delete(&Invitation{}),
		tx.Where("user_id = ?", user.ID).Delete(&models.Member{}),
		tx.Where("user_id = ? OR recipient = ?", user.ID, user.Email).Delete(&mail.Mail{}),
		tx.Model(&mail.Mail{}).Where("strpos(details::text, ?) > 0", user.Email).
			Update("details", gorm.Expr("(SELECT jsonb_object_agg(key, without_email(value, ?)) FROM jsonb_each_text(details))", user.Email)),
		tx.Model(&keys.Key{}).Where("strpos(lower(name || ' ' || note), ?) > 0", user.Email).
			Updates(map[string]any{"name": without("name"), "note": without("note")}),
		tx.Exec(`SELECT audit_log_forget(?, ?)`, user.ID, user.Email),
		tx.Delete(&User{}, "id = ?", user.ID),
	} {
		if change.Error != nil {
			return change.Error
		}
	}
	return nil
}

// forgetNotificationAddress empties the notification addresses that are the user's, and
// notes it: these organizations get no more mails there.
func forgetNotificationAddress(tx *gorm.DB, email string) error {
	var changed []models.Organization
	err := tx.Model(&changed).
		Clauses(clause.Returning{}).
		Where("notification_address = ?", email).
		Update("notification_address", "").Error
	for _, organization := range changed {
		if err == nil {
			err = tx.Create(&models.AuditEntry{
				OrganizationID: organization.ID,
				ID:             database.NewID(),
				UserEmail:      models.OperatorActor.Email,
				Action:         models.ActionOrganizationEdit,
				Subject:        "notification address from " + models.DeletedUser + " to none",
				Address:        models.OperatorActor.Address,
			}).Error
		}
	}
	return err
}
