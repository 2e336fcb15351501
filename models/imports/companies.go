package imports

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/imports/format"
	"dispo/models/terms"
)

// CompaniesResult says what an import of companies has done.
type CompaniesResult struct {
	Inserted, Updated, Unchanged int64
	Warnings                     []format.BadLine // what was accepted but looks wrong; the first few
	MoreWarnings                 int64

	Delivered Share // records of new companies that had been held for them
	// History is at least how many records of new companies other organizations have.
	// They are delivered only by Backfill.
	History int64
}

type companyColumn struct {
	name, column string                            // in the file, and in the table
	check        func(text string) (reason string) // to refuse it
}

var companyFile = []companyColumn{
	{name: "cvr", column: "cvr", check: cvr},
	{name: "name", column: "name", check: oneLine},
	{name: "address", column: "address", check: oneLine},
	{name: "startDate", column: "start_date", check: day},
	{name: "endDate", column: "end_date", check: day},
	{name: "status", column: "status", check: status},
	{name: "senderRegNumber", column: "sender_reg_number", check: bankDigits(4, 4, "4 digits")},
	{name: "senderAccountNumber", column: "sender_account_number", check: bankDigits(1, 10, "1 to 10 digits")},
	{name: "receiverRegNumber", column: "receiver_reg_number", check: bankDigits(4, 4, "4 digits")},
	{name: "receiverAccountNumber", column: "receiver_account_number", check: bankDigits(1, 10, "1 to 10 digits")},
	{name: "defaultAmountCents", column: "default_amount_cents", check: cents},
}

// CompaniesOptions says which companies file to import, and how.
type CompaniesOptions struct {
	Path         string // like that of a delivery
	Organization models.Organization
	DryRun       bool     // do everything but store it
	Progress     Progress // may be nil
}

// Companies inserts the companies of a CSV file into the organization, or updates,
// by CVR, the columns that the file has. It does so in one transaction, whole or not
// at all, and delivers in it the records that had been held for new companies. Errors:
// *BadFile for bad lines, else one sentence.
func Companies(ctx context.Context, db *database.DB, options CompaniesOptions) (CompaniesResult, error) {
	organization, progress := options.Organization, options.Progress
	if err := refuseSandbox(&organization); err != nil {
		return CompaniesResult{}, err
	}
	source, err := openSource(options.Path)
	if err != nil {
		return CompaniesResult{}, err
	}
	defer source.close()
	if progress == nil {
		progress = noProgress
	}
	if _, err := source.head(ctx, format.DetectSize); err != nil {
		return CompaniesResult{}, err
	}
	reader, err := source.read(ctx, func(n int64) { progress(n, source.size()) })
	if err != nil {
		return CompaniesResult{}, err
	}
	job := &companiesJob{
		bad:    &BadFile{Filename: Filename(options.Path)},
		seen:   map[string]int64{},
		staged: chunks{table: "arriving_companies (line, " + columnNames(inTable) + ", folded_name, sort_key)"},
	}
	err = transact(ctx, db, func(w *database.Writing) error {
		// An import of a delivery finds out which organizations have its companies, and waits for this
		// lock as this import waits for that one.
		if _, err := w.Conn.Exec(ctx, `LOCK TABLE deliveries IN SHARE MODE`); err != nil {
			return err
		}
		if err := w.TakeTurns(ctx, organization.ID); err != nil {
			return err
		}
		err := job.stage(ctx, w.Conn, reader)
		if changed := source.changed(); changed != nil {
			return changed
		}
		if err != nil {
			return err
		}
		if err := job.store(ctx, w, organization.ID); err != nil {
			return err
		}
		if options.DryRun {
			return errDryRun
		}
		return nil
	})
	return job.done, err
}

type companiesJob struct {
	columns []int            // the place in the file of each of companyFile, or -1; nil before the header
	seen    map[string]int64 // CVR to line
	bad     *BadFile
	done    CompaniesResult
	rows    int64
	staged  chunks
}

func (j *companiesJob) refuse(line int64, field, reason string) error {
	return j.bad.add(format.BadLine{Line: line, Field: field, Reason: reason})
}

// header finds the columns. If it cannot, the lines after it mean nothing.
func (j *companiesJob) header(line int64, cells [][]byte) error {
	columns := slices.Repeat([]int{-1}, len(companyFile))
	field, reason := "", ""
	for place, cell := range cells {
		name := string(bytes.TrimSpace(cell))
		i := slices.IndexFunc(companyFile, func(c companyColumn) bool { return c.name == name })
		switch {
		case reason != "":
		case i < 0 && slices.Contains([]string{"id", "createdAt", "updatedAt"}, name):
			field, reason = name, "this column cannot be imported: the service sets it"
		case i < 0:
			reason = fmt.Sprintf("unknown column %s: expected some of %s", shown(name), columnNames(inFile))
		case columns[i] >= 0:
			field, reason = name, "the header has this column twice"
		default:
			columns[i] = place
		}
	}
	for i, required := range []string{"cvr", "name"} {
		if columns[i] < 0 && reason == "" {
			field, reason = required, fmt.Sprintf("the header lacks this required column: expected some of %s",
				columnNames(inFile))
		}
	}
	if reason != "" {
		_ = j.refuse(line, field, reason)
		return j.bad
	}
	j.columns = columns
	return nil
}

// columnNames lists all columns by their names in the file, or in the table.
func columnNames(of func(companyColumn) string) string {
	var names []string
	for _, column := range companyFile {
		names = append(names, of(column))
	}
	return strings.Join(names, ", ")
}

func inFile(c companyColumn) string  { return c.name }
func inTable(c companyColumn) string { return c.column }

// stage checks every record and copies the good ones to the table arriving_companies.
func (j *companiesJob) stage(ctx context.Context, tx database.TxConn, source io.Reader) error {
	if err := format.Rows(source, func(line int64, cells [][]byte) error {
		if j.columns == nil {
			return j.header(line, cells)
		}
		j.staged.buffer.integer(line)
		err := j.record(line, cells)
		if len(j.bad.Lines) > 0 {
			j.staged.buffer = copyBuffer{} // nothing is stored any more
		}
		if err != nil {
			return err
		}
		return j.staged.added(ctx, tx)
	}, func(line format.BadLine) error {
		if err := j.bad.add(line); err != nil || j.columns != nil {
			return err
		}
		return j.bad
	}); err != nil {
		return err
	}
	if j.columns == nil {
		_ = j.refuse(1, "", "the file has no header line: expected some of "+columnNames(inFile))
	}
	if len(j.bad.Lines) > 0 {
		return j.bad
	}
	return j.staged.flush(ctx, tx)
}

// record checks the fields of a record and adds them to the buffer as a row.
func (j *companiesJob) record(line int64, cells [][]byte) error {
	j.rows++
	for i, column := range companyFile {
		text := ""
		if place := j.columns[i]; place >= 0 {
			text = string(bytes.TrimSpace(cells[place]))
		}
		reason := column.refuse(text)
		if reason == "" && column.name == "cvr" {
			reason = j.once(line, text)
		}
		switch {
		case reason != "":
			if err := j.refuse(line, column.name, reason); err != nil {
				return err
			}
		case text == "":
			j.staged.buffer.null()
		default:
			j.staged.buffer.text([]byte(text))
		}
	}
	name := string(bytes.TrimSpace(cells[j.columns[1]])) // as in companyFile
	j.staged.buffer.text([]byte(i18n.Fold(name)))
	j.staged.buffer.text(hex.AppendEncode([]byte(`\x`), i18n.SortKey(name)))
	j.staged.buffer.end()
	return nil
}

// once refuses a CVR that the file has twice, and warns of one with a wrong check
// digit.
func (j *companiesJob) once(line int64, cvr string) (reason string) {
	if before, twice := j.seen[cvr]; twice {
		return fmt.Sprintf("%s is already on line %d", cvr, before)
	}
	j.seen[cvr] = line
	if checkDigitFits(cvr) {
		return ""
	}
	if len(j.done.Warnings) == badLinesShown {
		j.done.MoreWarnings++
		return ""
	}
	reason = fmt.Sprintf("the check digit of %s does not fit: check for a typo", cvr)
	j.done.Warnings = append(j.done.Warnings, format.BadLine{Line: line, Field: "cvr", Reason: reason})
	return ""
}

func (c companyColumn) refuse(text string) (reason string) {
	if text == "" {
		if c.name == "cvr" || c.name == "name" {
			return "it is required, but blank"
		}
		return ""
	}
	if found := models.Invisible(text); found != "" {
		return "it contains the invisible character " + found + ": remove it"
	}
	return c.check(text)
}

// store inserts or updates the staged companies. It delivers the records that were held for new
// ones, and counts those that other organizations have.
func (j *companiesJob) store(ctx context.Context, w *database.Writing, organizationID uuid.UUID) error {
	given := []string{"folded_name", "sort_key"}
	for i, column := range companyFile {
		if j.columns[i] >= 0 {
			given = append(given, column.column)
		}
	}
	var inserted []string
	if err := w.Conn.QueryRow(ctx, `SELECT inserted, updated FROM companies_store($1, $2)`, organizationID, given).
		Scan(&inserted, &j.done.Updated); err != nil {
		return err
	}
	j.done.Inserted = int64(len(inserted))
	j.done.Unchanged = j.rows - j.done.Inserted - j.done.Updated
	if len(inserted) == 0 {
		return nil
	}
	err := w.Conn.QueryRow(ctx, `SELECT coalesce(sum(n), 0) FROM (SELECT max(transaction_count) AS n FROM companies
		WHERE cvr = ANY($2) AND organization_id <> $1 AND `+notSandbox("organization_id")+` GROUP BY cvr) x`, organizationID, inserted).
		Scan(&j.done.History)
	if err != nil {
		return err
	}
	j.done.Delivered, err = deliverHeld(ctx, w, organizationID, inserted)
	return err
}

// textMost is the number of characters that a name or an address may have, as the
// OpenAPI document says.
const textMost = 1000

func oneLine(text string) string {
	if n := utf8.RuneCountInString(text); n > textMost {
		return fmt.Sprintf("it has %d characters: at most %d are allowed", n, textMost)
	}
	return ""
}

func cvr(text string) string {
	if !format.IsDigits([]byte(text), 8, 8) {
		return shown(text) + " is not 8 digits"
	}
	return ""
}

// bankDigits checks a bank number, with a reason that does not repeat it.
func bankDigits(least, most int, expected string) func(string) string {
	return func(text string) string {
		if format.IsDigits([]byte(text), least, most) {
			return ""
		}
		return "it is not " + expected
	}
}

func day(text string) string {
	if _, err := time.Parse(time.DateOnly, text); err != nil || text[0] == '0' {
		return fmt.Sprintf("%s is not a date: expected YYYY-MM-DD", shown(text))
	}
	return ""
}

func status(text string) string {
	if !slices.Contains(terms.Statuses, text) {
		return fmt.Sprintf("%s is not a status: expected one of %s", shown(text), strings.Join(terms.Statuses, ", "))
	}
	return ""
}

func cents(text string) string {
	const most = 99_999_999_999_999 // what numeric(14,2) holds
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n > most || n < -most {
		return fmt.Sprintf("%s is not an amount in cents: expected a whole number such as 150000", shown(text))
	}
	return ""
}

// shown returns a text as an error quotes it, shortened. A number is only described,
// because in the wrong column it may be a bank number. A date, with its two hyphens,
// is not a number.
func shown(text string) string {
	if strings.Trim(text, "0123456789 -") == "" && strings.Count(text, "-") < 2 && len(text) > 3 {
		return fmt.Sprintf("a number of %d characters", len(text))
	}
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:40]) + "…"
	}
	return strconv.Quote(text)
}

// checkDigitFits reports whether a CVR's last digit is right by modulus 11 with the
// weights 2 7 6 5 4 3 2 1.
func checkDigitFits(cvr string) bool {
	sum := 0
	for i, weight := range [8]int{2, 7, 6, 5, 4, 3, 2, 1} {
		sum += weight * int(cvr[i]-'0')
	}
	return sum%11 == 0
}
