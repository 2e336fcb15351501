package imports

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/database"
)

// makeLate makes the table late, for records of deliveries that were imported before. It numbers
// them from 1, so that they can be stored in chunks.
func makeLate(ctx context.Context, w *database.Writing) error {
	_, err := w.Conn.Exec(ctx,
		`CREATE TEMPORARY TABLE late ON COMMIT DROP AS SELECT delivery_id, `+recordColumns+` FROM held_records LIMIT 0;
		ALTER TABLE late ADD number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY`)
	return err
}

// storeLate delivers the records in the table late to an organization. Each delivery gets a file
// of its own, because its transactions arrive now.
func storeLate(ctx context.Context, w *database.Writing, organizationID uuid.UUID) (Share, error) {
	if _, err := w.Conn.Exec(ctx, sortMemory); err != nil {
		return Share{}, err
	}
	if _, err := w.Conn.Exec(ctx, `CREATE TEMPORARY TABLE late_files ON COMMIT DROP AS
		SELECT delivery_id, file_open($1, delivery_id, lines) AS file FROM (
			SELECT delivery_id, max(record_index) + 1 AS lines FROM late JOIN deliveries d ON d.id = delivery_id
			GROUP BY delivery_id, d.number ORDER BY d.number
		) l`, organizationID); err != nil {
		return Share{}, err
	}
	var last int64
	if err := w.Conn.QueryRow(ctx, `SELECT coalesce(max(number), 0) FROM late`).Scan(&last); err != nil {
		return Share{}, err
	}
	for done := int64(0); done < last; done += insertChunk {
		if _, err := w.Conn.Exec(ctx, `INSERT INTO arriving_records (organization_id, delivery_file_id, `+recordColumns+`)
			SELECT $1, file, `+recordColumns+` FROM late JOIN late_files USING (delivery_id)
			WHERE number > $2 AND number <= $3`, organizationID, done, done+insertChunk); err != nil {
			return Share{}, err
		}
		if _, err := w.Conn.Exec(ctx, `SELECT records_store()`); err != nil {
			return Share{}, err
		}
	}
	got, err := arrived(ctx, w)
	if err != nil || len(got) == 0 {
		return Share{TotalAmountDKK: "0.00"}, err
	}
	return got[0], nil
}

// deliverHeld delivers to an organization the held records of companies that it just
// got.
func deliverHeld(ctx context.Context, w *database.Writing, organizationID uuid.UUID, cvrs []string) (Share, error) {
	if err := makeLate(ctx, w); err != nil {
		return Share{}, err
	}
	freed, err := w.Conn.Exec(ctx, `WITH freed AS (
			DELETE FROM held_records h WHERE cvr = ANY($2) AND (only_organization_id IS NULL OR only_organization_id = $1)
			AND NOT EXISTS (SELECT FROM delivery_withdrawals x WHERE x.organization_id = $1 AND x.delivery_id = h.delivery_id)
			AND NOT EXISTS (SELECT FROM deliveries d WHERE d.id = h.delivery_id AND d.last_date < kept_since())
			RETURNING *
		) INSERT INTO late (delivery_id, `+recordColumns+`) SELECT delivery_id, `+recordColumns+` FROM freed`, organizationID, cvrs)
	if err != nil || freed.RowsAffected() == 0 {
		return Share{}, err
	}
	return storeLate(ctx, w, organizationID)
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
	err := transact(ctx, db, func(w *database.Writing) (err error) {
		if options.CVR != "" {
			if err := scoped(w, &options.Organization).Where("cvr = ?", options.CVR).Take(&models.Company{}).Error; err != nil {
				return refusal(models.KindCompanyNotFound, "%s has no company with the CVR %q",
					options.Organization.Slug, options.CVR)
			}
		}
		if err := lockDeliveries(ctx, w); err != nil {
			return err
		}
		if err := w.TakeTurns(ctx, id); err != nil {
			return err
		}
		if err := stageHistory(ctx, w, options); err != nil {
			return err
		}
		if done, err = storeLate(ctx, w, id); err != nil {
			return err
		}
		if options.DryRun {
			return errDryRun
		}
		if done.Records == 0 {
			return nil
		}
		actor := models.OperatorActor
		return w.ORM.Omit("At").Create(&models.AuditEntry{
			OrganizationID: id, ID: database.NewID(), UserEmail: actor.Email, Action: models.ActionDeliveryBackfill,
			Subject: backfillSubject(options, done), Address: actor.Address,
		}).Error
	})
	return done, err
}

// stageHistory puts the records to deliver into the table late. It reads the files that arrived
// since the latest backfill, and for companies that are newer than it, all files.
func stageHistory(ctx context.Context, w *database.Writing, options BackfillOptions) error {
	var last models.Writer
	if err := scoped(w, &options.Organization).Take(&last).Error; err != nil {
		return err
	}
	if err := makeLate(ctx, w); err != nil {
		return err
	}
	id := options.Organization.ID
	if _, err := w.Conn.Exec(ctx, `CREATE TEMPORARY TABLE theirs ON COMMIT DROP AS
			SELECT f.delivery_id, t.* FROM companies c
			JOIN companies other ON other.cvr = c.cvr AND other.organization_id <> c.organization_id AND `+notSandbox("other.organization_id")+`
			JOIN transactions t ON t.organization_id = other.organization_id AND t.cvr = other.cvr
			JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id
			WHERE c.organization_id = $1 AND c.id > $4 AND ($2 = '' OR c.cvr = $2) AND ($3::date IS NULL OR t.disposition_date >= $3)
			UNION ALL SELECT f.delivery_id, t.* FROM delivery_files f
			CROSS JOIN LATERAL (SELECT * FROM transactions t WHERE t.organization_id = f.organization_id AND t.id > f.id AND t.id <= f.last_id AND t.record_index >= 0 OFFSET 0) t
			JOIN companies c ON c.organization_id = $1 AND c.cvr = t.cvr AND c.id <= $4
			WHERE f.number > $5 AND f.organization_id <> $1 AND `+notSandbox("f.organization_id")+` AND ($2 = '' OR c.cvr = $2) AND ($3::date IS NULL OR t.disposition_date >= $3)`,
		id, options.CVR, options.From, last.BackfilledID, last.Backfilled); err != nil {
		return err
	}
	// Without its statistics, PostgreSQL would compare each of them with each of the organization's.
	if _, err := w.Conn.Exec(ctx, `ANALYZE theirs`); err != nil {
		return err
	}
	if _, err := w.Conn.Exec(ctx, `CREATE TEMPORARY TABLE mine ON COMMIT DROP AS
			SELECT f.delivery_id, t.record_index FROM (SELECT DISTINCT delivery_id, cvr FROM theirs) x
			JOIN delivery_files f ON f.delivery_id = x.delivery_id AND f.organization_id = $1
			CROSS JOIN LATERAL (SELECT record_index FROM transactions WHERE organization_id = $1 AND cvr = x.cvr AND id > f.id AND id <= f.last_id OFFSET 0) t`,
		id); err != nil {
		return err
	}
	if _, err := w.Conn.Exec(ctx, `ANALYZE mine`); err != nil {
		return err
	}
	if _, err := w.Conn.Exec(ctx, `INSERT INTO late (delivery_id, `+recordColumns+`)
			SELECT DISTINCT ON (delivery_id, record_index) delivery_id, `+recordColumns+`
			FROM theirs t JOIN deliveries d ON d.id = delivery_id
			WHERE NOT EXISTS (SELECT FROM delivery_withdrawals x WHERE x.organization_id = $1 AND x.delivery_id = d.id) AND (d.last_date < kept_since()) IS NOT TRUE
			AND NOT EXISTS (SELECT FROM mine WHERE mine.delivery_id = t.delivery_id AND mine.record_index = t.record_index)`,
		id); err != nil {
		return err
	}
	if options.CVR != "" || options.From != nil {
		return nil
	}
	_, err := w.Conn.Exec(ctx, `UPDATE writers
		SET backfilled = (SELECT coalesce(max(number), 0) FROM delivery_files), backfilled_id = o.last_id
		FROM organizations o WHERE o.id = $1 AND organization_id = $1`, id)
	return err
}

func backfillSubject(options BackfillOptions, done Share) string {
	records := "1 transaction"
	if done.Records != 1 {
		records = fmt.Sprintf("%d transactions", done.Records)
	}
	var of []string
	if options.CVR != "" {
		of = append(of, " of the company "+options.CVR)
	}
	if options.From != nil {
		of = append(of, " from "+options.From.Format(time.DateOnly)+" on")
	}
	return fmt.Sprintf("%s of %s DKK from earlier deliveries%s", records, done.TotalAmountDKK, strings.Join(of, ""))
}
