package ledger

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// Types of a Change.
const (
	DeliveryArrived   = "delivery.arrived"
	DeliveryWithdrawn = "delivery.withdrawn"
	CompanyChanged    = "company.changed" // it is new, or its fields changed
)

// Change is what happened to an organization's data. Its id is of the same sequence as
// those of transactions, and greater than the ids of those that came with it.
type Change struct {
	ID        uuid.UUID
	Type      string
	CreatedAt time.Time

	// Of a delivery file, else nil.
	DeliveryFileID *uuid.UUID
	Filename       *string
	Transactions   *int64     // how many came or went
	AmountDKK      *string    // their sum, decimal with two decimals
	FirstDate      *time.Time // of their disposition dates
	LastDate       *time.Time
	Reason         *string // of a withdrawal

	// Of a company, else nil.
	CVR    *string
	Status *string
}

const changeColumns = `changes.id, changes.type, changes.created_at, changes.delivery_file_id, changes.filename, changes.transactions,
	changes.amount_dkk::text AS amount_dkk, changes.first_date, changes.last_date, changes.reason, changes.cvr, changes.status`

// changeUnion are the columns of what changes are made of.
var changeUnion = union{
	{"id", ""}, {"type", ""}, {"created_at", ""}, {"delivery_file_id", "NULL::uuid"}, {"filename", "NULL"},
	{"transactions", "NULL::bigint"}, {"amount_dkk", "NULL::numeric"}, {"first_date", "NULL::date"},
	{"last_date", "NULL::date"}, {"reason", "NULL"}, {"cvr", "NULL"}, {"status", "NULL"},
}

var (
	changeOfCompany = changeUnion.columns(values{"id": "change_id", "type": "'" + CompanyChanged + "'",
		"created_at": "updated_at", "cvr": "cvr", "status": "status"})
	changeOfArrival = changeUnion.columns(values{"id": "change_id", "type": "'" + DeliveryArrived + "'",
		"created_at": "created_at", "delivery_file_id": "id", "filename": "filename", "transactions": "record_count",
		"amount_dkk": "total_amount_dkk", "first_date": "first_date", "last_date": "last_date"})
	changeOfWithdrawal = changeUnion.columns(values{"id": "change_id", "type": "'" + DeliveryWithdrawn + "'",
		"created_at": "withdrawn_at", "delivery_file_id": "id", "filename": "filename", "transactions": "record_count",
		"amount_dkk": "total_amount_dkk", "first_date": "first_date", "last_date": "last_date", "reason": "reason"})
)

var changeList = newList[Change](listQuery{
	table:   "changes",
	key:     "changes.id",
	columns: changeColumns,
	rows: func(tx *gorm.DB, s side) *gorm.DB {
		of := func(model any, columns string) *gorm.DB {
			return s.of(visible(tx.Model(model), "change_id"), "change_id").Clauses(database.Columns(columns))
		}
		return s.first(tx.Table("((?) UNION ALL (?) UNION ALL (?)) AS changes", of(&models.DeliveryFile{}, changeOfArrival),
			of(&models.WithdrawnFile{}, changeOfWithdrawal), of(&models.Company{}, changeOfCompany)), "changes.id")
	},
	totals: "organizations.company_count + organizations.delivery_file_count AS total, NULL AS amount",
})

// Changes returns a page of what happened to the organization's data, in that order: each
// delivery file's arrival, or its withdrawal instead, and each company's newest change.
// Whoever has read the changes up to an id never gets an older one.
func Changes(ctx context.Context, t models.Tenant, cursor Cursor) (Page[Change], error) {
	return readPage(ctx, t, changeList, cursor, database.Arguments{})
}
