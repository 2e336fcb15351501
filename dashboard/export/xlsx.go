package export

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"context"
	"errors"
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
	checkRows  = 1_000     // rows between checks whether to go on
)

// workbook describes an XLSX file.
type workbook struct {
	name      string
	titles    []string
	kinds     []Kind
	zone      *time.Location // of times
	sheetRows int            // tests change it
}

// write reads rows from recordLines and writes them as a workbook. Its memory does not
// grow with the rows, as long as there is room for temporary files.
func (w workbook) write(ctx context.Context, to io.Writer, from io.Reader) (err error) {
	folder, err := os.MkdirTemp("", "dispo-export-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	written := time.Now().UTC().Format(time.RFC3339)
	file := excelize.NewFile(excelize.Options{TmpDir: folder})
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.SetDocProps(&excelize.DocProperties{Creator: "Dispo", LastModifiedBy: "Dispo", Created: written, Modified: written}); err != nil {
		return err
	}
	styles, err := w.styles(file)
	if err != nil {
		return err
	}
	rows := &recordReader{Reader: bufio.NewReaderSize(from, 64<<10)}
	values, cells, row := make([]string, len(w.kinds)), make([]excelize.Cell, len(w.kinds)), make([]any, len(w.kinds))
	for number, more := 1, true; more; number++ {
		sheet, err := w.startSheet(file, number, styles)
		if err != nil {
			return err
		}
		for line := 2; ; line++ {
			if line%checkRows == 0 {
				if err := ctx.Err(); err != nil {
					return err
				}
				unlink(folder)
			}
			// A sheet that is full is followed by another one only if there are more rows.
			if _, err := rows.Peek(1); errors.Is(err, io.EOF) {
				more = false
				break
			}
			if line > w.sheetRows+1 {
				break
			}
			if err := rows.read(values); err != nil {
				return err
			}
			for i, kind := range w.kinds {
				if row[i] = nil; values[i] != "" {
					cells[i] = w.cell(kind, values[i], styles)
					row[i] = &cells[i]
				}
			}
			if err := sheet.SetRow("A"+strconv.Itoa(line), row); err != nil {
				return err
			}
		}
		if err := sheet.Flush(); err != nil {
			return err
		}
	}
	return writeZip(ctx, file, to)
}

// unlink deletes the names of a folder's files, which stay until they are closed. So
// nothing is left if the program is killed.
func unlink(folder string) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		_ = os.Remove(filepath.Join(folder, entry.Name()))
	}
}

func (w workbook) startSheet(file *excelize.File, number int, styles styles) (*excelize.StreamWriter, error) {
	name := w.name
	if number == 1 {
		if err := file.SetSheetName("Sheet1", name); err != nil {
			return nil, err
		}
	} else {
		name = fmt.Sprintf("%s %d", w.name, number)
		if _, err := file.NewSheet(name); err != nil {
			return nil, err
		}
	}
	sheet, err := file.NewStreamWriter(name)
	if err != nil {
		return nil, err
	}
	for i, kind := range w.kinds {
		if err := sheet.SetColWidth(i+1, i+1, max(widths[kind], float64(len(w.titles[i])+2))); err != nil {
			return nil, err
		}
	}
	if err := sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return nil, err
	}
	heading := make([]any, len(w.titles))
	for i, title := range w.titles {
		heading[i] = excelize.Cell{StyleID: styles.heading, Value: title}
	}
	return sheet, sheet.SetRow("A1", heading)
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

func (w workbook) styles(file *excelize.File) (s styles, err error) {
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
func (w workbook) cell(kind Kind, value string, styles styles) excelize.Cell {
	switch kind {
	case Integer, Decimal:
		// A number with at most 15 digits survives as a float, and comes out the same.
		if number, err := strconv.ParseFloat(value, 64); err == nil && digits(value) <= digitsKept {
			return excelize.Cell{StyleID: styles.kinds[kind], Value: number}
		}
	case Date:
		if day, err := time.Parse(time.DateOnly, value); err == nil && day.Year() >= 1900 {
			return excelize.Cell{StyleID: styles.kinds[kind], Value: day}
		}
	case Time:
		if at, err := time.Parse(time.RFC3339, value); err == nil && at.Year() >= 1900 {
			return excelize.Cell{StyleID: styles.kinds[kind], Value: at.In(w.zone).Truncate(time.Second)}
		}
	}
	return excelize.Cell{StyleID: styles.kinds[Text], Value: fitting(value)}
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

// writeZip writes the workbook to a file. excelize itself would put it together in
// memory.
func writeZip(ctx context.Context, file *excelize.File, to io.Writer) error {
	file.SetZipWriter(func(io.Writer) excelize.ZipWriter {
		archive := zip.NewWriter(goingOn{ctx, to})
		archive.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
			return flate.NewWriter(out, flate.BestSpeed)
		})
		return archive
	})
	_, err := file.WriteToBuffer()
	return err
}

// goingOn writes until its context ends.
type goingOn struct {
	context.Context
	to io.Writer
}

func (w goingOn) Write(p []byte) (int, error) {
	if err := w.Err(); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}
