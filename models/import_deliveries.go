package models

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"dispo/models/delivery"
)

// Progress is told how many bytes of how many have been worked on.
type Progress func(done, total int64)

// DeliveryImport says which delivery file to import, and how.
type DeliveryImport struct {
	Path         string
	Layout       *delivery.Layout // nil: told by the file's start
	Organization *Organization    // nil: every organization that has a company with a record's CVR
	SkipUnknown  bool             // count records of CVRs that nobody has, instead of refusing the file
	Progress     Progress         // may be nil
}

// DeliveryImported says what an import has done.
type DeliveryImported struct {
	Filename      string
	Layout        string
	Records       int64 // in the file
	Stored        int64 // transactions, over all organizations
	Organizations int   // that got some
	Unknown       int64 // records left out because nobody has their CVR
	Others        int64 // records left out because only other organizations have their CVR
	Already       bool  // the same file was imported before, and nothing has changed
}

// Rows go to the database, and there into their table, in pieces: memory, here and
// there, stays the same whatever the file's size.
const (
	// copyChunk is in bytes. It is made while PostgreSQL waits, and taken while this
	// program does: in small pieces, neither keeps a processor for long, nor both
	// two, from those who read meanwhile. With 4 MB their slowest answers took three
	// times as long.
	copyChunk = 128 << 10

	// insertChunk is in rows: some 25 MB to sort, which is done in memory.
	insertChunk = 100_000
)

// ImportDelivery imports a delivery file: whole, in one transaction, or not at
// all. It reads the file twice: first to check every line, to take its SHA-256
// and to find whose it is, so that a bad file never reaches the database and
// every organization's lock is known before the first row; then to store it.
// An organization that has the file already (the same SHA-256) is left alone.
// Errors: *BadFile for bad lines, else one sentence.
func (s *Store) ImportDelivery(ctx context.Context, wanted DeliveryImport) (DeliveryImported, error) {
	file, info, err := openFile(wanted.Path)
	if err != nil {
		return DeliveryImported{}, err
	}
	defer file.Close()
	job := &deliveryJob{store: s, DeliveryImport: wanted, file: file, size: info.Size(), filename: filename(wanted.Path)}
	if job.Progress == nil {
		job.Progress = func(int64, int64) {}
	}
	if job.Layout == nil {
		if job.Layout, err = detect(file); err != nil {
			return DeliveryImported{}, err
		}
	}
	if err := job.check(ctx); err != nil {
		return DeliveryImported{}, err
	}
	return job.run(ctx)
}

type deliveryJob struct {
	DeliveryImport
	store    *Store
	file     *os.File
	size     int64
	filename string

	// Found out by check.
	sha256  [sha256.Size]byte
	records int64
	owned   map[string]*ownedCompany // by CVR
	known   map[string]bool          // CVRs that any organization has
}

// ownedCompany is a company whose records the import stores.
type ownedCompany struct {
	owners  []uuid.UUID
	records int64 // that each of the owners got
}

func detect(file *os.File) (*delivery.Layout, error) {
	head, err := io.ReadAll(io.NewSectionReader(file, 0, 64))
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", file.Name(), err)
	}
	return delivery.Detect(head), nil
}

// errFileChanged: the second reading found another file than the first.
var errFileChanged = NewError(KindConflict, "the file changed while it was read: import it again once it is complete")

// read reads the file from its start, with the progress as a part of both readings.
func (j *deliveryJob) read(ctx context.Context, half int64, digest hash.Hash, record func(*delivery.Record) error, bad func(delivery.BadLine) error) (delivery.Summary, error) {
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return delivery.Summary{}, err
	}
	source := &watchedReader{ctx: ctx, r: io.TeeReader(j.file, digest), told: func(n int64) { j.Progress(half*j.size+n, 2*j.size) }}
	summary, err := j.Layout.Read(bufio.NewReaderSize(source, 1<<18), record, bad)
	return summary, err
}

// watchedReader tells how far reading has come, and ends it with its context.
type watchedReader struct {
	ctx  context.Context
	r    io.Reader
	n    int64
	told func(n int64)
}

func (w *watchedReader) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.r.Read(p)
	w.n += int64(n)
	w.told(w.n)
	return n, err
}

// check reads the file for what is wrong with it, and for whose it is.
func (j *deliveryJob) check(ctx context.Context) error {
	digest := sha256.New()
	bad := &BadFile{Filename: j.filename}
	cvrs := map[string]struct{}{}
	summary, err := j.read(ctx, 0, digest, func(r *delivery.Record) error {
		if _, seen := cvrs[string(r.CVR)]; !seen {
			cvrs[string(r.CVR)] = struct{}{}
		}
		return nil
	}, func(line delivery.BadLine) error {
		bad.add(line)
		return nil
	})
	if err != nil {
		return err
	}
	j.records = summary.Records
	digest.Sum(j.sha256[:0])
	unknown, err := j.findOwners(ctx, cvrs)
	if err != nil {
		return err
	}
	if unknown && !j.SkipUnknown {
		// Only now is it known which lines these are: read once more, to tell
		// them in the file's order beside the others.
		bad = &BadFile{Filename: j.filename}
		_, err := j.read(ctx, 0, sha256.New(), func(r *delivery.Record) error {
			if !j.known[string(r.CVR)] {
				bad.add(delivery.BadLine{Line: r.Index + 1, Field: "cvr", Reason: fmt.Sprintf("no organization has a company with the CVR %s (--skip-unknown leaves such records out)", r.CVR)})
			}
			return nil
		}, func(line delivery.BadLine) error {
			bad.add(line)
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(bad.Lines) > 0 {
		return bad
	}
	return nil
}

// findOwners finds the organizations that have the file's companies.
func (j *deliveryJob) findOwners(ctx context.Context, cvrs map[string]struct{}) (unknown bool, err error) {
	wanted := make([]string, 0, len(cvrs))
	for cvr := range cvrs {
		wanted = append(wanted, cvr)
	}
	rows, err := j.store.pool.Query(ctx, `SELECT cvr, organization_id FROM companies WHERE cvr = ANY($1)`, wanted)
	if err != nil {
		return false, wrap(err)
	}
	j.owned, j.known = map[string]*ownedCompany{}, map[string]bool{}
	var cvr string
	var organizationID uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&cvr, &organizationID}, func() error {
		j.known[cvr] = true
		if j.Organization == nil || j.Organization.ID == organizationID {
			if j.owned[cvr] == nil {
				j.owned[cvr] = &ownedCompany{}
			}
			j.owned[cvr].owners = append(j.owned[cvr].owners, organizationID)
		}
		return nil
	})
	return len(j.known) < len(cvrs), wrap(err)
}

// run stores the file's records in one transaction.
func (j *deliveryJob) run(ctx context.Context) (DeliveryImported, error) {
	done := DeliveryImported{Filename: j.filename, Layout: j.Layout.Name(), Records: j.records}
	var organizationIDs []uuid.UUID
	for _, company := range j.owned {
		organizationIDs = append(organizationIDs, company.owners...)
	}
	organizationIDs = sortedIDs(organizationIDs)
	err := j.store.write(ctx, organizationIDs, func(tx pgx.Tx, ids map[uuid.UUID]*idSequence) error {
		files, err := j.createFiles(ctx, tx, organizationIDs, ids)
		if err != nil {
			return err
		}
		done.Organizations = len(files)
		done.Already = len(files) == 0 && len(organizationIDs) > 0
		if done.Already {
			return nil
		}
		if err := j.storeRecords(ctx, tx, files, ids, &done); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE delivery_files SET processed_at = clock_timestamp() 
			WHERE organization_id = ANY($1) AND sha256 = $2 AND processed_at IS NULL`, organizationIDs, j.sha256[:])
		return err
	})
	if err == nil {
		j.Progress(2*j.size, 2*j.size)
	}
	return done, err
}

// createFiles makes the file's row in every organization that doesn't have it yet.
func (j *deliveryJob) createFiles(ctx context.Context, tx pgx.Tx, organizationIDs []uuid.UUID, ids map[uuid.UUID]*idSequence) (map[uuid.UUID]uuid.UUID, error) {
	rows, err := tx.Query(ctx, `SELECT organization_id FROM delivery_files WHERE organization_id = ANY($1) AND sha256 = $2`, organizationIDs, j.sha256[:])
	if err != nil {
		return nil, err
	}
	have := map[uuid.UUID]bool{}
	var organizationID uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&organizationID}, func() error { have[organizationID] = true; return nil }); err != nil {
		return nil, err
	}
	files := map[uuid.UUID]uuid.UUID{}
	for _, organizationID := range organizationIDs {
		if have[organizationID] {
			continue
		}
		files[organizationID] = ids[organizationID].next()
		if _, err := tx.Exec(ctx, `INSERT INTO delivery_files (organization_id, id, filename, layout, sha256) VALUES ($1, $2, $3, $4, $5)`,
			organizationID, files[organizationID], j.filename, j.Layout.Name(), j.sha256[:]); err != nil {
			return nil, err
		}
	}
	return files, nil
}

const incomingColumns = "incoming (organization_id, id, delivery_file_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)"

// storeRecords streams the records into the database. COPY can't write to a table
// under row-level security, so the rows go by way of a temporary one. From there
// they go on in the order of the index: a company's records come to lie side by
// side, where a page of them is read.
func (j *deliveryJob) storeRecords(ctx context.Context, tx pgx.Tx, files map[uuid.UUID]uuid.UUID, ids map[uuid.UUID]*idSequence, done *DeliveryImported) error {
	// Memory enough to sort a chunk: by way of the disk it takes longer, and disturbs
	// those who read meanwhile.
	if _, err := tx.Exec(ctx, `SET LOCAL dispo.totals = 'moved at the end'; SET LOCAL work_mem = '128MB'; CREATE TEMPORARY TABLE incoming (LIKE transactions) ON COMMIT DROP`); err != nil {
		return err
	}
	var copied int64 // rows, since the last insert
	insert := func() error {
		copied = 0
		_, err := tx.Exec(ctx, `INSERT INTO transactions SELECT * FROM incoming ORDER BY organization_id, cvr, id; TRUNCATE incoming`)
		return err
	}
	buffer := &copyBuffer{bytes: make([]byte, 0, copyChunk+1<<17)}
	digest := sha256.New()
	_, err := j.read(ctx, 1, digest, func(r *delivery.Record) error {
		company, mine := j.owned[string(r.CVR)]
		if !mine {
			if j.known[string(r.CVR)] {
				done.Others++
			} else {
				done.Unknown++
			}
			return nil
		}
		company.records++
		for _, organizationID := range company.owners {
			file, wanted := files[organizationID]
			if !wanted {
				continue
			}
			buffer.uuid(organizationID)
			buffer.uuid(ids[organizationID].next())
			buffer.uuid(file)
			buffer.integer(r.Index)
			buffer.integer(r.Count)
			buffer.text(r.DispositionDate)
			buffer.text(r.CVR)
			buffer.text(r.RegNumber)
			buffer.text(r.AccountNumber)
			buffer.text(r.TransferType)
			buffer.text(r.Amount)
			buffer.text(r.RawLine)
			buffer.end()
			done.Stored++
		}
		if len(buffer.bytes) < copyChunk {
			return nil
		}
		copied += buffer.rows
		if err := buffer.send(ctx, tx, incomingColumns); err != nil || copied < insertChunk {
			return err
		}
		return insert()
	}, func(delivery.BadLine) error { return errFileChanged })
	if err != nil {
		return err
	}
	if !bytes.Equal(digest.Sum(nil), j.sha256[:]) {
		return errFileChanged
	}
	if err := buffer.send(ctx, tx, incomingColumns); err != nil {
		return err
	}
	if err := insert(); err != nil {
		return err
	}
	return j.moveTotals(ctx, tx, files)
}

// moveTotals adds what was stored to the totals of companies and files.
func (j *deliveryJob) moveTotals(ctx context.Context, tx pgx.Tx, files map[uuid.UUID]uuid.UUID) error {
	var organizationIDs, fileIDs []uuid.UUID
	var cvrs []string
	var counts []int64
	for cvr, company := range j.owned {
		for _, organizationID := range company.owners {
			if file, wanted := files[organizationID]; wanted {
				organizationIDs, fileIDs = append(organizationIDs, organizationID), append(fileIDs, file)
				cvrs, counts = append(cvrs, cvr), append(counts, company.records)
			}
		}
	}
	_, err := tx.Exec(ctx, `SELECT move_totals($1, $2, $3, $4)`, organizationIDs, cvrs, fileIDs, counts)
	return err
}
