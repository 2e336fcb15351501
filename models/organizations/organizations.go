// Package organizations creates, changes, suspends, exports and deletes organizations.
package organizations

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// ReservedSlugs are those that mean something else in the path /sign-in/SLUG.
var ReservedSlugs = []string{"link", "return", "second-factor"}

var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// Create creates an organization. Errors: KindInvalid, and KindConflict
// if the slug is taken.
func Create(ctx context.Context, s *models.Store, name, slug string) (models.Organization, error) {
	return create(ctx, s, name, slug, nil)
}

// CreateSandbox creates a sandbox, whose data begins on the given day. Package sandbox
// adds the data. Errors: as for Create.
func CreateSandbox(
	ctx context.Context, s *models.Store, name, slug string, first time.Time,
) (models.Organization, error) {
	before := first.AddDate(0, 0, -1)
	return create(ctx, s, name, slug, &before)
}

func create(
	ctx context.Context, s *models.Store, name, slug string, sandboxDay *time.Time,
) (models.Organization, error) {
	name = strings.TrimSpace(name)
	if err := checkName(name); err != nil {
		return models.Organization{}, err
	}
	if slices.Contains(ReservedSlugs, slug) {
		return models.Organization{}, models.NewError(models.KindInvalid,
			fmt.Sprintf("the slug %q is reserved: choose another one", slug))
	}
	if !slugForm.MatchString(slug) {
		return models.Organization{}, models.NewError(
			models.KindInvalid,
			fmt.Sprintf("%q is not a valid slug: expected 1 to 63 lower-case letters, digits and hyphens, such as nordlys",
				slug),
		)
	}
	organization := models.Organization{
		ID:         database.NewID(),
		Slug:       slug,
		Name:       name,
		Sandbox:    sandboxDay != nil,
		SandboxDay: sandboxDay,
	}
	err := models.Wrap(s.DB().GORM(database.WithOperator(ctx)).Create(&organization).Error)
	if models.ErrorKind(err) == models.KindConflict {
		err = models.NewError(models.KindConflict, fmt.Sprintf("an organization with the slug %q already exists", slug))
	}
	return organization, err
}

// checkName reports why a name must not be used. Errors: KindInvalid.
func checkName(name string) error {
	switch fault := models.NameFault(name); {
	case name == "":
		return models.NewError(models.KindInvalid, "An organization needs a name.")
	case len([]rune(name)) > models.NameLength:
		return models.NewError(models.KindInvalid, "An organization's name can have at most {most} characters.", "most",
			models.NameLength)
	case fault.English != "":
		return models.NewError(models.KindInvalid, "An organization's name {fault}.", "fault", fault)
	}
	return nil
}

// List lists every organization by slug, for the operator.
func List(ctx context.Context, s *models.Store) ([]models.Organization, error) {
	return models.Find[models.Organization](s.DB().GORM(database.WithOperator(ctx)).Order("slug"))
}

// BySlug finds an organization, for the operator. Errors: KindNotFound, and
// KindConflict for one that is being deleted.
func BySlug(ctx context.Context, s *models.Store, slug string) (models.Organization, error) {
	organization, err := ToDelete(ctx, s, slug)
	if err == nil && organization.DeletionStartedAt != nil {
		err = models.NewError(models.KindConflict,
			fmt.Sprintf("%s is being deleted: finish that with `dispo organization delete %s --confirm %s`", slug, slug, slug))
	}
	return organization, err
}

// ToDelete is like BySlug, but also returns an organization that is being deleted.
func ToDelete(ctx context.Context, s *models.Store, slug string) (models.Organization, error) {
	var organization models.Organization
	err := s.DB().GORM(database.WithOperator(ctx)).Where("slug = ?", slug).Take(&organization).Error
	return organization, models.WrapFound(
		err,
		models.NewError(models.KindNotFound,
			fmt.Sprintf("there is no organization %q: `dispo organization list` lists them all", slug)),
	)
}

// RenewHistory begins another history of the data of the organization with the slug, or of
// every organization if it is empty, because the data may have gone back in time: clients copy
// it again. Ids and versions from then on are greater than all before, also than lost ones. It
// waits for imports, and every instance knows within a second. It returns the number of
// organizations. Errors: as for BySlug.
func RenewHistory(ctx context.Context, s *models.Store, slug string) (renewed int64, err error) {
	organizations, err := List(ctx, s)
	if slug != "" {
		organizations = make([]models.Organization, 1)
		organizations[0], err = BySlug(ctx, s, slug)
	}
	if err != nil {
		return 0, err
	}
	for _, o := range organizations {
		t := s.Tenant(o.ID)
		if err := t.Write(ctx, func(tx *gorm.DB) error {
			if err := tx.Exec("SELECT history_renew(?)", o.ID).Error; err != nil {
				return err
			}
			return t.Note(tx, models.ActionHistoryRenewed, "")
		}); err != nil {
			return 0, err
		}
	}
	return int64(len(organizations)), nil
}
