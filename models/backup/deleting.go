package backup

import (
	"context"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
)

// tellDeleting tells the target what is about to be deleted.
func tellDeleting(ctx context.Context, s *models.Store, target Target) error {
	var erased []uuid.UUID // ids are nobody else's, so their kinds do not matter
	for _, e := range target.Erased {
		erased = append(erased, e.ID)
	}
	var organizations, users []string
	db := s.DB().GORM(database.WithOperator(ctx))
	if err := db.Model(&models.Organization{}).Where("id IN ?", erased).Order("slug").Pluck("slug", &organizations).Error; err != nil {
		return models.Wrap(err)
	}
	if err := db.Model(&accounts.User{}).Where("id IN ?", erased).Order("email").Pluck("email", &users).Error; err != nil {
		return models.Wrap(err)
	}
	if target.Deleting != nil {
		target.Deleting(organizations, users)
	}
	return nil
}
