package models

import (
	"context"
	"errors"
	"strconv"

	"github.com/google/uuid"
)

// Cursor says which page of a list is wanted: Limit items after an id, or
// directly before one, in ascending order of id either way. The id is compared,
// never looked up. With neither set it is the first page.
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

// list says how one list is read: its table with the alias that the other parts
// use, the join that brings the columns from elsewhere, the WHERE up to the id,
// and the expression of its kept total, null where there is no such list.
// Arguments $1 to $n are the list's own, the next one is the cursor's id.
type list[T any] struct {
	table, join, where, id, total, columns string
	scan                                   func(item *T, columns *row)
	apart                                  bool // it may have to look at much that is not on the page
}

// errNoList says that what the list hangs on is not there.
var errNoList = errors.New("no such list")

// read gives a page by keyset, in one query: the items and one more, which tells
// whether the list goes on in that direction, and beside them the total and
// whether it goes on in the other one. Only a page without items asks again,
// since no row brings the rest. The limit stands in the query's text, because
// PostgreSQL plans a LIMIT parameter as a tenth of all rows. And whether items lie
// in the other direction is asked by ORDER BY and LIMIT 1, which go by the index:
// for EXISTS it may scan the table, hoping for an early hit that never comes. What
// lies beyond the organization's last id is left alone: there are the rows of an
// import under way, and millions of them would be looked at only to find that they
// are not to be seen yet.
func (l *list[T]) read(ctx context.Context, t Tenant, cursor Cursor, arguments ...[]byte) (Page[T], error) {
	edge, forward := edgeOf(cursor)
	onward, beyond, order := " > ", " <= ", ""
	if !forward {
		onward, beyond, order = " < ", " >= ", " DESC"
	}
	place := "$" + strconv.Itoa(len(arguments)+1)
	arguments = append(arguments, edge[:])
	where := l.where + " AND " + l.id + " <= (SELECT last_id FROM organizations WHERE id = $1)"
	rest := "SELECT " + l.total + ", (SELECT " + l.id + " FROM " + l.table + " WHERE " + where + " AND " + l.id + beyond + place +
		" ORDER BY " + l.id + " DESC LIMIT 1) IS NOT NULL"
	page := Page[T]{Items: make([]T, cursor.Limit+1)}
	var behind bool
	rows, err := t.fetch(&read{
		ctx: ctx, sql: rest + ", " + l.columns + " FROM " + l.table + l.join + " WHERE " + where +
			" AND " + l.id + onward + place + " ORDER BY " + l.id + order + " LIMIT " + strconv.Itoa(cursor.Limit+1),
		arguments: arguments, apart: l.apart, scan: func(i int, r *row) {
			page.Total, behind = r.integer(), r.truth()
			l.scan(&page.Items[i], r)
		},
	})
	if err != nil {
		return Page[T]{}, err
	}
	page.Items = page.Items[:rows]
	if rows == 0 {
		var total *int64
		if _, err := t.fetch(&read{ctx: ctx, sql: rest, arguments: arguments, apart: l.apart, scan: func(_ int, r *row) {
			total, behind = orNull(r, (*row).integer), r.truth()
		}}); err != nil {
			return Page[T]{}, err
		}
		if total == nil {
			return Page[T]{}, errNoList
		}
		page.Total = *total
	}
	ahead := rows > cursor.Limit
	if ahead {
		page.Items = page.Items[:cursor.Limit]
	}
	page.HasPrevious, page.HasMore = behind, ahead
	if !forward {
		page.HasPrevious, page.HasMore = ahead, behind
		for i, j := 0, len(page.Items)-1; i < j; i, j = i+1, j-1 {
			page.Items[i], page.Items[j] = page.Items[j], page.Items[i]
		}
	}
	return page, nil
}

// edgeOf gives the id that the page starts from: no id lies at or below the nil
// UUID, so the first page is the one after it.
func edgeOf(cursor Cursor) (edge uuid.UUID, forward bool) {
	switch {
	case cursor.Before != nil:
		return *cursor.Before, false
	case cursor.After != nil:
		return *cursor.After, true
	}
	return uuid.Nil, true
}
