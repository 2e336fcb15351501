package models

import (
	"time"

	"github.com/google/uuid"
)

// Company is a company associated with an organization.
type Company struct {
	OrganizationID        uuid.UUID
	ID                    uuid.UUID
	CVR                   string // 8 digits
	Name                  string
	Address               *string
	StartDate             time.Time // a day
	EndDate               time.Time // a day; 9999-12-31 if open-ended
	Status                string    // one of terms.Statuses
	SenderRegNumber       *string   // 4 digits
	SenderAccountNumber   *string   // up to 10 digits
	ReceiverRegNumber     *string
	ReceiverAccountNumber *string
	DefaultAmountCents    *int64
	TransactionCount      int64     `gorm:"->"` // kept by the database, like the sum of the transactions' amounts
	CreatedAt             time.Time `gorm:"->"`
	UpdatedAt             time.Time `gorm:"->"`
}

// CompanyNotFound is the error that says that the organization has no company with that CVR.
func CompanyNotFound(cvr string) error {
	return NewError(KindCompanyNotFound, "No company with the CVR {cvr} is associated with your organization.", "cvr", cvr)
}
