package models

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
)

// Transaction is a disposition transaction: one record of a delivery file.
type Transaction struct {
	ID              uuid.UUID
	DeliveryFileID  uuid.UUID
	RecordIndex     int64 // zero-based number of the record's line in the file
	CVR             string
	RegNumber       string
	AccountNumber   string
	TransferType    string
	DispositionDate time.Time // a day
	Count           int64
	AmountDKK       string // decimal, always two decimals
	RawLine         string
	CreatedAt       time.Time // records never change
	Filename        string
	ProcessedAt     *time.Time // when the file's import was completed
}

var transactionList = list[Transaction]{
	table: `transactions t`,
	join:  ` JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id`,
	where: `t.organization_id = $1 AND t.cvr = $2`,
	id:    `t.id`,
	total: `(SELECT transaction_count FROM companies WHERE organization_id = $1 AND cvr = $2)`,
	columns: `t.id, t.delivery_file_id, t.record_index, t.cvr, t.reg_number, t.account_number, t.transfer_type,
		t.disposition_date, t.count, t.amount_dkk::text, t.raw_line, f.created_at, f.filename, f.processed_at`,
	scan: (*Transaction).scan,
}

// scan reads a row of the list's columns.
func (x *Transaction) scan(r *row) {
	*x = Transaction{
		ID: r.id(), DeliveryFileID: r.id(), RecordIndex: r.integer(), CVR: r.text(), RegNumber: r.text(), AccountNumber: r.text(),
		TransferType: r.text(), DispositionDate: r.day(), Count: r.integer(), AmountDKK: r.text(), RawLine: r.text(),
		CreatedAt: r.instant(), Filename: r.text(), ProcessedAt: orNull(r, (*row).instant),
	}
}

// Transactions gives a page of a company's transactions, in order of arrival.
// Errors: KindCompanyNotFound where the organization has no such company.
func (t Tenant) Transactions(ctx context.Context, cvr string, cursor Cursor) (Page[Transaction], error) {
	page, err := transactionList.read(ctx, t, cursor, t.organizationID[:], []byte(cvr))
	if errors.Is(err, errNoList) {
		return page, companyNotFound(cvr)
	}
	return page, err
}
