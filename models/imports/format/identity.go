package format

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
)

// identitiesMost is how many deliveries one file may hold, because they are kept in
// memory.
const identitiesMost = 1000

// Identity says which delivery a file is.
type Identity struct {
	// Names lists the deliveries that the file says it holds, each once, in words such
	// as "supplierCvr=12345674, deliveryId=42". It is empty where the layout names
	// nothing that identifies a delivery.
	Names []string
	// RecordsSHA256 is a hash over the records' places and fields, without their raw
	// lines. So it is the same whatever a file's line ends and encoding are.
	RecordsSHA256 [sha256.Size]byte
}

// Identify is [Layout.Read], and also returns which delivery the file is.
func (l *Layout) Identify(r io.Reader, record func(*Record) error, bad func(BadLine) error) (Summary, Identity, error) {
	hash := newRecordsHash()
	out := &sink{bad: bad, record: func(r *Record) error {
		hash.add(r)
		return record(r)
	}}
	err := l.read(r, out)
	return out.summary, Identity{Names: out.identities.list(), RecordsSHA256: hash.sum()}, err
}

// identities collects which deliveries a file says that it holds.
type identities struct {
	texts     []string
	anonymous bool // one of them does not say which it is
}

// identify notes a delivery, in words such as "supplierCvr=12345674,
// deliveryId=42"; empty for one that does not say which it is. It returns the reason
// to refuse the file.
func (s *identities) identify(text string) (reason string) {
	switch {
	case text == "":
		s.anonymous = true
	case slices.Contains(s.texts, text):
	case len(s.texts) == identitiesMost:
		return fmt.Sprintf("the file holds more than %d deliveries; split it", identitiesMost)
	default:
		s.texts = append(s.texts, text)
	}
	return ""
}

// list returns the deliveries in the file's order, or none if one is unknown.
func (s *identities) list() []string {
	if s.anonymous {
		return nil
	}
	return s.texts
}

// identityField is a field by which a layout of the operator's own identifies a
// delivery.
type identityField struct {
	name    string
	place   place
	value   []byte // where the place is constant
	carried []byte // what the latest carrier said; nil before the first
}

// identify notes the delivery that a record belongs to, or says why nobody knows.
func (t *table) identify(l *line) (field, reason string) {
	text := t.identityText[:0]
	for i := range t.identity {
		f := &t.identity[i]
		value := f.value
		switch {
		case f.place.constant:
		case f.place.carrier != nil:
			if value = f.carried; value == nil {
				return "identity." + f.name, fmt.Sprintf("there is no line starting with %q before this one", f.place.carrier)
			}
		default:
			if value, reason = f.place.find(t.splitter.cells, l.ascii); reason != "" {
				return "identity." + f.name, reason
			}
		}
		if len(value) == 0 || len(value) > maxIdentityValue {
			return "identity." + f.name, fmt.Sprintf("expected 1 to %d bytes, because it identifies the delivery; found %d", maxIdentityValue, len(value))
		}
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(append(append(text, f.name...), '='), value...)
	}
	t.identityText = text
	// Records follow each other with the same identity.
	if bytes.Equal(text, t.identityLast) {
		return "", ""
	}
	t.identityLast = append(t.identityLast[:0], text...)
	return "identity", t.out.identities.identify(string(text))
}

// carryIdentity keeps the identity's fields that a carrier holds.
func (t *table) carryIdentity(cells [][]byte, l *line, carrier []byte) error {
	for i := range t.identity {
		f := &t.identity[i]
		if !bytes.Equal(f.place.carrier, carrier) {
			continue
		}
		text, reason := f.place.find(cells, l.ascii)
		if reason != "" {
			return t.out.reject(l.index+1, "identity."+f.name, reason)
		}
		f.carried = append([]byte{}, text...)
	}
	return nil
}

// recordsHash is a hash over the parsed records, so that it does not depend on how
// a file writes them: on line ends, encoding, quotes or spaces around a field.
type recordsHash struct {
	hash   hash.Hash
	buffer []byte
}

const hashChunk = 16 << 10

func newRecordsHash() recordsHash {
	return recordsHash{hash: sha256.New(), buffer: make([]byte, 0, hashChunk+maxLine)}
}

// add adds a record. No field contains a line feed, so it can end each.
func (h *recordsHash) add(r *Record) {
	b := append(strconv.AppendInt(h.buffer, r.Index, 10), '\n')
	b = append(append(b, r.CVR...), '\n')
	b = append(append(b, r.RegNumber...), '\n')
	b = append(append(b, r.AccountNumber...), '\n')
	b = append(append(b, r.TransferType...), '\n')
	b = append(append(b, r.DispositionDate...), '\n')
	b = append(strconv.AppendInt(b, r.Count, 10), '\n')
	b = append(append(b, r.Amount...), '\n')
	if len(b) >= hashChunk {
		h.hash.Write(b)
		b = b[:0]
	}
	h.buffer = b
}

func (h *recordsHash) sum() (sum [sha256.Size]byte) {
	h.hash.Write(h.buffer)
	h.buffer = h.buffer[:0]
	h.hash.Sum(sum[:0])
	return sum
}
