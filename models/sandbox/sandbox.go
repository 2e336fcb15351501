// Package sandbox fills sandboxes: organizations with made-up data, which arrives day by
// day as real data does. It also makes up the files of `dispo demo`. All data is made by
// seeded random numbers, so the same day has the same data each time.
//
// The service's role can only read companies and transactions. Functions of the database
// write them, and refuse every organization that is not a sandbox.
package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

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
		return Fill(ctx, store, time.Now())
	})
}

// Fill adds the days that sandboxes lack. It skips sandboxes that another instance is
// filling, and all of them while an import runs.
func Fill(ctx context.Context, store *models.Store, now time.Time) error {
	through := dayOf(now)
	due, err := database.Query[struct{ OrganizationID uuid.UUID }](
		ctx,
		store.DB(),
		`SELECT organization_id FROM sandboxes_due($1)`,
		through,
	)
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

func fill(ctx context.Context, store *models.Store, id uuid.UUID, through time.Time) error {
	tenant := store.Tenant(id).As(models.ScheduleActor)
	for {
		again := false
		err := tenant.Write(ctx, func(tx *gorm.DB) (err error) {
			again, err = next(tx, tenant, through)
			return err
		})
		if refused, ok := errors.AsType[*pgconn.PgError](
			err,
		); ok &&
			refused.Code == "55P03" { // lock_not_available: an import holds that on deliveries
			return nil
		}
		if err != nil || !again {
			return err
		}
	}
}

// next adds a sandbox's next day. It reports false if there is nothing to do, or if
// another instance does it.
func next(tx *gorm.DB, tenant models.Tenant, through time.Time) (done bool, err error) {
	id := tenant.OrganizationID()
	var open []struct {
		NextDay   time.Time
		HighestID uuid.UUID
	}
	if err := tx.Raw(`SELECT next_day, highest_id FROM sandbox_open(?)`, id).Scan(&open).Error; err != nil {
		return false, err
	}
	if len(open) == 0 || open[0].NextDay.After(through) {
		return false, nil
	}
	var present []models.Company
	if err := tx.Order("id").Find(&present).Error; err != nil {
		return false, err
	}
	day := open[0].NextDay
	made := arrivingOn(id, day, present)
	arriving, withdrawalID, err := number(made, database.NewIDs(open[0].HighestID))
	if err != nil {
		return false, err
	}
	if err := tx.Exec(`SELECT sandbox_store(?, ?, CAST(? AS jsonb))`, id, day, arriving).Error; err != nil {
		return false, err
	}
	return true, withdraw(tx, tenant, made.withdrawn, withdrawalID)
}

// withdraw withdraws a delivery, and notes it as the withdrawal of a real one is noted. It
// writes no mail, because nobody has to do anything.
func withdraw(tx *gorm.DB, tenant models.Tenant, filename string, changeID uuid.UUID) error {
	if filename == "" {
		return nil
	}
	var gone []struct {
		Records int64
		Amount  string
	}
	err := tx.Raw(`SELECT records, amount FROM sandbox_withdraw(?, ?, ?, ?)`, tenant.OrganizationID(), filename, withdrawalReason, changeID).
		Scan(&gone).
		Error
	if err != nil || len(gone) == 0 {
		return err
	}
	return tenant.Note(
		tx,
		models.ActionDeliveryWithdrawn,
		fmt.Sprintf("%s: %d transactions of %s DKK. Reason: %s", filename, gone[0].Records, gone[0].Amount, withdrawalReason),
	)
}

// number gives everything that arrives an id, and returns it as JSON, by the names of
// columns. The delivery is read as a real one is. The last id is for a withdrawal.
func number(made arriving, ids *database.IDs) (arrives string, withdrawalID uuid.UUID, err error) {
	companies, records := []map[string]any{}, []map[string]any{}
	for _, c := range made.companies {
		companies = append(companies, map[string]any{
			"id":                      ids.Next(),
			"cvr":                     c.CVR,
			"name":                    c.Name,
			"folded_name":             i18n.Fold(c.Name),
			"sort_key":                fmt.Sprintf(`\x%x`, i18n.SortKey(c.Name)),
			"address":                 c.Address,
			"status":                  c.Status,
			"start_date":              c.StartDate.Format(time.DateOnly),
			"end_date":                c.EndDate.Format(time.DateOnly),
			"sender_reg_number":       c.SenderRegNumber,
			"sender_account_number":   c.SenderAccountNumber,
			"receiver_reg_number":     c.ReceiverRegNumber,
			"receiver_account_number": c.ReceiverAccountNumber,
			"default_amount_cents":    c.DefaultAmountCents,
		})
	}
	fileID := ids.Next()
	_, err = format.CSV().Read(bytes.NewReader(made.delivery), func(r *format.Record) error {
		records = append(records, map[string]any{
			"id":               ids.Next(),
			"record_index":     r.Index,
			"count":            r.Count,
			"disposition_date": string(r.DispositionDate),
			"cvr":              string(r.CVR),
			"reg_number":       string(r.RegNumber),
			"account_number": string(
				r.AccountNumber,
			),
			"transfer_type": string(r.TransferType),
			"amount_dkk":    string(r.Amount),
			"raw_line":      string(r.RawLine),
		})
		return nil
	}, func(line format.BadLine) error {
		return fmt.Errorf("made-up delivery %s, line %d: %s", made.filename, line.Line, line.Reason)
	})
	if err != nil {
		return "", uuid.Nil, err
	}
	changeID, withdrawalID := ids.Next(), ids.Next()
	text, err := json.Marshal(map[string]any{
		"companies": companies,
		"filename":  made.filename,
		"file_id":   fileID,
		"records":   records,
		"change_id": changeID,
		"last_id":   withdrawalID,
	})
	return string(text), withdrawalID, err
}
