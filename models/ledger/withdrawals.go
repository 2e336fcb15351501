package ledger

import (
	"context"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/database"
)

// WithdrawnDay is what a withdrawn file had of a company's day, and what was received for
// the company on that day now.
type WithdrawnDay struct {
	CVR         string
	CompanyName string
	Day         time.Time
	Withdrawn   `gorm:"embedded"`
	OfDay       Withdrawn `gorm:"embedded;embeddedPrefix:day_"` // of all companies
}

// Withdrawn is what a withdrawn file had, and what was received instead, or besides.
type Withdrawn struct {
	Count         int64
	AmountDKK     string `gorm:"column:amount_dkk"`
	ReceivedCount int64
	ReceivedDKK   string `gorm:"column:received_dkk"`
}

// WithdrawnDays returns a page of what a withdrawn file had by day, the newest first, and
// company: those after a company's day, or the first if it is nil. It reports whether others
// follow. Nothing is known of files that were withdrawn before this was kept.
func WithdrawnDays(
	ctx context.Context, t models.Tenant, fileID uuid.UUID, after *WithdrawnDay, limit int,
) (days []WithdrawnDay, more bool, err error) {
	totals := t.DB(ctx).Model(&models.WithdrawnTotal{}).Where("file_id = ? AND cvr <> ''", fileID).
		Order("disposition_date DESC, cvr").Limit(limit + 1).Clauses(database.Columns("*"))
	if after != nil {
		totals = totals.Where("disposition_date <= ? AND (disposition_date < ? OR cvr > ?)", after.Day, after.Day, after.CVR)
	}
	ofDay := t.DB(ctx).Model(&models.WithdrawnTotal{}).Where("file_id = ? AND cvr = ''", fileID).Select("*")
	received := t.DB(ctx).Model(&models.DailyTotal{}).
		Where("daily_totals.cvr IN (w.cvr, '') AND daily_totals.disposition_date = w.disposition_date").
		Select(`coalesce(sum(count) FILTER (WHERE cvr <> ''), 0)::bigint AS count,
			coalesce(sum(amount_dkk) FILTER (WHERE cvr <> ''), 0)::numeric(38, 2) AS amount,
			coalesce(sum(count) FILTER (WHERE cvr = ''), 0)::bigint AS day_count,
			coalesce(sum(amount_dkk) FILTER (WHERE cvr = ''), 0)::numeric(38, 2) AS day_amount`)
	found := t.DB(ctx).Table("(?) AS w JOIN (?) AS d USING (disposition_date) CROSS JOIN LATERAL (?) AS received",
		totals, ofDay, received)
	rows, err := models.Find[WithdrawnDay](joinCompany(ctx, t, found, "w").Order("w.disposition_date DESC, w.cvr").
		Clauses(database.Columns(`w.cvr, c.name AS company_name, w.disposition_date AS day, w.count, w.amount_dkk,
			received.count AS received_count, received.amount AS received_dkk, d.count AS day_count, d.amount_dkk AS day_amount_dkk,
			received.day_count AS day_received_count, received.day_amount AS day_received_dkk`)))
	return rows[:min(len(rows), limit)], len(rows) > limit, err
}

// Withdrawal is a withdrawn file, with its transactions of some days.
type Withdrawal struct {
	FileID      uuid.UUID
	Filename    string
	WithdrawnAt time.Time
	Reason      string
	Count       int64
	AmountDKK   string    `gorm:"column:amount_dkk"`
	FirstDate   time.Time // of these transactions, as LastDate
	LastDate    time.Time
	SentAgain   bool // records of each of these days came after the withdrawal
}

// Withdrawals returns the files that were withdrawn last of those that had transactions
// of these days: a company's, or anyone's if the CVR is empty. A day that is nil bounds
// nothing. Without any day, what went by its age is left out: it needs nobody's attention.
func Withdrawals(
	ctx context.Context, t models.Tenant, cvr string, from, to *time.Time, limit int,
) ([]Withdrawal, error) {
	totals := TransactionFilter{
		From: from,
		To:   to,
	}.restrictDays(t.DB(ctx).Model(&models.WithdrawnTotal{}).Where("cvr = ?", cvr), "disposition_date").Group("file_id").
		Select("file_id, sum(count)::bigint AS count, sum(amount_dkk)::numeric(38, 2) AS amount_dkk, min(disposition_date) AS first_date, max(disposition_date) AS last_date, bool_and(EXISTS (?)) AS sent_again",
			sentAgain(ctx, t))
	files := t.DB(ctx).Model(&models.WithdrawnFile{}).Clauses(database.Columns("*"))
	if from == nil && to == nil {
		files = files.Where("reason <> ?", models.ReasonAged)
	}
	return models.Find[Withdrawal](t.DB(ctx).Table("(?) AS w", totals).Joins("JOIN (?) AS f ON f.id = w.file_id", files).
		Order("f.withdrawn_at DESC, f.id DESC").Limit(limit).
		Clauses(database.Columns("w.file_id, f.filename, f.withdrawn_at, f.reason, w.count, w.amount_dkk, w.first_date, w.last_date, w.sent_again")),
	)
}
