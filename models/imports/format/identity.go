package format

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
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
	hash := sha256.New()
	records := bufio.NewWriterSize(hash, 16<<10)
	out := &sink{bad: bad, record: func(r *Record) error {
		hashRecord(records, r)
		return record(r)
	}}
	err := l.read(r, out)
	_ = records.Flush()
	identity := Identity{RecordsSHA256: [sha256.Size]byte(hash.Sum(nil))}
	if !out.identities.anonymous {
		identity.Names = out.identities.texts
	}
	return out.summary, identity, err
}

// identities collects which deliveries a file says that it holds.
type identities struct {
	texts     []string // in the file's order
	anonymous bool     // one of them does not say which it is
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

// identify notes the delivery that a record belongs to, or says why nobody knows.
func (t *table) identify(l *line) (field, reason string) {
	text := t.identityText[:0]
	for i, at := range t.identity {
		p := &t.places[at]
		value, reason := p.text(t.splitter.cells, l.ascii)
		if reason == "" && (len(value) == 0 || len(value) > maxIdentityValue) {
			reason = fmt.Sprintf(
				"expected 1 to %d bytes, because it identifies the delivery; found %d",
				maxIdentityValue,
				len(value),
			)
		}
		if reason != "" {
			return p.key, reason
		}
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(append(append(text, p.key[len("identity."):]...), '='), value...)
	}
	t.identityText = text
	// Records follow each other with the same identity.
	if bytes.Equal(text, t.identityLast) {
		return "", ""
	}
	t.identityLast = append(t.identityLast[:0], text...)
	return "identity", t.out.identities.identify(string(text))
}

// hashRecord adds a parsed record to a hash, which so does not depend on how a file writes
// records: on line ends, encoding, quotes or spaces around a field. No field contains a line
// feed, so it can end each. A hash never fails.
func hashRecord(to *bufio.Writer, r *Record) {
	_, _ = to.Write(append(strconv.AppendInt(to.AvailableBuffer(), r.Index, 10), '\n'))
	for _, field := range [...][]byte{r.CVR, r.RegNumber, r.AccountNumber, r.TransferType, r.DispositionDate, r.Amount} {
		_, _ = to.Write(field)
		_ = to.WriteByte('\n')
	}
	_, _ = to.Write(append(strconv.AppendInt(to.AvailableBuffer(), r.Count, 10), '\n'))
}
