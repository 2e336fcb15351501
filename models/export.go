package models

import (
	"context"

	"gorm.io/gorm"

	"dispo/models/database"
)

// EachTransaction calls f with every transaction that fits the filter, the newest first.
// All are of one moment. Its errors may be f's.
func (t Tenant) EachTransaction(ctx context.Context, filter TransactionFilter, f func(*LedgerItem) error) error {
	rows := t.Ledger(ctx, filter)
	if filter.CVR == "" && filter.Type == "" {
		rows = t.ofDays(ctx, rows, filter)
	}
	return t.eachItem(ctx, rows, f)
}

// EachArrivedRecord is EachTransaction for those of a stored delivery file.
func (t Tenant) EachArrivedRecord(ctx context.Context, file Arrival, f func(*LedgerItem) error) error {
	days := TransactionFilter{From: file.FirstDate, To: file.LastDate}
	return t.eachItem(ctx, t.ofDays(ctx, t.Ledger(ctx, days), days).Where("transactions.delivery_file_id = ?", file.ID), f)
}

// ofDays names the transfer types of the filter's days, because the index of the days
// starts with the type.
func (t Tenant) ofDays(ctx context.Context, rows *gorm.DB, filter TransactionFilter) *gorm.DB {
	if filter.From == nil && filter.To == nil {
		return rows
	}
	types := t.compose(ctx).Model(&DailyTotal{}).Select("transfer_type").Where("cvr = ''")
	return rows.Where("transactions.transfer_type IN (?)", filter.restrictDays(types, "disposition_date"))
}

func (t Tenant) eachItem(ctx context.Context, rows *gorm.DB, f func(*LedgerItem) error) error {
	return each(ctx, t, rows.Clauses(database.Columns(transactionColumns+", c.name")).Joins(transactionFile).
		Joins("JOIN companies c ON c.organization_id = transactions.organization_id AND c.cvr = transactions.cvr"), f)
}

// EachCompany calls f with every company that a search finds, in its order. All are of
// one moment. Its errors may be f's.
func (t Tenant) EachCompany(ctx context.Context, wanted CompanySearch, f func(*Company) error) error {
	rows := wanted.restrict(t.visible(t.compose(ctx).Model(&Company{}), "companies.id"))
	order := "companies.id"
	if wanted.Order != "" {
		key, descends := wanted.Order.key()
		if order = key + ", companies.id"; descends {
			order = key + " DESC, companies.id DESC"
		}
	}
	return each(ctx, t, rows.Clauses(database.Columns(companyColumns)).Order(order), f)
}

// EachArrival calls f with every delivery file of the organization, the latest first,
// with those that were withdrawn. All are of one moment. Its errors may be f's.
func (t Tenant) EachArrival(ctx context.Context, f func(*Arrival) error) error {
	files := t.arrivals(ctx, func(files *gorm.DB) *gorm.DB { return files })
	return each(ctx, t, t.compose(ctx).Table("(? UNION ALL ?) AS files", files[0], files[1]).Clauses(database.Columns("*")).Order("id DESC"), f)
}

func each[T any](ctx context.Context, t Tenant, query *gorm.DB, f func(*T) error) error {
	return Wrap(database.Each(t.bind(ctx), t.store.db.Exports(), query, f))
}
