package ledger

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

const transactionColumns = `transactions.organization_id, transactions.id, transactions.delivery_file_id,
	transactions.record_index, transactions.cvr, transactions.reg_number, transactions.account_number,
	transactions.transfer_type, transactions.disposition_date, transactions.count,
	transactions.amount_dkk::text AS amount_dkk, transactions.raw_line, f.created_at, f.filename, f.processed_at`

// joinFile joins the delivery file that each transaction came with.
func joinFile(tx, rows *gorm.DB) *gorm.DB {
	return rows.Joins("JOIN (?) AS f ON f.id = transactions.delivery_file_id",
		tx.Model(&models.DeliveryFile{}).Clauses(database.Columns("id, created_at, filename, processed_at")))
}

// transactions restricts rows of transactions to the side.
func (s side) transactions(rows *gorm.DB) *gorm.DB {
	return s.of(visible(rows, "transactions.id"), "transactions.id")
}

var allTransactionList = newList[models.Transaction](listQuery{
	table:   "transactions",
	key:     "transactions.id",
	columns: transactionColumns,
	join:    joinFile,
	// The condition of the index on all transactions.
	rows: func(tx *gorm.DB, s side) *gorm.DB {
		return s.transactions(tx.Model(&models.Transaction{}).Where("transactions.record_index >= 0"))
	},
	totals: "organizations.transaction_count AS total, organizations.total_amount_dkk::text AS amount",
})

var dayTransactionList = newList[models.Transaction](listQuery{
	table:   "transactions",
	key:     "transactions.id",
	columns: transactionColumns,
	join:    joinFile,
	// The index has each type of the day in order of id.
	rows: func(tx *gorm.DB, s side) *gorm.DB {
		ofType := s.transactions(tx.Model(&models.Transaction{}).
			Where("transactions.disposition_date = @day AND transactions.transfer_type = types.transfer_type"))
		merged := tx.Table("(?) AS types, LATERAL (?) AS transactions",
			ofDay(tx).Select("transfer_type"), ofType.Clauses(database.Columns("transactions.cvr, transactions.id")))
		return tx.Model(&models.Transaction{}).
			Joins("JOIN (?) AS page ON page.cvr = transactions.cvr AND page.id = transactions.id",
				s.first(merged, "transactions.id").Clauses(database.Columns("cvr, id")))
	},
	totals: "totals.total, totals.amount",
	of: func(tx, row *gorm.DB) *gorm.DB {
		return row.Joins("CROSS JOIN (?) AS totals", ofDay(tx).Clauses(database.Columns(
			"coalesce(sum(count), 0)::bigint AS total, coalesce(sum(amount_dkk), 0)::numeric(38, 2)::text AS amount")))
	},
})

// ofDay composes a query for the totals of the transfer types of @day.
func ofDay(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.DailyTotal{}).Where("daily_totals.cvr = '' AND daily_totals.disposition_date = @day")
}

// AllTransactions returns a page of the transactions of all companies, in order of
// arrival. day narrows the list to one disposition date, and its total and sum too; nil
// is all days.
func AllTransactions(
	ctx context.Context, t models.Tenant, day *time.Time, cursor Cursor,
) (Page[models.Transaction], error) {
	if day != nil {
		return readPage(ctx, t, dayTransactionList, cursor, database.Arguments{"day": *day})
	}
	return readPage(ctx, t, allTransactionList, cursor, database.Arguments{})
}

var companyTransactionList = newList[models.Transaction](listQuery{
	table:   "transactions",
	key:     "transactions.id",
	columns: transactionColumns,
	join:    joinFile,
	rows: func(tx *gorm.DB, s side) *gorm.DB {
		return s.transactions(tx.Model(&models.Transaction{}).Where("transactions.cvr = @cvr"))
	},
	totals: "c.transaction_count AS total, c.total_amount_dkk::text AS amount",
	of: func(tx, row *gorm.DB) *gorm.DB {
		return row.Joins("LEFT JOIN (?) AS c ON true", tx.Model(&models.Company{}).Where("companies.cvr = @cvr").
			Clauses(database.Columns("transaction_count, total_amount_dkk")))
	},
})

// Transactions returns a page of a company's transactions, in order of arrival.
// Errors: KindCompanyNotFound if the organization has no such company.
func Transactions(ctx context.Context, t models.Tenant, cvr string, cursor Cursor) (Page[models.Transaction], error) {
	page, err := readPage(ctx, t, companyTransactionList, cursor, database.Arguments{"cvr": cvr})
	if errors.Is(err, errNoList) {
		return page, models.CompanyNotFound(cvr)
	}
	return page, err
}
