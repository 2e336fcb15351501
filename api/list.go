package api

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"dispo/models/ledger"
)

// listResult puts the page at a link into its envelope.
func listResult[T any](self pageLink, page ledger.Page[T], writeItem func(*jsonWriter, *T), id func(*T) uuid.UUID) result {
	next, prev := neighbours(self, page, id)
	w := &jsonWriter{body: make([]byte, 0, 256+600*len(page.Items))}
	w.raw(`{"data":[`)
	for i := range page.Items {
		if i > 0 {
			w.raw(",")
		}
		w.object(func() { writeItem(w, &page.Items[i]) })
	}
	w.raw(`],"meta":`)
	w.object(func() {
		w.number("total", page.Total)
		w.number("limit", int64(self.cursor.Limit))
		w.truth("hasMore", page.HasMore)
	})
	var links []string // the Link header (RFC 8288)
	link := func(name string, to *pageLink) {
		if to == nil {
			nullable[string](w, name, nil, nil)
			return
		}
		w.text(name, to.String())
		links = append(links, "<"+to.String()+`>; rel="`+name+`"`)
	}
	w.name("_links")
	w.object(func() {
		w.text("self", self.String())
		link("next", next)
		link("prev", prev)
	})
	w.raw("}")
	return result{version: page.DataVersion, body: w.body, amount: page.Amount, links: strings.Join(links, ", ")}
}

// neighbours returns the links to the next and the previous page, or nil for a page that
// does not exist.
// Next to a page without items lies everything on the cursor's other side, including the
// cursor's own item.
func neighbours[T any](self pageLink, page ledger.Page[T], id func(*T) uuid.UUID) (next, prev *pageLink) {
	count, limit := len(page.Items), self.cursor.Limit
	if page.HasMore {
		last := uuid.Nil // below every id, so the first page is the one after it
		if count > 0 {
			last = id(&page.Items[count-1])
		}
		next = self.at(ledger.Cursor{Limit: limit, After: &last})
	}
	if page.HasPrevious {
		var first uuid.UUID
		if count > 0 {
			first = id(&page.Items[0])
		} else {
			first = successor(*self.cursor.After)
		}
		prev = self.at(ledger.Cursor{Limit: limit, Before: &first})
	}
	return next, prev
}

// successor returns the id directly after id, so that "before" it includes id.
func successor(id uuid.UUID) uuid.UUID {
	for i := len(id) - 1; i >= 0; i-- {
		id[i]++
		if id[i] != 0 {
			return id
		}
	}
	return uuid.Max
}

// pageLink is the site-relative link to a page of a list.
type pageLink struct {
	path   string // within the API
	cursor ledger.Cursor
	filter string // what else the query has, with a leading &; or empty
}

func (l pageLink) at(cursor ledger.Cursor) *pageLink {
	l.cursor = cursor
	return &l
}

func (l pageLink) String() string {
	link := Prefix + l.path + "?limit=" + strconv.Itoa(l.cursor.Limit)
	if l.cursor.After != nil {
		link += "&after=" + l.cursor.After.String()
	}
	if l.cursor.Before != nil {
		link += "&before=" + l.cursor.Before.String()
	}
	return link + l.filter
}
