package models

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models/database"
)

// Cursor says which page of a list to read: Limit items after an id, or directly
// before one, in ascending order of id either way. The id is compared, never looked
// up. With neither set it is the first page.
type Cursor struct {
	Limit  int // 1 to 100
	After  *uuid.UUID
	Before *uuid.UUID
}

// Page is a part of a list.
type Page[T any] struct {
	Items       []T
	Total       int64 // of the whole list
	HasPrevious bool  // items precede this page
	HasMore     bool  // items follow this page
}

// list says how to read one list.
type list struct {
	columns, join string          // of the items
	id            string          // the column of their ids
	rows          func() *gorm.DB // a new query for all items
	total         *gorm.DB        // a query for their number; no row if there is no such list
}

// pageInfo stands in every row of a page beside the item.
type pageInfo struct {
	Total  int64
	Behind bool // items lie on the other side of the cursor
}

// errNoList means that what the list belongs to does not exist.
var errNoList = errors.New("no such list")

// readPage reads a page by keyset, in one statement: the items and one more, which
// tells whether the list goes on in that direction, and beside them the total and
// whether it goes on in the other one. A page without items needs a second
// statement, because there is no row to carry the rest.
func readPage[T any, R interface{ split() (T, pageInfo) }](ctx context.Context, t Tenant, cursor Cursor, l list) (Page[T], error) {
	edge, forward := edgeOf(cursor)
	onward, beyond, order := " > ?", " <= ?", ""
	if !forward {
		onward, beyond, order = " < ?", " >= ?", " DESC"
	}
	// Rows beyond the organization's last id belong to an import under way. They are
	// invisible, but PostgreSQL would look at millions of them to find that out.
	visible := func() *gorm.DB { return l.rows().Where(l.id+" <= (?)", t.organization(ctx).Select("last_id")) }
	// ORDER BY and LIMIT 1 go by the index. For EXISTS, PostgreSQL may scan the table
	// in the hope of an early hit that never comes.
	behind := visible().Select(l.id).Where(l.id+beyond, edge).Order(l.id + " DESC").Limit(1)
	items := visible().Select(l.columns+", (?) AS total, (?) IS NOT NULL AS behind", l.total, behind).
		Joins(l.join).Where(l.id+onward, edge).Order(l.id + order).Limit(cursor.Limit + 1)
	rows, err := database.Read[R](t.bind(ctx), t.store.db, items)
	if err != nil {
		return Page[T]{}, Wrap(err)
	}
	if len(rows) == 0 {
		return emptyPage[T](ctx, t, l.total, behind, forward)
	}
	ahead := len(rows) > cursor.Limit
	page := Page[T]{Items: make([]T, min(len(rows), cursor.Limit))}
	var info pageInfo
	for i := range page.Items {
		page.Items[i], info = rows[i].split()
	}
	page.Total, page.HasPrevious, page.HasMore = info.Total, info.Behind, ahead
	if !forward {
		page.HasPrevious, page.HasMore = ahead, info.Behind
		slices.Reverse(page.Items)
	}
	return page, nil
}

func emptyPage[T any](ctx context.Context, t Tenant, total, behind *gorm.DB, forward bool) (Page[T], error) {
	var info struct {
		Total  *int64
		Behind bool
	}
	if err := t.DB(ctx).Raw("SELECT (?) AS total, (?) IS NOT NULL AS behind", total, behind).Scan(&info).Error; err != nil {
		return Page[T]{}, Wrap(err)
	}
	if info.Total == nil {
		return Page[T]{}, errNoList
	}
	return Page[T]{Total: *info.Total, HasPrevious: info.Behind && forward, HasMore: info.Behind && !forward}, nil
}

// organization returns a query on the organization's own row.
func (t Tenant) organization(ctx context.Context) *gorm.DB {
	return t.DB(ctx).Model(&Organization{}).Where("id = ?", t.organizationID)
}

// edgeOf returns the id that the page starts from. The nil UUID is below every id,
// so the first page is the one after it.
func edgeOf(cursor Cursor) (edge uuid.UUID, forward bool) {
	switch {
	case cursor.Before != nil:
		return *cursor.Before, false
	case cursor.After != nil:
		return *cursor.After, true
	}
	return uuid.Nil, true
}
