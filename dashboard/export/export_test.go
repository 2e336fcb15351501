package export

import (
	"context"
	"dispo/api/download"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
)

type line [4]string // text, amount, day and time, as the API writes them

var table = Table[line]{Name: "Lines", Sum: "Sum", Columns: []Column[line]{
	{"Text", "Text", Text, func(l *line) string { return l[0] }, false},
	{"Amount", "Amount", Decimal, func(l *line) string { return l[1] }, true},
	{"Day", "Day", Date, func(l *line) string { return l[2] }, false},
	{"Time", "Time", Time, func(l *line) string { return l[3] }, false},
}}

func sourceOf(lines []line) Source[line] {
	return func(_ context.Context, each func(*line) error) error {
		for i := range lines {
			if err := each(&lines[i]); err != nil {
				return err
			}
		}
		return nil
	}
}

// client is a connection that is always ready.
type client struct{ net.Conn }

func (client) SetWriteDeadline(time.Time) error { return nil }

// job is the job of a table's file.
func job(format Format, zone *time.Location, table Table[line], rows Source[line]) download.Job {
	return download.Job{Write: Writer(format, zone, table, rows)}
}

func made(t *testing.T, format Format, zone *time.Location, rows Source[line]) (string, error) {
	t.Helper()
	m := download.NewMaker(1)
	defer m.Close()
	file, err := m.Start(t.Context(), client{}, job(format, zone, table, rows))
	require.NoError(t, err)
	closed := false
	file.Closed = func(int64, error) { closed = true }
	var text strings.Builder
	_, err = io.Copy(&text, file)
	require.NoError(t, file.Close())
	require.True(t, closed)
	return text.String(), err
}

// randomLines have what is special in CSV, XML and spreadsheets.
func randomLines(n int) []line {
	pieces := []string{"a", "Ø", ";", ",", `"`, "\n", "\r", "\r\n", "\t", " ", "=1+1", "+45", "-", "@x", "＝1", "＋", "－2",
		"＠", "'", "<&>]]>", "_x0041_", "😀", "0012", "\u00a0", "\ufeff"}
	random := rand.New(rand.NewPCG(1, 2))
	lines := make([]line, n)
	for i := range lines {
		for range random.IntN(6) {
			lines[i][0] += pieces[random.IntN(len(pieces))]
		}
		sign := []string{"", "-"}[random.IntN(2)]
		lines[i][1] = fmt.Sprintf("%s%d.%02d", sign, random.Int64N(int64(1)<<random.IntN(40)), random.IntN(100))
		at := time.Unix(random.Int64N(4_000_000_000), random.Int64N(1e9)).UTC()
		lines[i][2], lines[i][3] = at.Format(time.DateOnly), at.Format("2006-01-02T15:04:05.000Z")
		if random.IntN(5) == 0 {
			lines[i][1+random.IntN(3)] = ""
		}
	}
	return lines
}

func openWorkbook(t *testing.T, text string) *excelize.File {
	t.Helper()
	file, err := excelize.OpenReader(strings.NewReader(text))
	require.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() })
	return file
}

// parsed returns the rows of a file. Those of a workbook are written as the API writes them,
// and have no formulas.
func parsed(t *testing.T, format Format, text string) (rows [][]string) {
	t.Helper()
	if format != XLSX {
		reader := csv.NewReader(strings.NewReader(text))
		if format == Danish {
			reader.Comma = ';'
		}
		rows, err := reader.ReadAll()
		require.NoError(t, err)
		return rows
	}
	file := openWorkbook(t, text)
	rows, err := file.GetRows("Lines", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	for i, row := range rows[1:] {
		row = append(row, make([]string, 4)...)[:4]
		row[0] = strings.ReplaceAll(row[0], "\r\n", "\n") // as csv.Reader returns it
		if strings.Contains(row[1], ".") {
			row[1] = strings.TrimSuffix(strings.TrimRight(row[1], "0"), ".")
		}
		for column, form := range map[int]string{2: time.DateOnly, 3: time.DateTime} {
			if serial, err := strconv.ParseFloat(row[column], 64); err == nil {
				at, err := excelize.ExcelDateToTime(serial, false)
				require.NoError(t, err)
				row[column] = at.Round(time.Second).Format(form)
			}
		}
		formula, err := file.GetCellFormula("Lines", "A"+strconv.Itoa(i+2))
		require.NoError(t, err)
		require.Empty(t, formula)
		rows[i+1] = row
	}
	return rows
}

// written is a time of the API in another form and zone.
func written(t *testing.T, text, layout, form string, zone *time.Location) string {
	t.Helper()
	if text == "" {
		return ""
	}
	at, err := time.Parse(layout, text)
	require.NoError(t, err)
	return at.In(zone).Format(form)
}

// Every value of a file comes back from it: in the API's CSV as it was; in the Danish one
// amounts and dates in the Danish form, times in the organization's zone, and text with an
// apostrophe if it would be a formula; in a workbook amounts and dates as exact numbers, and
// text as text, which is never a formula.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Copenhagen")
	require.NoError(t, err)
	lines := randomLines(3000)
	for format, want := range map[Format]func(l line) line{
		API: func(l line) line { return l },
		Danish: func(l line) line {
			for _, sign := range "=+-@\t\r＝＋－＠" {
				if strings.HasPrefix(l[0], string(sign)) {
					l[0] = "'" + l[0]
				}
			}
			return line{l[0], strings.Replace(l[1], ".", ",", 1), written(t, l[2], time.DateOnly, "02-01-2006", time.UTC), written(t, l[3], time.RFC3339, "02-01-2006 15:04:05", zone)}
		},
		XLSX: func(l line) line {
			return line{l[0], strings.TrimSuffix(strings.TrimRight(l[1], "0"), "."), l[2], written(t, l[3], time.RFC3339, time.DateTime, zone)}
		},
	} {
		text, err := made(t, format, zone, sourceOf(lines))
		require.NoError(t, err)
		text, marked := strings.CutPrefix(text, "\ufeff")
		require.Equal(t, format == Danish, marked)
		rows := parsed(t, format, text)
		require.Equal(t, []string{"Text", "Amount", "Day", "Time"}, rows[0])
		ends := 1
		for i, l := range lines {
			ends += 1 + strings.Count(l[0], "\r\n")
			expected := want(l)
			expected[0] = strings.ReplaceAll(expected[0], "\r\n", "\n")
			require.Equal(t, expected, line(rows[i+1]), format)
		}
		if format != XLSX {
			require.Len(t, rows, 1+len(lines))
			require.Equal(t, ends, strings.Count(text, "\r\n"), "the line ends in values are as they were")
		}
	}
}

// A workbook's rows can be filtered, and below them is the sum of those that the filter
// shows, with its value for programs that do not calculate.
func TestWorkbookSums(t *testing.T) {
	t.Parallel()
	rows := sourceOf([]line{{"a", "1000.10", "2026-01-31", ""}, {"b", "-0.30", "", ""}, {"c", "", "", ""}})
	failure := errors.New("the first time")
	job := job(XLSX, time.UTC, table, func(ctx context.Context, each func(*line) error) error {
		defer func() { failure = nil }()
		return errors.Join(rows(ctx, each), failure)
	})
	require.Error(t, job.Write(t.Context(), io.Discard))
	var text strings.Builder
	require.NoError(t, job.Write(t.Context(), &text))
	file := openWorkbook(t, text.String())
	tables, err := file.GetTables("Lines")
	require.NoError(t, err)
	require.Len(t, tables, 1)
	require.Equal(t, "A1:D4", tables[0].Range)
	formula, err := file.GetCellFormula("Lines", "B5")
	require.NoError(t, err)
	require.Equal(t, "SUBTOTAL(109,B2:B4)", formula)
	lines, err := file.GetRows("Lines", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	require.Equal(t, []string{"Sum", "999.8"}, lines[4])
	calculated, err := file.CalcCellValue("Lines", "B5", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	require.Equal(t, "999.8", calculated)
}

// A sheet that is full is followed by another one with the same heading. None is empty.
func TestWorkbookSheets(t *testing.T) {
	t.Parallel()
	for rows, want := range map[int][]int{0: {0}, 1: {1}, 9: {9}, 10: {10}, 11: {10, 1}, 20: {10, 10}, 21: {10, 10, 1}} {
		var text strings.Builder
		w, err := newWorkbook(&text, "Lines", []string{"Text", "Amount", "Day", "Time"}, []Kind{Text, Decimal, Date, Time},
			time.UTC)
		require.NoError(t, err)
		w.sheetRows = 10
		for i := range rows {
			require.NoError(t, w.row([]string{strconv.Itoa(i), "1.00", "2026-01-31", ""}))
		}
		require.NoError(t, w.close())
		w.discard()
		file := openWorkbook(t, text.String())
		require.Len(t, file.GetSheetList(), len(want), rows)
		next := 0
		for i, sheet := range file.GetSheetList() {
			got, err := file.GetRows(sheet)
			require.NoError(t, err)
			require.Equal(t, []string{"Text", "Amount", "Day", "Time"}, got[0])
			require.Len(t, got, 1+want[i])
			for _, row := range got[1:] {
				require.Equal(t, strconv.Itoa(next), row[0])
				next++
			}
			properties, err := file.GetDocProps()
			require.NoError(t, err)
			require.Equal(t, "Dispo", properties.Creator)
			panes, err := file.GetPanes(sheet)
			require.NoError(t, err)
			require.True(t, panes.Freeze)
		}
		require.Equal(t, rows, next)
	}
}

// Numbers that a spreadsheet would round, days that it does not know, and text that is
// too long for a cell become text; nothing is lost silently.
func TestWorkbookLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("😀", 20_000)
	text, err := made(t, XLSX, time.UTC, sourceOf([]line{
		{strings.Repeat("x", 32_767), "9999999999999.99", "9999-12-31", ""}, {long, "12345678901234567.89", "1899-12-31", ""},
	}))
	require.NoError(t, err)
	file := openWorkbook(t, text)
	rows, err := file.GetRows("Lines", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	require.Equal(t, []string{strings.Repeat("x", 32_767), "9999999999999.99", "2958465"}, rows[1])
	require.Equal(t, []string{strings.Repeat("😀", 16_383) + "…", "12345678901234567.89", "1899-12-31"}, rows[2])
}

// A file that fails midway fails for its reader, who got what was there before. Nothing
// stays in the folder for temporary files.
func TestFailure(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	broken := errors.New("broken")
	for _, format := range []Format{XLSX, Danish, API, JSONLines} {
		text, err := made(t, format, time.UTC, func(_ context.Context, each func(*line) error) error {
			for range 10_000 {
				if err := each(&line{"x", "1.00", "2026-01-31", ""}); err != nil {
					return err
				}
			}
			return broken
		})
		require.ErrorIs(t, err, broken, format)
		require.Equal(t, format != XLSX, text != "", format)
	}
	_, err := made(t, API, time.UTC, func(context.Context, func(*line) error) error { panic("broken") })
	require.ErrorContains(t, err, "panic: broken")
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, left)
}

// CSV can be read from its first row on, while it is written. A client that closes it stops
// the reading of rows.
func TestFileGrows(t *testing.T) {
	t.Parallel()
	m := download.NewMaker(1)
	defer m.Close()
	stopped := make(chan error, 1)
	file, err := m.Start(
		t.Context(),
		client{},
		job(API, time.UTC, table, func(ctx context.Context, each func(*line) error) error {
			err := each(&line{"x"})
			<-ctx.Done()
			stopped <- ctx.Err()
			return err
		}),
	)
	require.NoError(t, err)
	size, err := file.Ready(false)
	require.NoError(t, err)
	require.Equal(t, -1, size)
	var reason error
	file.Closed = func(_ int64, err error) { reason = err }
	start := make([]byte, 100)
	n, err := file.Read(start)
	require.NoError(t, err)
	require.Equal(t, "Text,Amount,Day,Time\r\nx,,,\r\n", string(start[:n]))
	require.NoError(t, file.Close())
	require.ErrorIs(t, <-stopped, context.Canceled)
	require.Error(t, reason)
}

// When the service stops, files that are not whole fail, and nothing reads rows any more.
// Another file that waits for its turn is refused.
func TestMakerCloses(t *testing.T) {
	t.Parallel()
	m := download.NewMaker(1)
	reading, ended := make(chan struct{}), make(chan struct{})
	running := job(XLSX, time.UTC, table, func(ctx context.Context, _ func(*line) error) error {
		close(reading)
		<-ctx.Done()
		return ctx.Err()
	})
	running.Ended = func() { close(ended) }
	file, err := m.Start(t.Context(), client{}, running)
	require.NoError(t, err)
	<-reading
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = m.Start(impatient, client{}, job(API, time.UTC, table, sourceOf(nil)))
	require.ErrorIs(t, err, download.ErrBusy)
	m.Close()
	_, err = file.Ready(true)
	require.ErrorIs(t, err, download.ErrStopped)
	<-ended
	require.NoError(t, file.Close())
	_, err = m.Start(t.Context(), client{}, job(API, time.UTC, table, sourceOf(nil)))
	require.ErrorIs(t, err, download.ErrStopped)
}

// Names of files have what any system allows (RFC 6266).
func TestDisposition(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Nordlys A/S transactions 2026-10-01 to 2026-12-31": `attachment; filename="Nordlys A-S transactions 2026-10-01 to 2026-12-31.csv"`,
		"Ærø & Søn":                       `attachment; filename*=utf-8''%C3%86r%C3%B8-S%C3%B8n.csv`,
		"../../etc/passwd":                `attachment; filename=etc-passwd.csv`,
		"a\"; filename=b\r\nX: y%00😀.exe": `attachment; filename=a-filename-b-X-y-00-exe.csv`,
		"Ω":                               `attachment; filename*=utf-8''%CE%A9.csv`,
		strings.Repeat("x", 500):          `attachment; filename=` + strings.Repeat("x", 120) + `.csv`,
	} {
		require.Equal(t, want, Disposition(name, API), name)
	}
}
