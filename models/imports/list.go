package imports

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// Summary is a delivery with what is stored of it now.
type Summary struct {
	models.Delivery
	Organizations int64 `json:"organizations"` // that have records of it
	Held          int64 `json:"held"`          // records that wait for a company
}

func summaries(ctx context.Context, s *models.Store) *gorm.DB {
	return s.DB().GORM(ctx).Model(&models.Delivery{}).Select(`deliveries.*,
		(SELECT count(DISTINCT organization_id) FROM delivery_files WHERE delivery_id = deliveries.id AND record_count > 0) AS organizations,
		(SELECT count(DISTINCT record_index) FROM held_records WHERE delivery_id = deliveries.id) AS held`)
}

// List lists the deliveries, the newest first, for the operator. Withdrawn ones are
// among them, and those that were made up for sandboxes are not.
func List(ctx context.Context, s *models.Store) ([]Summary, error) {
	return models.Find[Summary](summaries(ctx, s).Where("NOT sandbox").Order("number DESC"))
}

// Detail is what the operator can see of a delivery.
type Detail struct {
	Summary
	Names  []string // by which it says what it is
	Shares []Share  // by organization
}

// Get returns a delivery, for the operator. Errors: KindNotFound.
func Get(ctx context.Context, s *models.Store, id uuid.UUID) (Detail, error) {
	var detail Detail
	if err := summaries(ctx, s).Where("id = ?", id).Take(&detail.Summary).Error; err != nil {
		return detail, models.WrapFound(err, deliveryNotFound(id))
	}
	db := s.DB().GORM(database.WithOperator(ctx))
	if err := db.Model(&models.DeliveryName{}).
		Where("delivery_id = ?", id).
		Order("position").
		Pluck("name", &detail.Names).
		Error; err != nil {
		return detail, models.Wrap(err)
	}
	err := db.Raw(`SELECT o.id AS organization_id, o.slug, coalesce(f.records, 0) AS records, coalesce(f.total, 0)::numeric(38, 2)::text AS total_amount_dkk, f.arrived_at, w.reason AS withdrawn
		FROM organizations o
		LEFT JOIN (SELECT organization_id, sum(record_count)::bigint AS records, sum(total_amount_dkk) AS total, min(created_at) AS arrived_at
			FROM delivery_files WHERE delivery_id = @id GROUP BY organization_id) f ON f.organization_id = o.id
		LEFT JOIN delivery_withdrawals w ON w.organization_id = o.id AND w.delivery_id = @id
		WHERE f.organization_id IS NOT NULL OR w.organization_id IS NOT NULL ORDER BY o.slug`, map[string]any{"id": id}).
		Scan(&detail.Shares).
		Error
	return detail, models.Wrap(err)
}

// deliveryNotFound is the error for a delivery that does not exist.
func deliveryNotFound(id uuid.UUID) *models.Error {
	return refusal(models.KindNotFound, "there is no delivery %s: `dispo delivery list` lists them all", id)
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

// Held lists what is held, by CVR and delivery, for the operator.
func Held(ctx context.Context, s *models.Store) ([]HeldGroup, error) {
	var groups []HeldGroup
	err := s.DB().GORM(database.WithOperator(ctx)).Table("held_records h").
		Select("h.cvr, h.delivery_id, d.filename, o.slug, count(*) AS records, sum(h.amount_dkk)::text AS total_amount_dkk").
		Joins("JOIN deliveries d ON d.id = h.delivery_id").
		Joins("LEFT JOIN organizations o ON o.id = h.only_organization_id").
		Group("h.cvr, h.delivery_id, d.filename, d.number, o.slug").Order("h.cvr, d.number, o.slug").Scan(&groups).Error
	return groups, models.Wrap(err)
}

// Counts are those of all real deliveries, also of the ones that were withdrawn.
type Counts struct {
	Imported, ImportedRecords int64
	LastImport                int64 // Unix seconds; 0 for never
	Refused, RefusedRecords   int64 // records as far as the files were read
}

// Count returns the counts, also to the service, which sees no deliveries.
func Count(ctx context.Context, db *database.DB) (Counts, error) {
	counted, err := database.Query[Counts](ctx, db,
		`SELECT imported, imported_records, last_import, refused, refused_records FROM deliveries_counted()`)
	if err != nil {
		return Counts{}, models.Wrap(err)
	}
	return counted[0], nil
}

// Refuses reports whether an import's error is the file's fault, rather than something that
// passes.
func Refuses(err error) bool {
	kinds := []models.Kind{models.KindInvalid, models.KindConflict, models.KindUnprocessable}
	return errors.As(err, new(*BadFile)) || slices.Contains(kinds, models.ErrorKind(err))
}

// CountRefused counts a file among the refused ones, if it can: why it was refused matters more.
func CountRefused(ctx context.Context, db *database.DB, records int64) {
	_, _ = db.Pool.Exec(ctx, `INSERT INTO refused_deliveries AS r (deliveries, records) VALUES (1, $1)
		ON CONFLICT (only_row) DO UPDATE SET deliveries = r.deliveries + 1, records = r.records + excluded.records`, records)
}
