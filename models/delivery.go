package models

import (
	"time"

	"github.com/google/uuid"
)

// Delivery is a delivery as the operator knows it: one file of the card network,
// whatever number of organizations have records of it. Organizations never see it.
type Delivery struct {
	ID              uuid.UUID
	Number          int64 `gorm:"->"` // in the order of the imports
	Filename        string
	Layout          string
	RecordsSHA256   []byte `gorm:"column:records_sha256"` // of the parsed records; nil for a delivery from before it was kept
	RecordCount     int64  // of the whole file
	TotalAmountDKK  string `gorm:"column:total_amount_dkk"` // of the whole file; decimal, with two decimals
	FirstDate       *time.Time
	LastDate        *time.Time
	CreatedAt       time.Time `gorm:"->"`
	WithdrawnAt     *time.Time
	WithdrawnReason *string
	Sandbox         bool // made up, for a sandbox
}

// DeliveryName is one of the names by which a delivery says what it is.
type DeliveryName struct {
	DeliveryID uuid.UUID
	Position   int
	Name       string
}

// DeliveryBytes is a file that was recognized as a delivery.
type DeliveryBytes struct {
	SHA256     []byte `gorm:"column:sha256"`
	DeliveryID uuid.UUID
}

// TableName is the files' table.
func (DeliveryBytes) TableName() string { return "delivery_bytes" }

// DeliveryWithdrawal says that a delivery was withdrawn from one organization, so
// that a backfill does not bring it back.
type DeliveryWithdrawal struct {
	OrganizationID uuid.UUID
	DeliveryID     uuid.UUID
	Reason         string
	CreatedAt      time.Time `gorm:"->"`
}
