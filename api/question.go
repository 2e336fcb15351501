package api

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"

	"github.com/cespare/xxhash/v2"
	"github.com/google/uuid"

	"dispo/models"
)

// question is a request for an organization's data, in the one form that all
// requests with the same answer share: whose data, which resource, and its
// parameters. It holds nothing of the request's own buffers.
type question [16 + 1 + 8 + 1 + 1 + 16]byte

// Resources, as a question names them.
const (
	resourceCompanies    = 'l'
	resourceCompany      = 'c'
	resourceTransactions = 't'
)

// newQuestion puts a question; cvr is 8 digits or nothing.
func newQuestion(organizationID uuid.UUID, resource byte, cvr string, cursor models.Cursor) (q question) {
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

// entityTag is the ETag of the question's answer while the organization's data is
// of that version. A program that answers in another form, and so has another
// openapi.yaml, gives other tags.
func (q *question) entityTag(version int64) entityTag {
	var hashed [len(q) + 16]byte
	b := append(hashed[:0], q[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(version))
	b = binary.BigEndian.AppendUint64(b, openapiHash)
	return newEntityTag(xxhash.Sum64(b))
}

// entityTag is an ETag, W/"0123456789abcdef". It is a weak one (RFC 9110 section
// 8.8.1), because an answer may be read a moment after the version was: then it
// is newer than its tag tells, never older.
type entityTag [len(`W/""`) + 16]byte

func newEntityTag(hash uint64) (tag entityTag) {
	var sum [8]byte
	binary.BigEndian.PutUint64(sum[:], hash)
	copy(tag[:], `W/"`)
	hex.Encode(tag[3:], sum[:])
	tag[len(tag)-1] = '"'
	return tag
}

// among tells whether an If-None-Match names the tag, by the weak comparison (RFC
// 9110 section 13.1.2). A tag has no quotation mark within, so the quoted text is
// found where the tag is and nowhere else.
func (tag *entityTag) among(ifNoneMatch []byte) bool { return bytes.Contains(ifNoneMatch, tag[2:]) }
