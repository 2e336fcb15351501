package models

import (
	"bytes"
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// TransactionFilter says which of an organization's transactions to list. Empty fields
// select everything.
type TransactionFilter struct {
	From, To             *time.Time // first and last disposition date
	Type                 string     // transfer type, as delivered
	CVR                  string     // of the company, 8 digits
	AmountFrom, AmountTo string     // least and greatest amount; decimal, as in Transaction
}

// ByAmount reports whether the filter has an amount. The daily totals know nothing of
// amounts.
func (f TransactionFilter) ByAmount() bool { return f.AmountFrom != "" || f.AmountTo != "" }

// LedgerPosition is a transaction's place in a ledger, whose order is that of the
// disposition date and then the id.
type LedgerPosition struct {
	Day time.Time
	ID  uuid.UUID
}

// Position returns the transaction's place in a ledger.
func (t Transaction) Position() LedgerPosition { return LedgerPosition{t.DispositionDate, t.ID} }

// Compare compares two positions: the newer one is the greater one.
func (p LedgerPosition) Compare(other LedgerPosition) int {
	if order := p.Day.Compare(other.Day); order != 0 {
		return order
	}
	return bytes.Compare(p.ID[:], other.ID[:])
}

// Ledger composes the query for the transactions that fit the filter, the newest first:
// for database.Read, with its columns still to be selected. What selects from it calls
// the rows transactions.
func (t Tenant) Ledger(ctx context.Context, filter TransactionFilter) *gorm.DB {
	return filter.restrict(t.visible(t.compose(ctx).Model(&Transaction{}), "transactions.id")).
		Order("transactions.disposition_date DESC, transactions.id DESC")
}

func (f TransactionFilter) restrict(rows *gorm.DB) *gorm.DB {
	if f.CVR != "" {
		rows = rows.Where("transactions.cvr = ?", f.CVR)
	}
	if f.Type != "" {
		rows = rows.Where("transactions.transfer_type = ?", f.Type)
	}
	if f.From != nil {
		rows = rows.Where("transactions.disposition_date >= ?", *f.From)
	}
	if f.To != nil {
		rows = rows.Where("transactions.disposition_date <= ?", *f.To)
	}
	if f.AmountFrom != "" {
		rows = rows.Where("transactions.amount_dkk >= CAST(? AS numeric)", f.AmountFrom)
	}
	if f.AmountTo != "" {
		rows = rows.Where("transactions.amount_dkk <= CAST(? AS numeric)", f.AmountTo)
	}
	return rows
}
