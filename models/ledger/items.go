package ledger

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
)

// TransactionFilter says which of an organization's transactions to list. Empty fields
// select everything.
type TransactionFilter struct {
	From, To             *time.Time // first and last disposition date
	Type                 string     // transfer type, as delivered
	CVR                  string     // of the company, 8 digits
	AmountFrom, AmountTo string     // least and greatest amount; decimal, as in models.Transaction
	Unsigned             bool       // the amounts count whatever their sign
	Account              Account    // that the transactions are of
}

// ByAmount reports whether the filter has an amount or an account. The daily totals know
// nothing of these.
func (f TransactionFilter) ByAmount() bool {
	return f.AmountFrom != "" || f.AmountTo != "" || len(f.Account.Numbers) > 0
}

// Position is a transaction's place in a ledger, whose order is that of the
// disposition date and then the id.
type Position struct {
	Day time.Time
	ID  uuid.UUID
}

// Position returns the transaction's place in a ledger.
func (i Item) Position() Position { return Position{i.DispositionDate, i.ID} }

// Compare compares two positions: the newer one is the greater one.
func (p Position) Compare(other Position) int {
	return cmp.Or(p.Day.Compare(other.Day), compareIDs(p.ID, other.ID))
}

// ItemCursor says which page of a ledger to read: Limit transactions directly before
// or after a position, which is compared, never looked up, or the oldest ones. With none
// of these it is the page of the newest.
type ItemCursor struct {
	Limit     int // 1 to 100
	OlderThan *Position
	NewerThan *Position
	Oldest    bool
}

// edge returns the position that the page lies beside, if any.
func (c ItemCursor) edge() *Position {
	if c.OlderThan != nil {
		return c.OlderThan
	}
	return c.NewerThan
}

// ascends reports whether the page is read from its oldest transaction on.
func (c ItemCursor) ascends() bool { return c.OlderThan == nil && (c.NewerThan != nil || c.Oldest) }

// Item is a transaction in a ledger, with the name of its company.
type Item struct {
	models.Transaction
	CompanyName string
}

// SumItems returns the sum of the amounts, decimal with two decimals.
func SumItems(items []Item) string {
	amounts := make([]string, len(items))
	for i, item := range items {
		amounts[i] = item.AmountDKK
	}
	return SumAmounts(amounts)
}

// ItemPage is a part of a ledger, the newest transaction first.
type ItemPage struct {
	Items    []Item
	Types    []string   // transfer types of the organization, or of the filter's company
	Count    int64      // of all transactions that fit; with an amount at most MaxHits
	Amount   string     // their sum, decimal with two decimals; empty if there are More
	More     bool       // more than Count fit
	Since    *time.Time // with an amount: the days before this one were not searched; nil if all were
	Newer    int64      // how many of those that fit are newer than the first item; -1 if unknown
	HasNewer bool       // whether any are
	HasOlder bool       // whether any that fit are older than the last item
}

// Ledger composes the query for the transactions that fit the filter, the newest first:
// for database.Read, with its columns still to be selected. What selects from it calls
// the rows transactions. It sorts all that fit; ItemPage reads a page.
func Ledger(ctx context.Context, t models.Tenant, filter TransactionFilter) *gorm.DB {
	return filter.restrict(visible(t.DB(ctx).Model(&models.Transaction{}), "transactions.id")).Order(newestFirst)
}

func (f TransactionFilter) restrict(rows *gorm.DB) *gorm.DB {
	if f.CVR != "" {
		rows = rows.Where("transactions.cvr = ?", f.CVR)
	}
	if f.Type != "" {
		rows = rows.Where("transactions.transfer_type = ?", f.Type)
	}
	return f.restrictAmount(f.restrictDays(rows, "transactions.disposition_date"))
}

func (f TransactionFilter) restrictDays(rows *gorm.DB, column string) *gorm.DB {
	if f.From != nil {
		rows = rows.Where(column+" >= ?", *f.From)
	}
	if f.To != nil {
		rows = rows.Where(column+" <= ?", *f.To)
	}
	return rows
}

func (f TransactionFilter) restrictAmount(rows *gorm.DB) *gorm.DB {
	if len(f.Account.Numbers) > 0 {
		rows = rows.Where("transactions.account_number IN ? AND ? IN ('', transactions.reg_number)", f.Account.Numbers,
			f.Account.Registration)
	}
	amount := "transactions.amount_dkk"
	if f.Unsigned {
		amount = "abs(transactions.amount_dkk)"
	}
	if f.AmountFrom != "" && f.AmountFrom == f.AmountTo {
		return rows.Where(amount+" = CAST(? AS numeric)", f.AmountFrom)
	}
	if f.AmountFrom != "" {
		rows = rows.Where(amount+" >= CAST(? AS numeric)", f.AmountFrom)
	}
	if f.AmountTo != "" {
		rows = rows.Where(amount+" <= CAST(? AS numeric)", f.AmountTo)
	}
	return rows
}
