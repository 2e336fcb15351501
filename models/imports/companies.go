package imports

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports/format"
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

// companyColumn is a column that a companies file may have.
type companyColumn struct {
	name, column string                                    // in the file, and in the table
	fresh        func() string                             // what a blank field of a new company means; nil for null
	check        func(text string) (stored, reason string) // what to store, or the reason to refuse
}

var companyFile = []companyColumn{
	{name: "cvr", column: "cvr", check: digits(8, 8)},
	{name: "name", column: "name", check: oneLine},
	{name: "address", column: "address", check: oneLine},
	{name: "startDate", column: "start_date", fresh: today, check: day},
	{name: "endDate", column: "end_date", fresh: func() string { return "9999-12-31" }, check: day},
	{name: "status", column: "status", fresh: func() string { return "CREATED" }, check: status},
	{name: "senderRegNumber", column: "sender_reg_number", check: bankDigits(4, 4)},
	{name: "senderAccountNumber", column: "sender_account_number", check: bankDigits(1, 10)},
	{name: "receiverRegNumber", column: "receiver_reg_number", check: bankDigits(4, 4)},
	{name: "receiverAccountNumber", column: "receiver_account_number", check: bankDigits(1, 10)},
	{name: "defaultAmountCents", column: "default_amount_cents", check: cents},
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// CompaniesOptions says which companies file to import, and how.
type CompaniesOptions struct {
	Path         string // like that of a delivery
	Organization models.Organization
	DryRun       bool     // do everything but store it
	Progress     Progress // may be nil
}

// Companies inserts the companies of a CSV file into the organization, or updates,
// by CVR, the columns that the file has. It does so in one transaction, whole or not
// at all, and delivers in it the records that had been held for new companies. It reads
// the file twice, to notice if it changes meanwhile. Errors: *BadFile for bad lines, else
// one sentence.
func Companies(ctx context.Context, db *database.DB, options CompaniesOptions) (CompaniesResult, error) {
	organization, progress := options.Organization, options.Progress
	if err := refuseSandbox(&organization); err != nil {
		return CompaniesResult{}, err
	}
	source, err := Open(ctx, options.Path)
	if err != nil {
		return CompaniesResult{}, err
	}
	defer source.Close()
	if progress == nil {
		progress = noProgress
	}
	size := source.size()
	before, err := source.sum(ctx, func(n int64) { progress(n, 2*size) })
	if err != nil {
		return CompaniesResult{}, err
	}
	reader, err := source.read(ctx, func(n int64) { progress(size+n, 2*size) })
	if err != nil {
		return CompaniesResult{}, err
	}
	digest := sha256.New()
	job := &companiesJob{bad: &BadFile{Filename: Filename(options.Path)}, seen: map[string]int64{}, line: 1}
	if err := job.open(io.TeeReader(reader, digest)); err != nil {
		return CompaniesResult{}, err
	}
	err = write(ctx, db, options.DryRun, func(w *database.Writing) ([]uuid.UUID, error) {
		// An import of a delivery finds out who has its companies, and waits for this
		// lock as this import waits for that one.
		_, err := w.Conn.Exec(ctx, `LOCK TABLE deliveries IN SHARE MODE`)
		return []uuid.UUID{organization.ID}, err
	}, func(w *database.Writing) error {
		err := job.stage(ctx, w.Conn, w.IDs(organization.ID))
		if changed := source.changed(); changed != nil {
			return changed
		}
		if err != nil {
			return err
		}
		if !bytes.Equal(digest.Sum(nil), before[:]) {
			return source.errChanged()
		}
		inserted, err := job.merge(ctx, w.Conn, organization.ID)
		if err != nil {
			return err
		}
		if err := job.warnOfDates(ctx, w.Conn, organization.ID); err != nil {
			return err
		}
		return job.catchUp(ctx, w, organization.ID, inserted)
	})
	if err != nil {
		return CompaniesResult{}, err
	}
	return job.done, nil
}

type companiesJob struct {
	csv     *csv.Reader
	budget  *budgetReader
	columns []int            // the place in the file of each of companyFile, or -1
	width   int              // columns in the file
	seen    map[string]int64 // CVR to line
	bad     *BadFile
	done    CompaniesResult
	rows    int64
	line    int64 // of the latest record's start
}

// longestRecord bounds one record, so that a quote that is never closed does not
// read the whole file into memory.
const longestRecord = 1 << 20

const longRecord = "the record is longer than 1 MiB: is a quote not closed?"

// budgetReader ends after a number of bytes, which is set anew for each record.
type budgetReader struct {
	r     io.Reader
	left  int
	spent bool // more was asked for
}

func (b *budgetReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.spent = true
		return 0, io.EOF
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// open reads the header line and finds the columns.
func (j *companiesJob) open(source io.Reader) error {
	j.budget = &budgetReader{r: source, left: longestRecord}
	buffered := bufio.NewReader(j.budget)
	j.csv = csv.NewReader(buffered) // takes this buffer for its own
	j.csv.FieldsPerRecord = -1
	header, err := j.header(buffered)
	if err != nil {
		return err
	}
	j.columns = make([]int, len(companyFile))
	for i := range j.columns {
		j.columns[i] = -1
	}
	j.width = len(header)
	for place, name := range header {
		i := slices.IndexFunc(companyFile, func(c companyColumn) bool { return c.name == name })
		switch {
		case i < 0 && slices.Contains([]string{"id", "createdAt", "updatedAt"}, name):
			return j.refuse(1, name, "this column cannot be imported: the service sets it")
		case i < 0:
			return j.refuse(1, "", fmt.Sprintf("unknown column %s: expected some of %s", shown(name), columnNames()))
		case j.columns[i] >= 0:
			return j.refuse(1, name, "the header has this column twice")
		}
		j.columns[i] = place
	}
	for i, required := range []string{"cvr", "name"} {
		if j.columns[i] < 0 {
			return j.refuse(1, required, fmt.Sprintf("the header lacks this required column: expected some of %s", columnNames()))
		}
	}
	return nil
}

func (j *companiesJob) refuse(line int64, field, reason string) error {
	_ = j.bad.add(format.BadLine{Line: line, Field: field, Reason: reason})
	return j.bad
}

// header reads the first line and detects the delimiter: the one that it contains,
// because no column's name contains either.
func (j *companiesJob) header(source *bufio.Reader) ([]string, error) {
	first, err := source.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if j.budget.spent {
		return nil, j.refuse(1, "", longRecord)
	}
	first = strings.TrimPrefix(first, "\ufeff")
	if strings.TrimSpace(first) == "" {
		return nil, j.refuse(1, "", "the file has no header line: expected some of "+columnNames())
	}
	if !utf8.ValidString(first) {
		return nil, j.refuse(1, "", "the header is not UTF-8")
	}
	reader := csv.NewReader(strings.NewReader(first))
	if strings.Contains(first, ";") {
		reader.Comma, j.csv.Comma = ';', ';'
	}
	header, err := reader.Read()
	if err != nil {
		return nil, j.refuse(1, "", "the header is not valid CSV")
	}
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	return header, nil
}

func columnNames() string {
	names := make([]string, len(companyFile))
	for i, column := range companyFile {
		names[i] = column.name
	}
	return strings.Join(names, ", ")
}

// stage checks every record and copies the good ones to a temporary table.
func (j *companiesJob) stage(ctx context.Context, tx *pgx.Conn, ids *database.IDs) error {
	names := make([]string, len(companyFile))
	for i, column := range companyFile {
		names[i] = column.column
	}
	if _, err := tx.Exec(ctx, `CREATE TEMPORARY TABLE incoming ON COMMIT DROP AS SELECT id, `+strings.Join(names, ", ")+` FROM companies LIMIT 0`); err != nil {
		return err
	}
	buffer := &copyBuffer{}
	for {
		fields, err := j.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if len(j.bad.Lines) == 0 {
			buffer.uuid(ids.Next())
		}
		j.record(fields, buffer)
		if j.bad.count > badLinesMost {
			return j.bad
		}
		if len(buffer.bytes) >= copyChunk && len(j.bad.Lines) == 0 {
			if err := buffer.send(ctx, tx, "incoming"); err != nil {
				return err
			}
		}
	}
	if len(j.bad.Lines) > 0 {
		return j.bad
	}
	return buffer.send(ctx, tx, "incoming")
}

// next reads the next record and sets the line where it begins. It reports records
// that are not valid CSV, and skips them.
func (j *companiesJob) next() ([]string, error) {
	for j.bad.count <= badLinesMost {
		j.budget.left, j.budget.spent = longestRecord, false
		fields, err := j.csv.Read()
		var bad *csv.ParseError
		switch {
		case err == nil:
			line, _ := j.csv.FieldPos(0)
			j.line = int64(line) + 1 // below the header
		case errors.As(err, &bad):
			j.line = int64(bad.StartLine) + 1
		case errors.Is(err, io.EOF) && j.budget.spent:
			return nil, j.refuse(j.line, "", "more than 1 MiB of blank lines follow this one")
		default:
			return nil, err
		}
		if j.budget.spent {
			return nil, j.refuse(j.line, "", longRecord)
		}
		if bad == nil {
			return fields, nil
		}
		_ = j.refuse(j.line, "", "the line is not valid CSV: "+bad.Err.Error())
	}
	return nil, j.bad
}

// record checks the fields of a record and adds them to the buffer as a row.
func (j *companiesJob) record(fields []string, buffer *copyBuffer) {
	j.rows++
	if len(fields) != j.width {
		_ = j.refuse(j.line, "", fmt.Sprintf("the line has %d fields, the header %d", len(fields), j.width))
		return
	}
	good := len(j.bad.Lines) == 0
	for i, column := range companyFile {
		text := ""
		if place := j.columns[i]; place >= 0 {
			text = strings.TrimSpace(fields[place])
		}
		stored, reason := column.read(text)
		switch {
		case reason != "":
			_ = j.refuse(j.line, column.name, reason)
			good = false
		case !good:
		case stored == "":
			buffer.null()
		default:
			buffer.text([]byte(stored))
		}
	}
	if good {
		buffer.end()
	}
	j.once(strings.TrimSpace(fields[j.columns[0]]))
}

// once refuses a CVR that the file has twice, and warns of one with a wrong check
// digit.
func (j *companiesJob) once(cvr string) {
	if _, reason := companyFile[0].read(cvr); reason != "" {
		return
	}
	if before, twice := j.seen[cvr]; twice {
		_ = j.refuse(j.line, "cvr", fmt.Sprintf("%s is already on line %d", cvr, before))
		return
	}
	j.seen[cvr] = j.line
	if !checkDigitFits(cvr) {
		j.warn(j.line, "cvr", fmt.Sprintf("the check digit of %s does not fit: check for a typo", cvr))
	}
}

func (j *companiesJob) warn(line int64, field, reason string) {
	if len(j.done.Warnings) == badLinesShown {
		j.done.MoreWarnings++
		return
	}
	j.done.Warnings = append(j.done.Warnings, format.BadLine{Line: line, Field: field, Reason: reason})
}

// read returns what to store for a field's text, "" for null, or the reason to
// refuse it.
func (c companyColumn) read(text string) (stored, reason string) {
	switch {
	case text != "":
		if !utf8.ValidString(text) {
			return "", "it is not UTF-8"
		}
		if strings.ContainsAny(text, "\r\n") {
			return "", "it contains a line break: write it on one line"
		}
		if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
			return "", "it contains a control character"
		}
		if found := models.Invisible(text); found != "" {
			return "", "it contains the invisible character " + found + ": remove it"
		}
		return c.check(text)
	case c.name == "cvr" || c.name == "name":
		return "", "it is required, but blank"
	}
	return "", ""
}

// merge inserts or updates the organization's companies from the staged rows. It
// returns the CVRs of the new ones.
func (j *companiesJob) merge(ctx context.Context, tx *pgx.Conn, organizationID uuid.UUID) (inserted []string, err error) {
	var all, staged, given, excluded, changes []string
	args := []any{organizationID}
	for i, column := range companyFile {
		all = append(all, column.column)
		if column.fresh == nil {
			staged = append(staged, "i."+column.column)
		} else {
			// Blank leaves it as it is.
			args = append(args, column.fresh())
			staged = append(staged, fmt.Sprintf("coalesce(i.%[1]s, c.%[1]s, $%[2]d)", column.column, len(args)))
		}
		if j.columns[i] >= 0 && column.name != "cvr" {
			given = append(given, "companies."+column.column)
			excluded = append(excluded, "excluded."+column.column)
			changes = append(changes, column.column+" = excluded."+column.column)
		}
	}
	err = tx.QueryRow(ctx, `WITH merged AS (
		INSERT INTO companies (organization_id, id, change_id, `+strings.Join(all, ", ")+`)
		SELECT $1, i.id, i.id, `+strings.Join(staged, ", ")+` FROM incoming i LEFT JOIN companies c ON c.organization_id = $1 AND c.cvr = i.cvr ORDER BY i.id
		ON CONFLICT (organization_id, cvr) DO UPDATE SET `+strings.Join(changes, ", ")+`, change_id = excluded.change_id, updated_at = now()
		WHERE (`+strings.Join(given, ", ")+`) IS DISTINCT FROM (`+strings.Join(excluded, ", ")+`)
		RETURNING cvr, xmax = 0 AS inserted
	) SELECT coalesce(array_agg(cvr) FILTER (WHERE inserted), '{}'), count(*) FILTER (WHERE NOT inserted) FROM merged`, args...).
		Scan(&inserted, &j.done.Updated)
	j.done.Inserted = int64(len(inserted))
	j.done.Unchanged = j.rows - j.done.Inserted - j.done.Updated
	if err == nil && j.done.Inserted+j.done.Updated > 0 {
		_, err = tx.Exec(ctx, `SELECT organizations_changed(ARRAY[$1::uuid], $2)`, organizationID, j.done.Inserted)
	}
	return inserted, err
}

// warnOfDates warns of companies in the file that end before they start. The date that
// the file does not have is the one stored.
func (j *companiesJob) warnOfDates(ctx context.Context, tx *pgx.Conn, organizationID uuid.UUID) error {
	rows, err := tx.Query(ctx, `SELECT i.cvr, c.start_date::text, c.end_date::text FROM incoming i
		JOIN companies c ON c.organization_id = $1 AND c.cvr = i.cvr
		WHERE c.end_date < c.start_date AND (i.start_date IS NOT NULL OR i.end_date IS NOT NULL)`, organizationID)
	if err != nil {
		return err
	}
	var cvr, start, end string
	_, err = pgx.ForEachRow(rows, []any{&cvr, &start, &end}, func() error {
		j.warn(j.seen[cvr], "endDate", fmt.Sprintf("%s is before the startDate %s", end, start))
		return nil
	})
	slices.SortStableFunc(j.done.Warnings, func(a, b format.BadLine) int { return cmp.Compare(a.Line, b.Line) })
	return err
}

// catchUp delivers the records that were held for new companies, and counts those that
// other organizations have.
func (j *companiesJob) catchUp(ctx context.Context, w *database.Writing, organizationID uuid.UUID, cvrs []string) (err error) {
	if len(cvrs) == 0 {
		return nil
	}
	if err := w.Conn.QueryRow(ctx, `SELECT coalesce(sum(n), 0) FROM (SELECT max(transaction_count) AS n FROM companies
		WHERE cvr = ANY($2) AND organization_id <> $1 AND `+notSandbox("organization_id")+` GROUP BY cvr) x`, organizationID, cvrs).Scan(&j.done.History); err != nil {
		return err
	}
	j.done.Delivered, err = deliverHeld(ctx, w, organizationID, cvrs)
	return err
}

// textMost is the number of characters that a name or an address may have, as the
// OpenAPI document says.
const textMost = 1000

func oneLine(text string) (string, string) {
	if n := utf8.RuneCountInString(text); n > textMost {
		return "", fmt.Sprintf("it has %d characters: at most %d are allowed", n, textMost)
	}
	return text, ""
}

func digits(least, most int) func(string) (string, string) {
	return func(text string) (string, string) {
		_, reason := bankDigits(least, most)(text)
		if reason != "" {
			reason = shown(text) + strings.TrimPrefix(reason, "it")
		}
		return text, reason
	}
}

// bankDigits is digits with a reason that does not repeat the number.
func bankDigits(least, most int) func(string) (string, string) {
	return func(text string) (string, string) {
		switch {
		case format.IsDigits([]byte(text), least, most):
			return text, ""
		case least == most:
			return "", fmt.Sprintf("it is not %d digits", least)
		}
		return "", fmt.Sprintf("it is not %d to %d digits", least, most)
	}
}

func day(text string) (string, string) {
	if _, err := time.Parse(time.DateOnly, text); err != nil || text[0] == '0' {
		return "", fmt.Sprintf("%s is not a date: expected YYYY-MM-DD", shown(text))
	}
	return text, ""
}

func status(text string) (string, string) {
	if !slices.Contains(models.Statuses, text) {
		return "", fmt.Sprintf("%s is not a status: expected one of %s", shown(text), strings.Join(models.Statuses, ", "))
	}
	return text, ""
}

func cents(text string) (string, string) {
	const most = 99_999_999_999_999 // what numeric(14,2) holds
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n > most || n < -most {
		return "", fmt.Sprintf("%s is not an amount in cents: expected a whole number such as 150000", shown(text))
	}
	return strconv.FormatInt(n, 10), ""
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
