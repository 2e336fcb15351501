package demodata

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/imports/format"
)

// Package format detects each delivery's layout, accepts every line, and reads exactly
// the generated records.
func TestReaderAcceptsDeliveries(t *testing.T) {
	for _, path := range written(t, lastDays[0]).Deliveries {
		file := content(t, path)
		var found []record
		_, err := format.Detect(file[:3]).Read(bytes.NewReader(file), func(r *format.Record) error {
			day, err := time.Parse(time.DateOnly, string(r.DispositionDate))
			found = append(found, record{
				cvr: string(r.CVR), regNumber: string(r.RegNumber), accountNumber: string(r.AccountNumber),
				transferType: string(r.TransferType), amountDkk: string(r.Amount), day: day, count: int(r.Count),
			})
			return err
		}, func(bad format.BadLine) error {
			require.Fail(t, "bad line", "%s: %+v", path, bad)
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, records(t, path), found, path)
	}
}
