package models

import (
	"context"

	"gorm.io/gorm"

	"dispo/models/database"
)

// ExportedTransaction is a transaction with the name of its company.
type ExportedTransaction struct {
	Transaction
	CompanyName string
}

// EachTransaction calls f with every transaction that fits the filter, the newest first.
// All are of one moment. Its errors may be f's.
func (t Tenant) EachTransaction(ctx context.Context, filter TransactionFilter, f func(*ExportedTransaction) error) error {
	return each(ctx, t, t.Ledger(ctx, filter).Clauses(database.Columns(transactionColumns+", c.name")).Joins(transactionFile).
		Joins("JOIN companies c ON c.organization_id = transactions.organization_id AND c.cvr = transactions.cvr"), f)
}

// EachCompany calls f with every company that a search finds, in order of arrival. All
// are of one moment. Its errors may be f's.
func (t Tenant) EachCompany(ctx context.Context, wanted CompanySearch, f func(*Company) error) error {
	rows := wanted.restrict(t.visible(t.compose(ctx).Model(&Company{}), "companies.id"))
	return each(ctx, t, rows.Clauses(database.Columns(companyColumns)).Order("companies.id"), f)
}

func each[T any](ctx context.Context, t Tenant, query *gorm.DB, f func(*T) error) error {
	return Wrap(database.Each(t.bind(ctx), t.store.db.Exports(), query, f))
}
