package api

import (
	"context"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"dispo/api/compress"
	"dispo/models"
)

const (
	headerTotalAmount = "X-Total-Amount-Dkk"
	headerDataVersion = "X-Data-Version"
	headerDataHistory = "X-Data-History"
)

// result is what a handler has read from the database.
type result struct {
	version models.Version // of the organization's data, in the snapshot that the result was read from
	body    []byte         // JSON
	amount  string
	links   string
	rows    int64 // of the data in the body
}

// query reads a result. It may be shared by several requests for the same response.
type query func(context.Context, models.Tenant) (result, error)

// reply answers with the organization's current data at link, the path with the cursor:
// 304 if the caller already has it, else the remembered response, else what query returns.
func (h *handler) reply(c *fiber.Ctx, link string, query query) error {
	tenant := h.Store.Tenant(requestOf(c).caller.OrganizationID)
	key := cacheKey{tenant.OrganizationID(), link}
	if seconds := preferredWait(
		c,
	); seconds > 0 && c.Request().Header.Peek(fiber.HeaderIfNoneMatch) != nil &&
		!hasAnyTag(c) {
		if err := h.wait(c, tenant, key, seconds); err != nil {
			return err
		}
	}
	ctx, cancel := h.withDeadline(requestOf(c))
	defer cancel()
	version, err := tenant.DataVersion(ctx)
	if err != nil {
		return err
	}
	etag := key.etag(version)
	if hasTag(c, etag) {
		setVersion(c, version)
		sendNotModified(c, etag)
		return nil
	}
	found := h.cache.get(key, version)
	if found == nil {
		if found, err = h.readShared(tenant, key, version, onReplica(version, query)); err != nil {
			c.Response().Header.Del(headerPreferenced)
			return err
		}
	}
	// What was read may be newer than the version that an instance has heard of.
	setVersion(c, found.version)
	send(c, key.etag(found.version), fiber.MIMEApplicationJSON, found.body)
	if c.Response().StatusCode() == fiber.StatusOK {
		if c.Method() != fiber.MethodHead {
			requestOf(c).rows = found.rows
		}
		setIfAny(c, headerTotalAmount, found.amount)
		setIfAny(c, fiber.HeaderLink, found.links)
	}
	return nil
}

// setVersion says which moment of the organization's data the response shows.
func setVersion(c *fiber.Ctx, version models.Version) {
	c.Set(headerDataVersion, strconv.FormatInt(version.DataVersion, 10))
	c.Set(headerDataHistory, version.History.String())
}

func setIfAny(c *fiber.Ctx, name, value string) {
	if value != "" {
		c.Set(name, value)
	}
}

// onReplica reads on a replica of the database if one has the version, else on the primary.
func onReplica(version models.Version, query query) query {
	return func(ctx context.Context, tenant models.Tenant) (r result, err error) {
		if tenant.OnReplica(ctx, version, func(ctx context.Context, replica models.Tenant) (models.Version, error) {
			r, err = query(ctx, replica)
			return r.version, err
		}) {
			return r, nil
		}
		return learning(query)(ctx, tenant)
	}
}

// learning remembers the data version that was read. It may be newer than the one that the
// change feed has reported, and then the caller's next wait would return at once.
func learning(query query) query {
	return func(ctx context.Context, tenant models.Tenant) (result, error) {
		learn := tenant.LearnDataVersion()
		r, err := query(ctx, tenant)
		if err == nil {
			learn(r.version)
		}
		return r, err
	}
}

// readShared reads a response and remembers it. Requests that need it at the same time share
// one read, which has the whole time for a request, so that none fails by the deadline of
// the one that began it.
func (h *handler) readShared(
	tenant models.Tenant,
	key cacheKey,
	version models.Version,
	query query,
) (*response, error) {
	// The id has a fixed length, so no two of these are alike.
	shared := key.organization.String() + key.link + " " + version.History.String() + strconv.FormatInt(
		version.DataVersion,
		10,
	)
	made, err, _ := h.reads.Do(shared, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.Background(), h.Timeout)
		defer cancel()
		var r result
		err := models.Recovered(func() (err error) { // singleflight would hand a panic to all that share it
			r, err = query(ctx, tenant)
			return err
		})
		if err != nil {
			return nil, err
		}
		made := &response{version: r.version, body: compress.NewBody(r.body), amount: r.amount, links: r.links, rows: r.rows}
		h.cache.put(key, made)
		return made, nil
	})
	found, _ := made.(*response)
	return found, err
}

// send answers with a body, or with 304 if the caller has what the tag names or asked
// with "*". The tag is weak, so it is the same in every coding.
func send(c *fiber.Ctx, etag, contentType string, body *compress.Body) {
	if hasTag(c, etag) || hasAnyTag(c) {
		sendNotModified(c, etag)
		return
	}
	c.Set(fiber.HeaderETag, etag)
	c.Response().Header.SetContentType(contentType)
	body.Send(c)
}

func sendNotModified(c *fiber.Ctx, etag string) {
	c.Set(fiber.HeaderETag, etag)
	c.Status(fiber.StatusNotModified)
}

// hasAnyTag reports whether the request's If-None-Match stands for any response.
func hasAnyTag(c *fiber.Ctx) bool { return c.Get(fiber.HeaderIfNoneMatch) == "*" }

// codingSuffixes are what proxies that compress put at the end of a tag. Not all of them take
// it off again when the client sends it back.
var codingSuffixes = strings.NewReplacer(`--gzip"`, `"`, `-gzip"`, `"`, `;gzip"`, `"`, `-br"`, `"`, `-zstd"`, `"`)

// hasTag reports whether the request's If-None-Match contains the tag, by the weak
// comparison (RFC 9110 section 13.1.2). The text inside a tag has no quotation mark,
// so the quoted text is found only where the tag is.
func hasTag(c *fiber.Ctx, etag string) bool {
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderIfNoneMatch) {
		if strings.Contains(codingSuffixes.Replace(string(line)), etag[len("W/"):]) {
			return true
		}
	}
	return false
}
