package imports

import (
	"fmt"
	"hash/maphash"
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

// findRepeated refuses a file that repeats records of stored deliveries, or finds the one that
// it replaces. Two deliveries that both say which they are may have equal records. Otherwise
// equal records are taken for the same ones: a file that was sent again with one more row must
// not double the others.
func (j *deliveryImport) findRepeated(
	w *database.Writing, stored, replaced *models.Delivery,
) (*models.Delivery, error) {
	first, last := j.content.first, j.content.last
	if j.Repeated == RepeatedAdditional || first == "" {
		return replaced, nil
	}
	query := w.ORM.Model(&models.Delivery{}).
		Where("NOT sandbox AND withdrawn_at IS NULL AND first_date <= ? AND last_date >= ?", last, first)
	for _, known := range []*models.Delivery{stored, replaced} {
		if known != nil {
			query = query.Where("id <> ?", known.ID)
		}
	}
	if len(j.content.identity.Names) > 0 {
		query = query.Where("NOT EXISTS (SELECT FROM delivery_names n WHERE n.delivery_id = deliveries.id)")
	}
	var near []uuid.UUID
	if err := query.Pluck("id", &near).Error; err != nil || len(near) == 0 {
		return replaced, err
	}
	if staged, err := j.stage(w); err != nil || !staged {
		return replaced, err
	}
	ids, lines, err := j.findRepeats(w, near)
	if err != nil || len(ids) == 0 {
		return replaced, err
	}
	var repeated []models.Delivery
	if err := w.ORM.Where("id IN ?", ids).Order("number").Find(&repeated).Error; err != nil {
		return nil, err
	}
	if j.Repeated == RepeatedReplace && len(repeated) == 1 && replaced == nil {
		return &repeated[0], nil
	}
	advice := "If it is the same delivery with corrections, pass --replace to replace the stored one; if the records only look the same, pass --additional to store them beside it"
	if len(repeated) > 1 {
		advice = "Withdraw those that are wrong, or pass --additional if the records only look the same"
	}
	return nil, refusal(models.KindConflict, "%s repeats %s, of %s. %s",
		j.done.Filename, lines, described(repeated), advice)
}

// companyDays is a set of CVRs, each with a disposition date behind it. It takes 8 MB at
// most, and may hold a few more than were added.
type companyDays struct {
	bits bitset
	seed maphash.Seed
}

func (d *companyDays) place(day []byte) int64 { return int64(maphash.Bytes(d.seed, day) >> (64 - 26)) }

// storedDays returns those of the file's companies and days that have transactions. A
// company with held records is there without a date.
func (j *deliveryImport) storedDays(w *database.Writing) (*companyDays, error) {
	rows, err := w.Conn.Query(j.ctx, `SELECT d.cvr || d.disposition_date FROM companies c
			JOIN daily_totals d ON d.organization_id = c.organization_id AND d.cvr = c.cvr
			WHERE c.cvr = ANY($1) AND d.disposition_date = ANY($2::text[]::date[])
		UNION ALL SELECT w.cvr FROM unnest($1::text[]) w (cvr) WHERE EXISTS (SELECT FROM held_records h WHERE h.cvr = w.cvr)`,
		slices.Collect(maps.Keys(j.content.cvrs)), slices.Collect(maps.Keys(j.content.days)))
	if err != nil {
		return nil, err
	}
	days := &companyDays{seed: maphash.MakeSeed()}
	var day []byte
	_, err = pgx.ForEachRow(rows, []any{&day}, func() error {
		days.bits.add(days.place(day))
		return nil
	})
	return days, err
}

// stage copies the file's records of companies and days that are stored already to a
// temporary table. It reports false if there are none.
func (j *deliveryImport) stage(w *database.Writing) (bool, error) {
	days, err := j.storedDays(w)
	if err != nil || len(days.bits) == 0 {
		return false, err
	}
	if _, err := w.Conn.Exec(j.ctx,
		`CREATE TEMPORARY TABLE compared ON COMMIT DROP AS SELECT `+recordColumns+` FROM held_records LIMIT 0`); err != nil {
		return false, err
	}
	staged, day := chunks{table: "compared"}, []byte(nil)
	if err := j.again(func(r *format.Record) error {
		day = append(append(day[:0], r.CVR...), r.DispositionDate...)
		if !days.bits.has(days.place(day)) && !days.bits.has(days.place(r.CVR)) {
			return nil
		}
		staged.buffer.record(r)
		return staged.added(j.ctx, w.Conn)
	}); err != nil {
		return false, err
	}
	return true, staged.flush(j.ctx, w.Conn)
}

// equalRecords finds which deliveries have records equal to those in the table compared, how many of
// these have one, and the first five. It looks each record up on its own, and goes from place to
// place by the index, so that the time does not depend on how much is stored there.
var equalRecords = strings.NewReplacer(
	"{record}", "record_index, "+comparedFields,
	"{none}", "'00000000-0000-0000-0000-000000000000'::uuid",
	"{next file}", nextEqual("transactions", "organization_id", "delivery_file_id"),
	"{next held}", nextEqual("held_records", "cvr", "delivery_id"),
).Replace(`WITH RECURSIVE filed AS (
		SELECT {record}, organization_id, next.place FROM (
			SELECT a.*, organization_id, {none} AS place FROM compared a CROSS JOIN LATERAL (SELECT organization_id FROM companies WHERE cvr = a.cvr OFFSET 0) c
		) a CROSS JOIN LATERAL ({next file}) next
		UNION ALL
		SELECT {record}, organization_id, next.place FROM filed a CROSS JOIN LATERAL ({next file}) next
	), held AS (
		SELECT {record}, next.place FROM (SELECT *, {none} AS place FROM compared) a CROSS JOIN LATERAL ({next held}) next
		UNION ALL
		SELECT {record}, next.place FROM held a CROSS JOIN LATERAL ({next held}) next
	), equal AS MATERIALIZED (
		SELECT a.record_index, f.delivery_id FROM filed a JOIN delivery_files f ON f.organization_id = a.organization_id AND f.id = a.place WHERE f.delivery_id = ANY($1)
		UNION ALL
		SELECT record_index, place FROM held WHERE place = ANY($1)
	) SELECT (SELECT array_agg(DISTINCT delivery_id) FROM equal) AS deliveries, (SELECT count(DISTINCT record_index) FROM equal) AS count,
		(SELECT array_agg(record_index ORDER BY record_index) FROM (SELECT DISTINCT record_index FROM equal ORDER BY 1 LIMIT 5) x) AS first`)

// nextEqual finds the next place after a record's own: the id of a file, or of a delivery, that
// holds its equal. An index has the column by, the day, a hash of the record and the place. Without
// that order, PostgreSQL would sort all equal records, and by equalities of the fields themselves it
// would read the company's by the key instead.
func nextEqual(table, by, place string) string {
	stored := "ROW(s." + strings.ReplaceAll(comparedFields, ", ", ", s.") + ")"
	arrived := "ROW(a." + strings.ReplaceAll(comparedFields, ", ", ", a.") + ")"
	return strings.NewReplacer("{by}", by, "{place}", place, "{stored}", stored, "{arrived}", arrived).Replace(
		`SELECT s.{place} AS place FROM ` + table + ` s
		WHERE s.record_index >= 0 AND s.{by} = a.{by} AND s.disposition_date + 0 = a.disposition_date + 0
			AND hash_record({stored}) = hash_record({arrived}) AND {stored} IS NOT DISTINCT FROM {arrived} AND s.{place} > a.place
		ORDER BY s.{by}, s.disposition_date + 0, hash_record({stored}), s.{place} LIMIT 1`)
}

// findRepeats returns those of the deliveries that have records of the file, and how many
// and where in the file they are.
func (j *deliveryImport) findRepeats(
	w *database.Writing, near []uuid.UUID,
) (repeated []uuid.UUID, lines string, err error) {
	rows, _ := w.Conn.Query(j.ctx, equalRecords, near)
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[struct {
		Deliveries []uuid.UUID
		Count      int64
		First      []int64
	}])
	if found.Count == 1 {
		return found.Deliveries, fmt.Sprintf("1 stored record (line %d)", found.First[0]+1), err
	}
	texts := make([]string, len(found.First))
	for i, index := range found.First {
		texts[i] = fmt.Sprint(index + 1)
	}
	if found.Count > int64(len(found.First)) {
		texts = append(texts, "…")
	}
	return found.Deliveries, fmt.Sprintf("%d stored records (lines %s)", found.Count, strings.Join(texts, ", ")), err
}
