package models

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models/database"
)

// Statuses are the states of a company's registration with the card network.
var Statuses = []string{"CREATED", "REGISTERED", "MODIFIED", "TERMINATED", "REJECTED"}

// Company is a company associated with an organization.
type Company struct {
	OrganizationID        uuid.UUID
	ID                    uuid.UUID
	CVR                   string // 8 digits
	Name                  string
	Address               *string
	StartDate             time.Time // a day
	EndDate               time.Time // a day; 9999-12-31 if open-ended
	Status                string    // one of Statuses
	SenderRegNumber       *string   // 4 digits
	SenderAccountNumber   *string   // up to 10 digits
	ReceiverRegNumber     *string
	ReceiverAccountNumber *string
	DefaultAmountCents    *int64
	TransactionCount      int64 `gorm:"->"` // kept by the database, like the sum of the transactions' amounts
	CreatedAt             time.Time
	UpdatedAt             time.Time
}

// companyRow is a company as a page's query returns it.
type companyRow struct {
	Company
	pageInfo
}

func (r *companyRow) split() (Company, pageInfo) { return r.Company, r.pageInfo }

const companyColumns = `companies.organization_id, companies.id, companies.cvr, companies.name, companies.address,
	companies.start_date, companies.end_date, companies.status, companies.sender_reg_number, companies.sender_account_number,
	companies.receiver_reg_number, companies.receiver_account_number, companies.default_amount_cents,
	companies.transaction_count, companies.created_at, companies.updated_at`

// Companies returns a page of the organization's companies, in order of arrival.
func (t Tenant) Companies(ctx context.Context, cursor Cursor) (Page[Company], error) {
	return t.companyPage(ctx, cursor, CompanySearch{})
}

func (t Tenant) companyPage(ctx context.Context, cursor Cursor, wanted CompanySearch) (Page[Company], error) {
	return readPage[Company, companyRow](ctx, t, cursor, list{
		table:   "companies",
		columns: companyColumns,
		rows:    func() *gorm.DB { return wanted.restrict(t.compose(ctx).Model(&Company{})) },
		total:   gorm.Expr("SELECT company_count FROM organizations WHERE id = ?", t.organizationID),
	})
}

var companyByCVR = database.ComposeOnce[Company](func(db *gorm.DB) *gorm.DB {
	return db.Model(&Company{}).Clauses(database.Columns(companyColumns)).Where("cvr = ?", database.Parameter(0))
})

// Company returns the organization's company with that CVR. Errors:
// KindCompanyNotFound, with a message that names the CVR.
func (t Tenant) Company(ctx context.Context, cvr string) (Company, error) {
	found, err := companyByCVR.Read(t.bind(ctx), t.store.db, cvr)
	if err != nil {
		return Company{}, Wrap(err)
	}
	if len(found) == 0 {
		return Company{}, CompanyNotFound(cvr)
	}
	return *found[0], nil
}

// CompanyNotFound is the error that says that the organization has no company with that CVR.
func CompanyNotFound(cvr string) error {
	return NewError(KindCompanyNotFound, "No company with the CVR {cvr} is associated with your organization.", "cvr", cvr)
}
