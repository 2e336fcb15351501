package models

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

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
	// SuspendedAt is when the operator suspended the organization: its keys are refused,
	// and its members cannot work in it. Nil if it is not suspended.
	SuspendedAt *time.Time
	// RequireSecondFactor means that members need a second factor to work in it.
	RequireSecondFactor bool
}

var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// OrganizationCreate creates an organization. Errors: KindInvalid, and KindConflict
// if the slug is taken.
func (s *Store) OrganizationCreate(ctx context.Context, name, slug string) (Organization, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return Organization{}, NewError(KindInvalid, "an organization needs a name")
	}
	if fault := nameFault(name); fault != "" {
		return Organization{}, NewError(KindInvalid, "an organization's name "+fault)
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

// Suspend suspends the organization: every instance refuses its keys within a second,
// and its members cannot work in it. A suspended one stays as it is.
func (t Tenant) Suspend(ctx context.Context) error {
	return t.suspended(ctx, "suspended_at IS NULL", time.Now(), ActionSuspended)
}

// Resume ends a suspension. Without one, it does nothing.
func (t Tenant) Resume(ctx context.Context) error {
	return t.suspended(ctx, "suspended_at IS NOT NULL", nil, ActionResumed)
}

func (t Tenant) suspended(ctx context.Context, from string, to any, action string) error {
	return t.Change(ctx, func(tx *gorm.DB) error {
		changed := tx.Model(&Organization{}).Where("id = ? AND "+from, t.organizationID).Update("suspended_at", to)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		return t.Note(tx, action, "")
	})
}

// RequireSecondFactor sets whether the organization's members need a second factor.
// Errors: KindForbidden, unless the actor is an owner.
func (t Tenant) RequireSecondFactor(ctx context.Context, required bool) error {
	action := ActionFactorOptional
	if required {
		action = ActionFactorRequired
	}
	return t.Manage(ctx, func(tx *gorm.DB, actor Role) error {
		if actor != RoleOwner {
			return ErrNotAllowed
		}
		changed := tx.Model(&Organization{}).Where("id = ? AND require_second_factor <> ?", t.organizationID, required).
			Update("require_second_factor", required)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		return t.Note(tx, action, "")
	})
}
