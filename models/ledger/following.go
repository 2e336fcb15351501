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
)

// Following describes the transactions after a cursor.
type Following struct {
	Count  int64
	Amount string     // their sum, decimal with two decimals
	LastID *uuid.UUID // nil if there are none
	models.Version
}

// EachFollowing sets found to what the transactions after an id are, of all companies, or
// of one day, and then calls f with each, in order of arrival, unless it is nil. A nil id is
// before all of them. All are of one moment. However many follow, the first f is called at
// once, but an id inside a file, or a day, takes as long as it takes to count its
// transactions. Its errors may be those of f.
func EachFollowing(ctx context.Context, t models.Tenant, day *time.Time, after *uuid.UUID, found *Following, f func(*models.Transaction) error) error {
	read := following{ctx: ctx, Tenant: t, day: day}
	if after != nil {
		read.edge = *after
	}
	return models.ReadData(ctx, t, func(s database.Snapshot) error {
		err := database.Each(s, read.described(), func(described *Following) error {
			*found = *described
			return nil
		})
		if err != nil || found.Count == 0 || f == nil {
			return err
		}
		rows, err := read.inOrder(s)
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
	day  *time.Time // nil for all days
	edge uuid.UUID
}

func (r following) compose() *gorm.DB { return r.Tenant.Compose(r.ctx) }

func (r following) rows() *gorm.DB {
	rows := visible(r.compose().Model(&models.Transaction{}).Where("transactions.id > ?", r.edge), "transactions.id")
	if r.day == nil {
		return rows.Where("transactions.record_index >= 0") // the condition of the index on all transactions
	}
	return rows.Where("transactions.disposition_date = ?", *r.day)
}

// types composes a query for the totals of the day's transfer types.
func (r following) types() *gorm.DB { return typesOf(r.ctx, r.Tenant, *r.day) }

// mostMerged is how many lists are merged at most. To plan more of them would take long.
const mostMerged = 100

// inOrder composes the query for the transactions, and makes PostgreSQL read them in order
// of id without sorting: those of all days by the index on arrival, and those of one day by
// the index that has each transfer type in order. It sorts if the day has more than 100
// types.
func (r following) inOrder(s database.Snapshot) (*gorm.DB, error) {
	rows := r.rows()
	if r.day != nil {
		var types []string
		add := func(total *struct{ TransferType string }) error {
			types = append(types, total.TransferType)
			return nil
		}
		if err := database.Each(s, r.types().Select("transfer_type"), add); err != nil {
			return nil, err
		}
		var parts []any
		for some := range slices.Chunk(types, 1+len(types)/mostMerged) {
			parts = append(parts, r.rows().Where("transactions.transfer_type IN ?", some).Clauses(database.Columns("transactions.*")).Order("transactions.id"))
		}
		rows = r.compose().Table("("+strings.Repeat("(?) UNION ALL ", len(parts)-1)+"(?)) AS transactions", parts...)
	}
	return joinFile(r.ctx, r.Tenant, rows).Clauses(database.Columns(transactionColumns)).Order("transactions.id"), s.ReadInOrder()
}

// described composes the query for a Following. The number and the sum are kept for each
// file, and for each transfer type of a day. Only what the cursor lies in is counted.
func (r following) described() *gorm.DB {
	parts := union{{"count", ""}, {"amount", ""}}
	files := func(condition string) *gorm.DB {
		return r.compose().Model(&models.DeliveryFile{}).Where(condition, r.edge)
	}
	kept := files("id > ?").Select(parts.columns(values{"count": "record_count", "amount": "total_amount_dkk"}))
	last := r.rows().Clauses(database.Columns("transactions.id")).Order("transactions.id DESC").Limit(1)
	counted := r.rows().Where("transactions.id <= (?)", files("id <= ?").Select("last_id").Order("id DESC").Limit(1))
	if r.day != nil {
		kept = r.types().Where("first_id > ?", r.edge).Select(parts.columns(values{"count": "count", "amount": "amount_dkk"}))
		counted = r.rows().Where("transactions.transfer_type IN (?)", r.types().Where("first_id <= ? AND last_id > ?", r.edge, r.edge).Select("transfer_type"))
		last = latestOfDay(r.ctx, r.Tenant, *r.day, r.edge)
	}
	return r.compose().Table("(? UNION ALL ?) AS parts", kept, counted.Select(parts.columns(values{"count": "count(*)", "amount": "sum(amount_dkk)"}))).
		Select("coalesce(sum(count), 0)::bigint AS count, coalesce(sum(amount), 0)::numeric(38, 2)::text AS amount, (?) AS last_id, ?", last, versionColumns(r.Tenant))
}

// typesOf composes a query for the totals of a day's transfer types.
func typesOf(ctx context.Context, t models.Tenant, day time.Time) *gorm.DB {
	return t.Compose(ctx).Model(&models.DailyTotal{}).Where("daily_totals.cvr = '' AND daily_totals.disposition_date = ?", day)
}

// latestOfDay composes a query for the id of a day's latest transaction after an id.
func latestOfDay(ctx context.Context, t models.Tenant, day time.Time, after uuid.UUID) *gorm.DB {
	ofType := t.Compose(ctx).Model(&models.Transaction{}).Clauses(database.Columns("id")).
		Where("transactions.id > ? AND transactions.disposition_date = ? AND transactions.transfer_type = types.transfer_type", after, day).Order("transactions.id DESC").Limit(1)
	return t.Compose(ctx).Table("(?) AS types, LATERAL (?) AS transactions", typesOf(ctx, t, day).Select("transfer_type"), ofType).
		Clauses(database.Columns("id")).Order("id DESC").Limit(1)
}
