package models

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models/database"
	"dispo/models/terms"
)

// Organization is a customer of the service. Its companies, transactions, keys and
// members are its own.
type Organization struct {
	ID           uuid.UUID `gorm:"tenant"`
	Slug         string    // 1 to 63 lower-case letters, digits and hyphens
	Name         string
	CompanyCount int64     `gorm:"->"` // kept by the database
	DataVersion  int64     `gorm:"->"` // moves with every change of companies or transactions
	History      uuid.UUID `gorm:"->"` // belongs to DataVersion: see Version
	LastID       uuid.UUID `gorm:"->"` // the highest id of its companies, delivery files, transactions and changes
	CreatedAt    time.Time
	// Sandbox means that its data is made up. An organization stays what it is.
	Sandbox bool
	// SandboxDay is the last day whose made-up data a sandbox has; nil for a real organization.
	SandboxDay *time.Time
	// SuspendedAt is when the operator suspended the organization: its keys are refused,
	// and its members cannot work in it. Nil if it is not suspended.
	SuspendedAt *time.Time
	// DeletionStartedAt is set while the organization is being deleted: some of its rows may
	// be gone.
	DeletionStartedAt *time.Time
	// RequireSecondFactor means that members need a second factor to work in it.
	RequireSecondFactor bool
	Limits
	// TimeZone is the IANA name of the zone in which its days begin and end.
	TimeZone string `gorm:"default:Europe/Copenhagen"`
	// NotificationAddress gets the mails that owners and admins get. Empty for none.
	NotificationAddress string
	// ExpectedBy is by when, in TimeZone, a delivery is expected on bank days: HH:MM, or
	// empty for not at all. Only times after ExpectedSince count.
	ExpectedBy    string
	ExpectedSince time.Time `gorm:"default:now()"`
}

// Limits are the requests that an organization may make in a minute and in an hour, where
// the operator has set them. 0 means as many as the service's settings allow.
type Limits struct{ LimitMinute, LimitHour int64 }

var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// OrganizationCreate creates an organization. Errors: KindInvalid, and KindConflict
// if the slug is taken.
func (s *Store) OrganizationCreate(ctx context.Context, name, slug string) (Organization, error) {
	return s.organizationCreate(ctx, name, slug, nil)
}

// SandboxCreate creates a sandbox, whose data begins on the given day. Package sandbox
// adds the data. Errors: as for OrganizationCreate.
func (s *Store) SandboxCreate(ctx context.Context, name, slug string, first time.Time) (Organization, error) {
	before := first.AddDate(0, 0, -1)
	return s.organizationCreate(ctx, name, slug, &before)
}

func (s *Store) organizationCreate(
	ctx context.Context,
	name, slug string,
	sandboxDay *time.Time,
) (Organization, error) {
	name = strings.TrimSpace(name)
	if err := checkOrganizationName(name); err != nil {
		return Organization{}, err
	}
	if !slugForm.MatchString(slug) {
		return Organization{}, NewError(
			KindInvalid,
			fmt.Sprintf(
				"%q is not a valid slug: expected 1 to 63 lower-case letters, digits and hyphens, such as nordlys",
				slug,
			),
		)
	}
	organization := Organization{
		ID:         database.NewID(),
		Slug:       slug,
		Name:       name,
		Sandbox:    sandboxDay != nil,
		SandboxDay: sandboxDay,
	}
	err := Wrap(s.db.GORM(database.WithOperator(ctx)).Create(&organization).Error)
	if ErrorKind(err) == KindConflict {
		err = NewError(KindConflict, fmt.Sprintf("an organization with the slug %q already exists", slug))
	}
	return organization, err
}

// checkOrganizationName reports why a name must not be used. Errors: KindInvalid.
func checkOrganizationName(name string) error {
	switch fault := NameFault(name); {
	case name == "":
		return NewError(KindInvalid, "An organization needs a name.")
	case len([]rune(name)) > NameLength:
		return NewError(KindInvalid, "An organization's name can have at most {most} characters.", "most", NameLength)
	case fault.English != "":
		return NewError(KindInvalid, "An organization's name {fault}.", "fault", fault)
	}
	return nil
}

// Sandbox reports whether the organization is a sandbox.
func (t Tenant) Sandbox(ctx context.Context) (bool, error) {
	var organization Organization
	err := t.DB(ctx).Select("sandbox").Take(&organization).Error
	return organization.Sandbox, Wrap(err)
}

// OrganizationSettings are the settings of an organization that its owners and admins
// change.
type OrganizationSettings struct {
	Name                string
	TimeZone            string // an IANA name
	NotificationAddress string // an e-mail address, or empty
	ExpectedBy          string // HH:MM, or empty
}

// Settings returns the organization's settings.
func (t Tenant) Settings(ctx context.Context) (OrganizationSettings, error) {
	var settings OrganizationSettings
	err := t.DB(ctx).Model(&Organization{}).Take(&settings).Error
	return settings, Wrap(err)
}

// ReadExpectedBy returns a time of day as HH:MM, or "" for empty text. Errors: KindInvalid.
func ReadExpectedBy(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", nil
	}
	at, err := time.Parse("15:04", strings.Replace(text, ".", ":", 1))
	if err != nil {
		return "", NewError(KindInvalid, "{text} is not a time of day. Type one such as 10:00.", "text", strconv.Quote(text))
	}
	return at.Format("15:04"), nil
}

// OrganizationChange changes the organization's settings, and notes what has changed.
// Errors: KindInvalid, KindForbidden.
func (t Tenant) OrganizationChange(ctx context.Context, to OrganizationSettings) error {
	name, timeZone := strings.TrimSpace(to.Name), to.TimeZone
	if err := checkOrganizationName(name); err != nil {
		return err
	}
	if err := t.CheckZone(ctx, timeZone); err != nil {
		return err
	}
	address, err := ReadNotificationAddress(to.NotificationAddress)
	if err != nil {
		return err
	}
	expectedBy, err := ReadExpectedBy(to.ExpectedBy)
	if err != nil {
		return err
	}
	return t.Manage(ctx, func(tx *gorm.DB, _ terms.Role) error {
		var before Organization
		if err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Take(&before).Error; err != nil {
			return err
		}
		var changes []string
		if before.Name != name {
			changes = append(changes, fmt.Sprintf("name from %s to %s", before.Name, name))
		}
		if before.TimeZone != timeZone {
			changes = append(changes, fmt.Sprintf("time zone from %s to %s", before.TimeZone, timeZone))
		}
		since := before.ExpectedSince
		if before.ExpectedBy != expectedBy {
			changes = append(
				changes,
				fmt.Sprintf("delivery time from %s to %s", cmp.Or(before.ExpectedBy, "none"), cmp.Or(expectedBy, "none")),
			)
		}
		if before.ExpectedBy != expectedBy || before.TimeZone != timeZone {
			since = tx.NowFunc() // a time that has passed is not late all at once
		}
		if before.NotificationAddress != address {
			changes = append(
				changes,
				fmt.Sprintf(
					"notification address from %s to %s",
					cmp.Or(before.NotificationAddress, "none"),
					cmp.Or(address, "none"),
				),
			)
		}
		if len(changes) == 0 {
			return nil
		}
		if err := tx.Model(&Organization{}).
			Updates(map[string]any{"name": name, "time_zone": timeZone, "notification_address": address, "expected_by": expectedBy, "expected_since": since}).
			Error; err != nil {
			return err
		}
		return t.Note(tx, ActionOrganizationEdit, strings.Join(changes, ", "))
	})
}

// Organizations lists every organization by slug, for the operator.
func (s *Store) Organizations(ctx context.Context) ([]Organization, error) {
	return Find[Organization](s.db.GORM(database.WithOperator(ctx)).Order("slug"))
}

// OrganizationBySlug finds an organization, for the operator. Errors: KindNotFound, and
// KindConflict for one that is being deleted.
func (s *Store) OrganizationBySlug(ctx context.Context, slug string) (Organization, error) {
	organization, err := s.OrganizationToDelete(ctx, slug)
	if err == nil && organization.DeletionStartedAt != nil {
		err = NewError(
			KindConflict,
			fmt.Sprintf("%s is being deleted: finish that with `dispo organization delete %s --confirm %s`", slug, slug, slug),
		)
	}
	return organization, err
}

// OrganizationToDelete is OrganizationBySlug, also for one that is being deleted.
func (s *Store) OrganizationToDelete(ctx context.Context, slug string) (Organization, error) {
	var organization Organization
	err := s.db.GORM(database.WithOperator(ctx)).Where("slug = ?", slug).Take(&organization).Error
	return organization, WrapFound(
		err,
		NewError(KindNotFound, fmt.Sprintf("there is no organization %q: `dispo organization list` lists them all", slug)),
	)
}

// Suspend suspends the organization: every instance refuses its keys within a second,
// and its members cannot work in it. A suspended one stays as it is.
func (t Tenant) Suspend(ctx context.Context) error {
	return t.suspended(ctx, "suspended_at IS NULL", map[string]any{"suspended_at": time.Now()}, ActionSuspended)
}

// Resume ends a suspension. Without one, it does nothing.
func (t Tenant) Resume(ctx context.Context) error {
	return t.suspended(
		ctx,
		"suspended_at IS NOT NULL AND deletion_started_at IS NULL",
		map[string]any{"suspended_at": nil},
		ActionResumed,
	)
}

// StartDeletion suspends the organization for good, because its rows are about to be
// deleted. It does nothing if they are already, or if there is no such organization.
func (t Tenant) StartDeletion(ctx context.Context) error {
	return t.suspended(
		ctx,
		"deletion_started_at IS NULL",
		map[string]any{
			"suspended_at":        gorm.Expr("coalesce(suspended_at, now())"),
			"deletion_started_at": time.Now(),
		},
		ActionSuspended,
	)
}

func (t Tenant) suspended(ctx context.Context, from string, to map[string]any, action string) error {
	return t.Write(ctx, func(tx *gorm.DB) error {
		changed := tx.Model(&Organization{}).Where(from).Updates(to)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		if err := dropKeys(tx); err != nil {
			return err
		}
		return t.Note(tx, action, "")
	})
}

// dropKeys makes every instance drop what it remembers of the organization's keys.
func dropKeys(tx *gorm.DB) error {
	return tx.Model(&APIKey{}).Pluck("pg_notify('dispo', 'key ' || id)", &[]string{}).Error
}

// Limit changes the organization's own limits, and returns them. Every instance knows them
// within a second. What was counted before still counts.
func (t Tenant) Limit(ctx context.Context, change func(*Limits)) (own Limits, err error) {
	err = t.Write(ctx, func(tx *gorm.DB) error {
		var organization Organization
		if err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Take(&organization).Error; err != nil {
			return err
		}
		own = organization.Limits
		if change(&own); own == organization.Limits {
			return nil
		}
		if err := tx.Model(&Organization{}).
			Updates(map[string]any{"limit_minute": own.LimitMinute, "limit_hour": own.LimitHour}).
			Error; err != nil {
			return err
		}
		if err := dropKeys(tx); err != nil {
			return err
		}
		return t.Note(tx, ActionLimited, own.Describe())
	})
	return own, err
}

// Describe returns the limits in words.
func (l Limits) Describe() string {
	figure := func(n int64) string {
		if n == 0 {
			return "default"
		}
		return strconv.FormatInt(n, 10)
	}
	return figure(l.LimitMinute) + " a minute, " + figure(l.LimitHour) + " an hour"
}

// RequireSecondFactor sets whether the organization's members need a second factor.
// Errors: KindForbidden, unless the actor is an owner.
func (t Tenant) RequireSecondFactor(ctx context.Context, required bool) error {
	action := ActionFactorOptional
	if required {
		action = ActionFactorRequired
	}
	return t.Manage(ctx, func(tx *gorm.DB, actor terms.Role) error {
		if actor != terms.Owner {
			return ErrNotAllowed
		}
		changed := tx.Model(&Organization{}).Where("require_second_factor <> ?", required).
			Update("require_second_factor", required)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		return t.Note(tx, action, "")
	})
}
