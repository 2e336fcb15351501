package models

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models/database"
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

// DeliverySummary is a delivery with what is stored of it now.
type DeliverySummary struct {
	Delivery
	Organizations int64 // that have records of it
	Held          int64 // records that wait for a company
}

func (s *Store) deliverySummaries(ctx context.Context) *gorm.DB {
	return s.db.GORM(ctx).Model(&Delivery{}).Select(`deliveries.*,
		(SELECT count(DISTINCT organization_id) FROM delivery_files WHERE delivery_id = deliveries.id AND record_count > 0) AS organizations,
		(SELECT count(DISTINCT record_index) FROM held_records WHERE delivery_id = deliveries.id) AS held`)
}

// Deliveries lists the deliveries, the newest first, for the operator. Withdrawn ones are
// among them, and those that were made up for sandboxes are not.
func (s *Store) Deliveries(ctx context.Context) ([]DeliverySummary, error) {
	var deliveries []DeliverySummary
	err := s.deliverySummaries(ctx).Where("NOT sandbox").Order("number DESC").Find(&deliveries).Error
	return deliveries, Wrap(err)
}

// DeliveryShare is what one organization has of a delivery.
type DeliveryShare struct {
	Slug           string
	Records        int64
	TotalAmountDKK string `gorm:"column:total_amount_dkk"`
	ArrivedAt      *time.Time
	Withdrawn      *string // the reason, if it was withdrawn from this organization
}

// DeliveryDetail is what the operator can see of a delivery.
type DeliveryDetail struct {
	DeliverySummary
	Names      []string        // by which it says what it is
	Shares     []DeliveryShare // by organization
	Delivered  int64           // records that at least one organization has
	FirstLines []string        // of the stored records
}

const firstLines = 3

// storedRecords lists the records of a delivery that are stored: with the operator's
// rights, each as often as organizations have it.
const storedRecords = `SELECT t.record_index, t.raw_line, true AS delivered FROM delivery_files f
	JOIN companies c ON c.organization_id = f.organization_id
	JOIN transactions t ON t.organization_id = f.organization_id AND t.cvr = c.cvr AND t.id > f.id AND t.id <= f.last_id
	WHERE f.delivery_id = @id
	UNION ALL SELECT record_index, raw_line, false FROM held_records WHERE delivery_id = @id`

// Delivery returns a delivery, for the operator. Errors: KindNotFound.
func (s *Store) Delivery(ctx context.Context, id uuid.UUID) (DeliveryDetail, error) {
	var detail DeliveryDetail
	err := Wrap(s.deliverySummaries(ctx).Where("id = ?", id).Take(&detail.DeliverySummary).Error)
	if ErrorKind(err) == KindNotFound {
		return detail, DeliveryNotFound(id)
	}
	if err != nil {
		return detail, err
	}
	db := s.db.GORM(database.WithOperator(ctx))
	if err := db.Model(&DeliveryName{}).Where("delivery_id = ?", id).Order("position").Pluck("name", &detail.Names).Error; err != nil {
		return detail, Wrap(err)
	}
	if err := db.Raw(`SELECT o.slug, coalesce(f.records, 0) AS records, coalesce(f.total, 0)::numeric(38, 2)::text AS total_amount_dkk, f.arrived_at, w.reason AS withdrawn
		FROM organizations o
		LEFT JOIN (SELECT organization_id, sum(record_count)::bigint AS records, sum(total_amount_dkk) AS total, min(created_at) AS arrived_at
			FROM delivery_files WHERE delivery_id = @id GROUP BY organization_id) f ON f.organization_id = o.id
		LEFT JOIN delivery_withdrawals w ON w.organization_id = o.id AND w.delivery_id = @id
		WHERE f.organization_id IS NOT NULL OR w.organization_id IS NOT NULL ORDER BY o.slug`, map[string]any{"id": id}).Scan(&detail.Shares).Error; err != nil {
		return detail, Wrap(err)
	}
	if err := db.Raw(`SELECT count(DISTINCT record_index) FROM (`+storedRecords+`) x WHERE delivered`, map[string]any{"id": id}).Scan(&detail.Delivered).Error; err != nil {
		return detail, Wrap(err)
	}
	err = db.Raw(fmt.Sprintf(`SELECT raw_line FROM (SELECT DISTINCT ON (record_index) record_index, raw_line FROM (%s) x ORDER BY record_index LIMIT %d) x ORDER BY record_index`,
		storedRecords, firstLines), map[string]any{"id": id}).Scan(&detail.FirstLines).Error
	return detail, Wrap(err)
}

// DeliveryNotFound is the error for a delivery that does not exist.
func DeliveryNotFound(id uuid.UUID) error {
	return NewError(KindNotFound, fmt.Sprintf("there is no delivery %s: `dispo delivery list` lists them all", id))
}

// HeldGroup counts the records of a company and a delivery that wait for the company.
type HeldGroup struct {
	CVR            string
	DeliveryID     uuid.UUID
	Filename       string
	Slug           *string // of the only organization that they wait for; nil for any
	Records        int64
	TotalAmountDKK string `gorm:"column:total_amount_dkk"`
}

// HeldRecords lists what is held, by CVR and delivery, for the operator.
func (s *Store) HeldRecords(ctx context.Context) ([]HeldGroup, error) {
	var groups []HeldGroup
	err := s.db.GORM(database.WithOperator(ctx)).Table("held_records h").
		Select("h.cvr, h.delivery_id, d.filename, o.slug, count(*) AS records, sum(h.amount_dkk)::text AS total_amount_dkk").
		Joins("JOIN deliveries d ON d.id = h.delivery_id").
		Joins("LEFT JOIN organizations o ON o.id = h.only_organization_id").
		Group("h.cvr, h.delivery_id, d.filename, d.number, o.slug").Order("h.cvr, d.number, o.slug").Scan(&groups).Error
	return groups, Wrap(err)
}
