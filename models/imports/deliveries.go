package imports

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

	"dispo/models"
	"dispo/models/database"
	"dispo/models/delivery"
)

// DeliveryOptions says which delivery file to import, and how.
type DeliveryOptions struct {
	Path         string
	Layout       *delivery.Layout     // nil to detect it by the file's start
	Organization *models.Organization // nil for every organization that has a company with a record's CVR
	SkipUnknown  bool                 // skip and count records of unknown CVRs, instead of refusing the file
	Progress     Progress             // may be nil
}

// DeliveryResult says what an import has done.
type DeliveryResult struct {
	Filename      string
	Layout        string
	Records       int64 // in the file
	Stored        int64 // transactions, over all organizations
	Organizations int   // that got some
	Unknown       int64 // records skipped because no organization has their CVR
	Others        int64 // records skipped because only other organizations have their CVR
	Already       bool  // the same file was imported before, and nothing has changed
}

// Rows go to the database, and there into their table, in chunks. So memory stays
// flat on both sides, whatever the file's size.
const (
	// copyChunk is in bytes. While this program fills a chunk, PostgreSQL waits, and
	// the other way round. Small chunks keep the two from occupying two processors at
	// once: with 4 MB the slowest answers to concurrent readers took three times as
	// long.
	copyChunk = 128 << 10

	// insertChunk is in rows: about 25 MB, which are sorted in memory.
	insertChunk = 100_000
)

// Delivery imports a delivery file in one transaction, whole or not at all. It reads
// the file twice: first to check every line, to take its SHA-256 and to find out
// which organizations it concerns, so that a bad file never reaches the database and
// every lock is known before the first row; then to store it. An organization that
// already has the file (the same SHA-256) is left as it is. Errors: *BadFile for bad
// lines, else one sentence.
func Delivery(ctx context.Context, db *database.DB, options DeliveryOptions) (DeliveryResult, error) {
	file, info, err := openFile(options.Path)
	if err != nil {
		return DeliveryResult{}, err
	}
	defer file.Close()
	job := &deliveryJob{db: db, DeliveryOptions: options, file: file, size: info.Size(), filename: filename(options.Path)}
	if job.Progress == nil {
		job.Progress = noProgress
	}
	if job.Layout == nil {
		if job.Layout, err = detect(file); err != nil {
			return DeliveryResult{}, err
		}
	}
	if err := job.check(ctx); err != nil {
		return DeliveryResult{}, err
	}
	return job.run(ctx)
}

type deliveryJob struct {
	DeliveryOptions
	db       *database.DB
	file     *os.File
	size     int64
	filename string

	// Set by check.
	sha256  [sha256.Size]byte
	records int64
	owners  map[string]*company // by CVR
	known   map[string]bool     // CVRs that any organization has
}

// company is a company whose records the import stores.
type company struct {
	organizationIDs []uuid.UUID // that have it
	records         int64       // stored for each of them
}

func detect(file *os.File) (*delivery.Layout, error) {
	head, err := io.ReadAll(io.NewSectionReader(file, 0, 64))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", file.Name(), err)
	}
	return delivery.Detect(head), nil
}

// errFileChanged means that the second pass read other bytes than the first.
var errFileChanged = models.NewError(models.KindConflict, "the file changed while it was read: import it again once it is complete")

// read reads the file from its start. pass is 0 or 1, for the progress.
func (j *deliveryJob) read(ctx context.Context, pass int64, digest hash.Hash, record func(*delivery.Record) error, bad func(delivery.BadLine) error) (delivery.Summary, error) {
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return delivery.Summary{}, err
	}
	source := &progressReader{ctx: ctx, source: io.TeeReader(j.file, digest), report: func(n int64) { j.Progress(pass*j.size+n, 2*j.size) }}
	summary, err := j.Layout.Read(bufio.NewReaderSize(source, 1<<18), record, bad)
	return summary, err
}

// check reads the file to find what is wrong with it, and which organizations it
// concerns.
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
		// Only now are the unknown CVRs known. Read once more, to report their lines in
		// the file's order among the others.
		bad = &BadFile{Filename: j.filename}
		_, err := j.read(ctx, 0, sha256.New(), func(r *delivery.Record) error {
			if !j.known[string(r.CVR)] {
				bad.add(delivery.BadLine{Line: r.Index + 1, Field: "cvr", Reason: fmt.Sprintf("no organization has a company with the CVR %s (--skip-unknown skips such records)", r.CVR)})
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
	// GORM would expand the CVRs to a parameter each, and there may be more than
	// PostgreSQL takes.
	rows, err := j.db.Pool.Query(ctx, `SELECT cvr, organization_id FROM companies WHERE cvr = ANY($1)`, wanted)
	if err != nil {
		return false, models.Wrap(err)
	}
	j.owners, j.known = map[string]*company{}, map[string]bool{}
	var cvr string
	var organizationID uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&cvr, &organizationID}, func() error {
		j.known[cvr] = true
		if j.Organization == nil || j.Organization.ID == organizationID {
			if j.owners[cvr] == nil {
				j.owners[cvr] = &company{}
			}
			j.owners[cvr].organizationIDs = append(j.owners[cvr].organizationIDs, organizationID)
		}
		return nil
	})
	return len(j.known) < len(cvrs), models.Wrap(err)
}

// run stores the file's records in one transaction.
func (j *deliveryJob) run(ctx context.Context) (DeliveryResult, error) {
	done := DeliveryResult{Filename: j.filename, Layout: j.Layout.Name(), Records: j.records}
	var organizationIDs []uuid.UUID
	for _, company := range j.owners {
		organizationIDs = append(organizationIDs, company.organizationIDs...)
	}
	organizationIDs = database.SortIDs(organizationIDs)
	err := j.db.Write(ctx, organizationIDs, func(tx pgx.Tx, ids map[uuid.UUID]*database.IDs) error {
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
	return done, models.Wrap(err)
}

// createFiles creates the file's row in every organization that does not have it.
func (j *deliveryJob) createFiles(ctx context.Context, tx pgx.Tx, organizationIDs []uuid.UUID, ids map[uuid.UUID]*database.IDs) (map[uuid.UUID]uuid.UUID, error) {
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
		files[organizationID] = ids[organizationID].Next()
		if _, err := tx.Exec(ctx, `INSERT INTO delivery_files (organization_id, id, filename, layout, sha256) VALUES ($1, $2, $3, $4, $5)`,
			organizationID, files[organizationID], j.filename, j.Layout.Name(), j.sha256[:]); err != nil {
			return nil, err
		}
	}
	return files, nil
}

const incomingColumns = "incoming (organization_id, id, delivery_file_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)"

// storeRecords streams the records into the database. COPY cannot write to a table
// under row-level security, so the rows go to a temporary table first. From there
// they are inserted in the order of the index, which also keeps a company's records
// on few disk pages.
func (j *deliveryJob) storeRecords(ctx context.Context, tx pgx.Tx, files map[uuid.UUID]uuid.UUID, ids map[uuid.UUID]*database.IDs, done *DeliveryResult) error {
	// Enough memory to sort a chunk. On disk, sorting takes longer and disturbs
	// concurrent readers.
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
		company, owned := j.owners[string(r.CVR)]
		if !owned {
			if j.known[string(r.CVR)] {
				done.Others++
			} else {
				done.Unknown++
			}
			return nil
		}
		company.records++
		for _, organizationID := range company.organizationIDs {
			file, wanted := files[organizationID]
			if !wanted {
				continue
			}
			buffer.uuid(organizationID)
			buffer.uuid(ids[organizationID].Next())
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

// moveTotals adds the stored records to the totals of companies and files.
func (j *deliveryJob) moveTotals(ctx context.Context, tx pgx.Tx, files map[uuid.UUID]uuid.UUID) error {
	var organizationIDs, fileIDs []uuid.UUID
	var cvrs []string
	var counts []int64
	for cvr, company := range j.owners {
		for _, organizationID := range company.organizationIDs {
			if file, wanted := files[organizationID]; wanted {
				organizationIDs, fileIDs = append(organizationIDs, organizationID), append(fileIDs, file)
				cvrs, counts = append(cvrs, cvr), append(counts, company.records)
			}
		}
	}
	_, err := tx.Exec(ctx, `SELECT move_totals($1, $2, $3, $4)`, organizationIDs, cvrs, fileIDs, counts)
	return err
}
