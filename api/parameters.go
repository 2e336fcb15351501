package api

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/ledger"
)

const (
	limitDefault      = 50
	limitMaximum      = 100
	limitMaximumOfAll = 1000 // of a list of all companies' transactions, or of changes
)

var errBothCursors = models.NewError(models.KindUnprocessable,
	"The parameters after and before cannot be used together: send one of them.")

func badRequest(name, expected string) error {
	return models.NewError(models.KindInvalid, fmt.Sprintf("The parameter %s is not valid: expected %s.", name, expected))
}

func badLimit(maximum int) error {
	return badRequest("limit", fmt.Sprintf("an integer from 1 to %d", maximum))
}

// cvrParameter returns the CVR in the path: exactly 8 ASCII digits.
func cvrParameter(c *fiber.Ctx) (string, error) {
	cvr := c.Params("cvr")
	if len(cvr) != 8 || !digitsOnly(cvr) {
		return "", badRequest("cvr", "exactly 8 digits")
	}
	return strings.Clone(cvr), nil
}

// cursorOf returns limit, from 1 to maximum, and the cursors after and before, as parse
// returns them. Other parameters are ignored.
// Errors: KindInvalid for a malformed parameter, KindUnprocessable for both cursors
// together.
func cursorOf[K any](
	c *fiber.Ctx, maximum int, parse func(*fiber.Ctx, string) (*K, error),
) (ledger.CursorOf[K], error) {
	cursor := ledger.CursorOf[K]{Limit: limitDefault}
	limit, given, err := once(c, "limit")
	if err != nil {
		return cursor, err
	}
	if given {
		cursor.Limit, err = strconv.Atoi(limit)
		if err != nil || !digitsOnly(limit) || cursor.Limit < 1 || cursor.Limit > maximum {
			return cursor, badLimit(maximum)
		}
	}
	if cursor.After, err = parse(c, "after"); err != nil {
		return cursor, err
	}
	if cursor.Before, err = parse(c, "before"); err != nil {
		return cursor, err
	}
	if cursor.After != nil && cursor.Before != nil {
		return cursor, errBothCursors
	}
	return cursor, nil
}

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

// dayParameter returns a day, or nil if the parameter is not given.
func dayParameter(c *fiber.Ctx, name string) (*time.Time, error) {
	text, given, err := once(c, name)
	if err != nil || !given {
		return nil, err
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1 {
		return nil, badRequest(name, "a date such as 2026-01-31")
	}
	return &day, nil
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
	return "", true, models.NewError(models.KindInvalid,
		fmt.Sprintf("The parameter %s was sent %d times: send it once.", name, len(values)))
}

func digitsOnly(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

const (
	headerPrefer      = "Prefer"
	headerPreferenced = "Preference-Applied"
)

// quotedString is a quoted string in a header, perhaps without its end.
var quotedString = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"?`)

// preference returns the value of one of the caller's preferences (RFC 7240), or "" if
// the caller does not send it or gives it no value. If it is sent twice, the first counts.
func preference(c *fiber.Ctx, name string) string {
	for _, line := range c.Request().Header.PeekAll(headerPrefer) {
		// No preference that the API knows has a separator in its value.
		plain := quotedString.ReplaceAllStringFunc(string(line), func(quoted string) string {
			return strings.NewReplacer(",", "", ";", "", "=", "").Replace(strings.Trim(quoted, `"`))
		})
		for one := range strings.SplitSeq(plain, ",") {
			one, _, _ = strings.Cut(one, ";") // its parameters
			found, value, _ := strings.Cut(one, "=")
			if strings.EqualFold(strings.TrimSpace(found), name) {
				return strings.TrimSpace(value)
			}
		}
	}
	return ""
}

const (
	waitAccepted = 60 // seconds that a caller may ask for
	waitMaximum  = 50 // seconds that it waits; proxies often give up after 60
)

// preferredWait returns how many seconds the caller waits until it no longer has the current
// data: N of Prefer: wait=N (RFC 7240 section 4.3) from 1 to 60, but at most 50, else 0.
func preferredWait(c *fiber.Ctx) int {
	if c.Request().Header.Peek(fiber.HeaderIfNoneMatch) == nil || hasAnyTag(c) {
		return 0
	}
	value := preference(c, "wait")
	seconds, err := strconv.Atoi(value)
	if err != nil || !digitsOnly(value) || seconds < 1 || seconds > waitAccepted {
		return 0
	}
	return min(seconds, waitMaximum)
}
