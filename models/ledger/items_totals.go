package ledger

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

// typeTotal is what the daily totals know of a transfer type.
type typeTotal struct {
	TransferType string
	Ever         int64      // whatever the filter
	Count        int64      // of those that fit
	Newer        int64      // of those that fit, on days after the edge's
	OnDay        int64      // of those that fit, on the edge's day
	First, Last  *time.Time // days of those that fit
	Amount       string     // of all types that fit
}

// totals reads what the daily totals know, whatever the filter's amount.
func (r *itemRead) totals() ([]typeTotal, error) {
	from, to, edge := cmp.Or(r.filter.From, &firstDay), cmp.Or(r.filter.To, &lastDay), firstDay
	if position := r.cursor.edge(); position != nil {
		edge = position.Day
	}
	days := r.DB(r.ctx).Model(&models.DailyTotal{}).Where("cvr = ?", r.filter.CVR).
		Select("transfer_type, disposition_date, count, amount_dkk, disposition_date BETWEEN ? AND ? AND ? IN ('', transfer_type) AS fits", from, to, r.filter.Type)
	query := r.DB(r.ctx).Table("(?) AS days", days).Group("transfer_type").Order("transfer_type").
		Select(`transfer_type, sum(count)::bigint AS ever,
			coalesce(sum(count) FILTER (WHERE fits), 0)::bigint AS count,
			coalesce(sum(count) FILTER (WHERE fits AND disposition_date > ?), 0)::bigint AS newer,
			coalesce(sum(count) FILTER (WHERE fits AND disposition_date = ?), 0)::bigint AS on_day,
			min(disposition_date) FILTER (WHERE fits) AS first, max(disposition_date) FILTER (WHERE fits) AS last,
			coalesce(sum(sum(amount_dkk) FILTER (WHERE fits)) OVER (), 0)::numeric(38, 2) AS amount`, edge, edge)
	return models.Find[typeTotal](query)
}

var (
	firstDay = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
)

// windowStart returns the first of the newest days that fit and together have at most
// ledgerWindow transactions, or the newest day alone.
func (r *itemRead) windowStart() (time.Time, error) {
	days := r.filter.restrictDays(r.DB(r.ctx).Model(&models.DailyTotal{}).Where("cvr = ''"), "disposition_date").
		Group("disposition_date").Select("disposition_date, sum(sum(count)) OVER (ORDER BY disposition_date DESC) AS so_far")
	if r.filter.Type != "" {
		days = days.Where("transfer_type = ?", r.filter.Type)
	}
	found, err := models.Find[struct{ Day *time.Time }](r.DB(r.ctx).Table("(?) AS days", days).
		Select("coalesce(min(disposition_date) FILTER (WHERE so_far <= ?), max(disposition_date)) AS day", ledgerWindow))
	if err != nil || found[0].Day == nil {
		return firstDay, err
	}
	return *found[0].Day, nil
}

// companyRange is where the company's transactions of a page lie.
type companyRange struct {
	FirstDay, LastDay time.Time
	FirstID, LastID   uuid.UUID
	Rows              int64 // the company's transactions with these ids; more than ledgerNear are not counted
}

// companyRange finds the days that have enough transactions for the page, and the ids
// of these. Records that arrive daily have ids close to each other. To know whether these
// have, it reads at most ledgerNear entries of the key.
func (r *itemRead) companyRange() (*companyRange, error) {
	order, edge := " DESC", firstDay
	days := r.filter.restrictDays(r.DB(r.ctx).Model(&models.DailyTotal{}).Where("cvr = ?", r.filter.CVR),
		"disposition_date")
	if r.filter.Type != "" {
		days = days.Where("transfer_type = ?", r.filter.Type)
	}
	if position := r.cursor.edge(); position != nil {
		edge = position.Day
	}
	switch {
	case r.cursor.OlderThan != nil:
		days = days.Where("disposition_date <= ?", edge)
	case r.cursor.NewerThan != nil:
		days = days.Where("disposition_date >= ?", edge)
	}
	if r.cursor.ascends() {
		order = ""
	}
	days = days.Group("disposition_date").Order("disposition_date"+order).Limit(r.cursor.Limit+2).
		Select(`disposition_date, sum(count) FILTER (WHERE disposition_date <> ?) AS count,
			min(first_id::text COLLATE "C")::uuid AS first_id, max(last_id::text COLLATE "C")::uuid AS last_id`, edge)
	near := r.DB(r.ctx).Model(&models.Transaction{}).Select("1").
		Where("cvr = ? AND id BETWEEN needed.first_id AND needed.last_id", r.filter.CVR).Limit(ledgerNear + 1)
	ranges, err := models.Find[companyRange](r.DB(r.ctx).Raw(`WITH days AS (?), needed AS (
			SELECT min(disposition_date) AS first_day, max(disposition_date) AS last_day,
				min(first_id::text COLLATE "C")::uuid AS first_id, max(last_id::text COLLATE "C")::uuid AS last_id
			FROM (SELECT *, coalesce(sum(count) OVER (ORDER BY disposition_date`+order+` ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM days) d
			WHERE before <= ?
		) SELECT first_day, last_day, first_id, last_id, (SELECT count(*) FROM (?) near) AS rows
		FROM needed WHERE first_day IS NOT NULL`, days, r.cursor.Limit, near))
	if err != nil || len(ranges) == 0 {
		return &companyRange{}, err
	}
	return &ranges[0], nil
}
