package ledger

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
)

// Following describes the items after a cursor.
type Following struct {
	Count  int64
	Amount string     // the sum of transactions, decimal with two decimals; empty for companies
	LastID *uuid.UUID // nil if there are none
	models.Version
}

// Part is the transactions of one day or of one company, or all if it is zero.
type Part struct {
	Day *time.Time
	CVR string
}

// EachFollowing sets found to what the transactions of a part after an id are, and then
// calls f with each, in order of arrival, unless it is nil. A nil id is before all of them.
// All are of one moment. However many follow, the first f is called at once, but an id inside
// a file, or a day, takes as long as it takes to count its transactions. Its errors may be
// those of f.
func EachFollowing(
	ctx context.Context, t models.Tenant, part Part, after *uuid.UUID, found *Following, f func(*models.Transaction) error,
) error {
	edge, _ := edgeOf(Cursor{After: after})
	read := following{ctx, t, part, edge}
	return eachFollowing(ctx, t, read.described, read.inOrder, found, f)
}

// EachFollowingCompany is EachFollowing for the organization's companies.
func EachFollowingCompany(
	ctx context.Context, t models.Tenant, after *uuid.UUID, found *Following, f func(*models.Company) error,
) error {
	edge, _ := edgeOf(Cursor{After: after})
	rows := func() *gorm.DB {
		return visible(t.DB(ctx).Model(&models.Company{}).Where("companies.id > ?", edge), "companies.id")
	}
	described := func() *gorm.DB {
		last := rows().Clauses(database.Columns("companies.id")).Order("companies.id DESC").Limit(1)
		return t.DB(ctx).Model(&models.Organization{}).
			Select("(?) AS count, '' AS amount, (?) AS last_id, ?", rows().Select("count(*)"), last, versionColumns(t))
	}
	inOrder := func(s database.Snapshot) (*gorm.DB, error) {
		return rows().Clauses(database.Columns(companyColumns)).Order("companies.id"), s.ReadInOrder()
	}
	return eachFollowing(ctx, t, described, inOrder, found, f)
}

func eachFollowing[T any](
	ctx context.Context, t models.Tenant, described func() *gorm.DB, inOrder func(database.Snapshot) (*gorm.DB, error),
	found *Following, f func(*T) error,
) error {
	return models.ReadData(ctx, t, func(s database.Snapshot) error {
		err := database.Each(s, described(), func(described *Following) error {
			*found = *described
			return nil
		})
		if err != nil || found.Count == 0 || f == nil {
			return err
		}
		rows, err := inOrder(s)
		if err != nil {
			return err
		}
		return database.Each(s, rows, f)
	})
}

// following composes queries for the transactions after an id.
type following struct {
	ctx context.Context
	models.Tenant
	Part
	edge uuid.UUID
}

func (r following) compose() *gorm.DB { return r.Tenant.DB(r.ctx) }

func (r following) rows() *gorm.DB {
	rows := visible(r.compose().Model(&models.Transaction{}).Where("transactions.id > ?", r.edge), "transactions.id")
	switch {
	case r.CVR != "":
		return rows.Where("transactions.cvr = ?", r.CVR)
	case r.Day == nil:
		return rows.Where("transactions.record_index >= 0") // the condition of the index on all transactions
	}
	return rows.Where("transactions.disposition_date = ?", *r.Day)
}

// totals composes a query for the totals of the transfer types of the day, or of the company's days.
func (r following) totals() *gorm.DB {
	if r.CVR != "" {
		return r.compose().Model(&models.DailyTotal{}).Where("daily_totals.cvr = ?", r.CVR)
	}
	return typesOf(r.ctx, r.Tenant, *r.Day)
}

// mostMerged is how many lists are merged at most. To plan more of them would take long.
const mostMerged = 100

// inOrder composes the query for the transactions, and makes PostgreSQL read them in order
// of id without sorting: those of all days by the index on arrival, those of a company by the
// primary key, and those of one day by the index that has each transfer type in order. It sorts if the day has more than 100
// types.
func (r following) inOrder(s database.Snapshot) (*gorm.DB, error) {
	rows := r.rows()
	if r.Day != nil {
		var types []string
		add := func(total *struct{ TransferType string }) error {
			types = append(types, total.TransferType)
			return nil
		}
		if err := database.Each(s, r.totals().Select("transfer_type"), add); err != nil {
			return nil, err
		}
		var parts []any
		for some := range slices.Chunk(types, 1+len(types)/mostMerged) {
			parts = append(parts, r.rows().Where("transactions.transfer_type IN ?", some).
				Clauses(database.Columns("transactions.*")).Order("transactions.id"))
		}
		rows = r.compose().Table("("+strings.Repeat("(?) UNION ALL ", len(parts)-1)+"(?)) AS transactions", parts...)
	}
	rows = joinFile(r.compose(), rows).Clauses(database.Columns(transactionColumns)).Order("transactions.id")
	return rows, s.ReadInOrder()
}

// described composes the query for a Following. The number and the sum are kept for each
// file, and for each transfer type of a day, also of a company. Only what the cursor lies in is counted.
func (r following) described() *gorm.DB {
	parts := union{{"count", ""}, {"amount", ""}}
	files := func(condition string) *gorm.DB {
		return r.compose().Model(&models.DeliveryFile{}).Where(condition, r.edge)
	}
	kept := files("id > ?").Select(parts.columns(values{"count": "record_count", "amount": "total_amount_dkk"}))
	last := r.rows().Clauses(database.Columns("transactions.id")).Order("transactions.id DESC").Limit(1)
	counted := r.rows().Where("transactions.id <= (?)", files("id <= ?").Select("last_id").Order("id DESC").Limit(1))
	around := func() *gorm.DB { return r.totals().Where("first_id <= ? AND last_id > ?", r.edge, r.edge) }
	if r.CVR != "" || r.Day != nil {
		kept = r.totals().Where("first_id > ?", r.edge).
			Select(parts.columns(values{"count": "count", "amount": "amount_dkk"}))
	}
	if r.CVR != "" {
		counted = r.rows().
			Where("(transactions.disposition_date, transactions.transfer_type) IN (?) AND transactions.id <= (?)",
				around().Select("disposition_date, transfer_type"), around().Select("last_id").Order("last_id DESC").Limit(1))
	} else if r.Day != nil {
		counted = r.rows().Where("transactions.transfer_type IN (?)", around().Select("transfer_type"))
		last = latestOfDay(r.ctx, r.Tenant, *r.Day, r.edge)
	}
	return r.compose().
		Table("(? UNION ALL ?) AS parts", kept, counted.Select(parts.columns(values{"count": "count(*)", "amount": "sum(amount_dkk)"}))).
		Select("coalesce(sum(count), 0)::bigint AS count, coalesce(sum(amount), 0)::numeric(38, 2)::text AS amount, (?) AS last_id, ?", last, versionColumns(r.Tenant))
}

// typesOf composes a query for the totals of a day's transfer types.
func typesOf(ctx context.Context, t models.Tenant, day time.Time) *gorm.DB {
	return t.DB(ctx).Model(&models.DailyTotal{}).Where("daily_totals.cvr = '' AND daily_totals.disposition_date = ?", day)
}

// latestOfDay composes a query for the id of a day's latest transaction after an id.
func latestOfDay(ctx context.Context, t models.Tenant, day time.Time, after uuid.UUID) *gorm.DB {
	ofType := t.DB(ctx).Model(&models.Transaction{}).Clauses(database.Columns("id")).
		Where("transactions.id > ? AND transactions.disposition_date = ? AND transactions.transfer_type = types.transfer_type", after, day).
		Order("transactions.id DESC").Limit(1)
	return t.DB(ctx).
		Table("(?) AS types, LATERAL (?) AS transactions", typesOf(ctx, t, day).Select("transfer_type"), ofType).
		Clauses(database.Columns("id")).Order("id DESC").Limit(1)
}

// versionColumns selects the version of the organization's data.
func versionColumns(t models.Tenant) clause.Expr {
	id := t.OrganizationID()
	return gorm.Expr("(SELECT data_version FROM organizations WHERE id = ?) AS data_version, "+
		"(SELECT history FROM organizations WHERE id = ?) AS history", id, id)
}
