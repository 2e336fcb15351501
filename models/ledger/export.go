package ledger

import (
	"context"
	"time"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// EachTransaction calls f with every transaction that fits the filter, the newest first.
// All are of one moment. Its errors may be f's.
func EachTransaction(ctx context.Context, t models.Tenant, filter TransactionFilter, f func(*Item) error) error {
	rows := Ledger(ctx, t, filter)
	if filter.CVR == "" && filter.Type == "" {
		rows = ofDays(ctx, t, rows, filter)
	}
	return eachItem(ctx, t, rows, f)
}

// EachArrivedRecord is EachTransaction for those of a stored delivery file.
func EachArrivedRecord(ctx context.Context, t models.Tenant, file Arrival, f func(*Item) error) error {
	days := TransactionFilter{From: file.FirstDate, To: file.LastDate}
	return eachItem(ctx, t, ofDays(ctx, t, Ledger(ctx, t, days), days).Where("transactions.delivery_file_id = ?", file.ID),
		f)
}

// ofDays names the transfer types of the filter's days, because the index of the days
// starts with the type.
func ofDays(ctx context.Context, t models.Tenant, rows *gorm.DB, filter TransactionFilter) *gorm.DB {
	if filter.From == nil && filter.To == nil {
		return rows
	}
	types := t.DB(ctx).Model(&models.DailyTotal{}).Select("transfer_type").Where("cvr = ''")
	return rows.Where("transactions.transfer_type IN (?)", filter.restrictDays(types, "disposition_date"))
}

func eachItem(ctx context.Context, t models.Tenant, rows *gorm.DB, f func(*Item) error) error {
	return models.Each(ctx, t, joinItem(ctx, t, rows), f)
}

// EachCompany calls f with every company that a search finds, in its order. All are of
// one moment. Its errors may be f's.
func EachCompany(ctx context.Context, t models.Tenant, wanted CompanySearch, f func(*models.Company) error) error {
	rows := wanted.restrict(visible(t.DB(ctx).Model(&models.Company{}), "companies.id"))
	return models.Each(ctx, t, rows.Clauses(database.Columns(companyColumns)).Order(by(wanted.Order.columns())), f)
}

// EachArrival calls f with every delivery file of the organization, the latest first,
// with those that were withdrawn. All are of one moment. Its errors may be f's.
func EachArrival(ctx context.Context, t models.Tenant, f func(*Arrival) error) error {
	files := arrivals(ctx, t, func(files *gorm.DB) *gorm.DB { return files })
	return models.Each(ctx, t,
		t.DB(ctx).Table("(? UNION ALL ?) AS files", files[0], files[1]).Clauses(database.Columns("*")).Order("id DESC"), f)
}

// EachDayTotal calls f with the totals of each day and transfer type from one day to
// another, the earliest first. Its errors may be f's.
func EachDayTotal(ctx context.Context, t models.Tenant, from, to time.Time, f func(*models.DailyTotal) error) error {
	return models.Each(ctx, t,
		t.DB(ctx).Model(&models.DailyTotal{}).Where("cvr = '' AND disposition_date BETWEEN ? AND ?", from, to).
			Clauses(database.Columns("*")).Order(`disposition_date, transfer_type COLLATE "C"`), f)
}
