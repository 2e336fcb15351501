package ledger

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// Day is the transactions of a disposition date in total, and by transfer type: the three
// slices are parallel, ascending by type.
type Day struct {
	DispositionDate time.Time
	Count           int64
	AmountDKK       string   `gorm:"column:amount_dkk"`
	Types           []string `gorm:"type:text[]"`
	TypeCounts      []int64  `gorm:"type:bigint[]"`
	TypeAmounts     []string `gorm:"type:text[]"`
}

// dayRow is a day as a page's query returns it.
type dayRow struct {
	Day
	pageInfo
}

func (r *dayRow) split() (Day, pageInfo) { return r.Day, r.pageInfo }

const (
	dayColumns = "days.disposition_date, types.*"

	// Types are compared by their bytes, whatever the database's collation.
	dayTotals = `sum(count)::bigint AS count, sum(amount_dkk)::text AS amount_dkk,
		array_agg(transfer_type ORDER BY transfer_type COLLATE "C") AS types,
		array_agg(count ORDER BY transfer_type COLLATE "C") AS type_counts,
		array_agg(amount_dkk::text ORDER BY transfer_type COLLATE "C") AS type_amounts`
)

// Days returns a page of the days that have transactions of a company, or of any company
// if cvr is empty.
// Errors: KindCompanyNotFound if the organization has no such company.
func Days(ctx context.Context, t models.Tenant, cvr string, cursor DayCursor) (Page[Day], error) {
	totals := func() *gorm.DB { return t.Compose(ctx).Model(&models.DailyTotal{}).Where("daily_totals.cvr = ?", cvr) }
	// Days are counted, not kept: ten years of them are some thousands of entries of the
	// primary key, while a kept number would be one more to move in every import.
	days := func() *gorm.DB { return t.Compose(ctx).Table("(?) AS days", totals().Distinct("disposition_date")) }
	total := days().Select("count(*)")
	if cvr != "" {
		total = t.Compose(ctx).Model(&models.Company{}).Select("(?)", total).Where("cvr = ?", cvr)
	}
	page, err := readPage[Day, dayRow](ctx, t, cursor, list{
		table:   "days",
		days:    true,
		columns: dayColumns,
		join: func(rows *gorm.DB) *gorm.DB {
			return rows.Joins("CROSS JOIN LATERAL (?) AS types", totals().Where("daily_totals.disposition_date = days.disposition_date").Clauses(database.Columns(dayTotals)))
		},
		rows:  days,
		total: total,
	})
	if errors.Is(err, errNoList) { // there is no row for the total
		return page, models.CompanyNotFound(cvr)
	}
	return page, err
}

// DaySpan is the first and the last day of something; nil if there is none.
type DaySpan struct{ First, Last *time.Time }

// ReceivedSpan returns the span of the days that have transactions.
func ReceivedSpan(ctx context.Context, t models.Tenant) (DaySpan, error) {
	found, err := models.Read[DaySpan](ctx, t, t.Compose(ctx).Model(&models.DailyTotal{}).Where("cvr = ''").
		Select("min(disposition_date) AS first, max(disposition_date) AS last"))
	if err != nil {
		return DaySpan{}, models.Wrap(err)
	}
	return found[0], nil
}

// DayCompany is what a company has of a day.
type DayCompany struct {
	CVR         string
	CompanyName string
	Count       int64
	AmountDKK   string `gorm:"column:amount_dkk"`
}

// DayCompanies returns what companies have of a day, the largest sums first and at most so
// many. It reports whether there are more.
func DayCompanies(ctx context.Context, t models.Tenant, day time.Time, limit int) (companies []DayCompany, more bool, err error) {
	sums := t.Compose(ctx).Model(&models.Transaction{}).Where("disposition_date = ? AND transfer_type IN (?)", day, typesOf(ctx, t, day).Select("transfer_type")).
		Group("cvr").Order("abs(sum(amount_dkk)) DESC, cvr").Limit(limit + 1).Select("cvr, count(*) AS count, sum(amount_dkk)::numeric(38, 2) AS amount_dkk")
	rows, err := models.Read[DayCompany](ctx, t, joinCompany(ctx, t, t.Compose(ctx).Table("(?) AS d", sums), "d").
		Order("abs(d.amount_dkk) DESC, d.cvr").Clauses(database.Columns("d.cvr, c.name AS company_name, d.count, d.amount_dkk")))
	return rows[:min(len(rows), limit)], len(rows) > limit, models.Wrap(err)
}
