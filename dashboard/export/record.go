package export

import (
	"bufio"
	"encoding/binary"
	"io"
	"slices"
)

// recordLines writes rows in a form that readRecord reads: the length of each value,
// and the value.
type recordLines struct{}

func (recordLines) begin(text []byte, _ []string) []byte { return text }

func (recordLines) row(text []byte, values []string) []byte {
	for _, value := range values {
		text = binary.AppendUvarint(text, uint64(len(value)))
		text = append(text, value...)
	}
	return text
}

// recordReader reads the rows that recordLines wrote.
type recordReader struct {
	*bufio.Reader
	value []byte
}

// read fills values with the next row. It returns io.EOF after the last one.
func (r *recordReader) read(values []string) error {
	for i := range values {
		length, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		r.value = slices.Grow(r.value[:0], int(length))[:length]
		if _, err := io.ReadFull(r, r.value); err != nil {
			return err
		}
		values[i] = string(r.value)
	}
	return nil
}
