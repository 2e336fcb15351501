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

// list says how to read one list. Its queries come from Tenant.Compose.
type list struct {
	table   string                  // of the items
	key     string                  // the column that orders them
	columns string                  // to select
	rows    func(side) *gorm.DB     // a new query for the items on a side of the cursor
	join    func(*gorm.DB) *gorm.DB // joins what has further columns; may be nil
	total   any                     // a query for their number; no row if there is no such list
	amount  any                     // a query for the sum of their amounts, as text; nil if they have none
}

// side is the first rows on one side of a cursor.
type side struct {
	compare, order string
	edge           any
	limit          int
}

// of restricts rows to the side, by the column key.
func (s side) of(rows *gorm.DB, key string) *gorm.DB {
	return s.first(rows.Where(key+s.compare, s.edge), key)
}

// first restricts rows to the first ones in the side's order.
func (s side) first(rows *gorm.DB, key string) *gorm.DB {
	return rows.Order(key + s.order).Limit(s.limit)
}

// pageInfo is selected with every item of a page.
type pageInfo struct {
	Total  int64
	Amount string
	Behind bool // items lie on the other side of the cursor
	models.Version
}

// pageRow is a row of a page: a pointer to R, which holds an item T.
type pageRow[T, R any] interface {
	*R
	split() (T, pageInfo)
}

// errNoList means that what the list belongs to does not exist.
var errNoList = errors.New("no such list")

// readPage reads a page by keyset, in one statement: the items and one more, which
// shows whether there are more in that direction, and beside them the total and
// whether there are any in the other one. A page without items needs a second
// statement, because there is no row to carry the rest. If the list has got items for
// the page between the two, it starts again.
func readPage[T, R any, P pageRow[T, R], K any](
	ctx context.Context,
	t models.Tenant,
	cursor CursorOf[K],
	l list,
) (Page[T], error) {
	for {
		page, grown, err := tryPage[T, R, P](ctx, t, cursor, l)
		if !grown {
			return page, err
		}
	}
}

// tryPage is readPage, which tries again if the list has grown.
func tryPage[T, R any, P pageRow[T, R], K any](
	ctx context.Context,
	t models.Tenant,
	cursor CursorOf[K],
	l list,
) (page Page[T], grown bool, err error) {
	edge, forward := edgeOf(cursor)
	if l.amount == nil {
		l.amount = gorm.Expr("''")
	}
	onward, beyond := side{" > ?", "", edge, cursor.Limit + 1}, side{" <= ?", " DESC", edge, 1}
	if !forward {
		onward.compare, onward.order, beyond.compare = " < ?", " DESC", " >= ?"
	}
	// ORDER BY and LIMIT 1 go by the index. For EXISTS, PostgreSQL may scan the table
	// in the hope of an early hit that never comes.
	behind := l.rows(beyond).Clauses(database.Columns(l.key))
	items := l.rows(onward)
	if l.join != nil {
		// The limit comes first. PostgreSQL expects few rows between two unknown ids, and
		// would rather join the whole list and sort it.
		items = l.join(t.Compose(ctx).Table("(?) AS "+l.table, items.Clauses(database.Columns(l.table+".*")))).
			Order(l.key + onward.order)
	}
	info := clause.Expr{
		SQL:  l.columns + ", (?) AS total, (?) AS amount, (?) IS NOT NULL AS behind, ?",
		Vars: []any{l.total, l.amount, behind, versionColumns(t)},
	}
	items = items.Clauses(clause.Select{Expression: info})
	rows, err := models.Read[R](ctx, t, items)
	if err != nil {
		return page, false, err
	}
	if len(rows) == 0 {
		return emptyPage[T](ctx, t, l, items, behind, forward)
	}
	ahead := len(rows) > cursor.Limit
	page = Page[T]{Items: make([]T, min(len(rows), cursor.Limit))}
	var of pageInfo
	for i := range page.Items {
		page.Items[i], of = P(&rows[i]).split()
	}
	page.Total, page.Amount, page.Version, page.HasPrevious, page.HasMore = of.Total, of.Amount, of.Version, of.Behind, ahead
	if !forward {
		page.HasPrevious, page.HasMore = ahead, of.Behind
		slices.Reverse(page.Items)
	}
	return page, false, nil
}

// visible leaves out rows beyond the organization's last id. They belong to an import
// under way and are invisible, but PostgreSQL would look at millions of them to find
// that out.
func visible(rows *gorm.DB, id string) *gorm.DB { return rows.Where(id+" <= (?)", lastID(rows)) }

// lastID composes the query for the organization's last id.
func lastID(rows *gorm.DB) *gorm.DB {
	return rows.Session(&gorm.Session{NewDB: true}).Model(&models.Organization{}).Clauses(database.Columns("last_id"))
}

// versionColumns selects the version of the organization's data. It is part of every read, and
// composing it would take a tenth of a small one's time.
func versionColumns(t models.Tenant) clause.Expr {
	id := t.OrganizationID()
	return gorm.Expr(
		"(SELECT data_version FROM organizations WHERE id = ?) AS data_version, (SELECT history FROM organizations WHERE id = ?) AS history",
		id,
		id,
	)
}

// emptyPage reads what belongs to a page without items. grown means that the list has
// items for the page by now.
func emptyPage[T any](
	ctx context.Context,
	t models.Tenant,
	l list,
	items, behind *gorm.DB,
	forward bool,
) (page Page[T], grown bool, err error) {
	var info struct {
		Total         *int64
		Amount        string
		Behind, Grown bool
		models.Version
	}
	err = t.DB(ctx).
		Raw("SELECT (?) AS total, coalesce((?), '') AS amount, (?) IS NOT NULL AS behind, ?, EXISTS (?) AS grown",
			l.total, l.amount, behind, versionColumns(t), items).
		Scan(&info).
		Error
	if err == nil && info.Total == nil {
		err = errNoList
	}
	if err != nil || info.Grown {
		return Page[T]{}, info.Grown, models.Wrap(err)
	}
	return Page[T]{
		Total:       *info.Total,
		Amount:      info.Amount,
		Version:     info.Version,
		HasPrevious: info.Behind && forward,
		HasMore:     info.Behind && !forward,
	}, false, nil
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
