package api

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/ledger"
)

const (
	limitDefault = 50
	limitMaximum = 100
)

// cursorParameters returns limit, after and before. Other parameters are ignored.
// Errors: KindInvalid for a malformed parameter, KindUnprocessable for both cursors
// together.
func cursorParameters(c *fiber.Ctx) (ledger.Cursor, error) {
	cursor := ledger.Cursor{Limit: limitDefault}
	limit, given, err := once(c, "limit")
	if err != nil {
		return cursor, err
	}
	if given {
		cursor.Limit, err = strconv.Atoi(limit)
		if err != nil || !digitsOnly(limit) || cursor.Limit < 1 || cursor.Limit > limitMaximum {
			return cursor, errLimit
		}
	}
	if cursor.After, err = idParameter(c, "after"); err != nil {
		return cursor, err
	}
	if cursor.Before, err = idParameter(c, "before"); err != nil {
		return cursor, err
	}
	if cursor.After != nil && cursor.Before != nil {
		return cursor, errBothCursors
	}
	return cursor, nil
}

var (
	errLimit       = badRequest("limit", fmt.Sprintf("an integer from 1 to %d", limitMaximum))
	errBothCursors = models.NewError(models.KindUnprocessable, "The parameters after and before cannot be used together: send one of them.")
)

// idParameter returns a cursor: the id of an item.
func idParameter(c *fiber.Ctx, name string) (*uuid.UUID, error) {
	text, given, err := once(c, name)
	if err != nil || !given {
		return nil, err
	}
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 { // Parse also accepts braces and a URN prefix
		return nil, badRequest(name, "the id of an item, a UUID such as 0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b")
	}
	return &id, nil
}

// once returns the value of a query parameter, and refuses one that is given twice.
func once(c *fiber.Ctx, name string) (value string, given bool, err error) {
	values := c.Context().QueryArgs().PeekMulti(name)
	switch len(values) {
	case 0:
		return "", false, nil
	case 1:
		return string(values[0]), true, nil
	}
	return "", true, models.NewError(models.KindInvalid, fmt.Sprintf("The parameter %s was sent %d times: send it once.", name, len(values)))
}

// listJSON is a page of a list in answers.
type listJSON[T any] struct {
	Data  []T       `json:"data"`
	Meta  metaJSON  `json:"meta"`
	Links linksJSON `json:"_links"`

	amount string // for the header X-Total-Amount-Dkk
}

func (l listJSON[T]) totalAmount() string { return l.amount }

// linkHeader returns the links to the next and the previous page as a Link header
// (RFC 8288).
func (l listJSON[T]) linkHeader() string {
	var links []string
	if l.Links.Next != nil {
		links = append(links, "<"+*l.Links.Next+`>; rel="next"`)
	}
	if l.Links.Prev != nil {
		links = append(links, "<"+*l.Links.Prev+`>; rel="prev"`)
	}
	return strings.Join(links, ", ")
}

type metaJSON struct {
	Total   int64 `json:"total"`
	Limit   int   `json:"limit"`
	HasMore bool  `json:"hasMore"`
}

type linksJSON struct {
	Self string  `json:"self"`
	Next *string `json:"next"`
	Prev *string `json:"prev"`
}

// newListJSON puts a page into its envelope. path is the list's own within the API.
func newListJSON[M, T any](path string, cursor ledger.Cursor, page ledger.Page[M], item func(*M) T, id func(*M) uuid.UUID) listJSON[T] {
	next, previous := neighbours(cursor, page, id)
	list := listJSON[T]{
		Data:  make([]T, len(page.Items)),
		Meta:  metaJSON{Total: page.Total, Limit: cursor.Limit, HasMore: page.HasMore},
		Links: linksJSON{Self: link(path, cursor), Next: nullableLink(path, next), Prev: nullableLink(path, previous)},

		amount: page.Amount,
	}
	for i := range page.Items {
		list.Data[i] = item(&page.Items[i])
	}
	return list
}

// neighbours returns the cursors of the next and the previous page, nil if there is
// none. Next to a page without items lies everything on the cursor's other side,
// including the cursor's own item.
func neighbours[M any](cursor ledger.Cursor, page ledger.Page[M], id func(*M) uuid.UUID) (next, previous *ledger.Cursor) {
	count := len(page.Items)
	if page.HasMore {
		next = &ledger.Cursor{Limit: cursor.Limit}
		last := uuid.Nil // below every id, so the first page is the one after it
		if count > 0 {
			last = id(&page.Items[count-1])
		}
		next.After = &last
	}
	if page.HasPrevious {
		previous = &ledger.Cursor{Limit: cursor.Limit}
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

// successor returns the id directly after id, so that "before" it includes id.
func successor(id uuid.UUID) uuid.UUID {
	sum := new(big.Int).SetBytes(id[:])
	sum.Add(sum, big.NewInt(1))
	if sum.BitLen() > 128 {
		return id
	}
	sum.FillBytes(id[:])
	return id
}

// link returns the site-relative link to a page.
func link(path string, cursor ledger.Cursor) string {
	link := Prefix + path + "?limit=" + strconv.Itoa(cursor.Limit)
	if cursor.After != nil {
		link += "&after=" + cursor.After.String()
	}
	if cursor.Before != nil {
		link += "&before=" + cursor.Before.String()
	}
	return link
}

func nullableLink(path string, cursor *ledger.Cursor) *string {
	if cursor == nil {
		return nil
	}
	text := link(path, *cursor)
	return &text
}
