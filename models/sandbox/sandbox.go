// Package sandbox fills sandboxes: organizations with made-up data, which arrives day by
// day as real data does. It also makes up the files of `dispo demo`. All data is made by
// seeded random numbers, so the same day has the same data each time.
//
// The service's role can only read companies and transactions. A function of the database
// writes them, and refuses every organization that is not a sandbox.
package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/imports/format"
	"dispo/models/organizations"
	"dispo/models/tasks"
)

const (
	// HistoryDays is how many days of data a new sandbox has.
	HistoryDays = 90

	fillEvery   = 5 * time.Minute
	fillTimeout = time.Minute // for all sandboxes; what is left comes the next time

	withdrawalReason = "the card network sent wrong data (made up, so that you can try a withdrawal)"
)

// Create creates a sandbox, and the data of its last 90 days. If the data cannot be
// completed, it returns the sandbox with an error, and the service adds the rest later.
// Errors: KindInvalid, and KindConflict if the slug is taken.
func Create(ctx context.Context, store *models.Store, name, slug string, now time.Time) (models.Organization, error) {
	through := dayOf(now)
	created, err := organizations.CreateSandbox(ctx, store, name, slug, through.AddDate(0, 0, 1-HistoryDays))
	if err != nil {
		return models.Organization{}, err
	}
	if err := fill(ctx, store, created.ID, through); err != nil {
		return created, err
	}
	created, err = organizations.BySlug(ctx, store, slug)
	if err == nil && (created.SandboxDay == nil || created.SandboxDay.Before(through)) {
		err = errors.New("an import is under way")
	}
	return created, err
}

// Run fills all sandboxes until ctx ends. Each day of a sandbox arrives once, whatever
// the number of instances, soon after midnight UTC.
func Run(ctx context.Context, store *models.Store, log *slog.Logger) {
	tasks.Every(ctx, fillEvery, log, "cannot fill the sandboxes: trying again soon", func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, fillTimeout)
		defer cancel()
		now, err := database.Now(store.DB().GORM(ctx))
		if err != nil {
			return models.Wrap(err)
		}
		return Fill(ctx, store, now)
	})
}

// Fill adds the days that sandboxes lack. It skips sandboxes that another instance is
// filling, and all of them while an import runs.
func Fill(ctx context.Context, store *models.Store, now time.Time) error {
	through := dayOf(now)
	due, err := database.Query[struct{ OrganizationID uuid.UUID }](ctx, store.DB(),
		`SELECT organization_id FROM sandboxes_due($1)`, through)
	if err != nil {
		return models.Wrap(err)
	}
	var failed []error
	for _, sandbox := range due {
		if err := fill(ctx, store, sandbox.OrganizationID, through); err != nil {
			failed = append(failed, fmt.Errorf("sandbox %s: %w", sandbox.OrganizationID, err))
		}
	}
	return errors.Join(failed...)
}

func dayOf(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// fill adds the days that a sandbox lacks, until another instance does so.
func fill(ctx context.Context, store *models.Store, id uuid.UUID, through time.Time) error {
	tenant := store.Tenant(id)
	for {
		var sandbox models.Organization
		if err := tenant.DB(ctx).Take(&sandbox).Error; err != nil || !sandbox.SandboxDay.Before(through) {
			return models.Wrap(err)
		}
		stored, err := storeDay(ctx, tenant, sandbox.SandboxDay.AddDate(0, 0, 1))
		if database.Locked(err) {
			return nil
		}
		if err != nil || !stored {
			return err
		}
	}
}

// storeDay adds a day to a sandbox. It reports false if another instance does.
func storeDay(ctx context.Context, tenant models.Tenant, day time.Time) (stored bool, err error) {
	id := tenant.OrganizationID()
	present, err := models.Find[models.Company](tenant.DB(ctx).Order("id"))
	if err != nil {
		return false, err
	}
	db := tenant.DB(ctx)
	company := &gorm.Statement{DB: db}
	if err := company.Parse(&models.Company{}); err != nil {
		return false, err
	}
	made, err := encode(arrivingOn(id, day, present), company.Schema)
	if err != nil {
		return false, err
	}
	err = db.Raw(`SELECT sandbox_store(?, ?, CAST(? AS jsonb))`, id, day, made).Scan(&stored).Error
	return stored, models.Wrap(err)
}

// encode returns what arrives as JSON, by the names of columns. The delivery is read as a real
// one is.
func encode(made arriving, company *schema.Schema) (string, error) {
	companies, records := []map[string]any{}, []map[string]any{}
	for line, c := range made.companies {
		row := map[string]any{
			"line":        line,
			"folded_name": i18n.Fold(c.Name),
			"sort_key":    fmt.Sprintf(`\x%x`, i18n.SortKey(c.Name)),
		}
		for _, field := range company.Fields {
			row[field.DBName], _ = field.ValueOf(context.Background(), reflect.ValueOf(c))
		}
		companies = append(companies, row)
	}
	if _, err := format.CSV().Read(bytes.NewReader(made.delivery), func(r *format.Record) error {
		row := map[string]any{}
		for _, column := range format.Columns {
			row[column.Name] = string(column.Append(nil, r))
		}
		records = append(records, row)
		return nil
	}, func(line format.BadLine) error {
		return fmt.Errorf("made-up delivery %s, line %d: %s", made.filename, line.Line, line.Reason)
	}); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{
		"companies": companies,
		"filename":  made.filename,
		"records":   records,
		"withdrawn": made.withdrawn,
		"reason":    withdrawalReason,
	})
	return string(text), err
}
