package api

import (
	"encoding/hex"
	"hash/fnv"
	"math"
	"strconv"
	"sync"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"dispo/api/compress"
	"dispo/models"
)

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
	return newETag(
		k.organization[:],
		[]byte(k.link),
		strconv.AppendInt(nil, version.DataVersion, 10),
		version.History[:],
		openapiHash,
	)
}

// newETag returns the ETag of what is made of these parts.
func newETag(parts ...[]byte) string {
	hash := fnv.New64a()
	for _, part := range parts {
		_, _ = hash.Write(part)
		_, _ = hash.Write([]byte{0})
	}
	return `W/"` + hex.EncodeToString(hash.Sum(nil)) + `"`
}

type response struct {
	version models.Version // of the organization's data that it shows
	body    *compress.Body
	amount  string // X-Total-Amount-Dkk, of a list of transactions
	links   string // Link, of a page that has neighbors
	rows    int64  // of the data in the body
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
