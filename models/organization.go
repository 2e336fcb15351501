package models

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
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
	CreatedAt    time.Time `gorm:"default:clock_timestamp()"`
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
	// TellOfLeaks means that a key which is reported as leaked is not revoked: owners and admins
	// are only told.
	TellOfLeaks bool
	Limits
	// TimeZone is the IANA name of the zone in which its days begin and end.
	TimeZone string `gorm:"default:Europe/Copenhagen"`
	// NotificationAddress gets the mails that owners and admins get. Empty for none.
	NotificationAddress string
	// ExpectedBy is by when, in TimeZone, a delivery is expected on bank days: HH:MM, or
	// empty for not at all. Only times after ExpectedSince count.
	ExpectedBy    string
	ExpectedSince time.Time `gorm:"default:clock_timestamp()"`
}

// Limits are the requests that an organization may make in a minute and in an hour, where
// the operator has set them. 0 means as many as the service's settings allow.
type Limits struct{ LimitMinute, LimitHour int64 }

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
	TellOfLeaks         bool   // see Organization
}

// Settings returns the organization's settings.
func (t Tenant) Settings(ctx context.Context) (OrganizationSettings, error) {
	var settings OrganizationSettings
	err := t.DB(ctx).Model(&Organization{}).Take(&settings).Error
	return settings, Wrap(err)
}
