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

// comparedFields are the columns that two records must share to be the same.
const comparedFields = "cvr, disposition_date, count, amount_dkk, reg_number, account_number, transfer_type"

// sameRecord is the condition that a stored record is the same as one that arrives. The
// index on its hash finds it, however many records the company and day have. Equalities of
// the fields themselves would lead PostgreSQL to the key instead.
func sameRecord(stored string) string {
	row := func(table string) string {
		return "ROW(" + table + "." + strings.ReplaceAll(comparedFields, ", ", ", "+table+".") + ")"
	}
	return fmt.Sprintf("hash_record(%[1]s) = hash_record(%[2]s) AND %[1]s IS NOT DISTINCT FROM %[2]s", row(stored), row("a"))
}

// refuseRepeats refuses a file that repeats records of a stored delivery, or decides
// that it replaces that one. Two deliveries that both say which they are may have
// equal records. Otherwise equal records are taken for the same ones: a file that was
// sent again with one more row must not double the others.
func (j *deliveryJob) refuseRepeats(w *database.Writing) error {
	if j.Repeated == RepeatedAdditional || j.first == "" {
		return nil
	}
	query := w.ORM.Model(&models.Delivery{}).Where("NOT sandbox AND withdrawn_at IS NULL AND first_date <= ? AND last_date >= ?", j.last, j.first)
	if j.stored != nil {
		query = query.Where("id <> ?", j.stored.ID)
	}
	if j.old != nil {
		query = query.Where("id <> ?", j.old.ID)
	}
	if len(j.identity.Names) > 0 {
		query = query.Where("NOT EXISTS (SELECT FROM delivery_names n WHERE n.delivery_id = deliveries.id)")
	}
	var near []uuid.UUID
	if err := query.Pluck("id", &near).Error; err != nil || len(near) == 0 {
		return err
	}
	if staged, err := j.stage(w); err != nil || !staged {
		return err
	}
	ids, lines, err := j.findRepeats(w, near)
	if err != nil || len(ids) == 0 {
		return err
	}
	var repeated []models.Delivery
	if err := w.ORM.Where("id IN ?", ids).Order("number").Find(&repeated).Error; err != nil {
		return err
	}
	if j.Repeated == RepeatedReplace && len(repeated) == 1 && j.old == nil {
		j.old = &repeated[0]
		return nil
	}
	advice := "If it is the same delivery with corrections, pass --replace to replace the stored one; if the records only look the same, pass --additional to store them beside it"
	if len(repeated) > 1 {
		advice = "Withdraw those that are wrong, or pass --additional if the records only look the same"
	}
	return models.NewError(models.KindConflict, fmt.Sprintf("%s repeats %s, of %s. %s", j.done.Filename, lines, described(repeated), advice))
}

// companyDay is a CVR and a disposition date.
type companyDay struct{ cvr, date string }

// storedDays returns those of the file's companies and days that have transactions. A
// company with held records is there with the date "".
func (j *deliveryJob) storedDays(w *database.Writing) (map[companyDay]bool, error) {
	rows, err := w.Conn.Query(j.ctx, `SELECT d.cvr, d.disposition_date::text FROM companies c JOIN daily_totals d ON d.organization_id = c.organization_id AND d.cvr = c.cvr
			WHERE c.cvr = ANY($1) AND d.disposition_date BETWEEN $2 AND $3
		UNION ALL SELECT w.cvr, '' FROM unnest($1::text[]) w (cvr) WHERE EXISTS (SELECT FROM held_records h WHERE h.cvr = w.cvr)`,
		slices.Collect(maps.Keys(j.cvrs)), parseDay(j.first), parseDay(j.last))
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

// stage copies the file's records of companies and days that are stored already to a
// temporary table. It reports false if there are none.
func (j *deliveryJob) stage(w *database.Writing) (bool, error) {
	days, err := j.storedDays(w)
	if err != nil || len(days) == 0 {
		return false, err
	}
	if _, err := w.Conn.Exec(j.ctx, `CREATE TEMPORARY TABLE arriving ON COMMIT DROP AS SELECT record_index, `+comparedFields+` FROM held_records LIMIT 0`); err != nil {
		return false, err
	}
	staged := chunks{table: "arriving"}
	if err := j.again(func(r *format.Record) error {
		if !days[companyDay{string(r.CVR), string(r.DispositionDate)}] && !days[companyDay{string(r.CVR), ""}] {
			return nil
		}
		buffer := &staged.buffer
		buffer.integer(r.Index)
		buffer.text(r.CVR)
		buffer.text(r.DispositionDate)
		buffer.integer(r.Count)
		buffer.text(r.Amount)
		buffer.text(r.RegNumber)
		buffer.text(r.AccountNumber)
		buffer.text(r.TransferType)
		buffer.end()
		return staged.added(j.ctx, w.Conn)
	}); err != nil {
		return false, err
	}
	return true, staged.flush(j.ctx, w.Conn)
}

// findRepeats returns those of the deliveries that have records of the file, and how many
// and where in the file they are. It looks each record up on its own (OFFSET 0), so that
// the time does not depend on what is stored.
func (j *deliveryJob) findRepeats(w *database.Writing, near []uuid.UUID) (repeated []uuid.UUID, lines string, err error) {
	var count int64
	var first []int64
	err = w.Conn.QueryRow(j.ctx, `WITH equal AS MATERIALIZED (
			SELECT a.record_index, s.delivery_id FROM arriving a CROSS JOIN LATERAL (
				SELECT f.delivery_id FROM companies c
				JOIN transactions t ON t.organization_id = c.organization_id AND `+sameRecord("t")+`
				JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id
				WHERE c.cvr = a.cvr AND f.delivery_id = ANY($1)
				UNION ALL SELECT h.delivery_id FROM held_records h WHERE h.cvr = a.cvr AND `+sameRecord("h")+` AND h.delivery_id = ANY($1)
				OFFSET 0
			) s
		) SELECT (SELECT array_agg(DISTINCT delivery_id) FROM equal), (SELECT count(DISTINCT record_index) FROM equal),
			(SELECT array_agg(record_index ORDER BY record_index) FROM (SELECT DISTINCT record_index FROM equal ORDER BY 1 LIMIT 5) x)`, near).Scan(&repeated, &count, &first)
	if count == 1 {
		return repeated, fmt.Sprintf("1 stored record (line %d)", first[0]+1), err
	}
	texts := make([]string, len(first))
	for i, index := range first {
		texts[i] = fmt.Sprint(index + 1)
	}
	if count > int64(len(first)) {
		texts = append(texts, "…")
	}
	return repeated, fmt.Sprintf("%d stored records (lines %s)", count, strings.Join(texts, ", ")), err
}
