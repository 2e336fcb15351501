package models

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// DeliveryFile is a delivery file as one organization has it. The same file is
// another row in another organization, and a further row each time that more records
// of the delivery reach the organization.
type DeliveryFile struct {
	OrganizationID uuid.UUID
	ID             uuid.UUID
	DeliveryID     uuid.UUID // for the operator: organizations never see it
	LastID         uuid.UUID // of its records, whose ids follow its own
	Filename       string    // without its folder
	Layout         string
	RecordCount    int64  `gorm:"->"`                         // kept by the database
	TotalAmountDKK string `gorm:"->;column:total_amount_dkk"` // kept by the database
	CreatedAt      time.Time
	ProcessedAt    *time.Time // when the import was completed
}

// Transaction is a disposition transaction: one record of a delivery file, which
// never changes.
type Transaction struct {
	OrganizationID  uuid.UUID
	ID              uuid.UUID
	DeliveryFileID  uuid.UUID
	RecordIndex     int64 // zero-based number of the record's line in the file
	CVR             string
	RegNumber       string
	AccountNumber   string
	TransferType    string
	DispositionDate time.Time // a day
	Count           int64
	AmountDKK       string `gorm:"column:amount_dkk"` // decimal, always with two decimals
	RawLine         string

	// Of the delivery file: a record arrives with its file.
	CreatedAt   time.Time  `gorm:"->"`
	Filename    string     `gorm:"->"`
	ProcessedAt *time.Time `gorm:"->"`
}

// transactionRow is a transaction as a page's query returns it.
type transactionRow struct {
	Transaction
	pageInfo
}

func (r *transactionRow) split() (Transaction, pageInfo) { return r.Transaction, r.pageInfo }

const transactionColumns = `transactions.organization_id, transactions.id, transactions.delivery_file_id,
	transactions.record_index, transactions.cvr, transactions.reg_number, transactions.account_number,
	transactions.transfer_type, transactions.disposition_date, transactions.count,
	transactions.amount_dkk::text AS amount_dkk, transactions.raw_line, f.created_at, f.filename, f.processed_at`

const transactionFile = `JOIN delivery_files f ON f.organization_id = transactions.organization_id AND f.id = transactions.delivery_file_id`

// Transactions returns a page of a company's transactions, in order of arrival.
// Errors: KindCompanyNotFound if the organization has no such company.
func (t Tenant) Transactions(ctx context.Context, cvr string, cursor Cursor) (Page[Transaction], error) {
	page, err := readPage[Transaction, transactionRow](ctx, t, cursor, list{
		table:   "transactions",
		columns: transactionColumns,
		join:    transactionFile,
		rows:    func() *gorm.DB { return t.compose(ctx).Model(&Transaction{}).Where("transactions.cvr = ?", cvr) },
		total:   t.compose(ctx).Model(&Company{}).Select("transaction_count").Where("cvr = ?", cvr),
		amount:  t.compose(ctx).Model(&Company{}).Select("total_amount_dkk::text").Where("cvr = ?", cvr),
	})
	if errors.Is(err, errNoList) {
		return page, CompanyNotFound(cvr)
	}
	return page, err
}
