package ledger

import (
	"context"
	"database/sql/driver"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

const (
	// MaxHits is how many transactions are counted at most that fit an amount. They
	// are looked for in the newest days that have at most ledgerWindow transactions.
	MaxHits      = 10_000
	ledgerWindow = 40_000

	// A company's transactions are read by its own index if at most ledgerNear
	// fall in the page's id range. Else it has so many that they are read from among all others.
	ledgerNear = 10_000

	// ledgerDay is how many transactions of the edge's day are counted at most, from
	// either end of the day.
	ledgerDay = 100_000
)

// Items reads a page of the transactions that fit the filter. It costs the same
// wherever the page lies.
func Items(ctx context.Context, t models.Tenant, filter TransactionFilter, cursor ItemCursor) (ItemPage, error) {
	return (&itemRead{Tenant: t, ctx: ctx, filter: filter, cursor: cursor}).page()
}

type itemRead struct {
	models.Tenant
	ctx    context.Context
	filter TransactionFilter
	cursor ItemCursor

	types       texts // that fit
	first, last time.Time
	near        *companyRange // nil where it is not used
}

func (r *itemRead) page() (ItemPage, error) {
	page := ItemPage{Amount: "0.00"}
	totals, err := r.totals()
	if err != nil {
		return page, err
	}
	var newer, onDay, ever int64
	for _, total := range totals {
		page.Types = append(page.Types, total.TransferType)
		page.Amount = total.Amount
		ever += total.Ever
		if total.Count == 0 {
			continue
		}
		page.Count, newer, onDay = page.Count+total.Count, newer+total.Newer, onDay+total.OnDay
		if len(r.types) == 0 || total.First.Before(r.first) {
			r.first = *total.First
		}
		if len(r.types) == 0 || total.Last.After(r.last) {
			r.last = *total.Last
		}
		r.types = append(r.types, total.TransferType)
	}
	if len(r.types) == 0 {
		return page, nil
	}
	if r.filter.ByAmount() {
		return page, r.readByAmount(&page, ever)
	}
	if r.filter.CVR != "" {
		if r.near, err = r.companyRange(); err != nil {
			return page, err
		}
	}
	rank, err := r.rank(newer, onDay)
	if err != nil {
		return page, err
	}
	more, err := r.items(&page)
	r.place(&page, rank, more)
	return page, err
}

// rank returns how many transactions that fit are newer than the edge, of which newer
// are on newer days and onDay of its own day. It is -1 if unknown.
func (r *itemRead) rank(newer, onDay int64) (int64, error) {
	edge := r.cursor.edge()
	if edge == nil {
		return 0, nil
	}
	if onDay == 0 {
		return newer, nil
	}
	before, err := r.newerOnDay(*edge, onDay)
	if err != nil || before < 0 {
		return -1, err
	}
	return newer + before, nil
}

// place says where the page lies: rank is how many transactions are newer than the
// edge, or -1 if that is unknown, and more whether the list goes on beyond the page.
func (r *itemRead) place(page *ItemPage, rank int64, more bool) {
	shown := int64(len(page.Items))
	page.Newer = rank
	switch {
	case r.cursor.ascends() && r.cursor.Oldest:
		page.Newer = page.Count - shown
		if page.More {
			page.Newer = -1
		}
		page.HasNewer, page.HasOlder = more, false
	case r.cursor.ascends():
		if rank >= 0 {
			page.Newer = max(0, rank-shown)
		}
		page.HasNewer, page.HasOlder = more, true
	default:
		page.HasNewer, page.HasOlder = r.cursor.OlderThan != nil && rank != 0, more
	}
	if !page.More && page.Newer >= 0 {
		page.HasNewer, page.HasOlder = page.Newer > 0, page.Newer+shown < page.Count
	}
}

// items reads the page's transactions, and one more, which shows whether there are more.
func (r *itemRead) items(page *ItemPage) (more bool, err error) {
	order := newestFirst
	if r.cursor.ascends() {
		order = oldestFirst
	}
	found := r.rows("transactions.organization_id, transactions.cvr, transactions.id", order, r.cursor.Limit+1, r.onward).
		Order(order)
	items, err := ledgerItems(r.ctx, r.Tenant, found, order)
	page.Items = items[:min(len(items), r.cursor.Limit)]
	if r.cursor.ascends() {
		slices.Reverse(page.Items)
	}
	return len(items) > r.cursor.Limit, err
}

const (
	newestFirst = "transactions.disposition_date DESC, transactions.id DESC"
	oldestFirst = "transactions.disposition_date, transactions.id"
)

// onward restricts rows to those beyond the edge, in the direction of the page. An index
// starts at one bound only, so there is one at either end.
func (r *itemRead) onward(rows *gorm.DB) *gorm.DB {
	switch edge := r.cursor.edge(); {
	case r.cursor.OlderThan != nil && edge.Day.Before(r.last.AddDate(0, 0, 1)):
		return rows.Where("(transactions.disposition_date, transactions.id) < (?, ?)", edge.Day, edge.ID).
			Where("transactions.disposition_date >= ?", r.first)
	case r.cursor.NewerThan != nil && !edge.Day.Before(r.first):
		return r.committed(rows.Where("(transactions.disposition_date, transactions.id) > (?, ?)", edge.Day, edge.ID))
	}
	return r.committed(rows.Where("transactions.disposition_date >= ?", r.first))
}

// committed leaves out newer rows than the totals know. They belong to an import under
// way and are invisible, but PostgreSQL would look at millions of them to find that out.
func (r *itemRead) committed(rows *gorm.DB) *gorm.DB {
	return rows.Where("(transactions.disposition_date, transactions.id) <= (?, (?))", r.last, lastID(rows))
}

// rows composes a query for some transactions that fit, among them the first ones of
// each type in that order.
func (r *itemRead) rows(columns, order string, limit int, restrict func(*gorm.DB) *gorm.DB) *gorm.DB {
	rows := r.filter.restrictAmount(restrict(r.DB(r.ctx).Model(&models.Transaction{})))
	if r.near != nil && r.near.Rows <= ledgerNear {
		if r.filter.Type != "" {
			rows = rows.Where("transactions.transfer_type = ?", r.filter.Type)
		}
		rows = rows.Where("transactions.cvr = ? AND transactions.id BETWEEN ? AND ?", r.filter.CVR, r.near.FirstID,
			r.near.LastID)
		// The sum keeps PostgreSQL from reading all companies in this order.
		rows = rows.Clauses(database.Columns("transactions.*")).
			Order(strings.Replace(order, "disposition_date", "disposition_date + 0", 1)).Limit(limit)
		return r.DB(r.ctx).Table("(?) AS transactions", rows).Clauses(database.Columns(columns)).Limit(limit)
	}
	rows = rows.Where("transactions.transfer_type = types.type")
	if r.near != nil {
		// CASE keeps PostgreSQL from reading all of the company's transactions.
		rows = rows.Where("CASE WHEN transactions.cvr = ? THEN transactions.disposition_date BETWEEN ? AND ? END",
			r.filter.CVR, r.near.FirstDay, r.near.LastDay)
	}
	// All of these are in the index.
	rows = rows.Clauses(database.Columns("transactions.organization_id, transactions.cvr, transactions.id, transactions.disposition_date, transactions.amount_dkk")).
		Order(order).
		Limit(limit)
	return r.DB(r.ctx).Table("unnest(CAST(? AS text[])) AS types (type), LATERAL (?) AS transactions", r.types, rows).
		Clauses(database.Columns(columns)).Limit(limit)
}

// newerOnDay counts the transactions of the edge's day that are newer than the page's
// side of the edge, from whichever end of the day is closer. It returns -1 if both are
// too far away.
func (r *itemRead) newerOnDay(edge Position, onDay int64) (int64, error) {
	newer, older := ">", "<="
	if r.cursor.OlderThan != nil {
		newer, older = ">=", "<"
	}
	count := func(side, order string) *gorm.DB {
		rows := r.rows("transactions.id", order, ledgerDay, func(rows *gorm.DB) *gorm.DB {
			return rows.Where("transactions.disposition_date = ? AND transactions.id "+side+" ?", edge.Day, edge.ID)
		})
		return r.DB(r.ctx).Table("(?) AS transactions", rows).Select("count(*)")
	}
	found, err := models.Find[struct{ Newer, Older int64 }](r.DB(r.ctx).
		Raw("SELECT newer, CASE WHEN newer < ? THEN 0 ELSE (?) END AS older FROM (?) AS n (newer)", ledgerDay, count(older, oldestFirst), count(newer, newestFirst)),
	)
	switch {
	case err != nil:
		return 0, err
	case found[0].Newer < ledgerDay:
		return found[0].Newer, nil
	case found[0].Older < ledgerDay:
		return onDay - found[0].Older, nil
	}
	return -1, nil
}

// texts is an array as one parameter of GORM's, which would make one of each text.
type texts []string

// Value returns the array as PostgreSQL writes it.
func (t texts) Value() (driver.Value, error) {
	quoted := make([]string, len(t))
	for i, text := range t {
		quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	return "{" + strings.Join(quoted, ",") + "}", nil
}
