package models

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Organization is a customer of the service: its companies, transactions, keys
// and people are its own.
type Organization struct {
	ID           uuid.UUID
	Slug         string // lower-case letters, digits and hyphens, 1 to 63
	Name         string
	CompanyCount int64 `gorm:"->"` // kept by the database
	CreatedAt    time.Time
}

var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// OrganizationCreate makes an organization. Errors: KindInvalid, KindConflict
// where the slug is taken.
func (s *Store) OrganizationCreate(ctx context.Context, name, slug string) (Organization, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return Organization{}, NewError(KindInvalid, "an organization needs a name")
	}
	if !slugForm.MatchString(slug) {
		return Organization{}, NewError(KindInvalid, fmt.Sprintf("%q can't be a slug: expected 1 to 63 lower-case letters, digits and hyphens, such as nordlys", slug))
	}
	organization := Organization{ID: newID(), Slug: slug, Name: name}
	err := wrap(s.db.WithContext(ctx).Create(&organization).Error)
	if ErrorKind(err) == KindConflict {
		err = NewError(KindConflict, fmt.Sprintf("there is an organization %q already", slug))
	}
	return organization, err
}

// Organizations lists every organization by slug: for the operator.
func (s *Store) Organizations(ctx context.Context) ([]Organization, error) {
	var organizations []Organization
	err := s.db.WithContext(ctx).Order("slug").Find(&organizations).Error
	return organizations, wrap(err)
}

// OrganizationBySlug finds an organization: for the operator. Errors:
// KindNotFound, with a message that says how to list them.
func (s *Store) OrganizationBySlug(ctx context.Context, slug string) (Organization, error) {
	var organization Organization
	err := wrap(s.db.WithContext(ctx).Where("slug = ?", slug).Take(&organization).Error)
	if ErrorKind(err) == KindNotFound {
		err = NewError(KindNotFound, fmt.Sprintf("there is no organization %q: `dispo organization list` shows those there are", slug))
	}
	return organization, err
}
