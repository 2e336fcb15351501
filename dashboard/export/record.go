package export

import (
	"bufio"
	"encoding/binary"
	"io"
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

// readRecord fills values with the next row. It returns io.EOF after the last one.
func readRecord(from *bufio.Reader, values []string) error {
	for i := range values {
		length, err := binary.ReadUvarint(from)
		if err != nil {
			return err
		}
		value := make([]byte, length)
		if _, err := io.ReadFull(from, value); err != nil {
			return err
		}
		values[i] = string(value)
	}
	return nil
}
