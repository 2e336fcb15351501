package export

import (
	"archive/zip"
	"compress/flate"
	"dispo/api/download"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

const (
	sheetRows  = 1_048_574 // that a sheet has between its heading and its sums
	cellLength = 32_767    // UTF-16 units that a cell can hold
	digitsKept = 15        // that a number in a spreadsheet has, which is a float
)

// workbook writes rows as an XLSX file. Its memory does not grow with the rows, as long as
// there is room for temporary files.
type workbook struct {
	to        io.Writer
	name      string
	titles    []string
	kinds     []Kind
	zone      *time.Location // of times
	sheetRows int            // tests change it
	folder    string         // of temporary files
	file      *excelize.File
	styles    map[Kind]int
	sheet     *excelize.StreamWriter
	sheets    int
	line      int              // the last one in the sheet
	sum       string           // what the row of sums is called
	sums      map[int]*big.Rat // of the sheet's rows, by column
	values    []any
}

// newWorkbook begins a workbook, which is written to a file when it is closed. Discard it.
func newWorkbook(to io.Writer, name string, titles []string, kinds []Kind, zone *time.Location) (*workbook, error) {
	folder, err := os.MkdirTemp("", "dispo-download-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", download.ErrNoRoom, err)
	}
	w := &workbook{to: to, name: name, titles: titles, kinds: kinds, zone: zone, sheetRows: sheetRows, folder: folder,
		file: excelize.NewFile(excelize.Options{TmpDir: folder}), styles: map[Kind]int{}, values: make([]any, len(kinds))}
	written := time.Now().UTC().Format(time.RFC3339)
	err = w.file.SetDocProps(
		&excelize.DocProperties{Creator: "Dispo", LastModifiedBy: "Dispo", Created: written, Modified: written})
	for kind, style := range styles {
		if err == nil {
			w.styles[kind], err = w.file.NewStyle(style)
		}
	}
	if err == nil {
		err = w.startSheet()
	}
	if err != nil {
		w.discard()
		return nil, err
	}
	return w, nil
}

// discard deletes the temporary files.
func (w *workbook) discard() {
	_ = w.file.Close()
	_ = os.RemoveAll(w.folder)
}

func (w *workbook) row(values []string) error {
	if w.line > w.sheetRows { // the heading is a line, too
		if err := w.endSheet(); err != nil {
			return err
		}
		if err := w.startSheet(); err != nil {
			return err
		}
	}
	for i, kind := range w.kinds {
		if w.values[i] = nil; values[i] != "" {
			w.values[i] = w.cell(kind, values[i])
		}
		if sum := w.sums[i]; sum != nil {
			if value, ok := new(big.Rat).SetString(values[i]); ok {
				sum.Add(sum, value)
			}
		}
	}
	if w.line++; w.line%1000 == 0 {
		w.unlink()
	}
	return w.sheet.SetRow("A"+strconv.Itoa(w.line), w.values)
}

// unlink deletes the names of the temporary files, which stay until they are closed. So
// nothing is left if the program is killed.
func (w *workbook) unlink() {
	entries, _ := os.ReadDir(w.folder)
	for _, entry := range entries {
		_ = os.Remove(filepath.Join(w.folder, entry.Name()))
	}
}

// close writes the file. excelize itself would put it together in memory.
func (w *workbook) close() error {
	if err := w.endSheet(); err != nil {
		return err
	}
	w.file.SetZipWriter(func(io.Writer) excelize.ZipWriter {
		archive := zip.NewWriter(w.to)
		archive.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
			return flate.NewWriter(out, flate.BestSpeed)
		})
		return archive
	})
	_, err := w.file.WriteToBuffer()
	return err
}

// endSheet makes the rows a table, which can be filtered, and writes the sums of those that
// the filter shows below it.
func (w *workbook) endSheet() error {
	if w.line == 1 {
		return w.sheet.Flush()
	}
	last, err := excelize.CoordinatesToCellName(len(w.titles), w.line)
	if err != nil {
		return err
	}
	plain := false
	if err := w.sheet.AddTable(&excelize.Table{Range: "A1:" + last, ShowRowStripes: &plain}); err != nil {
		return err
	}
	if len(w.sums) > 0 {
		row := make([]any, len(w.titles))
		row[0] = excelize.Cell{StyleID: w.styles[heading], Value: w.sum}
		for i, sum := range w.sums {
			column, err := excelize.ColumnNumberToName(i + 1)
			if err != nil {
				return err
			}
			value, _ := sum.Float64()
			row[i] = excelize.Cell{
				StyleID: w.styles[w.kinds[i]],
				Formula: fmt.Sprintf("SUBTOTAL(109,%s2:%s%d)", column, column, w.line),
				Value:   value,
			}
			sum.SetInt64(0)
		}
		if err := w.sheet.SetRow("A"+strconv.Itoa(w.line+1), row); err != nil {
			return err
		}
	}
	return w.sheet.Flush()
}

func (w *workbook) startSheet() (err error) {
	w.sheets++
	name := w.name
	if w.sheets == 1 {
		err = w.file.SetSheetName("Sheet1", name)
	} else {
		name = fmt.Sprintf("%s %d", w.name, w.sheets)
		_, err = w.file.NewSheet(name)
	}
	if err != nil {
		return err
	}
	if w.sheet, err = w.file.NewStreamWriter(name); err != nil {
		return err
	}
	for i, kind := range w.kinds {
		if err := w.sheet.SetColWidth(i+1, i+1, max(widths[kind], float64(len(w.titles[i])+2))); err != nil {
			return err
		}
	}
	if err := w.sheet.SetPanes(
		&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	titles := make([]any, len(w.titles))
	for i, title := range w.titles {
		titles[i] = excelize.Cell{StyleID: w.styles[heading], Value: title}
	}
	w.line = 1
	return w.sheet.SetRow("A1", titles)
}

// widths are those of columns, in characters.
var widths = map[Kind]float64{Text: 24, Integer: 10, Decimal: 16, Date: 12, Time: 18}

// heading is the kind of the cells above columns.
const heading Kind = -1

// styles are those of cells. Their number formats are shown in the reader's language by
// every spreadsheet.
var styles = map[Kind]*excelize.Style{
	heading: {NumFmt: 49, Font: &excelize.Font{Bold: true}},
	Text:    {NumFmt: 49}, // text
	Integer: {NumFmt: 3},  // grouped
	Decimal: {NumFmt: 4},  // grouped, with two decimals
	Date:    {NumFmt: 14},
	Time:    {NumFmt: 22},
}

// cell returns the cell for a value in the API's form. What a number or a date of a
// spreadsheet cannot hold exactly becomes text.
func (w *workbook) cell(kind Kind, value string) excelize.Cell {
	switch kind {
	case Integer, Decimal:
		// A number with at most 15 digits survives as a float, and comes out the same.
		digits := strings.ReplaceAll(strings.TrimLeft(value, "-0."), ".", "")
		if number, err := strconv.ParseFloat(value, 64); err == nil && len(digits) <= digitsKept {
			return excelize.Cell{StyleID: w.styles[kind], Value: number}
		}
	case Date:
		if day, err := time.Parse(time.DateOnly, value); err == nil && day.Year() >= 1900 {
			return excelize.Cell{StyleID: w.styles[kind], Value: day}
		}
	case Time:
		if at, err := time.Parse(time.RFC3339, value); err == nil && at.Year() >= 1900 {
			return excelize.Cell{StyleID: w.styles[kind], Value: at.In(w.zone).Truncate(time.Second)}
		}
	}
	return excelize.Cell{StyleID: w.styles[Text], Value: fitting(value)}
}

// fitting cuts text that is too long for a cell, and marks where it was cut.
func fitting(text string) string {
	if len(text) <= cellLength { // it has fewer units than bytes
		return text
	}
	units := utf16.Encode([]rune(text))
	if len(units) <= cellLength {
		return text
	}
	return strings.TrimSuffix(string(utf16.Decode(units[:cellLength-1])), "\ufffd") + "…"
}
