package export

import (
	"archive/zip"
	"compress/flate"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

const (
	sheetRows  = 1_048_575 // that a sheet has below its heading
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
	styles    styles
	sheet     *excelize.StreamWriter
	sheets    int
	line      int // the last one in the sheet
	cells     []excelize.Cell
	values    []any
}

// newWorkbook begins a workbook, which is written to a file when it is closed. Discard it.
func newWorkbook(to io.Writer, name string, titles []string, kinds []Kind, zone *time.Location) (*workbook, error) {
	folder, err := os.MkdirTemp("", "dispo-export-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoRoom, err)
	}
	w := &workbook{to: to, name: name, titles: titles, kinds: kinds, zone: zone, sheetRows: sheetRows, folder: folder,
		file: excelize.NewFile(excelize.Options{TmpDir: folder}), cells: make([]excelize.Cell, len(kinds)), values: make([]any, len(kinds))}
	written := time.Now().UTC().Format(time.RFC3339)
	err = w.file.SetDocProps(&excelize.DocProperties{Creator: "Dispo", LastModifiedBy: "Dispo", Created: written, Modified: written})
	if err == nil {
		w.styles, err = newStyles(w.file)
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
		if err := w.sheet.Flush(); err != nil {
			return err
		}
		if err := w.startSheet(); err != nil {
			return err
		}
	}
	for i, kind := range w.kinds {
		if w.values[i] = nil; values[i] != "" {
			w.cells[i] = w.cell(kind, values[i])
			w.values[i] = &w.cells[i]
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
	if err := w.sheet.Flush(); err != nil {
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
	if err := w.sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	heading := make([]any, len(w.titles))
	for i, title := range w.titles {
		heading[i] = excelize.Cell{StyleID: w.styles.heading, Value: title}
	}
	w.line = 1
	return w.sheet.SetRow("A1", heading)
}

// widths are those of columns, in characters.
var widths = map[Kind]float64{Text: 24, Integer: 10, Decimal: 16, Date: 12, Time: 18}

type styles struct {
	heading int
	kinds   [Time + 1]int // by Kind
}

// The numbers of formats that every spreadsheet shows in its reader's language.
const (
	formatGrouped  = 3
	formatDecimals = 4
	formatDate     = 14
	formatTime     = 22
	formatText     = 49
)

func newStyles(file *excelize.File) (s styles, err error) {
	if s.heading, err = file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}, NumFmt: formatText}); err != nil {
		return s, err
	}
	for kind, format := range map[Kind]int{Text: formatText, Integer: formatGrouped, Decimal: formatDecimals, Date: formatDate, Time: formatTime} {
		if s.kinds[kind], err = file.NewStyle(&excelize.Style{NumFmt: format}); err != nil {
			return s, err
		}
	}
	return s, nil
}

// cell returns the cell for a value in the API's form. What a number or a date of a
// spreadsheet cannot hold exactly becomes text.
func (w *workbook) cell(kind Kind, value string) excelize.Cell {
	switch kind {
	case Integer, Decimal:
		// A number with at most 15 digits survives as a float, and comes out the same.
		if number, err := strconv.ParseFloat(value, 64); err == nil && digits(value) <= digitsKept {
			return excelize.Cell{StyleID: w.styles.kinds[kind], Value: number}
		}
	case Date:
		if day, err := time.Parse(time.DateOnly, value); err == nil && day.Year() >= 1900 {
			return excelize.Cell{StyleID: w.styles.kinds[kind], Value: day}
		}
	case Time:
		if at, err := time.Parse(time.RFC3339, value); err == nil && at.Year() >= 1900 {
			return excelize.Cell{StyleID: w.styles.kinds[kind], Value: at.In(w.zone).Truncate(time.Second)}
		}
	}
	return excelize.Cell{StyleID: w.styles.kinds[Text], Value: fitting(value)}
}

// digits counts the digits of a number from the first that is not zero.
func digits(number string) (n int) {
	for _, digit := range []byte(number) {
		if digit >= '1' && digit <= '9' || digit == '0' && n > 0 {
			n++
		}
	}
	return n
}

// fitting cuts text that is too long for a cell, and marks where it was cut.
func fitting(text string) string {
	if len(text) <= cellLength {
		return text
	}
	units := utf16.Encode([]rune(text))
	if len(units) <= cellLength {
		return text
	}
	return strings.TrimSuffix(string(utf16.Decode(units[:cellLength-1])), "\ufffd") + "…"
}
