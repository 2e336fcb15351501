package ledger

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
)

// Arrival is a delivery file as one organization got it: with its own records alone.
type Arrival struct {
	ID             uuid.UUID
	Filename       string
	Layout         string // empty if it is not known any more, like the fields that may be nil
	RecordCount    int64
	TotalAmountDKK string     `gorm:"column:total_amount_dkk"` // decimal, with two decimals
	FirstDate      *time.Time // of its disposition dates; nil if it has no records
	LastDate       *time.Time
	CreatedAt      *time.Time // when it arrived
	WithdrawnAt    *time.Time // nil if it was not withdrawn
	Reason         string     // of the withdrawal
	SentAgain      bool       // records of each of its days came after the withdrawal
}

const arrivalColumns = "id, filename, layout, record_count, total_amount_dkk, first_date, last_date, created_at"

// arrivals composes queries for the stored files, and for the withdrawn ones.
func arrivals(ctx context.Context, t models.Tenant, restrict func(*gorm.DB) *gorm.DB) []*gorm.DB {
	return []*gorm.DB{
		restrict(
			t.DB(ctx).Model(&models.DeliveryFile{}),
		).Clauses(database.Columns(arrivalColumns + ", NULL::timestamptz AS withdrawn_at, '' AS reason, false AS sent_again")),
		restrict(
			t.DB(ctx).Model(&models.WithdrawnFile{}),
		).Select(arrivalColumns+", withdrawn_at, reason, coalesce((?), false) AS sent_again",
			t.DB(ctx).Model(&models.WithdrawnTotal{}).Select("bool_and(EXISTS (?))", sentAgain(ctx, t)).
				Where("withdrawn_totals.cvr = '' AND withdrawn_totals.file_id = withdrawn_files.id").
				Where("withdrawn_totals.disposition_date BETWEEN withdrawn_files.first_date AND withdrawn_files.last_date")),
	}
}

// sentAgain composes a query for whether records of a withdrawn total's company and day came after
// the withdrawal: a delivery that was withdrawn is usually sent again, corrected.
func sentAgain(ctx context.Context, t models.Tenant) *gorm.DB {
	return t.DB(ctx).Model(&models.DailyTotal{}).Select("1").
		Where("daily_totals.cvr = withdrawn_totals.cvr").
		Where("daily_totals.disposition_date = withdrawn_totals.disposition_date").
		Where("daily_totals.last_id > (?)", t.DB(ctx).Model(&models.WithdrawnFile{}).Select("change_id").
			Where("withdrawn_files.id = withdrawn_totals.file_id"))
}

// Arrivals returns a page of the organization's delivery files, the latest first, with
// those that were withdrawn: the ones before an id, or the latest if it is nil. It
// reports whether older ones follow.
func Arrivals(
	ctx context.Context, t models.Tenant, before *uuid.UUID, limit int,
) (found []Arrival, more bool, err error) {
	return latestArrivals(limit, arrivals(ctx, t, func(files *gorm.DB) *gorm.DB {
		if before != nil {
			files = files.Where("id < ?", *before)
		}
		return files.Order("id DESC").Limit(limit + 1)
	}))
}

// ArrivalsSearched is how many of the latest delivery files SearchArrivals looks at, and
// how many of the latest that were withdrawn.
const ArrivalsSearched = 2_000

// SearchArrivals returns the organization's delivery files whose name contains the text, the
// latest first, with those that were withdrawn. It reports whether older ones do, too.
func SearchArrivals(
	ctx context.Context, t models.Tenant, text string, limit int,
) (found []Arrival, more bool, err error) {
	latest := arrivals(ctx, t, func(files *gorm.DB) *gorm.DB { return files.Order("id DESC").Limit(ArrivalsSearched) })
	found, _, err = latestArrivals(2*ArrivalsSearched, latest)
	text = i18n.Fold(text)
	found = slices.DeleteFunc(found, func(a Arrival) bool { return !strings.Contains(i18n.Fold(a.Filename), text) })
	return found[:min(len(found), limit)], len(found) > limit, err
}

// latestArrivals merges what two queries find, each at most one more than limit.
func latestArrivals(limit int, queries []*gorm.DB) (found []Arrival, more bool, err error) {
	for _, query := range queries {
		rows, err := models.Find[Arrival](query)
		if err != nil {
			return nil, false, err
		}
		found = append(found, rows...)
	}
	slices.SortFunc(found, func(a, b Arrival) int { return compareIDs(b.ID, a.ID) })
	return found[:min(len(found), limit)], len(found) > limit, nil
}

// FindArrival returns a delivery file of the organization. Errors: KindNotFound.
func FindArrival(ctx context.Context, t models.Tenant, id uuid.UUID) (Arrival, error) {
	return oneArrival(arrivals(ctx, t, func(files *gorm.DB) *gorm.DB { return files.Where("id = ?", id) }))
}

// oneArrival returns the first file that queries find. Errors: KindNotFound.
func oneArrival(queries []*gorm.DB) (Arrival, error) {
	for _, query := range queries {
		rows, err := models.Find[Arrival](query)
		if err != nil {
			return Arrival{}, err
		}
		if len(rows) > 0 {
			return rows[0], nil
		}
	}
	return Arrival{}, models.NewError(models.KindNotFound, "There is no such delivery.")
}

// ArrivedRecords returns a page of a stored file's transactions, the newest first: those
// older than a position, if there is one. It reports whether older ones follow.
func ArrivedRecords(
	ctx context.Context, t models.Tenant, file Arrival, olderThan *Position, limit int,
) (items []Item, more bool, err error) {
	if file.FirstDate == nil {
		return nil, false, nil
	}
	days := t.DB(ctx).Model(&models.DailyTotal{}).
		Where("cvr = '' AND disposition_date BETWEEN ? AND ?", *file.FirstDate, *file.LastDate).
		Where("first_id <= (?) AND last_id > ?", t.DB(ctx).Model(&models.DeliveryFile{}).Select("last_id").Where("id = ?", file.ID), file.ID)
	rows := t.DB(ctx).Model(&models.Transaction{}).
		Where("transactions.transfer_type = days.transfer_type AND transactions.disposition_date = days.disposition_date").
		Where("transactions.id > ? AND transactions.id <= (?)", file.ID, t.DB(ctx).Model(&models.DeliveryFile{}).Select("last_id").Where("id = ?", file.ID))
	if olderThan != nil {
		days = days.Where("disposition_date <= ?", olderThan.Day)
		rows = rows.Where("(transactions.disposition_date, transactions.id) < (?, ?)", olderThan.Day, olderThan.ID)
	}
	days = days.Select("disposition_date, transfer_type")
	rows = rows.Clauses(database.Columns("transactions.organization_id, transactions.cvr, transactions.id, transactions.disposition_date")).
		Order("transactions.id DESC").
		Limit(limit + 1)
	page := t.DB(ctx).Table("(?) AS days, LATERAL (?) AS transactions", days, rows).
		Clauses(database.Columns("transactions.*")).Order(newestFirst).Limit(limit + 1)
	items, err = ledgerItems(ctx, t, page, newestFirst)
	return items[:min(len(items), limit)], len(items) > limit, err
}

func ledgerItems(ctx context.Context, t models.Tenant, found *gorm.DB, order string) ([]Item, error) {
	rows := t.DB(ctx).Table("(?) AS page", found).
		Joins("JOIN (?) AS transactions ON transactions.cvr = page.cvr AND transactions.id = page.id",
			t.DB(ctx).Model(&models.Transaction{}).Clauses(database.Columns("*")))
	return models.Find[Item](joinItem(ctx, t, rows).Order(order))
}

// joinItem selects transactions with what an Item has of their files and companies.
func joinItem(ctx context.Context, t models.Tenant, rows *gorm.DB) *gorm.DB {
	return joinCompany(ctx, t, joinFile(t.DB(ctx), rows), "transactions").
		Clauses(database.Columns(transactionColumns + ", c.name AS company_name"))
}

func joinCompany(ctx context.Context, t models.Tenant, rows *gorm.DB, table string) *gorm.DB {
	return rows.Joins("JOIN (?) AS c ON c.cvr = "+table+".cvr",
		t.DB(ctx).Model(&models.Company{}).Clauses(database.Columns("cvr, name")))
}

// ArrivalDay is what an organization has of one day, by disposition date.
type ArrivalDay struct {
	Day            time.Time
	Count          int64
	AmountDKK      string     `gorm:"column:amount_dkk"`
	Files          int64      // stored files with transactions of this day; not known before the days to show
	WithdrawnFiles int64      // withdrawn files that had some
	WithdrawnCount int64      // how many they had
	WithdrawnDKK   string     `gorm:"column:withdrawn_dkk"`
	WithdrawnID    *uuid.UUID // the latest of these files
	SentAgain      bool       // records came after each of these withdrawals
}

// ArrivalDays returns the days from one to another that have or had transactions of a
// company, or of any company if cvr is empty, the latest first. Files are looked for from
// the first day to show, and not for a company.
func ArrivalDays(ctx context.Context, t models.Tenant, cvr string, from, show, to time.Time) ([]ArrivalDay, error) {
	parts := received(ctx, t, cvr, "day", from, show, to)
	if cvr == "" {
		// A file of several days need not have transactions of each.
		has := t.DB(ctx).Model(&models.DailyTotal{}).Select("1").Where("cvr = '' AND disposition_date = days.day").
			Where("EXISTS (?)", t.DB(ctx).Model(&models.Transaction{}).Select("1").
				Where("transactions.transfer_type = daily_totals.transfer_type AND transactions.disposition_date = days.day AND transactions.id > delivery_files.id AND transactions.id <= delivery_files.last_id"),
			)
		parts = append(parts, t.DB(ctx).Model(&models.DeliveryFile{}).
			Joins("CROSS JOIN LATERAL (SELECT day::date FROM generate_series(greatest(first_date, CAST(? AS date)), least(last_date, CAST(? AS date)), make_interval(days => 1)) AS day) AS days", show, to).
			Where("first_date <= ? AND last_date >= ? AND (first_date = last_date OR EXISTS (?))", to, show, has).
			Select(arrivalUnion.columns(values{"day": "days.day", "files": "1"})))
	}
	return arrivalDays(ctx, t, parts)
}

// ArrivalMonths is ArrivalDays for whole months: Day is the first of each. It looks for no
// files.
func ArrivalMonths(ctx context.Context, t models.Tenant, cvr string, from, to time.Time) ([]ArrivalDay, error) {
	return arrivalDays(ctx, t, received(ctx, t, cvr, "month", from, from, to))
}

// arrivalUnion are the columns of what makes an ArrivalDay.
var arrivalUnion = union{
	{"day", ""}, {"count", "0"}, {"amount_dkk", "0"}, {"files", "0"},
	{"withdrawn_files", "0"}, {"withdrawn_count", "0"}, {"withdrawn_dkk", "0"}, {"withdrawn_id", "NULL::text"},
	{"sent_again", "NULL::boolean"},
}

// received composes queries for what arrived, and for what was withdrawn since a day.
func received(ctx context.Context, t models.Tenant, cvr, unit string, from, withdrawnSince, to time.Time) []any {
	day := "date_trunc('" + unit + "', disposition_date::timestamp)::date"
	return []any{
		t.DB(ctx).Model(&models.DailyTotal{}).Where("cvr = ? AND disposition_date BETWEEN ? AND ?", cvr, from, to).
			Select(arrivalUnion.columns(values{"day": day, "count": "count", "amount_dkk": "amount_dkk"})),
		t.DB(ctx).Model(&models.WithdrawnTotal{}).
			Where("cvr = ? AND disposition_date BETWEEN ? AND ?", cvr, withdrawnSince, to).
			Select(arrivalUnion.columns(values{"day": day, "withdrawn_files": "1", "withdrawn_count": "count", "withdrawn_dkk": "amount_dkk",
				"withdrawn_id": "file_id::text", "sent_again": "EXISTS (?)"}), sentAgain(ctx, t)),
	}
}

// arrivalDays adds up the rows of several queries by day.
func arrivalDays(ctx context.Context, t models.Tenant, parts []any) ([]ArrivalDay, error) {
	return models.Find[ArrivalDay](t.DB(ctx).
		Table("("+strings.Repeat("? UNION ALL ", len(parts)-1)+"?) AS days", parts...).Group("day").Order("day DESC").
		Select(`day, sum(count)::bigint AS count, sum(amount_dkk)::numeric(38, 2) AS amount_dkk, sum(files)::bigint AS files,
			sum(withdrawn_files)::bigint AS withdrawn_files, sum(withdrawn_count)::bigint AS withdrawn_count,
			sum(withdrawn_dkk)::numeric(38, 2) AS withdrawn_dkk, max(withdrawn_id COLLATE "C")::uuid AS withdrawn_id,
			coalesce(bool_and(sent_again), false) AS sent_again`))
}

// LatestArrival returns the file that the latest transactions of a day came with. Errors:
// KindNotFound if there are none.
func LatestArrival(ctx context.Context, t models.Tenant, day time.Time) (Arrival, error) {
	files := arrivals(ctx, t, func(files *gorm.DB) *gorm.DB {
		return files.Where("id < (?)", latestOfDay(ctx, t, day, uuid.Nil)).Order("id DESC").Limit(1)
	})
	return oneArrival(files[:1]) // of those that are stored
}

// WaitingRecords are records of one of the organization's deliveries that wait for a
// company which it does not have.
type WaitingRecords struct {
	CVR       string
	Count     int64
	AmountDKK string `gorm:"column:amount_dkk"`
	FirstDate time.Time
	LastDate  time.Time
}

// Waiting lists the records that wait for companies of this organization alone, by CVR,
// up to the limit. Records that wait for any organization are not among them: they may
// concern another one.
func Waiting(ctx context.Context, t models.Tenant, limit int) ([]WaitingRecords, error) {
	return models.Find[WaitingRecords](t.DB(ctx).Model(&models.HeldRecord{}).Group("cvr").Order("cvr").Limit(limit).
		Select("cvr, count(*) AS count, sum(amount_dkk)::numeric(38, 2) AS amount_dkk, min(disposition_date) AS first_date, max(disposition_date) AS last_date"),
	)
}
