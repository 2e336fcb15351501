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

const (
	dayColumns = "days.disposition_date, types.*"

	// Types are compared by their bytes, whatever the database's collation.
	dayTotals = `sum(count)::bigint AS count, sum(amount_dkk)::text AS amount_dkk,
		array_agg(transfer_type ORDER BY transfer_type COLLATE "C") AS types,
		array_agg(count ORDER BY transfer_type COLLATE "C") AS type_counts,
		array_agg(amount_dkk::text ORDER BY transfer_type COLLATE "C") AS type_amounts`
)

// dayTotalsOf composes a query for the daily totals of the company @cvr, or of all if it is empty.
func dayTotalsOf(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.DailyTotal{}).Where("daily_totals.cvr = @cvr")
}

// dayList composes lists of days, of a company or of all.
func dayList(of func(tx, row, days *gorm.DB) *gorm.DB) list[Day] {
	return newList[Day](listQuery{
		table:   "days",
		key:     "days.disposition_date",
		columns: dayColumns,
		// The limit is where the days are found, or PostgreSQL finds all of them.
		rows: func(tx *gorm.DB, s side) *gorm.DB {
			return tx.Table("(?) AS days", s.of(dayTotalsOf(tx).Distinct("disposition_date"), "disposition_date"))
		},
		join: func(tx, rows *gorm.DB) *gorm.DB {
			return rows.Joins("CROSS JOIN LATERAL (?) AS types", dayTotalsOf(tx).
				Where("daily_totals.disposition_date = days.disposition_date").Clauses(database.Columns(dayTotals)))
		},
		// Days are counted, not kept: ten years of them are some thousands of entries of the
		// primary key, while a kept number would be one more to move in every import.
		totals: "counted.total, NULL AS amount",
		of: func(tx, row *gorm.DB) *gorm.DB {
			days := tx.Table("(?) AS days", dayTotalsOf(tx).Distinct("disposition_date")).Select("count(*) AS total")
			return of(tx, row, days)
		},
	})
}

var (
	allDayList = dayList(func(_, row, days *gorm.DB) *gorm.DB { return row.Joins("CROSS JOIN (?) AS counted", days) })
	// There is no total without the company.
	companyDayList = dayList(func(tx, row, days *gorm.DB) *gorm.DB {
		company := tx.Model(&models.Company{}).Where("companies.cvr = @cvr").Select("(?) AS total", days)
		return row.Joins("LEFT JOIN (?) AS counted ON true", company)
	})
)

// Days returns a page of the days that have transactions of a company, or of any company
// if cvr is empty.
// Errors: KindCompanyNotFound if the organization has no such company.
func Days(ctx context.Context, t models.Tenant, cvr string, cursor DayCursor) (Page[Day], error) {
	list := companyDayList
	if cvr == "" {
		list = allDayList
	}
	page, err := readPage(ctx, t, list, cursor, database.Arguments{"cvr": cvr})
	if errors.Is(err, errNoList) {
		return page, models.CompanyNotFound(cvr)
	}
	return page, err
}

// DaySpan is the first and the last day that have transactions, and the newest of them
// that is not after today; nil without one.
type DaySpan struct{ First, Last, Newest *time.Time }

// ReceivedSpan returns the span of the days that have transactions.
func ReceivedSpan(ctx context.Context, t models.Tenant, today time.Time) (DaySpan, error) {
	totals := func() *gorm.DB { return t.DB(ctx).Model(&models.DailyTotal{}).Where("daily_totals.cvr = ''") }
	found, err := models.Find[DaySpan](
		totals().Select("min(disposition_date) AS first, max(disposition_date) AS last, (?) AS newest",
			totals().Where("daily_totals.disposition_date <= ?", today).Select("max(disposition_date)")),
	)
	if err != nil {
		return DaySpan{}, err
	}
	return found[0], nil
}

const (
	UsualDays  = 8 // whose median is the usual
	UsualLeast = 3 // that must be known

	ComparedLeast = 4 // that must be known to say by how much a day differs
)

// DayCompany is what a company has of a day.
type DayCompany struct {
	CVR         string
	CompanyName string
	Count       int64
	AmountDKK   string `gorm:"column:amount_dkk"`
	UsualDKK    string `gorm:"column:usual_dkk"` // empty if the company usually has none, or too little is known
}

// DayOrder is the order of a day's companies.
type DayOrder string

const (
	// ByShortfall has those below their usual sum first, the largest shortfall first, then the
	// others, the largest sum first.
	ByShortfall DayOrder = `greatest(CASE d.count WHEN 0 THEN abs(d.usual) ELSE d.usual - d.amount_dkk END, 0) DESC,
		abs(d.amount_dkk) DESC, d.cvr`
	// BySum has those first that are absent, as AbsentCompanies counts them, then the largest sum.
	BySum DayOrder = `CASE WHEN d.absent THEN abs(d.usual) END DESC NULLS LAST,
		abs(d.amount_dkk) DESC, d.cvr`
)

// DayCompanies returns what companies have of a day, up to the limit, in the order.
// It reports whether there are more. What is usual is the median of the latest UsualDays of
// the past days that have transactions. A company usually has some if it had on most of
// these days since its first of them, and UsualLeast of these are known.
func DayCompanies(
	ctx context.Context, t models.Tenant, day time.Time, past []time.Time, order DayOrder, limit int,
) (companies []DayCompany, more bool, err error) {
	sums := companySums(ctx, t, day, past).Select(`cvr, `+absent+` AS absent,
		coalesce(sum(count) FILTER (WHERE nth = 0), 0)::bigint AS count, coalesce(sum(amount) FILTER (WHERE nth = 0), 0)::numeric(38, 2) AS amount_dkk,
		CASE WHEN max(nth) >= ? AND 2 * count(*) FILTER (WHERE nth > 0) > max(nth) THEN `+usualAmount+` END AS usual`, AbsentUsually, UsualLeast)
	rows, err := models.Find[DayCompany](
		joinCompany(ctx, t, t.DB(ctx).Table("(?) AS d", sums), "d").Where("d.count > 0 OR d.usual IS NOT NULL").
			Order(string(order)).Limit(limit + 1).
			Clauses(database.Columns("d.cvr, c.name AS company_name, d.count, d.amount_dkk, coalesce(d.usual::text, '') AS usual_dkk")),
	)
	return rows[:min(len(rows), limit)], len(rows) > limit, err
}

// usualAmount is the median of a company's sums of the past days, of companySums.
const usualAmount = `((percentile_disc(0.5) WITHIN GROUP (ORDER BY amount) FILTER (WHERE nth > 0)
	- percentile_disc(0.5) WITHIN GROUP (ORDER BY -amount) FILTER (WHERE nth > 0)) / 2)::numeric(38, 2)`

// companySums composes a query by company for what it has of a day and of the latest UsualDays of
// the past days with transactions. nth is how many days back, and 0 for the day itself: a company's
// greatest is how many days are known of it.
func companySums(ctx context.Context, t models.Tenant, day time.Time, past []time.Time) *gorm.DB {
	totals := func() *gorm.DB { return t.DB(ctx).Model(&models.DailyTotal{}).Where("daily_totals.cvr = ''") }
	latest := totals().Where("disposition_date IN ?", past).Distinct("disposition_date").Order("disposition_date DESC").
		Limit(UsualDays)
	types := totals().Where("disposition_date = ? OR disposition_date IN (?)", day, latest).
		Select("disposition_date AS day, transfer_type, CASE WHEN disposition_date = ? THEN 0 ELSE dense_rank() OVER (PARTITION BY disposition_date = ? ORDER BY disposition_date DESC) END AS nth", day, day)
	ofType := t.DB(ctx).Model(&models.Transaction{}).
		Where("transactions.disposition_date = types.day AND transactions.transfer_type = types.transfer_type").Group("cvr").
		Select("cvr, count(*) AS count, sum(amount_dkk) AS amount")
	ofDay := t.DB(ctx).Table("(?) AS types, LATERAL (?) AS companies", types, ofType).Group("cvr, nth").
		Select("cvr, nth, sum(count) AS count, sum(amount) AS amount")
	return t.DB(ctx).Table("(?) AS days", ofDay).Group("cvr")
}

// AbsentUsually is on how many of the last UsualDays bank days of a weekday a company must have had
// transactions, so that it counts as absent without any.
const AbsentUsually = 6

// absent reports whether a company is absent, of companySums.
const absent = "count(*) FILTER (WHERE nth > 0) >= ? AND count(*) FILTER (WHERE nth = 0) = 0"

// Absent is a company that has nothing of a day, though it usually has.
type Absent struct {
	CVR         string
	CompanyName string
	UsualDKK    string `gorm:"column:usual_dkk"` // the median of what it had
	Count       int64  // of all that are absent
	SumDKK      string `gorm:"column:sum_dkk"` // of their medians
}

// AbsentCompanies returns the companies that have nothing of a day, up to the limit, the largest
// first, though they had transactions on AbsentUsually of the last UsualDays bank days of this
// weekday. It reads the transactions of nine days.
func AbsentCompanies(ctx context.Context, t models.Tenant, day time.Time, limit int) ([]Absent, error) {
	var past []time.Time
	for before := day.AddDate(0, 0, -7); len(past) < UsualDays && BankDay(day); before = before.AddDate(0, 0, -7) {
		if BankDay(before) {
			past = append(past, before)
		}
	}
	sums := companySums(ctx, t, day, past).Select("cvr, "+usualAmount+" AS usual").
		Having(absent, AbsentUsually)
	return models.Find[Absent](joinCompany(ctx, t, t.DB(ctx).Table("(?) AS d", sums), "d").
		Order("abs(d.usual) DESC, d.cvr").Limit(limit).
		Clauses(database.Columns(`d.cvr, c.name AS company_name, d.usual AS usual_dkk, count(*) OVER () AS count,
			(sum(d.usual) OVER ())::numeric(38, 2) AS sum_dkk`)))
}
