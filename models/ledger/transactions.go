package ledger

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// transactionRow is a transaction as a page's query returns it.
type transactionRow struct {
	models.Transaction
	pageInfo
}

func (r *transactionRow) split() (models.Transaction, pageInfo) { return r.Transaction, r.pageInfo }

const transactionColumns = `transactions.organization_id, transactions.id, transactions.delivery_file_id,
	transactions.record_index, transactions.cvr, transactions.reg_number, transactions.account_number,
	transactions.transfer_type, transactions.disposition_date, transactions.count,
	transactions.amount_dkk::text AS amount_dkk, transactions.raw_line, f.created_at, f.filename, f.processed_at`

// joinFile joins the delivery file that each transaction came with.
func joinFile(ctx context.Context, t models.Tenant, rows *gorm.DB) *gorm.DB {
	return rows.Joins("JOIN (?) AS f ON f.id = transactions.delivery_file_id",
		t.Compose(ctx).Model(&models.DeliveryFile{}).Clauses(database.Columns("id, created_at, filename, processed_at")))
}

// AllTransactions returns a page of the transactions of all companies, in order of
// arrival. day narrows the list to one disposition date, and its total and sum too; nil
// is all days.
func AllTransactions(
	ctx context.Context,
	t models.Tenant,
	day *time.Time,
	cursor Cursor,
) (Page[models.Transaction], error) {
	organization := t.Compose(ctx).Model(&models.Organization{})
	l := transactionList(ctx, t)
	// The condition of the index on all transactions.
	l.rows = func(s side) *gorm.DB {
		return s.transactions(t.Compose(ctx).Model(&models.Transaction{}).Where("transactions.record_index >= 0"))
	}
	l.total = organization.Session(&gorm.Session{}).Select("transaction_count")
	l.amount = organization.Session(&gorm.Session{}).Select("total_amount_dkk::text")
	if day != nil {
		types := func() *gorm.DB { return typesOf(ctx, t, *day) }
		// The index has each type of the day in order of id.
		l.rows = func(s side) *gorm.DB {
			ofType := s.transactions(
				t.Compose(ctx).
					Model(&models.Transaction{}).
					Where("transactions.disposition_date = ? AND transactions.transfer_type = types.transfer_type", *day),
			)
			merged := t.Compose(ctx).
				Table("(?) AS types, LATERAL (?) AS transactions", types().Select("transfer_type"), ofType.Clauses(database.Columns("transactions.cvr, transactions.id")))
			return t.Compose(ctx).
				Model(&models.Transaction{}).
				Joins("JOIN (?) AS page ON page.cvr = transactions.cvr AND page.id = transactions.id",
					s.first(merged, "transactions.id").Clauses(database.Columns("cvr, id")))
		}
		l.total, l.amount = types().Select("coalesce(sum(count), 0)::bigint"),
			types().Select("coalesce(sum(amount_dkk), 0)::numeric(38, 2)::text")
	}
	return readPage[models.Transaction, transactionRow](ctx, t, cursor, l)
}

// transactionList is what all lists of transactions have in common.
func transactionList(ctx context.Context, t models.Tenant) list {
	return list{
		table:   "transactions",
		key:     "transactions.id",
		columns: transactionColumns,
		join:    func(rows *gorm.DB) *gorm.DB { return joinFile(ctx, t, rows) },
	}
}

// transactions restricts rows of transactions to the side.
func (s side) transactions(rows *gorm.DB) *gorm.DB {
	return s.of(visible(rows, "transactions.id"), "transactions.id")
}

// Transactions returns a page of a company's transactions, in order of arrival.
// Errors: KindCompanyNotFound if the organization has no such company.
func Transactions(ctx context.Context, t models.Tenant, cvr string, cursor Cursor) (Page[models.Transaction], error) {
	l := transactionList(ctx, t)
	l.rows = func(s side) *gorm.DB {
		return s.transactions(t.Compose(ctx).Model(&models.Transaction{}).Where("transactions.cvr = ?", cvr))
	}
	l.total = t.Compose(ctx).Model(&models.Company{}).Select("transaction_count").Where("cvr = ?", cvr)
	l.amount = t.Compose(ctx).Model(&models.Company{}).Select("total_amount_dkk::text").Where("cvr = ?", cvr)
	page, err := readPage[models.Transaction, transactionRow](ctx, t, cursor, l)
	if errors.Is(err, errNoList) { // there is no row for the total
		return page, models.CompanyNotFound(cvr)
	}
	return page, err
}
