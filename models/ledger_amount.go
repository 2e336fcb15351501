package models

import (
	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models/database"
)

// readByAmount reads a page of transactions with an amount. No index knows where these
// are, so it looks through a bounded number of transactions: all of a company's, ever of
// them, or those of the newest days.
func (r *ledgerRead) readByAmount(page *LedgerPage, ever int64) error {
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
		amounts := make([]string, len(page.Items))
		for i, item := range page.Items {
			amounts[i] = item.AmountDKK
		}
		page.Count, page.Amount = int64(len(page.Items)), SumAmounts(amounts)
		r.place(page, 0, false)
		return nil
	}
	hits, err := r.hits(func(rows *gorm.DB) *gorm.DB {
		return r.committed(rows.Where("transactions.disposition_date >= ?", r.first))
	})
	if err != nil {
		return err
	}
	page.Count, page.Amount = hits.Count, hits.Amount
	rank := hits.Newer
	if page.Count > LedgerHits {
		page.Count, page.Amount, page.More = LedgerHits, "", true
		rank, err = r.newerHits()
	}
	r.place(page, rank, more)
	return err
}

type ledgerCount struct {
	Count  int64
	Amount string
	Newer  int64 // than the edge
}

// hits counts the transactions that fit, and one more than LedgerHits at most.
func (r *ledgerRead) hits(restrict func(*gorm.DB) *gorm.DB) (ledgerCount, error) {
	edge, newer := LedgerPosition{Day: lastDay.AddDate(0, 0, 1)}, ">"
	if position := r.cursor.edge(); position != nil {
		edge = *position
	}
	if r.cursor.OlderThan != nil {
		newer = ">="
	}
	rows := r.rows("transactions.disposition_date, transactions.id, transactions.amount_dkk", newestFirst, LedgerHits+1, restrict)
	counts, err := database.Read[ledgerCount](r.bind(r.ctx), r.store.db, r.compose(r.ctx).Table("(?) AS transactions", rows).
		Select("count(*), coalesce(sum(amount_dkk), 0)::numeric(38, 2)::text, count(*) FILTER (WHERE (disposition_date, id) "+newer+" (?, ?))", edge.Day, edge.ID))
	if err != nil {
		return ledgerCount{}, err
	}
	return *counts[0], nil
}

// newerHits returns how many transactions that fit are newer than the edge, or -1 if
// there are more than LedgerHits.
func (r *ledgerRead) newerHits() (int64, error) {
	edge := r.cursor.edge()
	switch {
	case edge == nil:
		return 0, nil
	case edge.Day.Before(r.first):
		return -1, nil
	}
	newer := ">"
	if r.cursor.OlderThan != nil {
		newer = ">="
	}
	hits, err := r.hits(func(rows *gorm.DB) *gorm.DB {
		return r.committed(rows.Where("(transactions.disposition_date, transactions.id) "+newer+" (?, ?)", edge.Day, edge.ID))
	})
	if err != nil || hits.Count > LedgerHits {
		return -1, err
	}
	return hits.Count, nil
}
