package ledger

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// Following describes the transactions after a cursor.
type Following struct {
	Count       int64
	Amount      string     // their sum, decimal with two decimals
	LastID      *uuid.UUID // nil if there are none
	DataVersion int64
}

// EachFollowing calls begin with what the transactions after an id are, of all companies,
// or of one day, and f with each, in order of arrival. A nil id is before all of them. All
// are of one moment. Its errors may be those of begin and f.
func EachFollowing(ctx context.Context, t models.Tenant, day *time.Time, after *uuid.UUID, begin func(Following) error, f func(*models.Transaction) error) error {
	var edge uuid.UUID
	if after != nil {
		edge = *after
	}
	rows := func() *gorm.DB {
		rows := visible(t.Compose(ctx).Model(&models.Transaction{}).Where("transactions.id > ?", edge), "transactions.id")
		if day == nil {
			return rows.Where("transactions.record_index >= 0") // the condition of the index on all transactions
		}
		return rows.Where("transactions.disposition_date = ? AND transactions.transfer_type IN (?)", *day, typesOf(ctx, t, *day).Select("transfer_type"))
	}
	return models.ReadSnapshot(ctx, t, func(s database.Snapshot) error {
		begun := func(described *Following) error { return begin(*described) }
		if err := database.Each(s, describeFollowing(ctx, t, day, edge, rows), begun); err != nil {
			return err
		}
		return database.Each(s, joinFile(ctx, t, rows()).Clauses(database.Columns(transactionColumns)).Order("transactions.id"), f)
	})
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

// describeFollowing composes the query for a Following. The number and the sum are kept
// for each file, and for each transfer type of a day. Only what the cursor lies in is
// counted.
func describeFollowing(ctx context.Context, t models.Tenant, day *time.Time, edge uuid.UUID, rows func() *gorm.DB) *gorm.DB {
	kept := t.Compose(ctx).Model(&models.DeliveryFile{}).Where("id > ?", edge).Select("record_count AS count, total_amount_dkk AS amount")
	last := rows().Clauses(database.Columns("transactions.id")).Order("transactions.id DESC").Limit(1)
	counted := rows().Where("transactions.id <= (?)", t.Compose(ctx).Model(&models.DeliveryFile{}).Select("last_id").Where("id <= ?", edge).Order("id DESC").Limit(1))
	if day != nil {
		kept = typesOf(ctx, t, *day).Where("first_id > ?", edge).Select("count, amount_dkk AS amount")
		counted = rows().Where("transactions.transfer_type IN (?)", typesOf(ctx, t, *day).Where("first_id <= ? AND last_id > ?", edge, edge).Select("transfer_type"))
		last = latestOfDay(ctx, t, *day, edge)
	}
	return t.Compose(ctx).Table("(? UNION ALL ?) AS parts", kept, counted.Select("count(*), sum(amount_dkk)")).
		Select("coalesce(sum(count), 0)::bigint AS count, coalesce(sum(amount), 0)::numeric(38, 2)::text AS amount, (?) AS last_id, (?) AS data_version", last, dataVersion(t))
}
