package imports

import (
	"context"
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
	ctx context.Context, db *database.DB, id uuid.UUID, reason string, only *models.Organization,
) (Withdrawn, error) {
	reason = strings.TrimSpace(reason)
	if reason == models.ReasonAged {
		return Withdrawn{}, refusal(models.KindInvalid,
			"the reason %q is for deliveries that go by their age: give another one", reason)
	}
	if reason == "" || utf8.RuneCountInString(reason) > reasonMost || strings.ContainsFunc(reason, unicode.IsControl) ||
		!utf8.ValidString(reason) {
		return Withdrawn{}, refusal(models.KindInvalid, "a withdrawal needs a reason: one line of at most %d characters, "+
			"which the organizations see in their audit log", reasonMost)
	}
	var done Withdrawn
	err := transact(ctx, db, func(w *database.Writing) error {
		if err := lockDeliveries(ctx, w); err != nil {
			return err
		}
		var d models.Delivery
		if err := w.ORM.Where("id = ?", id).Take(&d).Error; err != nil {
			return models.WrapFound(err, deliveryNotFound(id))
		}
		if d.WithdrawnAt != nil {
			return refusal(models.KindConflict, "the delivery %s was withdrawn on %s",
				id, d.WithdrawnAt.UTC().Format(time.DateOnly))
		}
		having, err := holders(w, id, only)
		if err != nil {
			return err
		}
		if err := w.TakeTurns(ctx, having...); err != nil {
			return err
		}
		done, err = withdraw(ctx, w, &d, only, reason, "")
		if err == nil && only != nil && len(done.Shares) == 0 && done.Held == 0 {
			return refusal(models.KindConflict, "%s has no records of the delivery %s", only.Slug, id)
		}
		return err
	})
	return done, err
}

// withdraw withdraws a delivery from every organization, whose turns are taken, or from the only
// one. The managers of each get a mail, which names the file that replaces it, if there is one.
func withdraw(
	ctx context.Context, w *database.Writing, d *models.Delivery, only *models.Organization, reason, replacedBy string,
) (done Withdrawn, err error) {
	var of *uuid.UUID // nil for every organization
	if only != nil {
		of = &only.ID
	}
	actor := models.OperatorActor
	done.Shares, err = shares(ctx, w, `withdraw_files($1, $2, $3, $4, $5)`,
		d.ID, of, reason, actor.Email, actor.Address)
	if err != nil {
		return done, err
	}
	for _, share := range done.Shares {
		if err := mail.WriteToMembers(w.ORM, share.OrganizationID, mail.DeliveryWithdrawn, nil, mail.Details{
			"file":        d.Filename,
			"records":     strconv.FormatInt(share.Records, 10),
			"amount":      share.TotalAmountDKK,
			"reason":      reason,
			"replaced_by": replacedBy,
			"at":          mail.Time(share.At),
			"first_date":  share.FirstDate,
			"last_date":   share.LastDate,
			"delivery_id": share.FileID,
		}); err != nil {
			return done, err
		}
	}
	if only == nil {
		return done, w.Conn.QueryRow(ctx, `SELECT withdraw_delivery($1, $2)`, d.ID, reason).Scan(&done.Held)
	}
	held := scoped(w, only).Where("delivery_id = ?", d.ID).Delete(&models.HeldRecord{})
	if held.Error != nil {
		return done, held.Error
	}
	done.Held = held.RowsAffected
	return done, scoped(w, only).
		Clauses(clause.OnConflict{DoNothing: true}).
		Create(&models.DeliveryWithdrawal{DeliveryID: d.ID, Reason: reason}).Error
}
