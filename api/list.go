package api

import (
	"math/big"
	"strconv"

	"github.com/google/uuid"

	"dispo/models"
)

// listJSON writes a page in the list envelope: data, meta and _links. path is the
// list's own, within the API; item writes one item, and id gives its id.
func listJSON[T any](path string, cursor models.Cursor, page models.Page[T], item func([]byte, *T) []byte, id func(*T) uuid.UUID) []byte {
	const itemSize = 512 // more than most take
	b := make([]byte, 0, 512+len(page.Items)*itemSize)
	b = append(b, `{"data":[`...)
	for i := range page.Items {
		if i > 0 {
			b = append(b, ',')
		}
		b = item(b, &page.Items[i])
	}
	b = strconv.AppendInt(append(b, `],"meta":{"total":`...), page.Total, 10)
	b = strconv.AppendInt(append(b, `,"limit":`...), int64(cursor.Limit), 10)
	b = strconv.AppendBool(append(b, `,"hasMore":`...), page.HasMore)
	b = appendLink(append(b, `},"_links":{"self":`...), path, cursor)

	next, previous := neighbours(cursor, page, id)
	b = appendLinkOrNull(append(b, `,"next":`...), path, next)
	b = appendLinkOrNull(append(b, `,"prev":`...), path, previous)
	return append(b, "}}"...)
}

// neighbours gives the cursors of the pages around this one, nil where there is
// none. Beside a page without items lies all that is on the cursor's other side,
// the cursor's own item included.
func neighbours[T any](cursor models.Cursor, page models.Page[T], id func(*T) uuid.UUID) (next, previous *models.Cursor) {
	count := len(page.Items)
	if page.HasMore {
		next = &models.Cursor{Limit: cursor.Limit}
		last := uuid.Nil // below every id: after it comes the first page
		if count > 0 {
			last = id(&page.Items[count-1])
		}
		next.After = &last
	}
	if page.HasPrevious {
		previous = &models.Cursor{Limit: cursor.Limit}
		if count > 0 {
			first := id(&page.Items[0])
			previous.Before = &first
		} else {
			beyond := successor(*cursor.After)
			previous.Before = &beyond
		}
	}
	return next, previous
}

// successor is the id that follows at once, so that "before" it takes the id in.
func successor(id uuid.UUID) uuid.UUID {
	sum := new(big.Int).SetBytes(id[:])
	sum.Add(sum, big.NewInt(1))
	if sum.BitLen() > 128 {
		return id
	}
	sum.FillBytes(id[:])
	return id
}

func appendLinkOrNull(b []byte, path string, cursor *models.Cursor) []byte {
	if cursor == nil {
		return append(b, "null"...)
	}
	return appendLink(b, path, *cursor)
}

// appendLink writes the site-relative link to a page. Nothing in it needs an
// escape: paths are our own, and a CVR is digits.
func appendLink(b []byte, path string, cursor models.Cursor) []byte {
	b = append(append(append(b, '"'), Prefix...), path...)
	b = strconv.AppendInt(append(b, "?limit="...), int64(cursor.Limit), 10)
	if cursor.After != nil {
		b = appendID(append(b, "&after="...), *cursor.After)
	}
	if cursor.Before != nil {
		b = appendID(append(b, "&before="...), *cursor.Before)
	}
	return append(b, '"')
}
