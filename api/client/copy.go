package client

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// ErrLocked means that another program is syncing the copy.
var ErrLocked = errors.New("another program is syncing the copy")

// edition is of the schema, and is the file's user_version.
const edition = 2

//go:embed schema.sql
var schema string

// dataCopy is a copy of an organization's data in a SQLite file. A transaction on a second
// file keeps other programs from syncing it until this one ends, however it ends, while
// everybody may read the first one.
type dataCopy struct{ lock, db *sql.DB }

// state is what a copy says of itself.
type state struct {
	after   string // the last change that was handled; empty: there is no copy yet
	version string // of the data that the copy was proved against; empty: it is not proved
	history string // of the data; empty: the service did not name one
	count   int64  // of the transactions
	oere    int64  // the sum of their amounts
}

func openCopy(ctx context.Context, path string) (*dataCopy, error) {
	d := &dataCopy{}
	err := d.open(ctx, path)
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *dataCopy) open(ctx context.Context, path string) (err error) {
	// Two programs that start at the same moment get in each other's way at first.
	if d.lock, err = openFile(path+"-lock", "busy_timeout(500)"); err != nil {
		return err
	}
	if _, err = d.lock.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		const busy = 5
		if failure := (*sqlite.Error)(nil); errors.As(err, &failure) && failure.Code()&0xff == busy {
			return fmt.Errorf("%w in %s", ErrLocked, path)
		}
		return err
	}
	if d.db, err = openFile(path, "busy_timeout(30000)", "journal_mode(wal)", "synchronous(full)"); err != nil {
		return err
	}
	var found, tables int
	if err := d.db.QueryRowContext(ctx, "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version").
		Scan(&found, &tables); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case found == 0 && tables == 0:
		return d.change(func(tx *sql.Tx) error { return exec(tx, schema) })
	case found == 1: // its state has no history
		return d.change(func(tx *sql.Tx) error {
			return exec(tx, "ALTER TABLE copy ADD COLUMN history TEXT NOT NULL DEFAULT ''; PRAGMA user_version = 2")
		})
	case found != edition:
		return fmt.Errorf("%s is a copy of another edition of this client: move it away, and a new copy is made", path)
	}
	return nil
}

// openFile opens a SQLite file, which only its owner may read if it is new, on one
// connection.
func openFile(path string, pragmas ...string) (*sql.DB, error) {
	// A file that is there must not be opened and closed again: that would release its locks.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	name := url.URL{
		Scheme:   "file",
		OmitHost: true,
		Path:     filepath.ToSlash(path),
		RawQuery: url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}.Encode(),
	}
	db, err := sql.Open("sqlite", name.String())
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

func (d *dataCopy) close() (err error) {
	for _, db := range []*sql.DB{d.db, d.lock} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}

// change runs f in a transaction. It does not take a context: SQLite would check that after
// each row, which costs more than the row.
func (d *dataCopy) change(f func(*sql.Tx) error) error {
	tx, err := d.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func exec(tx *sql.Tx, text string, arguments ...any) error {
	_, err := tx.Exec(text, arguments...)
	return err
}

func (d *dataCopy) state() (state, error) { return readState(d.db) }

func readState(from interface{ QueryRow(string, ...any) *sql.Row }) (s state, err error) {
	err = from.QueryRow("SELECT after, version, history, transactions, amountOere FROM copy").
		Scan(&s.after, &s.version, &s.history, &s.count, &s.oere)
	return s, err
}

// last returns the greatest id of the transactions.
func (d *dataCopy) last() (id string, err error) {
	err = d.db.QueryRow("SELECT coalesce(max(id), '') FROM transactions").Scan(&id)
	return id, err
}

// recount corrects number and sum of the transactions, if they are not those of the rows.
func (d *dataCopy) recount() error {
	return d.change(func(tx *sql.Tx) error {
		return exec(
			tx,
			"UPDATE copy SET (transactions, amountOere) = (SELECT count(*), coalesce(sum(amountOere), 0) FROM transactions)",
		)
	})
}

// rows are changes of a copy's rows, in this order.
type rows struct {
	clear        bool     // all that the copy had
	withdrawn    []string // ids of delivery files
	companies    []Company
	transactions []Transaction
}

// put stores rows in one transaction with the state that next makes of the one that the
// copy then has. Rows that are stored already stay as they are.
func (d *dataCopy) put(r rows, next func(state) state) (s state, err error) {
	err = d.change(func(tx *sql.Tx) error {
		if r.clear { // tables, indexes and views stay
			if err := exec(tx, "DELETE FROM companies; DELETE FROM transactions"); err != nil {
				return err
			}
		}
		for _, file := range r.withdrawn {
			if err := exec(tx, "DELETE FROM transactions WHERE cardNetworkDeliveryFileId = ?", file); err != nil {
				return err
			}
		}
		company := func(x *Company) ([]any, error) {
			return []any{
				x.CVR,
				x.ID,
				x.Name,
				x.Address,
				x.StartDate,
				x.EndDate,
				string(x.Status),
				x.SenderRegNumber,
				x.SenderAccountNumber,
				x.ReceiverRegNumber,
				x.ReceiverAccountNumber,
				x.DefaultAmountCents,
				*instant(&x.CreatedAt),
				*instant(&x.UpdatedAt),
			}, nil
		}
		if err := insert(
			tx,
			"INSERT OR REPLACE INTO companies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			r.companies,
			company,
		); err != nil {
			return err
		}
		transaction := func(x *Transaction) ([]any, error) {
			oere, err := parseOere(x.AmountDKK)
			return []any{
				x.ID,
				x.CardNetworkDeliveryFileID,
				x.RecordIndex,
				x.CVR,
				x.RegNumber,
				x.AccountNumber,
				x.TransferType,
				x.DispositionDate,
				x.Count,
				oere,
				x.RawLine,
				instant(x.CreatedAt),
				instant(x.UpdatedAt),
				x.Filename,
				instant(x.ProcessedAt),
			}, err
		}
		if err := insert(
			tx,
			"INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			r.transactions,
			transaction,
		); err != nil {
			return err
		}
		now, err := readState(tx)
		if err != nil {
			return err
		}
		s = next(now)
		return exec(tx, "UPDATE copy SET after = ?, version = ?, history = ?", s.after, s.version, s.history)
	})
	return s, err
}

func insert[T any](tx *sql.Tx, text string, items []T, values func(*T) ([]any, error)) error {
	if len(items) == 0 {
		return nil
	}
	statement, err := tx.Prepare(text)
	if err != nil {
		return err
	}
	defer statement.Close()
	for i := range items {
		row, err := values(&items[i])
		if err != nil {
			return err
		}
		if _, err := statement.Exec(row...); err != nil {
			return err
		}
	}
	return nil
}

// instant returns a time as the API writes it.
func instant(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := t.UTC().Format("2006-01-02T15:04:05.000Z")
	return &text
}

var amountForm = regexp.MustCompile(`^-?[0-9]+\.[0-9]{2}$`)

// parseOere returns an amount in øre.
func parseOere(amount string) (int64, error) {
	if !amountForm.MatchString(amount) {
		return 0, fmt.Errorf("%q is not an amount", amount)
	}
	return strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
}
