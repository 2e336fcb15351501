package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/api/compress"
	"dispo/api/download"
	"dispo/models"
	"dispo/models/ledger"
	"dispo/models/tasks"
)

const (
	bulkRequests   = 20   // that a bulk read counts as
	bulkRetryAfter = 10   // seconds; nobody knows when the other bulk read ends
	bulkPause      = "60" // seconds until a bulk read that could not be made is tried again

	mediaNDJSON = "application/x-ndjson"
	mediaCSV    = "text/csv"

	headerTotalCount = "X-Total-Count"
	headerLastID     = "X-Last-Id"
)

var errBulkRuns = &failure{status: fiber.StatusTooManyRequests, Code: codeRateLimit, RetryAfter: bulkRetryAfter,
	Message: "Your organization is reading in bulk already: wait until that is done. This request was not counted."}

// errTooMuch is what programs get instead of the advice to people to choose a shorter period.
var errTooMuch = models.NewError(models.KindBusy,
	"The service cannot send all of this in one response at the moment: try again in a minute, or read it in pages.")

// bulkMedia returns the media type of a bulk read, or "" if the caller prefers JSON. The
// response depends on that.
func bulkMedia(c *fiber.Ctx) string {
	c.Set(fiber.HeaderVary, c.GetRespHeader(fiber.HeaderVary)+", Accept")
	if media := preferredMedia(c, fiber.MIMEApplicationJSON, mediaNDJSON, mediaCSV); media != fiber.MIMEApplicationJSON {
		return media
	}
	return ""
}

// bulkList is a list that can be read in bulk.
type bulkList struct {
	link pageLink // to its start
	cvr  string   // of the company that it belongs to; empty for none
	// each finds what follows an id, and then writes its items, unless there are no lines.
	each func(ctx context.Context, tenant models.Tenant, after *uuid.UUID, found *ledger.Following, to *bulkLines) error
}

func (h *handler) bulk(c *fiber.Ctx, media string, list bulkList) error {
	for _, name := range []string{"limit", "before"} {
		if c.Context().QueryArgs().Has(name) {
			return models.NewError(models.KindUnprocessable,
				"The parameter "+name+" cannot be used with "+media+", which sends everything after the cursor: leave it out.")
		}
	}
	after, err := idParameter(c, "after")
	if err != nil {
		return err
	}
	r := requestOf(c)
	r.bulk = true
	tenant := h.Store.Tenant(r.caller.OrganizationID)
	link := list.link.at(ledger.Cursor{After: after}).String()
	b := &bulkRead{
		bulkList: list,
		tenant:   tenant,
		after:    after,
		media:    media,
		coding:   compress.ForStream(c),
		key:      cacheKey{tenant.OrganizationID(), link + " " + media},
	}
	ctx, cancel := h.withDeadline(r)
	defer cancel()
	if list.cvr != "" {
		if _, err := ledger.Company(ctx, tenant, list.cvr); err != nil {
			return err
		}
	}
	version, err := tenant.DataVersion(ctx)
	if err != nil {
		return err
	}
	if etag := b.key.etag(version); hasTag(c, etag) || hasAnyTag(c) {
		setVersion(c, version)
		sendNotModified(c, etag)
		return nil
	}
	if c.Method() == fiber.MethodHead {
		if err := b.each(ctx, tenant, after, &b.found, nil); err != nil {
			return err
		}
		b.setHeaders(c)
		return nil
	}
	return h.sendBulk(ctx, c, b)
}

// sendBulk sends a bulk read if its organization has no other one, and counts it.
func (h *handler) sendBulk(ctx context.Context, c *fiber.Ctx, b *bulkRead) error {
	r := requestOf(c)
	held, release, err := tasks.Begin(ctx, b.tenant, "bulk read", h.Log)
	if errors.Is(err, tasks.ErrRuns) {
		h.giveBack(c, r)
		return errBulkRuns
	}
	if err != nil {
		return err
	}
	r.decision = h.limits(r).TakeAs(ctx, h.counted(r), bulkRequests)
	r.decision.SetHeaders(c.Set)
	if !r.decision.Allowed {
		release()
		return errTooMany(r.decision)
	}
	text, from := strings.Clone(c.Get(headerKey)), r.Address
	check := func() error {
		ctx, cancel := context.WithTimeout(held, h.Timeout)
		defer cancel()
		_, err := h.checkAgain(ctx, text, from)
		return cmp.Or(context.Cause(held), err) // of a read that is lost, or whose key is
	}
	file, err := h.Downloads.Start(ctx, c.Context().Conn(),
		download.Job{Kind: download.Bulk, Write: b.write, Check: check, Ended: release})
	size, whole := 0, !c.Request().Header.IsHTTP11()
	if err == nil {
		if size, err = file.Ready(whole); err != nil {
			_ = file.Close()
		}
	}
	switch {
	case errors.Is(err, download.ErrGone):
		return err
	case models.ErrorKind(err) == models.KindUnauthorized:
		dropCallerHeaders(c)
		return err
	case err != nil:
		h.giveBack(c, r)
		if models.ErrorKind(err) == models.KindBusy {
			c.Set(fiber.HeaderRetryAfter, bulkPause)
		}
		if errors.Is(err, download.ErrTooLong) || errors.Is(err, download.ErrNoRoom) {
			return fmt.Errorf("%w: %w", errTooMuch, err)
		}
		return err
	}
	log, exchange := h.Log, r.Exchange
	exchange.Streams()
	file.Closed = func(sent int64, err error) {
		if err != nil {
			log.Warn("bulk read stopped", append(exchange.Attributes(), "error", err, "bytes", sent)...)
		}
		exchange.Sent(sent)
	}
	b.setHeaders(c)
	r.rows = b.found.Count
	c.Context().SetBodyStream(file, size)
	return nil
}

// bulkRead is what a bulk read reads, and in which form it is sent.
type bulkRead struct {
	bulkList
	tenant        models.Tenant
	after         *uuid.UUID // nil for the start
	media, coding string
	key           cacheKey
	found         ledger.Following // before the first line
}

func (b *bulkRead) write(ctx context.Context, to io.Writer) error {
	compressed, err := compress.NewWriter(b.coding, to)
	if err != nil {
		return err
	}
	lines := &bulkLines{to: compressed, csv: b.media == mediaCSV}
	if err := b.each(ctx, b.tenant, b.after, &b.found, lines); err != nil {
		return err
	}
	if err := lines.end(b.found); err != nil {
		return err
	}
	return compressed.Close()
}

func (b *bulkRead) setHeaders(c *fiber.Ctx) {
	c.Set(fiber.HeaderETag, b.key.etag(b.found.Version))
	setVersion(c, b.found.Version)
	c.Set(headerTotalCount, strconv.FormatInt(b.found.Count, 10))
	setIfAny(c, headerTotalAmount, b.found.Amount)
	if b.found.LastID != nil {
		c.Set(headerLastID, b.found.LastID.String())
	}
	setIfAny(c, fiber.HeaderContentEncoding, b.coding)
	c.Set(fiber.HeaderContentType, b.media)
}

// giveBack refunds the request.
func (h *handler) giveBack(c *fiber.Ctx, r *request) {
	r.decision = h.limits(r).GiveBack(context.Background(), h.counted(r), r.decision)
	r.decision.SetHeaders(c.Set)
}

// preferredMedia returns the media type, of those offered, that the request's Accept likes
// best (RFC 9110 section 12.5.1), of equal ones the one it names first. Parameters other than
// q refuse nothing. It is the first if the request accepts none, or all alike.
func preferredMedia(c *fiber.Ctx, offers ...string) string {
	var ranges []string
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderAccept) {
		quoted := false
		ranges = append(ranges, strings.FieldsFunc(string(line), func(r rune) bool {
			quoted = quoted != (r == '"')
			return r == ',' && !quoted
		})...)
	}
	best, most, first := offers[0], 0.0, 0
	for _, offer := range offers {
		kind, _, _ := strings.Cut(offer, "/")
		weight, place, specific := 0.0, 0, 0
		for i, item := range ranges {
			media, parameters, err := mime.ParseMediaType(item)
			rank := map[string]int{"*/*": 1, kind + "/*": 2, offer: 3}[media]
			if err != nil || rank <= specific {
				continue
			}
			q := 1.0
			if text, weighted := parameters["q"]; weighted {
				if q, err = strconv.ParseFloat(text, 64); err != nil || !(q >= 0 && q <= 1) {
					continue
				}
			}
			weight, place, specific = q, i, rank
		}
		if weight > most || weight > 0 && weight == most && place < first {
			best, most, first = offer, weight, place
		}
	}
	return best
}
