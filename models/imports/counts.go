package imports

import (
	"context"
	"errors"
	"slices"

	"dispo/models"
	"dispo/models/database"
)

// Counts are those of all real deliveries, also of the ones that were withdrawn.
type Counts struct {
	Imported, ImportedRecords int64
	LastImport                int64 // Unix seconds; 0 for never
	Refused, RefusedRecords   int64 // records as far as the files were read
}

// Count returns the counts, also to the service, which sees no deliveries.
func Count(ctx context.Context, db *database.DB) (Counts, error) {
	counted, err := database.Query[Counts](
		ctx,
		db,
		`SELECT imported, imported_records, last_import, refused, refused_records FROM deliveries_counted()`,
	)
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
