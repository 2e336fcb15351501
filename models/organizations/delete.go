package organizations

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/erasures"
)

// batch is how many rows a transaction deletes. Imports wait for it.
const batch = 10_000

// Delete deletes an organization as DeleteOrganization does, for the operator. Before that,
// it is logged, and noted as erasures.Noted does. It returns the addresses of its users who belong to no
// other organization: they stay.
func Delete(
	ctx context.Context, s *models.Store, organization models.Organization, log *slog.Logger,
) (users []string, err error) {
	if users, err = onlyHere(ctx, s, organization.ID); err != nil {
		return nil, err
	}
	if organization.DeletionStartedAt == nil {
		if err := erasures.Noted(
			ctx,
			s,
			erasures.Organization,
			organization.ID,
			func() error { return StartDeletion(ctx, s.Tenant(organization.ID)) },
		); err != nil {
			return nil, err
		}
	}
	log.Info("deleting an organization", "organization", organization.Slug, "id", organization.ID,
		"companies", organization.CompanyCount)
	if err := DeleteOrganization(ctx, s, organization.ID); err != nil {
		return nil, fmt.Errorf("%s is not deleted completely (run the command again): %w", organization.Slug, err)
	}
	return users, nil
}

// onlyHere returns the addresses of the members who are members of no other organization.
func onlyHere(ctx context.Context, s *models.Store, id uuid.UUID) (users []string, err error) {
	db := s.DB().GORM(database.WithOperator(ctx))
	elsewhere := db.Model(&models.Member{}).Select("user_id").Where("organization_id <> ?", id)
	only := db.Model(&models.Member{}).Select("user_id").Where("organization_id = ? AND user_id NOT IN (?)", id, elsewhere)
	err = db.Table("users").Where("id IN (?)", only).Order("email").Pluck("email", &users).Error
	return users, models.Wrap(err)
}

// DeleteOrganization deletes an organization with all that it has, over the operator's
// connections. Its keys are refused at once, and its members cannot work in it. Then its rows
// go in short transactions, its own last. If that is interrupted, the next call goes on. It
// does nothing if there is no such organization.
func DeleteOrganization(ctx context.Context, s *models.Store, id uuid.UUID) error {
	if err := StartDeletion(ctx, s.Tenant(id)); err != nil {
		return err
	}
	reached := ""
	for {
		erased, err := erase(ctx, s, id, batch, &reached)
		if err != nil || erased == 0 {
			return models.Wrap(err)
		}
	}
}

// erase deletes up to most of the organization's rows, after the one that it reached the last
// time; "" for none. It takes the locks of an import, in its order, so that none is in the
// middle of something, and locks the organization, so that nobody adds rows that refer to it.
func erase(ctx context.Context, s *models.Store, id uuid.UUID, most int64, reached *string) (erased int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	err = s.DB().GORM(database.WithOperator(ctx)).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`LOCK TABLE deliveries IN EXCLUSIVE MODE`).Error; err != nil {
			return err
		}
		lock := clause.Locking{Strength: "UPDATE"}
		if err := tx.Clauses(lock).Where("organization_id = ?", id).Find(&[]models.Writer{}).Error; err != nil {
			return err
		}
		if err := tx.Clauses(lock).Where("id = ?", id).Find(&[]models.Organization{}).Error; err != nil {
			return err
		}
		return tx.Raw(`SELECT erased, coalesce(reached::text, '') FROM organization_erase(?, ?, CAST(nullif(?, '') AS jsonb))`, id, most, *reached).
			Row().
			Scan(&erased, reached)
	})
	return erased, err
}
