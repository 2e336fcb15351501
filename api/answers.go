package api

import (
	"bytes"
	"dispo/models/ledger"
	"encoding/binary"
	"encoding/hex"

	"github.com/cespare/xxhash/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/maypok86/otter/v2"
)

// answers remembers the bodies of answers, up to a number of bytes. Each belongs to
// the data version that it was read at, so nothing has to be dropped when data
// changes.
type answers struct {
	cache *otter.Cache[remembered, versioned]
}

// remembered identifies a body: an answer in a coding.
type remembered struct {
	question
	encoding
}

type versioned struct {
	version int64
	answer
}

// answer is a body in a coding, and what stands in headers beside it.
type answer struct {
	body     []byte
	encoding encoding
	amount   string // the total amount of a list of transactions; empty for other answers
	links    string // the Link header of a list's page; empty for a page without neighbors
}

// answerOverhead is the memory in bytes that an answer takes beside its body.
const answerOverhead = 256

// newAnswers returns answers with room for that many bytes. 0 remembers none.
func newAnswers(budget int64) answers {
	if budget == 0 {
		return answers{}
	}
	return answers{otter.Must(&otter.Options[remembered, versioned]{
		MaximumWeight: uint64(budget),
		Weigher: func(_ remembered, a versioned) uint32 {
			return uint32(cap(a.body) + len(a.amount) + len(a.links) + answerOverhead)
		},
	})}
}

// get returns a remembered answer in a coding.
func (a answers) get(asked question, version int64, coding encoding) (answer, bool) {
	if a.cache == nil {
		return answer{}, false
	}
	plain, ok := a.cache.GetIfPresent(remembered{asked, identity})
	if !ok || plain.version != version {
		return answer{}, false
	}
	return a.encoded(asked, version, plain.answer, coding), true
}

// put remembers an answer as it was read, whose body must not be changed afterwards.
func (a answers) put(asked question, version int64, read answer) {
	if a.cache != nil {
		a.cache.Set(remembered{asked, read.encoding}, versioned{version, read})
	}
}

// encoded returns the answer in a coding if that is worth it: the remembered one, or
// else one that it remembers.
func (a answers) encoded(asked question, version int64, plain answer, coding encoding) answer {
	if coding == identity || len(plain.body) < worthEncoding {
		return plain
	}
	if a.cache != nil {
		if found, ok := a.cache.GetIfPresent(remembered{asked, coding}); ok && found.version == version {
			return found.answer
		}
	}
	encoded := plain
	encoded.body, encoded.encoding = coding.encode(plain.body), coding
	a.put(asked, version, encoded)
	return encoded
}

// question identifies an answer: the organization, the resource and its parameters.
// All requests with the same answer have the same question. It holds nothing of the
// request's buffers.
type question [16 + 1 + 8 + 1 + 1 + 16]byte

// Resources in questions.
const (
	resourceCompanies    = 'l'
	resourceCompany      = 'c'
	resourceTransactions = 't'
)

// newQuestion returns a question. cvr is 8 digits or empty.
func newQuestion(organizationID uuid.UUID, resource byte, cvr string, cursor ledger.Cursor) (q question) {
	copy(q[:16], organizationID[:])
	q[16] = resource
	copy(q[17:25], cvr)
	q[25] = byte(cursor.Limit)
	switch {
	case cursor.After != nil:
		q[26] = 'a'
		copy(q[27:], cursor.After[:])
	case cursor.Before != nil:
		q[26] = 'b'
		copy(q[27:], cursor.Before[:])
	}
	return q
}

// entityTag returns the ETag of the question's answer at that version of the
// organization's data. A program whose answers have another form, and so another
// openapi.yaml, returns other tags.
func (q *question) entityTag(version int64) entityTag {
	var hashed [len(q) + 16]byte
	b := append(hashed[:0], q[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(version))
	b = binary.BigEndian.AppendUint64(b, openapiHash)
	return newEntityTag(xxhash.Sum64(b))
}

// entityTag is an ETag, W/"0123456789abcdef". It is weak (RFC 9110 section 8.8.1),
// because an answer may be read a moment after its version: then it is newer than
// its tag says, never older.
type entityTag [len(`W/""`) + 16]byte

func newEntityTag(hash uint64) (tag entityTag) {
	var sum [8]byte
	binary.BigEndian.PutUint64(sum[:], hash)
	copy(tag[:], `W/"`)
	hex.Encode(tag[3:], sum[:])
	tag[len(tag)-1] = '"'
	return tag
}

// isIn reports whether the request's If-None-Match contains the tag, by the weak
// comparison (RFC 9110 section 13.1.2). The text inside a tag has no quotation mark,
// so the quoted text is found only where the tag is.
func (tag *entityTag) isIn(c *fiber.Ctx) bool {
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderIfNoneMatch) {
		if bytes.Contains(line, tag[2:]) {
			return true
		}
	}
	return false
}
