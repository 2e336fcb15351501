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
	pieces := []string{"a", "Ø", ";", ",", `"`, "\n", "\r", "\r\n", "\t", " ", "=1+1", "+45", "-", "@x", "'", "<&>]]>", "_x0041_", "😀", "0012", "\u00a0", "\ufeff"}
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

// parseCSV reads CSV, and unlike encoding/csv keeps the line ends in values.
func parseCSV(t *testing.T, text string, separator byte) (rows [][]string) {
	t.Helper()
	var row []string
	for text != "" {
		var value strings.Builder
		if text[0] == '"' {
			for text = text[1:]; ; text = text[1:] {
				quote := strings.IndexByte(text, '"')
				require.GreaterOrEqual(t, quote, 0)
				value.WriteString(text[:quote])
				if text = text[quote+1:]; text[0] != '"' {
					break
				}
				value.WriteByte('"')
			}
		} else {
			end := strings.IndexAny(text, string(separator)+"\r\n\"")
			value.WriteString(text[:end])
			text = text[end:]
		}
		row = append(row, value.String())
		if text[0] == separator {
			text = text[1:]
			continue
		}
		require.Equal(t, "\r\n", text[:2])
		rows, row, text = append(rows, row), nil, text[2:]
	}
	return rows
}

// Every value of the API's CSV comes back from it as it was.
func TestAPIRoundTrip(t *testing.T) {
	t.Parallel()
	lines := randomLines(5000)
	text, err := made(t, API, time.UTC, sourceOf(lines))
	require.NoError(t, err)
	rows := parseCSV(t, text, ',')
	require.Equal(t, []string{"Text", "Amount", "Day", "Time"}, rows[0])
	require.Len(t, rows, 1+len(lines))
	for i, l := range lines {
		require.Equal(t, l[:], rows[i+1])
	}
	_, err = csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
}

// Every value of the Danish CSV comes back: amounts and dates in the Danish form, times in
// the organization's zone, and text, which gets an apostrophe if it would be a formula.
func TestDanishRoundTrip(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Copenhagen")
	require.NoError(t, err)
	lines := randomLines(5000)
	text, err := made(t, Danish, zone, sourceOf(lines))
	require.NoError(t, err)
	text, marked := strings.CutPrefix(text, "\ufeff")
	require.True(t, marked)
	rows := parseCSV(t, text, ';')
	require.Len(t, rows, 1+len(lines))
	formulas := 0
	for i, l := range lines {
		row := rows[i+1]
		if l[0] != "" && strings.Contains("=+-@\t\r", l[0][:1]) {
			l[0] = "'" + l[0]
			formulas++
		}
		require.Equal(t, l[0], row[0])
		require.Equal(t, l[1], strings.Replace(row[1], ",", ".", 1))
		require.NotContains(t, row[1], ".")
		day, at := "", ""
		if row[2] != "" {
			parsed, err := time.Parse("02-01-2006", row[2])
			require.NoError(t, err)
			day = parsed.Format(time.DateOnly)
		}
		if row[3] != "" {
			parsed, err := time.ParseInLocation("02-01-2006 15:04:05", row[3], zone)
			require.NoError(t, err)
			at = parsed.UTC().Format(time.RFC3339[:19])
		}
		require.Equal(t, l[2], day)
		if l[3] != "" && at != l[3][:19] { // an hour is there twice when summer time ends
			was, err := time.Parse(time.RFC3339, l[3])
			require.NoError(t, err)
			require.Equal(t, was.In(zone).Format("02-01-2006 15:04:05"), row[3])
		}
	}
	require.NotZero(t, formulas)
}

func openWorkbook(t *testing.T, text string) *excelize.File {
	t.Helper()
	file, err := excelize.OpenReader(strings.NewReader(text))
	require.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() })
	return file
}

// Every value of a workbook comes back: amounts and dates as exact numbers, and text as
// text, which is never a formula.
func TestWorkbookRoundTrip(t *testing.T) {
	t.Parallel()
	lines := randomLines(2000)
	text, err := made(t, XLSX, time.UTC, sourceOf(lines))
	require.NoError(t, err)
	file := openWorkbook(t, text)
	rows, err := file.GetRows("Lines", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	for i, l := range lines {
		row := make([]string, 4)
		if i+1 < len(rows) {
			copy(row, rows[i+1])
		}
		require.Equal(t, strings.ReplaceAll(l[0], "\r\n", "\n"), strings.ReplaceAll(row[0], "\r\n", "\n"))
		if l[1] != "" {
			require.Equal(t, strings.TrimSuffix(strings.TrimRight(l[1], "0"), "."), plain(row[1]), l[1])
		}
		if l[2] != "" {
			serial, err := strconv.ParseFloat(row[2], 64)
			require.NoError(t, err)
			day, err := excelize.ExcelDateToTime(serial, false)
			require.NoError(t, err)
			require.Equal(t, l[2], day.Format(time.DateOnly))
		}
		if l[3] != "" {
			serial, err := strconv.ParseFloat(row[3], 64)
			require.NoError(t, err)
			at, err := excelize.ExcelDateToTime(serial, false)
			require.NoError(t, err)
			require.Equal(t, l[3][:19], at.Round(time.Second).Format(time.RFC3339[:19]))
		}
		formula, err := file.GetCellFormula("Lines", "A"+strconv.Itoa(i+2))
		require.NoError(t, err)
		require.Empty(t, formula)
	}
}

// A workbook's rows can be filtered, and below them is the sum of those that the filter
// shows, with its value for programs that do not calculate.
func TestWorkbookSums(t *testing.T) {
	t.Parallel()
	text, err := made(t, XLSX, time.UTC, sourceOf([]line{{"a", "1000.10", "2026-01-31", ""}, {"b", "-0.30", "", ""}, {"c", "", "", ""}}))
	require.NoError(t, err)
	file := openWorkbook(t, text)
	tables, err := file.GetTables("Lines")
	require.NoError(t, err)
	require.Len(t, tables, 1)
	require.Equal(t, "A1:D4", tables[0].Range)
	formula, err := file.GetCellFormula("Lines", "B5")
	require.NoError(t, err)
	require.Equal(t, "SUBTOTAL(109,B2:B4)", formula)
	rows, err := file.GetRows("Lines", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	require.Equal(t, []string{"Sum", "999.8"}, rows[4])
	calculated, err := file.CalcCellValue("Lines", "B5", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	require.Equal(t, "999.8", calculated)
}

// plain drops the zeros that a number does not need.
func plain(number string) string {
	if strings.Contains(number, ".") {
		number = strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
	}
	if number == "0" || number == "-0" {
		return number
	}
	return number
}

// A sheet that is full is followed by another one with the same heading. None is empty.
func TestWorkbookSheets(t *testing.T) {
	t.Parallel()
	for rows, want := range map[int][]int{0: {0}, 1: {1}, 9: {9}, 10: {10}, 11: {10, 1}, 20: {10, 10}, 21: {10, 10, 1}} {
		var text strings.Builder
		w, err := newWorkbook(&text, "Lines", []string{"Text", "Amount", "Day", "Time"}, []Kind{Text, Decimal, Date, Time}, time.UTC)
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
// the reading of rows. An error before the first row leaves nothing to read.
func TestFileGrows(t *testing.T) {
	t.Parallel()
	m := download.NewMaker(1)
	defer m.Close()
	stopped := make(chan error, 1)
	file, err := m.Start(t.Context(), client{}, job(API, time.UTC, table, func(ctx context.Context, each func(*line) error) error {
		err := each(&line{"x"})
		<-ctx.Done()
		stopped <- ctx.Err()
		return err
	}))
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

	broken := errors.New("broken")
	file, err = m.Start(t.Context(), client{}, job(Danish, time.UTC, table, func(context.Context, func(*line) error) error { return broken }))
	require.NoError(t, err)
	_, err = file.Ready(false)
	require.ErrorIs(t, err, broken)
	require.NoError(t, file.Close())
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
