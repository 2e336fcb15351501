package ledger

import (
	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
)

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
				edge.Day,
				edge.ID,
				r.first,
			)
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
