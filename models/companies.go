package models

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Statuses are what the registration of a company with the card network can be in.
var Statuses = []string{"CREATED", "REGISTERED", "MODIFIED", "TERMINATED", "REJECTED"}

// Company is a company associated with an organization.
type Company struct {
	ID                    uuid.UUID
	CVR                   string // 8 digits
	Name                  string
	Address               *string
	StartDate             time.Time // a day
	EndDate               time.Time // a day; 9999-12-31: open-ended
	Status                string    // one of Statuses
	SenderRegNumber       *string   // 4 digits
	SenderAccountNumber   *string   // up to 10 digits
	ReceiverRegNumber     *string
	ReceiverAccountNumber *string
	DefaultAmountCents    *int64
	CreatedAt             time.Time
	UpdatedAt             time.Time
}

const companyColumns = `c.id, c.cvr, c.name, c.address, c.start_date, c.end_date, c.status,
	c.sender_reg_number, c.sender_account_number, c.receiver_reg_number, c.receiver_account_number,
	c.default_amount_cents, c.created_at, c.updated_at`

// scan reads a row of companyColumns.
func (c *Company) scan(r *row) {
	*c = Company{
		ID: r.id(), CVR: r.text(), Name: r.text(), Address: orNull(r, (*row).text), StartDate: r.day(), EndDate: r.day(), Status: r.text(),
		SenderRegNumber: orNull(r, (*row).text), SenderAccountNumber: orNull(r, (*row).text),
		ReceiverRegNumber: orNull(r, (*row).text), ReceiverAccountNumber: orNull(r, (*row).text),
		DefaultAmountCents: orNull(r, (*row).integer), CreatedAt: r.instant(), UpdatedAt: r.instant(),
	}
}

var companyList = list[Company]{
	table:   `companies c`,
	where:   `c.organization_id = $1`,
	id:      `c.id`,
	total:   `(SELECT company_count FROM organizations WHERE id = $1)`,
	columns: companyColumns,
	scan:    (*Company).scan,
}

// Companies gives a page of the organization's companies, in order of arrival.
func (t Tenant) Companies(ctx context.Context, cursor Cursor) (Page[Company], error) {
	return companyList.read(ctx, t, cursor, t.organizationID[:])
}

// CompanySearch is Companies among those whose CVR starts with the text or whose
// name has it, and that are in the status; either may be empty. The total stays
// that of all companies.
func (t Tenant) CompanySearch(ctx context.Context, text, status string, cursor Cursor) (Page[Company], error) {
	if text == "" && status == "" {
		return t.Companies(ctx, cursor)
	}
	search := companyList
	search.apart = true
	search.where += ` AND ($2 = '' OR c.cvr LIKE $3 OR c.name ILIKE $4) AND ($5 = '' OR c.status = $5)`
	escaped := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
	return search.read(ctx, t, cursor, t.organizationID[:], []byte(text), []byte(escaped+"%"), []byte("%"+escaped+"%"), []byte(status))
}

// Company gives the organization's company with that CVR. Errors:
// KindCompanyNotFound, with a message that names the CVR.
func (t Tenant) Company(ctx context.Context, cvr string) (Company, error) {
	var company Company
	rows, err := t.fetch(&read{
		ctx: ctx, sql: `SELECT ` + companyColumns + ` FROM companies c WHERE c.organization_id = $1 AND c.cvr = $2`,
		arguments: [][]byte{t.organizationID[:], []byte(cvr)}, scan: func(_ int, r *row) { company.scan(r) },
	})
	if err == nil && rows == 0 {
		err = companyNotFound(cvr)
	}
	return company, err
}

func companyNotFound(cvr string) error {
	return NewError(KindCompanyNotFound, fmt.Sprintf("No company with the CVR %s is associated with your organization.", cvr))
}
