// Package imports loads companies and deliveries into the database: each file in
// one transaction, whole or not at all.
package imports

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports/format"
)

// Repeated says what to do with a delivery that is stored already with other records,
// or that repeats stored records.
type Repeated int

const (
	RepeatedRefuse     Repeated = iota
	RepeatedReplace             // withdraw the stored delivery in the same transaction
	RepeatedAdditional          // store this one beside it
)

// DeliveryOptions says which delivery file to import, and how.
type DeliveryOptions struct {
	Path         string               // a .gz is unpacked
	File         *os.File             // if not nil, the file at Path, which the caller has opened and closes, and counts with CountRefused
	Layout       *format.Layout       // nil to detect it by the file's start
	Organization *models.Organization // nil for every organization that has a company with a record's CVR
	SkipUnknown  bool                 // hold records of unknown CVRs, instead of refusing the file
	Repeated     Repeated
	DryRun       bool     // do everything but store it
	Progress     Progress // may be nil
}

// DeliveryResult says what an import has done.
type DeliveryResult struct {
	ID            uuid.UUID // of the delivery
	Filename      string
	Layout        string
	Records       int64 // in the file; if it was refused, those that were read, and bad lines
	Stored        int64 // transactions, over all organizations
	Organizations int   // that got some
	Held          int64 // records that wait, because no organization has their CVR
	Others        int64 // records left out because only other organizations have their CVR
	Already       bool  // the delivery was imported before, and nothing has changed
	Lacking       int   // where Already: organizations that have companies in it, but none of its records

	Replaced *models.Delivery // what was withdrawn
	LeftOut  []string         // slugs of the organizations from which Replaced had been withdrawn alone: they get nothing
	Shares   []Share          // of the organizations that got some
}

// Delivery imports a delivery file in one transaction, whole or not at all. It reads the file
// to check every line and to find out which delivery it is and which companies it concerns, and
// once more to store it. In between it may read it again: to compare it with what is stored of
// the same days, and to report the lines of unknown companies. A delivery that is stored already
// is left as it is, except that an import for one organization adds the records that it lacks.
// Errors: *BadFile for bad lines, else one sentence.
func Delivery(ctx context.Context, db *database.DB, options DeliveryOptions) (DeliveryResult, error) {
	if options.Organization != nil && options.Repeated == RepeatedReplace {
		return DeliveryResult{}, refusal(models.KindInvalid,
			"a delivery is replaced for every organization: leave out --organization or --replace")
	}
	if err := refuseSandbox(options.Organization); err != nil {
		return DeliveryResult{}, err
	}
	var source *sourceFile
	var err error
	if options.File == nil {
		if source, err = openSource(options.Path); err == nil {
			defer source.close()
		}
	} else {
		source, err = newFile(options.Path, options.File)
	}
	if err != nil {
		return DeliveryResult{}, err
	}
	j := &deliveryImport{
		DeliveryOptions: options,
		ctx:             ctx,
		source:          source,
		done:            DeliveryResult{Filename: Filename(options.Path)},
	}
	if j.Progress == nil {
		j.Progress = noProgress
	}
	if err = j.check(); err == nil {
		err = transact(ctx, db, j.store)
	}
	if err != nil {
		if Refuses(err) && !options.DryRun && options.File == nil {
			CountRefused(ctx, db, j.content.lines)
		}
		return DeliveryResult{Records: j.content.lines}, err
	}
	j.Progress(2*source.size(), 2*source.size())
	return j.done, nil
}

// deliveryImport is an import of a delivery file.
type deliveryImport struct {
	DeliveryOptions
	ctx     context.Context
	source  *sourceFile
	content fileContent
	done    DeliveryResult

	owners map[string][]uuid.UUID // organizations that get a CVR's records
	known  map[string]bool        // CVRs that any organization has
	have   bitset                 // records that the only organization already has, or that wait for it
}

// fileContent is what the first reading of the file finds.
type fileContent struct {
	sha256      [sha256.Size]byte
	identity    format.Identity
	bad         *BadFile
	amount      format.Sum
	cvrs, days  map[string]struct{} // the days are disposition dates
	first, last string              // of the days
	lines       int64               // records, and bad lines
	end         int64               // one more than the index of the last record
}

// linesMost is how many lines a file may have: each has a place for its id after the file's own.
const linesMost = 1<<28 - 1

// add notes what a record holds.
func (c *fileContent) add(r *format.Record) error {
	if r.Index >= linesMost {
		return refusal(models.KindInvalid, "%s has more than %d lines, which is the most: split it",
			c.bad.Filename, linesMost)
	}
	if _, seen := c.cvrs[string(r.CVR)]; !seen {
		c.cvrs[string(r.CVR)] = struct{}{}
	}
	if _, seen := c.days[string(r.DispositionDate)]; !seen {
		c.days[string(r.DispositionDate)] = struct{}{}
	}
	c.amount.Add(r.Amount)
	c.end = r.Index + 1
	return nil
}

// bitset is a set of record indexes. It takes a bit for each line of a file.
type bitset []uint64

func (b *bitset) add(i int64) {
	if missing := i/64 + 1 - int64(len(*b)); missing > 0 {
		*b = append(*b, make([]uint64, missing)...)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

func (b bitset) has(i int64) bool { return i/64 < int64(len(b)) && b[i/64]&(1<<(i%64)) != 0 }

// read starts reading the file from its start. pass is 0 or 1, for the progress.
func (j *deliveryImport) read(pass int64, digest hash.Hash) (io.Reader, error) {
	size := j.source.size()
	source, err := j.source.read(j.ctx, func(n int64) { j.Progress(pass*size+n, 2*size) })
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(io.TeeReader(source, digest), 1<<18), nil
}

// again reads the file once more, and fails if it has changed.
func (j *deliveryImport) again(record func(*format.Record) error) error {
	digest := sha256.New()
	source, err := j.read(1, digest)
	if err == nil {
		_, err = j.Layout.Read(source, record, func(format.BadLine) error { return j.source.errChanged() })
	}
	if changed := j.source.changed(); changed != nil {
		return changed
	}
	if err == nil && !bytes.Equal(digest.Sum(nil), j.content.sha256[:]) {
		return j.source.errChanged()
	}
	return err
}

// check reads the file to find what is wrong with it and which delivery it is.
func (j *deliveryImport) check() (err error) {
	if j.Layout, err = j.source.layout(j.ctx, j.Layout); err != nil {
		return err
	}
	j.done.Layout = j.Layout.Name()
	digest := sha256.New()
	source, err := j.read(0, digest)
	if err != nil {
		return err
	}
	c := &j.content
	c.bad, c.cvrs, c.days = &BadFile{Filename: j.done.Filename}, map[string]struct{}{}, map[string]struct{}{}
	var summary format.Summary
	summary, c.identity, err = j.Layout.Identify(source, c.add, c.bad.add)
	j.done.Records, c.lines = summary.Records, summary.Records+c.bad.count
	if days := slices.Sorted(maps.Keys(c.days)); len(days) > 0 {
		c.first, c.last = days[0], days[len(days)-1]
	}
	digest.Sum(c.sha256[:0])
	return err
}

// store stores the delivery. The lock makes deliveries wait for each other, and for imports of
// companies, so that what it finds at first stays true.
func (j *deliveryImport) store(w *database.Writing) error {
	if err := lockDeliveries(j.ctx, w); err != nil {
		return err
	}
	stored, replaced, err := j.examine(w)
	if err != nil {
		return err
	}
	if stored != nil && j.Organization == nil {
		return j.keepAsStored(w, stored)
	}
	withdrawals, organizations, err := j.recipients(w, replaced)
	if err != nil {
		return err
	}
	if err := w.TakeTurns(j.ctx, organizations...); err != nil {
		return err
	}
	if replaced != nil {
		if _, err := withdraw(j.ctx, w, replaced, nil, "replaced by "+j.done.Filename, j.done.Filename); err != nil {
			return err
		}
		j.done.Replaced = replaced
	}
	if stored == nil {
		err = j.create(w, withdrawals)
	} else {
		err = j.bringBack(w, stored)
	}
	if err != nil {
		return err
	}
	if err := j.storeRecords(w); err != nil {
		return err
	}
	if j.done.Shares, err = arrived(j.ctx, w); err != nil {
		return err
	}
	j.done.Organizations = len(j.done.Shares)
	j.done.Already = stored != nil && j.done.Stored == 0 && j.done.Held == 0
	if j.DryRun {
		return errDryRun
	}
	return nil
}

// keepAsStored leaves a delivery as it is, and counts the organizations that have companies in
// it but none of its records.
func (j *deliveryImport) keepAsStored(w *database.Writing, stored *models.Delivery) error {
	have, err := holders(w, stored.ID, nil)
	if err != nil {
		return err
	}
	lacking := slices.DeleteFunc(j.allOwners(), func(id uuid.UUID) bool { return slices.Contains(have, id) })
	j.done.Already, j.done.Lacking = true, len(lacking)
	if j.DryRun {
		return errDryRun
	}
	return j.remember(w, stored)
}

// lockDeliveries makes the transaction the only one that changes deliveries, while no
// companies are imported. Readers do not wait.
func lockDeliveries(ctx context.Context, w *database.Writing) error {
	_, err := w.Conn.Exec(ctx, `LOCK TABLE deliveries IN EXCLUSIVE MODE`)
	return err
}

// refuseSandbox refuses to import something for a sandbox. Nothing real may arrive
// there, because whoever has a test key can read it. The organization may be nil.
func refuseSandbox(organization *models.Organization) error {
	if organization == nil || !organization.Sandbox {
		return nil
	}
	return refusal(models.KindForbidden,
		"%s is a sandbox: its data is made up and arrives by itself, and nothing can be imported", organization.Slug)
}

// notSandbox is the condition that a column has the id of a real organization.
func notSandbox(column string) string {
	return column + ` <> ALL (ARRAY(SELECT id FROM organizations WHERE sandbox))`
}

// refuseBad returns the file's bad lines, including those of unknown CVRs.
func (j *deliveryImport) refuseBad() error {
	if len(j.known) < len(j.content.cvrs) && !j.SkipUnknown {
		// Only now are the unknown CVRs known. Read once more, to report their lines in
		// the file's order among the others.
		j.content.bad = &BadFile{Filename: j.done.Filename}
		source, err := j.read(0, sha256.New())
		if err != nil {
			return err
		}
		if _, err := j.Layout.Read(source, func(r *format.Record) error {
			if !j.known[string(r.CVR)] && !j.have.has(r.Index) {
				reason := fmt.Sprintf("no organization has a company with the CVR %s (--skip-unknown holds such records "+
					"until one has)", r.CVR)
				return j.content.bad.add(format.BadLine{Line: r.Index + 1, Field: "cvr", Reason: reason})
			}
			return nil
		}, j.content.bad.add); err != nil {
			return err
		}
	}
	if len(j.content.bad.Lines) > 0 {
		return j.content.bad
	}
	return nil
}

// create stores what identifies the delivery. The withdrawals are those of the one that it
// replaces, from single organizations.
func (j *deliveryImport) create(w *database.Writing, withdrawals []models.DeliveryWithdrawal) error {
	c := &j.content
	delivery := models.Delivery{
		ID:             database.NewID(),
		Filename:       j.done.Filename,
		Layout:         j.Layout.Name(),
		RecordsSHA256:  c.identity.RecordsSHA256[:],
		RecordCount:    j.done.Records,
		TotalAmountDKK: c.amount.String(),
		FirstDate:      parseDay(c.first),
		LastDate:       parseDay(c.last),
	}
	if err := w.ORM.Create(&delivery).Error; err != nil {
		return err
	}
	for _, withdrawal := range withdrawals {
		withdrawal.DeliveryID = delivery.ID
		if err := w.ORM.Create(&withdrawal).Error; err != nil {
			return err
		}
	}
	for i, name := range c.identity.Names {
		if err := w.ORM.Create(&models.DeliveryName{DeliveryID: delivery.ID, Position: i, Name: name}).Error; err != nil {
			return err
		}
	}
	return j.remember(w, &delivery)
}

// bringBack lets the only organization have a delivery that is stored already, also one that
// was withdrawn from it.
func (j *deliveryImport) bringBack(w *database.Writing, stored *models.Delivery) error {
	withdrawal := scoped(w, j.Organization).Where("delivery_id = ?", stored.ID)
	if err := withdrawal.Delete(&models.DeliveryWithdrawal{}).Error; err != nil {
		return err
	}
	// After a withdrawal, records are still held for others of a company that this
	// organization has. It gets them now.
	if _, err := w.Conn.Exec(j.ctx, `DELETE FROM held_records h USING companies c WHERE h.delivery_id = $1
		AND c.organization_id = $2 AND c.cvr = h.cvr AND coalesce(h.only_organization_id, $2) = $2`,
		stored.ID, j.Organization.ID); err != nil {
		return err
	}
	return j.remember(w, stored)
}

// remember stores that the file's bytes are the delivery.
func (j *deliveryImport) remember(w *database.Writing, d *models.Delivery) error {
	j.done.ID = d.ID
	_, err := w.Conn.Exec(j.ctx, `INSERT INTO delivery_bytes (sha256, delivery_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
		j.content.sha256[:], d.ID)
	return err
}

func parseDay(text string) *time.Time {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return nil
	}
	return &day
}
