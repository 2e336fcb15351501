// Package ledger reads companies, transactions, days and delivery files as an organization
// sees them: pages, totals, searches and exports.
package ledger

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
)

// CursorOf says which page of a list to read: Limit items after a key, or directly before
// one, in ascending order either way. The key is compared, never looked up. With neither
// set it is the first page. The zero K is less than every key.
type CursorOf[K any] struct {
	Limit  int
	After  *K
	Before *K
}

// Cursor is the cursor of a list in order of ids.
type Cursor = CursorOf[uuid.UUID]

// DayCursor is the cursor of a list of days.
type DayCursor = CursorOf[time.Time]

// Page is a part of a list.
type Page[T any] struct {
	Items          []T
	Total          int64  // of the whole list
	Amount         string // the sum of the whole list's amounts, decimal with two decimals; empty where items have none
	models.Version        // of the organization's data, in the same snapshot
	HasPrevious    bool   // items precede this page
	HasMore        bool   // items follow this page
}

// list is a list of the API. Its statements are composed once for each direction: a page's
// figures, and its items and one more, which shows whether there are more in that direction.
type list[T any] struct{ forward, backward direction[T] }

type direction[T any] struct {
	figures *database.Statement[figures]
	items   *database.Statement[T]
}

// figures are what a page shows beside its items.
type figures struct {
	Total  *int64 // nil if what the list belongs to does not exist
	Amount *string
	Behind bool // items lie on the other side of the cursor
	models.Version
}

// listQuery says how to compose a list. Its queries select for any organization.
type listQuery struct {
	table   string                           // of the items
	key     string                           // the column that orders them
	columns string                           // to select
	rows    func(*gorm.DB, side) *gorm.DB    // the items on a side of the cursor
	join    func(tx, rows *gorm.DB) *gorm.DB // joins what has further columns; may be nil
	totals  string                           // columns of the organization, or of what is joined to it: total and amount
	of      func(tx, row *gorm.DB) *gorm.DB  // joins what has the totals to the organization's row; may be nil
}

// side is the first rows on one side of the cursor, @edge.
type side struct {
	compare, order string
	limit          int
}

// of restricts rows to the side, by the column key.
func (s side) of(rows *gorm.DB, key string) *gorm.DB {
	return s.first(rows.Where(key+s.compare+"@edge"), key)
}

// first restricts rows to the first ones in the side's order.
func (s side) first(rows *gorm.DB, key string) *gorm.DB {
	return rows.Order(key + s.order).Limit(s.limit)
}

func newList[T any](q listQuery) list[T] {
	return list[T]{
		forward: newDirection[T](q,
			side{" > ", "", database.LimitArgument}, side{" <= ", " DESC", 1}),
		backward: newDirection[T](q,
			side{" < ", " DESC", database.LimitArgument}, side{" >= ", "", 1}),
	}
}

func newDirection[T any](q listQuery, onward, beyond side) direction[T] {
	return direction[T]{
		figures: database.NewStatement[figures](func(tx *gorm.DB) *gorm.DB {
			// ORDER BY and LIMIT 1 go by the index. For EXISTS, PostgreSQL may scan the table
			// in the hope of an early hit that never comes.
			behind := q.rows(tx, beyond).Clauses(database.Columns(q.key))
			organization := tx.Model(&models.Organization{})
			if q.of != nil {
				organization = q.of(tx, organization)
			}
			return organization.Clauses(clause.Select{Expression: clause.Expr{
				SQL:  q.totals + ", (?) IS NOT NULL AS behind, organizations.data_version, organizations.history",
				Vars: []any{behind},
			}})
		}),
		items: database.NewStatement[T](func(tx *gorm.DB) *gorm.DB {
			items := q.rows(tx, onward)
			if q.join != nil {
				// The limit comes first. PostgreSQL expects few rows between two unknown ids, and
				// would rather join the whole list and sort it.
				items = q.join(tx, tx.Table("(?) AS "+q.table, items.Clauses(database.Columns(q.table+".*")))).
					Order(q.key + onward.order)
			}
			return items.Clauses(database.Columns(q.columns))
		}),
	}
}

// errNoList means that what the list belongs to does not exist.
var errNoList = errors.New("no such list")

// readPage reads a page by keyset. The arguments are the list's own.
func readPage[T, K any](
	ctx context.Context, t models.Tenant, list list[T], cursor CursorOf[K], arguments database.Arguments,
) (Page[T], error) {
	edge, forward := edgeOf(cursor)
	direction := list.forward
	if !forward {
		direction = list.backward
	}
	arguments["edge"], arguments["limit"] = edge, cursor.Limit+1
	found, items, err := models.ReadBoth(ctx, t, direction.figures, direction.items, arguments)
	if err == nil && (len(found) == 0 || found[0].Total == nil) {
		err = errNoList
	}
	if err != nil {
		return Page[T]{}, err
	}
	ahead, behind := len(items) > cursor.Limit, found[0].Behind
	page := Page[T]{Items: items[:min(len(items), cursor.Limit)], Total: *found[0].Total, Version: found[0].Version}
	if found[0].Amount != nil {
		page.Amount = *found[0].Amount
	}
	page.HasPrevious, page.HasMore = behind, ahead
	if !forward {
		page.HasPrevious, page.HasMore = ahead, behind
		slices.Reverse(page.Items)
	}
	return page, nil
}

// visible leaves out rows beyond the organization's last id. They belong to an import
// under way and are invisible, but PostgreSQL would look at millions of them to find
// that out.
func visible(rows *gorm.DB, id string) *gorm.DB { return rows.Where(id+" <= (?)", lastID(rows)) }

// lastID composes the query for the organization's last id.
func lastID(rows *gorm.DB) *gorm.DB {
	return rows.Session(&gorm.Session{NewDB: true}).Model(&models.Organization{}).Clauses(database.Columns("last_id"))
}

// edgeOf returns the key that the page starts from. The first page is the one after the
// zero key.
func edgeOf[K any](cursor CursorOf[K]) (edge K, forward bool) {
	switch {
	case cursor.Before != nil:
		return *cursor.Before, false
	case cursor.After != nil:
		return *cursor.After, true
	}
	return edge, true
}
