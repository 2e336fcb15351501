package imports

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
)

// Withdrawn says what a withdrawal has removed.
type Withdrawn struct {
	Shares []Share // of the organizations that had records
	Held   int64   // records that waited for a company
}

const reasonMost = 500

// Withdraw removes a delivery's transactions from every organization, or from one, and
// its held records, in one transaction. Each organization's audit log says so. After
// that the delivery can be imported again. Errors: KindNotFound, KindConflict if there
// is nothing to withdraw, KindInvalid for the reason.
func Withdraw(
	ctx context.Context,
	db *database.DB,
	id uuid.UUID,
	reason string,
	only *models.Organization,
) (Withdrawn, error) {
	reason = strings.TrimSpace(reason)
	if reason == "" || utf8.RuneCountInString(reason) > reasonMost || strings.ContainsFunc(reason, unicode.IsControl) ||
		!utf8.ValidString(reason) {
		return Withdrawn{}, models.NewError(
			models.KindInvalid,
			fmt.Sprintf(
				"a withdrawal needs a reason: one line of at most %d characters, which the organizations see in their audit log",
				reasonMost,
			),
		)
	}
	var d models.Delivery
	var done Withdrawn
	const dryRun = false
	err := write(ctx, db, dryRun, func(w *database.Writing) ([]uuid.UUID, error) {
		if err := lockDeliveries(ctx, w); err != nil {
			return nil, err
		}
		if err := w.ORM.Where("id = ?", id).Take(&d).Error; err != nil {
			return nil, models.WrapFound(err, deliveryNotFound(id))
		}
		if d.WithdrawnAt != nil {
			return nil, models.NewError(
				models.KindConflict,
				fmt.Sprintf("the delivery %s was withdrawn on %s", id, d.WithdrawnAt.UTC().Format(time.DateOnly)),
			)
		}
		return holders(w, id, only)
	}, func(w *database.Writing) (err error) {
		done, err = withdraw(ctx, w, &d, only, reason, "")
		if err == nil && only != nil && len(done.Shares) == 0 && done.Held == 0 {
			return models.NewError(models.KindConflict, fmt.Sprintf("%s has no records of the delivery %s", only.Slug, id))
		}
		return err
	})
	return done, err
}

func withdraw(
	ctx context.Context,
	w *database.Writing,
	d *models.Delivery,
	only *models.Organization,
	reason, replacedBy string,
) (Withdrawn, error) {
	var done Withdrawn
	var of *uuid.UUID // nil for every organization
	if only != nil {
		of = &only.ID
	}
	if _, err := w.Conn.Exec(ctx, `SELECT withdraw_records($1, $2, $3)`, d.ID, of, reason); err != nil {
		return done, err
	}
	var err error
	if done.Shares, err = moveTotals(ctx, w, -1); err != nil {
		return done, err
	}
	removed, err := w.Conn.Exec(
		ctx,
		`DELETE FROM held_records WHERE delivery_id = $1 AND ($2::uuid IS NULL OR only_organization_id = $2)`,
		d.ID,
		of,
	)
	if err != nil {
		return done, err
	}
	done.Held = removed.RowsAffected()
	for _, share := range done.Shares {
		if err := w.ORM.Create(
			audit(w, share.OrganizationID, models.ActionDeliveryWithdrawn, fmt.Sprintf("%s: %s of %s DKK. Reason: %s",
				d.Filename, counted(share.Records), share.TotalAmountDKK, reason)),
		).Error; err != nil {
			return done, err
		}
		if err := mail.WriteToMembers(w.ORM, share.OrganizationID, mail.DeliveryWithdrawn, nil, mail.Details{
			"file":        d.Filename,
			"records":     strconv.FormatInt(share.Records, 10),
			"amount":      share.TotalAmountDKK,
			"reason":      reason,
			"replaced_by": replacedBy,
			"at":          mail.Time(w.ORM.NowFunc()),
			"first_date":  share.FirstDate,
			"last_date":   share.LastDate,
			"delivery_id": share.FileID,
		}); err != nil {
			return done, err
		}
	}
	if only != nil {
		return done, scoped(
			w,
			only,
		).Clauses(clause.OnConflict{DoNothing: true}).
			Create(&models.DeliveryWithdrawal{DeliveryID: d.ID, Reason: reason}).
			Error
	}
	for _, model := range []any{&models.DeliveryWithdrawal{}, &models.DeliveryBytes{}} {
		if err := w.ORM.Where("delivery_id = ?", d.ID).Delete(model).Error; err != nil {
			return done, err
		}
	}
	return done, w.ORM.Model(d).
		Where("id = ?", d.ID).
		Updates(map[string]any{"withdrawn_at": w.ORM.NowFunc(), "withdrawn_reason": reason}).
		Error
}

// audit returns an entry of the operator's in an organization's audit log.
func audit(w *database.Writing, organizationID uuid.UUID, action, subject string) *models.AuditEntry {
	return &models.AuditEntry{
		OrganizationID: organizationID, ID: database.NewID(), At: w.ORM.NowFunc(), UserEmail: models.OperatorActor.Email,
		Action: action, Subject: subject, Address: models.OperatorActor.Address,
	}
}

func counted(records int64) string {
	if records == 1 {
		return "1 transaction"
	}
	return fmt.Sprintf("%d transactions", records)
}
