package format

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// benchmarkRecords is how many records one pass reads.
const benchmarkRecords = 100_000

func csvOf(records int) []byte {
	var file bytes.Buffer
	file.WriteString("cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n")
	for i := range records {
		fmt.Fprintf(&file, "%08d,%04d,%010d,Visa/Dankort,2026-%02d-%02d,%d,%d.%02d\n",
			10_000_000+i%90_000_000, i%10_000, i, 1+i%12, 1+i%28, i%500, i%100_000, i%100)
	}
	return file.Bytes()
}

func osOf(sections, transfers int) []byte {
	var file bytes.Buffer
	file.WriteString(osStart())
	for range sections {
		file.WriteString(osSectionStart())
		for range transfers {
			file.WriteString(osTransfer("1050"))
		}
		file.WriteString(osSectionEnd(fmt.Sprint(transfers), fmt.Sprint(transfers*1050)))
	}
	file.WriteString(osEnd(fmt.Sprint(sections*transfers), fmt.Sprint(sections*transfers*1050)))
	return file.Bytes()
}

// plain is the baseline: the same bytes cut into lines and these into fields,
// nothing checked.
func plain(file []byte) (fields int) {
	lines := bufio.NewScanner(bytes.NewReader(file))
	for lines.Scan() {
		fields += len(bytes.Split(lines.Bytes(), []byte(",")))
	}
	return fields
}

func BenchmarkCSV(b *testing.B) { benchmarkRead(b, CSV(), csvOf(benchmarkRecords)) }

func BenchmarkOS(b *testing.B) { benchmarkRead(b, OS(), osOf(benchmarkRecords/10, 10)) }

// BenchmarkFixed reads the example of a layout of the operator's own; every
// line of it has letters beyond ASCII.
func BenchmarkFixed(b *testing.B) {
	yaml, err := os.ReadFile("testdata/fixed.yaml")
	require.NoError(b, err)
	example, err := os.ReadFile("testdata/fixed.txt")
	require.NoError(b, err)
	lines := bytes.SplitAfter(example, []byte("\n"))
	benchmarkRead(b, mustParse(b, string(yaml)), slices.Concat(lines[0], bytes.Repeat(lines[1], benchmarkRecords)))
}

// benchmarkRead reports records a second, and how many times the baseline's
// time reading takes.
func benchmarkRead(b *testing.B, layout *Layout, file []byte) {
	var records int64
	record := func(*Record) error { return nil }
	bad := func(line BadLine) error { return fmt.Errorf("%+v", line) }
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		summary, err := layout.Read(bytes.NewReader(file), record, bad)
		if err != nil {
			b.Fatal(err)
		}
		records += summary.Records
	}
	elapsed := b.Elapsed()
	start := time.Now()
	for range b.N {
		if plain(file) == 0 {
			b.Fatal("nothing to read")
		}
	}
	b.ReportMetric(float64(records)/elapsed.Seconds(), "records/s")
	b.ReportMetric(elapsed.Seconds()/time.Since(start).Seconds(), "x-plain")
}
