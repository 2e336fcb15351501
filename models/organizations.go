package models

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models/database"
)

// Organization is a customer of the service. Its companies, transactions, keys and
// members are its own.
type Organization struct {
	ID           uuid.UUID
	Slug         string // 1 to 63 lower-case letters, digits and hyphens
	Name         string
	CompanyCount int64     `gorm:"->"` // kept by the database
	DataVersion  int64     `gorm:"->"` // moves with every change of companies or transactions
	LastID       uuid.UUID `gorm:"->"` // the highest id of its companies, delivery files and transactions
	CreatedAt    time.Time
}

var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// OrganizationCreate creates an organization. Errors: KindInvalid, and KindConflict
// if the slug is taken.
func (s *Store) OrganizationCreate(ctx context.Context, name, slug string) (Organization, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return Organization{}, NewError(KindInvalid, "an organization needs a name")
	}
	if !slugForm.MatchString(slug) {
		return Organization{}, NewError(KindInvalid, fmt.Sprintf("%q is not a valid slug: expected 1 to 63 lower-case letters, digits and hyphens, such as nordlys", slug))
	}
	organization := Organization{ID: database.NewID(), Slug: slug, Name: name}
	err := Wrap(s.db.GORM(ctx).Create(&organization).Error)
	if ErrorKind(err) == KindConflict {
		err = NewError(KindConflict, fmt.Sprintf("an organization with the slug %q already exists", slug))
	}
	return organization, err
}

// Organizations lists every organization by slug, for the operator.
func (s *Store) Organizations(ctx context.Context) ([]Organization, error) {
	var organizations []Organization
	err := s.db.GORM(ctx).Order("slug").Find(&organizations).Error
	return organizations, Wrap(err)
}

// OrganizationBySlug finds an organization, for the operator. Errors: KindNotFound.
func (s *Store) OrganizationBySlug(ctx context.Context, slug string) (Organization, error) {
	var organization Organization
	err := Wrap(s.db.GORM(ctx).Where("slug = ?", slug).Take(&organization).Error)
	if ErrorKind(err) == KindNotFound {
		err = NewError(KindNotFound, fmt.Sprintf("there is no organization %q: `dispo organization list` lists them all", slug))
	}
	return organization, err
}
