package models

import (
	"time"

	"github.com/google/uuid"
)

// DeliveryFile is a delivery file as one organization has it. The same file is
// another row in another organization, and a further row each time that more records
// of the delivery reach the organization.
type DeliveryFile struct {
	OrganizationID uuid.UUID
	ID             uuid.UUID
	DeliveryID     uuid.UUID // for the operator: organizations never see it
	LastID         uuid.UUID // of its records, whose ids follow its own
	Filename       string    // without its folder
	Layout         string
	RecordCount    int64      `gorm:"->"`                         // kept by the database
	TotalAmountDKK string     `gorm:"->;column:total_amount_dkk"` // kept by the database
	CreatedAt      time.Time  `gorm:"->"`
	ProcessedAt    *time.Time // when the import was completed
}

// Transaction is a disposition transaction: one record of a delivery file, which
// never changes.
type Transaction struct {
	OrganizationID  uuid.UUID
	ID              uuid.UUID
	DeliveryFileID  uuid.UUID
	RecordIndex     int64 // zero-based number of the record's line in the file
	CVR             string
	RegNumber       string
	AccountNumber   string
	TransferType    string
	DispositionDate time.Time // a day
	Count           int64
	AmountDKK       string `gorm:"column:amount_dkk"` // decimal, always with two decimals
	RawLine         string

	// Of the delivery file: a record arrives with its file.
	CreatedAt   time.Time  `gorm:"->"`
	Filename    string     `gorm:"->"`
	ProcessedAt *time.Time `gorm:"->"`
}

// WithdrawnFile is a delivery file that was withdrawn, as it was. Arrival describes the
// fields.
type WithdrawnFile struct {
	OrganizationID uuid.UUID
	ID             uuid.UUID
	Filename       string
	Layout         string
	RecordCount    int64
	TotalAmountDKK string `gorm:"column:total_amount_dkk"`
	FirstDate      *time.Time
	LastDate       *time.Time
	CreatedAt      *time.Time `gorm:"->"`
	WithdrawnAt    time.Time  `gorm:"->"`
	Reason         string
}

// ReasonAged is the reason of a delivery that was withdrawn because of its age.
const ReasonAged = "retention"

// DailyTotal is the number and sum of a company's transactions of a day and a transfer
// type, or of all companies' if its CVR is empty.
type DailyTotal struct {
	OrganizationID  uuid.UUID
	CVR             string
	DispositionDate time.Time
	TransferType    string
	Count           int64
	AmountDKK       string    `gorm:"column:amount_dkk"`
	FirstID         uuid.UUID // no transaction's id is less
	LastID          uuid.UUID // nor greater
}

// WithdrawnTotal is the number and sum of a company's transactions of a day that were
// withdrawn with a file, or of all companies' if its CVR is empty.
type WithdrawnTotal struct {
	OrganizationID  uuid.UUID
	CVR             string
	DispositionDate time.Time
	FileID          uuid.UUID
	Count           int64
	AmountDKK       string `gorm:"column:amount_dkk"`
}

// HeldRecord is a record that waits for a company.
type HeldRecord struct {
	OnlyOrganizationID uuid.UUID `gorm:"tenant"`
}

// Delivery is a delivery as the operator knows it: one file of the card network,
// for any number of organizations with records of it. Organizations never see it. Its JSON
// is that of `dispo delivery list`.
type Delivery struct {
	ID              uuid.UUID  `json:"id"`
	Number          int64      `json:"-" gorm:"->"` // in the order of the imports
	Filename        string     `json:"filename"`
	Layout          string     `json:"layout"`
	RecordsSHA256   []byte     `json:"-" gorm:"column:records_sha256"`                // of the parsed records; nil for a delivery from before it was kept
	RecordCount     int64      `json:"records"`                                       // of the whole file
	TotalAmountDKK  string     `json:"totalAmountDkk" gorm:"column:total_amount_dkk"` // of the whole file; decimal, with two decimals
	FirstDate       *time.Time `json:"-"`
	LastDate        *time.Time `json:"-"`
	CreatedAt       time.Time  `json:"importedAt" gorm:"->"`
	WithdrawnAt     *time.Time `json:"withdrawnAt"`
	WithdrawnReason *string    `json:"withdrawnReason"`
	Sandbox         bool       `json:"-"` // made up, for a sandbox
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

// Writer is the turn to write an organization's companies and transactions, and what its
// writers keep.
type Writer struct {
	OrganizationID uuid.UUID
	// Backfilled and BackfilledID are the number of the last delivery file that the latest
	// backfill has read, and the highest id of a company for which it did.
	Backfilled   int64
	BackfilledID uuid.UUID
}

// DeliveryWithdrawal says that a delivery was withdrawn from one organization, so
// that a backfill does not bring it back.
type DeliveryWithdrawal struct {
	OrganizationID uuid.UUID
	DeliveryID     uuid.UUID
	Reason         string
	CreatedAt      time.Time `gorm:"->"`
}
