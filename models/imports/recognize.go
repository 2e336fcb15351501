package imports

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// examine finds out who owns the file's companies, and returns the delivery that the file is, if
// that is stored already, and the one that it replaces, if there is one. It refuses bad lines, and
// what must not be stored.
func (j *deliveryImport) examine(w *database.Writing) (stored, replaced *models.Delivery, err error) {
	if len(j.content.bad.Lines) == 0 {
		if err := j.refuseAged(w); err != nil {
			return nil, nil, err
		}
		if stored, replaced, err = j.recognize(w); err != nil {
			return nil, nil, err
		}
	}
	if err := j.findOwners(w); err != nil {
		return nil, nil, err
	}
	if stored != nil {
		if j.Organization == nil {
			return stored, nil, nil // it stays as it is
		}
		if err := j.findPresent(w, stored); err != nil {
			return nil, nil, err
		}
	}
	if err := j.refuseBad(); err != nil {
		return nil, nil, err
	}
	replaced, err = j.findRepeated(w, stored, replaced)
	return stored, replaced, err
}

// refuseAged refuses a delivery that would be withdrawn again, because it is too old.
func (j *deliveryImport) refuseAged(w *database.Writing) error {
	var since *time.Time
	if err := w.Conn.QueryRow(j.ctx, `SELECT kept_since()`).Scan(&since); err != nil {
		return err
	}
	if since == nil || j.content.first == "" || j.content.last >= since.Format(time.DateOnly) {
		return nil
	}
	return refusal(models.KindConflict, "%s is too old: its last disposition date is %s, and deliveries from before "+
		"%s are not kept. To keep it, run `dispo migrate` with a longer DISPO_KEEP_TRANSACTIONS, or restart the "+
		"service with it if that runs the embedded database",
		j.done.Filename, j.content.last, since.Format(time.DateOnly))
}

// recognize finds the stored delivery that the file is, or the one that it replaces. It refuses a
// file that says that it is a stored one but has other records.
func (j *deliveryImport) recognize(w *database.Writing) (stored, replaced *models.Delivery, err error) {
	if stored, err = j.byBytes(w); err != nil || stored != nil {
		return stored, nil, err
	}
	var named []models.Delivery
	with := w.ORM.Where("withdrawn_at IS NULL AND id IN (SELECT delivery_id FROM delivery_names WHERE name IN ?)",
		j.content.identity.Names)
	if err := with.Order("number").Find(&named).Error; err != nil {
		return nil, nil, err
	}
	stored, err = j.byRecords(w)
	switch {
	case err != nil || stored != nil:
		return stored, nil, err
	case len(named) == 0 || j.Repeated == RepeatedAdditional:
		return nil, nil, nil
	case len(named) > 1:
		return nil, nil, refusal(models.KindConflict, "%s identifies itself as %s, of which %d deliveries are stored: %s. "+
			"Withdraw those that are wrong, or pass --additional to store this one beside them",
			j.done.Filename, quoted(j.content.identity.Names), len(named), described(named))
	case j.Repeated == RepeatedReplace:
		return nil, &named[0], j.refuseLoss(w, &named[0])
	}
	d := &named[0]
	return nil, nil, refusal(models.KindConflict, "%s identifies itself as %s, which was imported before as %s (%s) with "+
		"other records (now %d of %s DKK, stored %d of %s DKK). Pass --replace to replace the stored delivery, or "+
		"--additional to store this one beside it", j.done.Filename, quoted(j.content.identity.Names), d.Filename, d.ID,
		j.done.Records, j.content.amount.String(), d.RecordCount, d.TotalAmountDKK)
}

// refuseLoss refuses to replace a stored file that holds deliveries which this file
// does not hold: they would be lost.
func (j *deliveryImport) refuseLoss(w *database.Writing, replaced *models.Delivery) error {
	stored, err := namesOf(w, replaced)
	if err != nil {
		return err
	}
	lost := slices.DeleteFunc(stored, func(name string) bool { return slices.Contains(j.content.identity.Names, name) })
	if len(lost) == 0 {
		return nil
	}
	return refusal(models.KindConflict,
		"%s cannot replace %s (%s), which also holds %s: withdraw that one, and import both deliveries again",
		j.done.Filename, replaced.Filename, replaced.ID, quoted(lost))
}

// namesOf returns what a stored delivery identifies itself as.
func namesOf(w *database.Writing, d *models.Delivery) (names []string, err error) {
	err = w.ORM.Model(&models.DeliveryName{}).Where("delivery_id = ?", d.ID).Order("position").Pluck("name", &names).Error
	return names, err
}

// byBytes finds the delivery as which a file of the same bytes was imported.
func (j *deliveryImport) byBytes(w *database.Writing) (*models.Delivery, error) {
	var found []models.Delivery
	same := w.ORM.Where("id IN (SELECT delivery_id FROM delivery_bytes WHERE sha256 = ?)", j.content.sha256[:])
	if err := same.Order("number").Find(&found).Error; err != nil {
		return nil, err
	}
	for i := range found {
		d := &found[i]
		if d.Layout == j.Layout.Name() &&
			(d.RecordsSHA256 == nil || bytes.Equal(d.RecordsSHA256, j.content.identity.RecordsSHA256[:])) {
			return d, nil
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	other := fmt.Sprintf("the layout %s, not %s", found[0].Layout, j.Layout.Name())
	if found[0].Layout == j.Layout.Name() {
		other = "another version of the layout " + j.Layout.Name()
	}
	return nil, refusal(models.KindConflict, "%s was imported before with %s: to import it differently, withdraw that "+
		"delivery first with `dispo delivery withdraw %s`", j.done.Filename, other, found[0].ID)
}

// byRecords finds the delivery with the same records: among those with the same
// names, or among all where the file or the delivery has none.
func (j *deliveryImport) byRecords(w *database.Writing) (*models.Delivery, error) {
	var found []models.Delivery
	same := w.ORM.Where("withdrawn_at IS NULL AND records_sha256 = ?", j.content.identity.RecordsSHA256[:])
	if err := same.Order("number").Find(&found).Error; err != nil {
		return nil, err
	}
	for i := range found {
		stored, err := namesOf(w, &found[i])
		if err != nil {
			return nil, err
		}
		if len(stored) == 0 || len(j.content.identity.Names) == 0 || slices.Equal(stored, j.content.identity.Names) {
			return &found[i], nil
		}
	}
	return nil, nil
}

// findOwners finds the organizations that have the file's companies. Sandboxes, whose
// companies are made up, have none of them.
func (j *deliveryImport) findOwners(w *database.Writing) error {
	// GORM would expand the CVRs to a parameter each, and there may be more than
	// PostgreSQL takes.
	rows, err := w.Conn.Query(j.ctx,
		`SELECT cvr, organization_id FROM companies WHERE cvr = ANY($1) AND `+notSandbox("organization_id"),
		slices.Collect(maps.Keys(j.content.cvrs)))
	if err != nil {
		return err
	}
	j.owners, j.known = map[string][]uuid.UUID{}, map[string]bool{}
	var cvr string
	var organizationID uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&cvr, &organizationID}, func() error {
		j.known[cvr] = true
		if j.Organization == nil || j.Organization.ID == organizationID {
			j.owners[cvr] = append(j.owners[cvr], organizationID)
		}
		return nil
	})
	return err
}

func (j *deliveryImport) allOwners() []uuid.UUID {
	return unique(slices.Concat(slices.Collect(maps.Values(j.owners))...))
}

func unique(ids []uuid.UUID) []uuid.UUID {
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

// recipients returns the organizations whose data the import changes. The ones from which a
// replaced delivery was withdrawn get nothing of this one: their withdrawals stay.
func (j *deliveryImport) recipients(
	w *database.Writing,
	replaced *models.Delivery,
) (withdrawals []models.DeliveryWithdrawal, organizations []uuid.UUID, err error) {
	if replaced == nil {
		return nil, j.allOwners(), nil
	}
	if err := w.ORM.Where("delivery_id = ?", replaced.ID).Find(&withdrawals).Error; err != nil {
		return nil, nil, err
	}
	var without []uuid.UUID
	for _, withdrawal := range withdrawals {
		without = append(without, withdrawal.OrganizationID)
	}
	for cvr, owners := range j.owners {
		j.owners[cvr] = slices.DeleteFunc(owners, func(id uuid.UUID) bool { return slices.Contains(without, id) })
	}
	leftOut := w.ORM.Model(&models.Organization{}).Where("id IN ?", without).Order("slug")
	if err := leftOut.Pluck("slug", &j.done.LeftOut).Error; err != nil {
		return nil, nil, err
	}
	held, err := holders(w, replaced.ID, nil)
	return withdrawals, unique(append(j.allOwners(), held...)), err
}

// quoted names what a file identifies itself as, in quotation marks.
func quoted(names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("the delivery %q", names[0])
	}
	return fmt.Sprintf("the deliveries %q and %d more", names[0], len(names)-1)
}

func described(deliveries []models.Delivery) string {
	texts := make([]string, len(deliveries))
	for i, d := range deliveries {
		texts[i] = fmt.Sprintf("%s (%s)", d.Filename, d.ID)
	}
	return strings.Join(texts, ", ")
}

// findPresent finds the records that the organization already has of the delivery, and
// those that are held for it.
func (j *deliveryImport) findPresent(w *database.Writing, stored *models.Delivery) error {
	rows, err := w.Conn.Query(j.ctx, `SELECT t.record_index FROM delivery_files f
			JOIN companies c ON c.organization_id = f.organization_id
			JOIN transactions t ON t.organization_id = f.organization_id AND t.cvr = c.cvr AND t.id > f.id AND t.id <= f.last_id AND t.delivery_file_id = f.id
			WHERE f.delivery_id = $1 AND f.organization_id = $2
		UNION ALL SELECT record_index FROM held_records h
			WHERE delivery_id = $1 AND (only_organization_id IS NULL OR only_organization_id = $2)
			AND NOT EXISTS (SELECT FROM companies c WHERE c.organization_id = $2 AND c.cvr = h.cvr)`, stored.ID, j.Organization.ID)
	if err != nil {
		return err
	}
	var index int64
	_, err = pgx.ForEachRow(rows, []any{&index}, func() error {
		j.have.add(index)
		return nil
	})
	return err
}

// holders returns the organizations that have a file of a delivery, or just the one.
func holders(w *database.Writing, deliveryID uuid.UUID, only *models.Organization) ([]uuid.UUID, error) {
	var ids []uuid.UUID
	files := scoped(w, only).Model(&models.DeliveryFile{}).Where("delivery_id = ?", deliveryID)
	return ids, files.Distinct().Pluck("organization_id", &ids).Error
}

// scoped returns the transaction for GORM, restricted to an organization if there is one.
func scoped(w *database.Writing, organization *models.Organization) *gorm.DB {
	if organization == nil {
		return w.ORM
	}
	return w.ORM.WithContext(database.WithOrganization(w.ORM.Statement.Context, organization.ID))
}
