package imports

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports/format"
)

// recordFields are the columns that two records must share to be the same.
const recordFields = "cvr, disposition_date, count, amount_dkk, reg_number, account_number, transfer_type"

// refuseRepeats refuses a file that repeats records of a stored delivery, or decides
// that it replaces that one. Two deliveries that both say which they are may have
// equal records. Otherwise equal records are taken for the same ones: a file that was
// sent again with one more row must not double the others.
func (j *deliveryJob) refuseRepeats(w *database.Writing) error {
	if j.Repeated == RepeatedAdditional || j.first == "" {
		return nil
	}
	// A delivery is about a few days, so that few others can have the same records.
	query := w.ORM.Where("NOT sandbox AND withdrawn_at IS NULL AND first_date <= ? AND last_date >= ?", j.last, j.first)
	if j.stored != nil {
		query = query.Where("id <> ?", j.stored.ID)
	}
	if j.old != nil {
		query = query.Where("id <> ?", j.old.ID)
	}
	if len(j.identity.Names) > 0 {
		query = query.Where("NOT EXISTS (SELECT FROM delivery_names n WHERE n.delivery_id = deliveries.id)")
	}
	var near []models.Delivery
	if err := query.Order("number").Find(&near).Error; err != nil || len(near) == 0 {
		return err
	}
	if err := j.stage(w, near, false); err != nil {
		return err
	}
	repeated, lines, count, err := j.findRepeats(w, near)
	if err != nil || len(repeated) == 0 {
		return err
	}
	if j.Repeated == RepeatedReplace && len(repeated) == 1 && j.old == nil {
		j.old = &repeated[0]
		return nil
	}
	what := "1 stored record (line "
	if count > 1 {
		what = fmt.Sprintf("%d stored records (lines ", count)
	}
	advice := "If it is the same delivery with corrections, pass --replace to replace the stored one; if the records only look the same, pass --additional to store them beside it"
	if len(repeated) > 1 {
		advice = "Withdraw those that are wrong, or pass --additional if the records only look the same"
	}
	return models.NewError(models.KindConflict, fmt.Sprintf("%s repeats %s%s), of %s. %s", j.filename, what, lines, described(repeated), advice))
}

// stage puts the stored records of some deliveries, and the file's, into temporary
// tables: of the file's companies and days, or all.
func (j *deliveryJob) stage(w *database.Writing, deliveries []models.Delivery, all bool) error {
	if _, err := w.Conn.Exec(j.ctx, `CREATE TEMPORARY TABLE arriving ON COMMIT DROP AS SELECT record_index, `+recordFields+` FROM held_records LIMIT 0;
		CREATE TEMPORARY TABLE present ON COMMIT DROP AS SELECT delivery_id, record_index, `+recordFields+` FROM held_records LIMIT 0`); err != nil {
		return err
	}
	ids := make([]uuid.UUID, len(deliveries))
	for i, d := range deliveries {
		ids[i] = d.ID
	}
	fields := strings.ReplaceAll("t."+recordFields, ", ", ", t.")
	const days = "($3 OR t.disposition_date BETWEEN $4::date AND $5::date)"
	if _, err := w.Conn.Exec(j.ctx, `INSERT INTO present
		SELECT DISTINCT f.delivery_id, t.record_index, `+fields+` FROM delivery_files f
			JOIN companies c ON c.organization_id = f.organization_id AND ($3 OR c.cvr = ANY($2))
			JOIN transactions t ON t.organization_id = f.organization_id AND t.cvr = c.cvr AND t.id > f.id AND t.id <= f.last_id AND t.delivery_file_id = f.id
			WHERE f.delivery_id = ANY($1) AND `+days+`
		UNION SELECT t.delivery_id, t.record_index, `+fields+` FROM held_records t WHERE t.delivery_id = ANY($1) AND ($3 OR t.cvr = ANY($2)) AND `+days,
		ids, slices.Collect(maps.Keys(j.cvrs)), all, parseDay(j.first), parseDay(j.last)); err != nil {
		return err
	}
	wanted, err := j.presentDays(w)
	if err != nil {
		return err
	}
	if all || len(wanted) > 0 {
		if err := j.stageFile(w, wanted, all); err != nil {
			return err
		}
	}
	// Nothing is known of new tables, and a nested loop over them would take forever.
	_, err = w.Conn.Exec(j.ctx, `ANALYZE arriving; ANALYZE present`)
	return err
}

// companyDay is a CVR and a disposition date.
type companyDay struct{ cvr, date string }

// presentDays returns the companies and days of the staged stored records. Only records
// of these can be the same.
func (j *deliveryJob) presentDays(w *database.Writing) (map[companyDay]bool, error) {
	rows, err := w.Conn.Query(j.ctx, `SELECT DISTINCT cvr, disposition_date::text FROM present`)
	if err != nil {
		return nil, err
	}
	days := map[companyDay]bool{}
	var day companyDay
	_, err = pgx.ForEachRow(rows, []any{&day.cvr, &day.date}, func() error {
		days[day] = true
		return nil
	})
	return days, err
}

// stageFile stages the file's records: those of wanted companies and days, or all.
func (j *deliveryJob) stageFile(w *database.Writing, wanted map[companyDay]bool, all bool) error {
	buffer := &copyBuffer{}
	if err := j.again(func(r *format.Record) error {
		if !all && !wanted[companyDay{string(r.CVR), string(r.DispositionDate)}] {
			return nil
		}
		buffer.integer(r.Index)
		buffer.text(r.CVR)
		buffer.text(r.DispositionDate)
		buffer.integer(r.Count)
		buffer.text(r.Amount)
		buffer.text(r.RegNumber)
		buffer.text(r.AccountNumber)
		buffer.text(r.TransferType)
		buffer.end()
		if len(buffer.bytes) < copyChunk {
			return nil
		}
		return buffer.send(j.ctx, w.Conn, "arriving")
	}); err != nil {
		return err
	}
	return buffer.send(j.ctx, w.Conn, "arriving")
}

// findRepeats returns the deliveries that have records of the file, and the lines of
// the first such records.
func (j *deliveryJob) findRepeats(w *database.Writing, near []models.Delivery) (repeated []models.Delivery, lines string, count int64, err error) {
	var ids []uuid.UUID
	var first []int64
	err = w.Conn.QueryRow(j.ctx, `WITH equal AS MATERIALIZED (
			SELECT a.record_index, p.delivery_id FROM arriving a JOIN (SELECT DISTINCT delivery_id, `+recordFields+` FROM present) p USING (`+recordFields+`)
		) SELECT (SELECT array_agg(DISTINCT delivery_id) FROM equal), (SELECT count(DISTINCT record_index) FROM equal),
			(SELECT array_agg(record_index ORDER BY record_index) FROM (SELECT DISTINCT record_index FROM equal ORDER BY 1 LIMIT 5) x)`).Scan(&ids, &count, &first)
	for _, d := range near {
		if slices.Contains(ids, d.ID) {
			repeated = append(repeated, d)
		}
	}
	return repeated, lineNumbers(first, count), count, err
}

func lineNumbers(indexes []int64, count int64) string {
	texts := make([]string, len(indexes))
	for i, index := range indexes {
		texts[i] = fmt.Sprint(index + 1)
	}
	if count > int64(len(indexes)) {
		texts = append(texts, "…")
	}
	return strings.Join(texts, ", ")
}

// refuseOther refuses a file that says that it is a stored delivery, and tells the
// first lines that differ.
func (j *deliveryJob) refuseOther(w *database.Writing, d *models.Delivery) error {
	if err := j.stage(w, []models.Delivery{*d}, true); err != nil {
		return err
	}
	differences, err := j.differences(w, d)
	if err != nil {
		return err
	}
	return models.NewError(models.KindConflict, fmt.Sprintf("%s says that it is %s, which was imported before as %s (%s) with other records%s. Pass --replace to replace the stored delivery, or --additional to store this one beside it",
		j.filename, names(j.identity.Names), d.Filename, d.ID, differences))
}

// differencesShown is how many lines that differ are told.
const differencesShown = 5

// differences tells the first lines in which the file and a stored delivery differ.
// Bank numbers are not repeated.
func (j *deliveryJob) differences(w *database.Writing, d *models.Delivery) (string, error) {
	rows, err := w.Conn.Query(j.ctx, `SELECT coalesce(a.record_index, p.record_index), p.record_index IS NULL, a.record_index IS NULL,
			coalesce(concat_ws(', ',
				CASE WHEN a.cvr <> p.cvr THEN 'cvr ' || a.cvr || ' instead of ' || p.cvr END,
				CASE WHEN a.reg_number <> p.reg_number THEN 'another regNumber' END,
				CASE WHEN a.account_number <> p.account_number THEN 'another accountNumber' END,
				CASE WHEN a.transfer_type <> p.transfer_type THEN 'another transferType' END,
				CASE WHEN a.disposition_date <> p.disposition_date THEN 'dispositionDate ' || a.disposition_date || ' instead of ' || p.disposition_date END,
				CASE WHEN a.count <> p.count THEN 'count ' || a.count || ' instead of ' || p.count END,
				CASE WHEN a.amount_dkk <> p.amount_dkk THEN 'amountDkk ' || a.amount_dkk || ' instead of ' || p.amount_dkk END), '')
		FROM arriving a FULL JOIN present p ON p.record_index = a.record_index
		WHERE a.record_index IS NULL OR p.record_index IS NULL
			OR (`+prefixed("a")+`) IS DISTINCT FROM (`+prefixed("p")+`)
		ORDER BY 1 LIMIT $1`, differencesShown)
	if err != nil {
		return "", err
	}
	var index int64
	var isNew, missing bool
	var fields string
	var told []string
	_, err = pgx.ForEachRow(rows, []any{&index, &isNew, &missing, &fields}, func() error {
		switch {
		case isNew:
			told = append(told, fmt.Sprintf("line %d is not among those stored", index+1))
		case missing:
			told = append(told, fmt.Sprintf("line %d is missing", index+1))
		default:
			told = append(told, fmt.Sprintf("line %d has %s", index+1, fields))
		}
		return nil
	})
	if len(told) == 0 {
		// Those that differ are not stored, because only other organizations had their
		// companies.
		return fmt.Sprintf(" (%d of %s kr. instead of %d of %s kr.)", j.records, j.amount, d.RecordCount, d.TotalAmountDKK), err
	}
	return ": " + strings.Join(told, "; "), err
}

func prefixed(table string) string {
	return table + "." + strings.ReplaceAll(recordFields, ", ", ", "+table+".")
}
