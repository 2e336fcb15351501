package ledger

import (
	"cmp"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

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

// readByAmount reads a page of transactions with an amount. No index knows where these
// are, so it looks through a bounded number of transactions: all of a company's, ever of
// them, or those of the newest days.
func (r *itemRead) readByAmount(page *ItemPage, ever int64) error {
	switch {
	case r.filter.CVR != "" && ever <= ledgerNear:
		r.near = &companyRange{FirstDay: firstDay, LastDay: lastDay, LastID: uuid.Max}
	case r.filter.CVR != "":
		r.near = &companyRange{FirstDay: firstDay, LastDay: lastDay, Rows: ever}
	}
	if r.near == nil && page.Count > ledgerWindow || r.near != nil && r.near.Rows > 0 {
		since, err := r.windowStart()
		if err != nil {
			return err
		}
		if since.After(r.first) {
			page.Since, r.first = &since, since
		}
	}
	more, err := r.items(page)
	if err != nil {
		return err
	}
	if !more && r.cursor.edge() == nil { // these are all
		page.Count, page.Amount = int64(len(page.Items)), SumItems(page.Items)
		r.place(page, 0, more)
		return nil
	}
	hits, err := r.countHits()
	if err != nil {
		return err
	}
	page.Count, page.Amount = hits.Count, hits.Amount
	if page.Count > MaxHits {
		page.Count, page.Amount, page.More = MaxHits, "", true
	}
	if hits.Newer > MaxHits {
		hits.Newer = -1
	}
	r.place(page, hits.Newer, more)
	return nil
}

type ledgerCount struct {
	Count  int64 // at most one more than MaxHits
	Amount string
	Newer  int64 // than the edge, at most one more than MaxHits
}

// countHits counts the transactions that fit, and those of them that are newer than the
// edge.
func (r *itemRead) countHits() (ledgerCount, error) {
	all := r.hits(func(rows *gorm.DB) *gorm.DB { return rows.Where("transactions.disposition_date >= ?", r.first) })
	newer := gorm.Expr("0")
	switch edge := r.cursor.edge(); {
	case edge == nil:
	case edge.Day.Before(r.first):
		newer = gorm.Expr("count(*)")
	default:
		side := ">"
		if r.cursor.OlderThan != nil {
			side = ">="
		}
		newer = gorm.Expr("SELECT count(*) FROM (?) AS newer", r.hits(func(rows *gorm.DB) *gorm.DB {
			return rows.Where(
				"(transactions.disposition_date, transactions.id) "+side+" (?, ?) AND transactions.disposition_date >= ?",
				edge.Day, edge.ID, r.first)
		}))
	}
	counts, err := models.Find[ledgerCount](r.DB(r.ctx).Table("(?) AS transactions", all).
		Select("count(*) AS count, coalesce(sum(amount_dkk), 0)::numeric(38, 2) AS amount, (?) AS newer", newer))
	if err != nil {
		return ledgerCount{}, err
	}
	return counts[0], nil
}

// hits composes a query for transactions that fit, at most one more than MaxHits.
func (r *itemRead) hits(restrict func(*gorm.DB) *gorm.DB) *gorm.DB {
	return r.rows("transactions.amount_dkk", newestFirst, MaxHits+1,
		func(rows *gorm.DB) *gorm.DB { return r.committed(restrict(rows)) })
}
