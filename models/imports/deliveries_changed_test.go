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
// second time, or has read half of it if it reads it once.
func inSecondReading(f func()) imports.Progress {
	var once sync.Once
	return func(done, total int64) {
		if done > total/2 {
			once.Do(f)
		}
	}
}

// A file that changes between its two readings, or while it is read, is refused, and nothing of it is
// stored, however it changes: it gets longer or shorter, other content, a bad line, or is
// written again as it is.
func TestFileChangesDuringTheImport(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	w.Organization(t, "b", "10000001", "10000002")
	record, row := longRecord("10000001"), "10000000,Company\n"
	var companies strings.Builder
	companies.WriteString("cvr,name\n")
	for i := range 30_000 {
		fmt.Fprintf(&companies, "%d,Company\n", 10_000_000+i)
	}
	for _, kind := range []struct {
		name, text, row, other string
		load                   func(path string, progress imports.Progress) error
	}{
		{"delivery.csv", modelstest.DeliveryHeader + strings.Repeat(record, 5_000), record, longRecord("10000002"), func(path string, progress imports.Progress) error {
			_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Progress: progress})
			return err
		}},
		{"companies.csv", companies.String(), row, "20000000,Company\n", func(path string, progress imports.Progress) error {
			_, err := imports.Companies(t.Context(), w.Operator.DB(), imports.CompaniesOptions{Organization: a, Path: path, Progress: progress})
			return err
		}},
	} {
		size := int64(len(kind.text))
		last := size - int64(len(kind.row))
		write := func(text string, at int64) func(*os.File) error {
			return func(file *os.File) error {
				_, err := file.WriteAt([]byte(text), at)
				return err
			}
		}
		for name, change := range map[string]func(*os.File) error{
			"longer": write(kind.row, size), "other content": write("1", size-2), "other company": write(kind.other, last), "bad line": write("x", last), "written again": write("\n", size-1),
			"shorter":        func(file *os.File) error { return file.Truncate(last) },
			"nothing at all": func(file *os.File) error { return file.Truncate(0) },
		} {
			path := modelstest.File(t, kind.name, kind.text)
			file, err := os.OpenFile(path, os.O_RDWR, 0)
			require.NoError(t, err)
			err = kind.load(path, inSecondReading(func() {
				if err := change(file); err != nil {
					t.Error(err)
				}
			}))
			require.NoError(t, file.Close())
			modelstest.RequireKind(t, models.KindConflict, err)
			require.Equal(t, path+" changed while it was read: import it again once it is complete", err.Error(), name)
			requireNothingStored(t, modelstest.Conn(t, w.URL))
			require.Empty(t, modelstest.Companies(t, w.Service, a))
		}
	}
}
