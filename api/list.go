package api

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/api/compress"
	"dispo/models/ledger"
)

// listResponse puts the page at a link into its envelope.
func listResponse[T any, K cursorKey](
	self linkOf[K], page ledger.Page[T], writeItem func(*jsonWriter, *T), key func(*T) K,
) *response {
	next, prev := neighbours(self, page, key)
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
	link := func(name string, to *linkOf[K]) {
		if to == nil {
			w.null(name)
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
	return &response{
		version: page.Version,
		body:    compress.NewBody(w.body),
		amount:  page.Amount,
		links:   strings.Join(links, ", "),
		rows:    int64(len(page.Items)),
	}
}

// neighbours returns the links to the next and the previous page, or nil for a page that
// does not exist.
// Next to a page without items lies everything on the cursor's other side, including the
// cursor's own item.
func neighbours[T any, K cursorKey](self linkOf[K], page ledger.Page[T], key func(*T) K) (next, prev *linkOf[K]) {
	count, limit := len(page.Items), self.cursor.Limit
	if page.HasMore {
		var last K // below every key, so the first page is the one after it
		if count > 0 {
			last = key(&page.Items[count-1])
		}
		next = self.at(ledger.CursorOf[K]{Limit: limit, After: &last})
	}
	if page.HasPrevious {
		var first K
		if count > 0 {
			first = key(&page.Items[0])
		} else {
			first = successor(*self.cursor.After)
		}
		prev = self.at(ledger.CursorOf[K]{Limit: limit, Before: &first})
	}
	return next, prev
}

// cursorKey is what orders a list: an id, or a date.
type cursorKey interface{ uuid.UUID | time.Time }

// successor returns the key directly after key, so that "before" it includes key. The
// greatest key has none.
func successor[K cursorKey](key K) K {
	switch k := any(&key).(type) {
	case *time.Time:
		if next := k.AddDate(0, 0, 1); next.Year() <= 9999 {
			*k = next
		}
	case *uuid.UUID:
		for i := len(k) - 1; i >= 0 && *k != uuid.Max; i-- {
			k[i]++
			if k[i] != 0 {
				break
			}
		}
	}
	return key
}

func keyText[K cursorKey](key K) string {
	if day, ok := any(key).(time.Time); ok {
		return day.Format(time.DateOnly)
	}
	return any(key).(uuid.UUID).String()
}

// linkOf is the site-relative link to a page of a list.
type linkOf[K cursorKey] struct {
	path   string // within the API
	cursor ledger.CursorOf[K]
	filter string // what else the query has, with a leading &; or empty
}

type pageLink = linkOf[uuid.UUID]

func (l linkOf[K]) at(cursor ledger.CursorOf[K]) *linkOf[K] {
	l.cursor = cursor
	return &l
}

func (l linkOf[K]) String() string {
	link := Prefix + l.path + "?limit=" + strconv.Itoa(l.cursor.Limit)
	if l.cursor.After != nil {
		link += "&after=" + keyText(*l.cursor.After)
	}
	if l.cursor.Before != nil {
		link += "&before=" + keyText(*l.cursor.Before)
	}
	return link + l.filter
}
