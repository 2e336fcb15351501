package imports_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// bigDelivery writes a delivery that takes several reads and several COPYs.
func bigDelivery(t *testing.T, cvr string) string {
	t.Helper()
	return modelstest.File(t, "delivery.csv", modelstest.DeliveryHeader+strings.Repeat(longRecord(cvr), 15_000))
}

// longRecord returns a good line with as much text as a csv delivery can have.
func longRecord(cvr string) string {
	return strings.Replace(modelstest.Record(cvr), "CARD", strings.Repeat("CARD", 25), 1)
}

// inSecondReading calls f once, after the import has begun to read the file for the
// second time.
func inSecondReading(f func()) imports.Progress {
	var once sync.Once
	return func(done, total int64) {
		if done > total/2 {
			once.Do(f)
		}
	}
}

// A file that changes between its two readings is refused, and nothing of it is
// stored, however it changes: it gets longer or shorter, other content, another
// company's record, or a bad line, or is written again as it is.
func TestDeliveryChangesDuringTheImport(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001", "10000002")
	conn := modelstest.Conn(t, w.URL)
	for name, change := range map[string]func(file *os.File, size int64) error{
		"longer": func(file *os.File, size int64) error {
			_, err := file.WriteAt([]byte(longRecord("10000001")), size)
			return err
		},
		"other content": func(file *os.File, size int64) error {
			_, err := file.WriteAt([]byte("1"), size-2)
			return err
		},
		"other company": func(file *os.File, size int64) error {
			_, err := file.WriteAt([]byte(longRecord("10000002")), size-int64(len(longRecord("10000002"))))
			return err
		},
		"bad line": func(file *os.File, size int64) error {
			_, err := file.WriteAt([]byte("x"), size-int64(len(longRecord("10000001"))))
			return err
		},
		"written again": func(file *os.File, size int64) error {
			_, err := file.WriteAt([]byte("\n"), size-1)
			return err
		},
		"shorter": func(file *os.File, size int64) error { return file.Truncate(size - int64(len(longRecord("10000001")))) },
	} {
		path := bigDelivery(t, "10000001")
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		info, err := file.Stat()
		require.NoError(t, err)
		_, err = w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Progress: inSecondReading(func() {
			if err := change(file, info.Size()); err != nil {
				t.Error(err)
			}
		})})
		require.NoError(t, file.Close())
		modelstest.RequireKind(t, models.KindConflict, err)
		require.Equal(t, path+" changed while it was read: import it again once it is complete", err.Error(), name)
		requireNothingStored(t, conn)
	}
}

// The same holds for a file of companies.
func TestCompaniesChangeDuringTheImport(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	var text strings.Builder
	text.WriteString("cvr,name\n")
	for i := range 100_000 {
		fmt.Fprintf(&text, "%d,Company\n", 10_000_000+i)
	}
	const row = int64(len("10000000,Company\n"))
	for name, change := range map[string]func(file *os.File, size int64) error{
		"longer": func(file *os.File, size int64) error {
			_, err := file.WriteAt([]byte("20000000,Company\n"), size)
			return err
		},
		"other content": func(file *os.File, size int64) error {
			_, err := file.WriteAt([]byte("i"), size-2)
			return err
		},
		"bad line": func(file *os.File, size int64) error {
			_, err := file.WriteAt([]byte("x"), size-row)
			return err
		},
		"written again": func(file *os.File, size int64) error {
			_, err := file.WriteAt([]byte("\n"), size-1)
			return err
		},
		"shorter":        func(file *os.File, size int64) error { return file.Truncate(size - row) },
		"much shorter":   func(file *os.File, _ int64) error { return file.Truncate(row) },
		"nothing at all": func(file *os.File, _ int64) error { return file.Truncate(0) },
	} {
		path := modelstest.File(t, "companies.csv", text.String())
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		_, err = imports.Companies(t.Context(), w.Operator.DB(), a, path, inSecondReading(func() {
			if err := change(file, int64(text.Len())); err != nil {
				t.Error(err)
			}
		}))
		require.NoError(t, file.Close())
		modelstest.RequireKind(t, models.KindConflict, err)
		require.Equal(t, path+" changed while it was read: import it again once it is complete", err.Error(), name)
		require.Zero(t, modelstest.Value[int](t, modelstest.Conn(t, w.URL), `SELECT count(*) FROM companies`), name)
	}
}
