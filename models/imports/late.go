package imports

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports/format"
)

// lateColumns are the columns of a lateRecord.
const lateColumns = "delivery_id, record_index AS index, count, disposition_date::text, cvr, reg_number, account_number, transfer_type, amount_dkk::text AS amount, raw_line"

const lateFetch = 5000

// deliverLate stores records of deliveries that were imported before, which query
// returns in lateColumns and in the order of the deliveries and their records.
func deliverLate(ctx context.Context, w *database.Writing, organizationID uuid.UUID, query string) (Share, error) {
	store, err := newStorage(ctx, w)
	if err != nil {
		return Share{}, err
	}
	// COPY and a query cannot use the connection at once, so a cursor takes turns.
	if _, err := w.Conn.Exec(ctx, `DECLARE late NO SCROLL CURSOR FOR `+query); err != nil {
		return Share{}, err
	}
	var delivery models.Delivery
	var file *addedFile // one for each delivery, because its transactions arrive now
	for {
		rows, err := w.Conn.Query(ctx, fmt.Sprintf("FETCH %d FROM late", lateFetch))
		if err != nil {
			return Share{}, err
		}
		batch, err := pgx.CollectRows(rows, pgx.RowToStructByName[lateRecord])
		if err != nil {
			return Share{}, err
		}
		for i := range batch {
			r := &batch[i]
			if r.DeliveryID != delivery.ID {
				delivery = models.Delivery{}
				if err := w.ORM.Where("id = ?", r.DeliveryID).Take(&delivery).Error; err != nil {
					return Share{}, err
				}
				if file, err = store.open(ctx, &delivery, organizationID); err != nil {
					return Share{}, err
				}
			}
			if err := store.add(ctx, file, &r.Record); err != nil {
				return Share{}, err
			}
		}
		if len(batch) < lateFetch {
			break
		}
	}
	shares, err := store.finish(ctx)
	if err != nil || len(shares) == 0 {
		return Share{TotalAmountDKK: "0.00"}, err
	}
	return shares[0], nil
}

type lateRecord struct {
	DeliveryID uuid.UUID
	format.Record
}

// deliverHeld delivers to an organization the held records of companies that it just
// got.
func deliverHeld(ctx context.Context, w *database.Writing, organizationID uuid.UUID, cvrs []string) (Share, error) {
	if _, err := w.Conn.Exec(ctx, `CREATE TEMPORARY TABLE freed (LIKE held_records) ON COMMIT DROP`); err != nil {
		return Share{}, err
	}
	freed, err := w.Conn.Exec(ctx, `WITH freed_records AS (
			DELETE FROM held_records h WHERE cvr = ANY($2) AND (only_organization_id IS NULL OR only_organization_id = $1)
			AND NOT EXISTS (SELECT FROM delivery_withdrawals x WHERE x.organization_id = $1 AND x.delivery_id = h.delivery_id)
			AND NOT EXISTS (SELECT FROM deliveries d WHERE d.id = h.delivery_id AND d.last_date < kept_since())
			RETURNING *
		) INSERT INTO freed SELECT * FROM freed_records`, organizationID, cvrs)
	if err != nil || freed.RowsAffected() == 0 {
		return Share{}, err
	}
	return deliverLate(
		ctx,
		w,
		organizationID,
		`SELECT `+lateColumns+` FROM freed JOIN (SELECT id, number FROM deliveries) d ON d.id = delivery_id ORDER BY d.number, record_index`,
	)
}

// BackfillOptions says which history to deliver to an organization.
type BackfillOptions struct {
	Organization models.Organization
	CVR          string     // of the only company; empty for all
	From         *time.Time // the first disposition date; nil for all
	DryRun       bool       // do everything but store it
}

// Backfill delivers to an organization the records of its companies that other
// organizations have and it does not, each once, unless their delivery was withdrawn
// from it. They arrive now. The audit log says so. Errors: KindCompanyNotFound,
// KindNotFound.
func Backfill(ctx context.Context, db *database.DB, options BackfillOptions) (Share, error) {
	if err := refuseSandbox(&options.Organization); err != nil {
		return Share{}, err
	}
	id := options.Organization.ID
	var done Share
	err := write(ctx, db, options.DryRun, func(w *database.Writing) ([]uuid.UUID, error) {
		if options.CVR != "" {
			if err := scoped(w, &options.Organization).Where("cvr = ?", options.CVR).Take(&models.Company{}).Error; err != nil {
				return nil, models.NewError(
					models.KindCompanyNotFound,
					fmt.Sprintf("%s has no company with the CVR %q", options.Organization.Slug, options.CVR),
				)
			}
		}
		return []uuid.UUID{id}, lockDeliveries(ctx, w)
	}, func(w *database.Writing) (err error) {
		if err := stageHistory(ctx, w, options); err != nil {
			return err
		}
		if done, err = deliverLate(
			ctx,
			w,
			id,
			`SELECT `+lateColumns+` FROM history ORDER BY number, record_index`,
		); err != nil {
			return err
		}
		if done.Records == 0 {
			return nil
		}
		return w.ORM.Create(audit(w, id, models.ActionDeliveryBackfill, backfillSubject(options, done))).Error
	})
	return done, err
}

// stageHistory puts the records to deliver into a temporary table. A cursor on the
// tables themselves would see the rows that are added. It reads the files that arrived
// since the latest backfill, and for companies that are newer than it, all files.
func stageHistory(ctx context.Context, w *database.Writing, options BackfillOptions) error {
	var last models.Writer
	if err := scoped(w, &options.Organization).Take(&last).Error; err != nil {
		return err
	}
	for _, statement := range []struct {
		text string
		args []any
	}{
		{`CREATE TEMPORARY TABLE history ON COMMIT DROP AS SELECT 0::bigint AS number, * FROM held_records LIMIT 0`, nil},
		{`CREATE TEMPORARY TABLE theirs ON COMMIT DROP AS
			SELECT f.delivery_id, t.* FROM companies c
			JOIN companies other ON other.cvr = c.cvr AND other.organization_id <> c.organization_id AND ` + notSandbox("other.organization_id") + `
			JOIN transactions t ON t.organization_id = other.organization_id AND t.cvr = other.cvr
			JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id
			WHERE c.organization_id = $1 AND c.id > $4 AND ($2 = '' OR c.cvr = $2) AND ($3::date IS NULL OR t.disposition_date >= $3)
			UNION ALL SELECT f.delivery_id, t.* FROM delivery_files f
			CROSS JOIN LATERAL (SELECT * FROM transactions t WHERE t.organization_id = f.organization_id AND t.id > f.id AND t.id <= f.last_id AND t.record_index >= 0 OFFSET 0) t
			JOIN companies c ON c.organization_id = $1 AND c.cvr = t.cvr AND c.id <= $4
			WHERE f.number > $5 AND f.organization_id <> $1 AND ` + notSandbox("f.organization_id") + ` AND ($2 = '' OR c.cvr = $2) AND ($3::date IS NULL OR t.disposition_date >= $3)`,
			[]any{options.Organization.ID, options.CVR, options.From, last.BackfilledID, last.Backfilled}},
		{`ANALYZE theirs`, nil}, // else PostgreSQL would compare each of them with each of the organization's
		{`CREATE TEMPORARY TABLE mine ON COMMIT DROP AS
			SELECT f.delivery_id, t.record_index FROM (SELECT DISTINCT delivery_id, cvr FROM theirs) x
			JOIN delivery_files f ON f.delivery_id = x.delivery_id AND f.organization_id = $1
			CROSS JOIN LATERAL (SELECT record_index FROM transactions WHERE organization_id = $1 AND cvr = x.cvr AND id > f.id AND id <= f.last_id OFFSET 0) t`, []any{options.Organization.ID}},
		{`ANALYZE mine`, nil},
		{`INSERT INTO history (number, delivery_id, ` + recordColumns + `)
			SELECT DISTINCT ON (d.number, t.record_index) d.number, d.id, t.record_index, t.count, t.disposition_date, t.cvr, t.reg_number, t.account_number, t.transfer_type, t.amount_dkk, t.raw_line
			FROM theirs t JOIN deliveries d ON d.id = t.delivery_id
			WHERE NOT EXISTS (SELECT FROM delivery_withdrawals x WHERE x.organization_id = $1 AND x.delivery_id = d.id) AND (d.last_date < kept_since()) IS NOT TRUE
			AND NOT EXISTS (SELECT FROM mine WHERE mine.delivery_id = t.delivery_id AND mine.record_index = t.record_index)
			ORDER BY d.number, t.record_index`, []any{options.Organization.ID}},
	} {
		if _, err := w.Conn.Exec(ctx, statement.text, statement.args...); err != nil {
			return err
		}
	}
	if options.CVR != "" || options.From != nil {
		return nil
	}
	_, err := w.Conn.Exec(
		ctx,
		`UPDATE writers SET backfilled = (SELECT coalesce(max(number), 0) FROM delivery_files), backfilled_id = o.last_id
		FROM organizations o WHERE o.id = $1 AND organization_id = $1`,
		options.Organization.ID,
	)
	return err
}

func backfillSubject(options BackfillOptions, done Share) string {
	var of []string
	if options.CVR != "" {
		of = append(of, " of the company "+options.CVR)
	}
	if options.From != nil {
		of = append(of, " from "+options.From.Format(time.DateOnly)+" on")
	}
	return fmt.Sprintf(
		"%s of %s DKK from earlier deliveries%s",
		counted(done.Records),
		done.TotalAmountDKK,
		strings.Join(of, ""),
	)
}
