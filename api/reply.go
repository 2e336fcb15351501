package api

import (
	"context"
	"encoding/hex"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"dispo/api/compress"
	"dispo/models"
)

const (
	headerTotalAmount = "X-Total-Amount-Dkk"
	headerDataVersion = "X-Data-Version"
	headerDataHistory = "X-Data-History"
)

// response is what a handler has read from the database.
type response struct {
	version models.Version // of the organization's data, in the snapshot that it was read from
	body    *compress.Body // JSON
	amount  string         // X-Total-Amount-Dkk, of a list of transactions
	links   string         // Link, of a page that has neighbors
	rows    int64          // of the data in the body
}

// reader reads a response. Several requests may share what it returns.
type reader func(context.Context, models.Tenant) (*response, error)

// reply answers with the organization's current data at link, the path with the cursor:
// 304 if the caller already has it, else the remembered response, else what read returns.
// A caller that prefers so first waits until it no longer has the current data.
func (h *handler) reply(c *fiber.Ctx, link string, read reader) error {
	tenant := h.Store.Tenant(requestOf(c).caller.OrganizationID)
	key := cacheKey{tenant.OrganizationID(), link}
	if seconds := preferredWait(c); seconds > 0 {
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
	if etag := key.etag(version); hasTag(c, etag) {
		setVersion(c, version)
		sendNotModified(c, etag)
		return nil
	}
	found := h.cache.get(key, version)
	if found == nil {
		found, err = h.readShared(key, version, func(ctx context.Context) (*response, error) {
			return readCurrent(ctx, tenant, version, read)
		})
		if err != nil {
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

// readCurrent reads on a replica of the database if one has the version, else on the primary.
// What the primary has may be newer than the change feed has reported. It is remembered, or
// the caller's next wait would return at once.
func readCurrent(
	ctx context.Context, tenant models.Tenant, version models.Version, read reader,
) (r *response, err error) {
	onReplica := tenant.OnReplica(ctx, version, func(ctx context.Context, replica models.Tenant) (models.Version, error) {
		if r, err = read(ctx, replica); err != nil {
			return models.Version{}, err
		}
		return r.version, nil
	})
	if onReplica {
		return r, nil
	}
	learn := tenant.LearnDataVersion()
	if r, err = read(ctx, tenant); err == nil {
		learn(r.version)
	}
	return r, err
}

// readShared reads a response and remembers it. Requests that need it at the same time share
// one read, which has the whole time for a request, so that none fails by the deadline of
// the one that began it.
func (h *handler) readShared(
	key cacheKey, version models.Version, read func(context.Context) (*response, error),
) (*response, error) {
	// The id has a fixed length, so no two of these are alike.
	shared := key.organization.String() + key.link + " " + version.History.String() +
		strconv.FormatInt(version.DataVersion, 10)
	found, err, _ := h.reads.Do(shared, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.Background(), h.Timeout)
		defer cancel()
		var r *response
		err := models.Recovered(func() (err error) { // singleflight would hand a panic to all that share it
			r, err = read(ctx)
			return err
		})
		if err == nil {
			h.cache.put(key, r)
		}
		return r, err
	})
	return found.(*response), err
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

// cacheKey names a response: an organization and the path that it asks for, with the
// cursor and the size of a page. It holds nothing of a request's buffers.
type cacheKey struct {
	organization uuid.UUID
	link         string
}

// etag returns the ETag of the response at a version of the organization's data. It is
// weak (RFC 9110 section 8.8.1), because it is the same in every content coding. A program
// whose responses have another form, and so another openapi.yaml, returns other tags.
func (k cacheKey) etag(version models.Version) string {
	return newETag(k.organization[:], []byte(k.link), strconv.AppendInt(nil, version.DataVersion, 10), version.History[:],
		openapiHash)
}

// openapiHash changes with the form of the API's responses.
var openapiHash = []byte(newETag(OpenAPIYAML))

// newETag returns the ETag of what is made of these parts.
func newETag(parts ...[]byte) string {
	hash := fnv.New64a()
	for _, part := range parts {
		_, _ = hash.Write(part)
		_, _ = hash.Write([]byte{0})
	}
	return `W/"` + hex.EncodeToString(hash.Sum(nil)) + `"`
}

// responseOverhead is the memory in bytes that a response takes beside its body.
const responseOverhead = 1024

// size is the memory in bytes that a response takes. All compressed forms of a body
// together are shorter than the body.
func (r *response) size() int { return 2*r.body.Len() + responseOverhead }

// cache remembers the latest responses up to a number of bytes. Each belongs to the
// data version that it was read at, so nothing has to be dropped when data changes.
type cache struct {
	mu     sync.Mutex
	recent *simplelru.LRU[cacheKey, *response]
	used   int
	budget int
}

func newCache(budget int) *cache {
	c := &cache{budget: budget}
	c.recent, _ = simplelru.NewLRU(math.MaxInt, func(_ cacheKey, dropped *response) { c.used -= dropped.size() })
	return c
}

// get returns the response of a version, or nil.
func (c *cache) get(key cacheKey, version models.Version) *response {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.recent.Get(key); ok && found.version == version {
		return found
	}
	return nil
}

func (c *cache) put(key cacheKey, r *response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recent.Remove(key)
	c.recent.Add(key, r)
	c.used += r.size()
	for c.used > c.budget {
		c.recent.RemoveOldest()
	}
}
