package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Store keeps a copy of an organization's companies and transactions. A store in a
// database does each call but Lock in one transaction.
//
// If the program is killed during Append, the store has none of the transactions, all of
// them, or the first few, and Position agrees.
type Store interface {
	// Lock keeps other programs from syncing the copy until unlock is called or the
	// process ends, however it ends. It returns [ErrLocked] if the copy is locked already.
	// A store in PostgreSQL can use pg_try_advisory_lock.
	Lock(ctx context.Context) (unlock func() error, err error)
	// ETag returns the value of the last call of Done, or an empty string.
	ETag(ctx context.Context) (string, error)
	// SetCompanies replaces the companies.
	SetCompanies(ctx context.Context, companies []Company) error
	// Position returns what is stored of a company's transactions. It counts and adds
	// what it finds, and relies on nothing that it remembers.
	Position(ctx context.Context, cvr string) (Position, error)
	// Append adds transactions of a company, in this order. When it returns, a crash of
	// the machine does not lose them.
	Append(ctx context.Context, cvr string, transactions []Transaction) error
	// Clear removes all transactions of a company.
	Clear(ctx context.Context, cvr string) error
	// Done is called when the copy is complete.
	Done(ctx context.Context, etag string) error
}

// Position describes what a copy has of a company's transactions. The zero value means
// none.
type Position struct {
	Last  string // the id of the last transaction
	Count int64
	Sum   string // of the amounts, such as "1234.50"; empty is zero
}

// Report describes what [Client.Sync] did.
type Report struct {
	// ETag is for [Client.Changed], to wait for the next change.
	ETag string
	// Changed is false if nothing had changed. The other fields are then zero.
	Changed   bool
	Companies int
	New       int64 // transactions that were read
	// Restarted lists the CVR numbers of companies whose transactions were read again from
	// the start, because some of those in the copy had been withdrawn.
	Restarted []string
}

// ErrDiffers means that a copy still differed from the API's count and sum after it was
// read again from the start. Sync again later.
var ErrDiffers = errors.New("the copy differs from the API's count and sum")

// ErrLocked means that another program is syncing the copy.
var ErrLocked = errors.New("another program is syncing the copy")

// Sync brings a copy up to date: it reads what is new, and proves for each company that
// count and sum of the copy's transactions are the API's. If nothing has changed since the
// last time, that takes one request. Otherwise it takes one for each company, and more for
// companies with more than 100 new transactions. If it fails or the program is killed, the
// next call continues where it stopped. While another program syncs the store, it returns
// [ErrLocked].
func (c *Client) Sync(ctx context.Context, store Store) (report Report, err error) {
	unlock, err := store.Lock(ctx)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	known, err := store.ETag(ctx)
	if err != nil {
		return Report{}, err
	}
	// The ETag from before the first read: a change since then is found the next time.
	etag, changed, err := c.Changed(ctx, known, 0)
	if err != nil || !changed {
		return Report{ETag: etag}, err
	}
	report = Report{ETag: etag, Changed: true}
	// Responses are up to a second behind the data. After a second, they are as new as the ETag.
	if err := sleep(ctx, time.Second); err != nil {
		return report, err
	}
	var companies []Company
	for company, err := range c.Companies(ctx, "") {
		if err != nil {
			return report, err
		}
		companies = append(companies, company)
	}
	if err := store.SetCompanies(ctx, companies); err != nil {
		return report, err
	}
	for _, company := range companies {
		if err := c.syncCompany(ctx, store, company.CVR, &report); err != nil {
			return report, fmt.Errorf("company %s: %w", company.CVR, err)
		}
		report.Companies++
	}
	return report, store.Done(ctx, etag)
}

func (c *Client) syncCompany(ctx context.Context, store Store, cvr string, report *Report) error {
	for range 2 {
		equal, err := c.readNew(ctx, store, cvr, report)
		if err != nil || equal {
			return err
		}
		report.Restarted = append(report.Restarted, cvr)
		if err := store.Clear(ctx, cvr); err != nil {
			return err
		}
	}
	return ErrDiffers
}

// readNew reads what the copy lacks of a company's transactions, and reports whether its
// count and sum are the API's.
func (c *Client) readNew(ctx context.Context, store Store, cvr string, report *Report) (equal bool, err error) {
	position, err := store.Position(ctx, cvr)
	if err != nil {
		return false, err
	}
	var last page[Transaction]
	for p, err := range pages(ctx, c, transactionsPath(cvr), position.Last, func(x Transaction) string { return x.ID }) {
		if err != nil {
			return false, err
		}
		if len(p.Data) > 0 {
			if err := store.Append(ctx, cvr, p.Data); err != nil {
				return false, err
			}
		}
		report.New += int64(len(p.Data))
		last = p
	}
	if position, err = store.Position(ctx, cvr); err != nil {
		return false, err
	}
	sum, err := parseAmount(cmp.Or(position.Sum, "0.00"))
	if err != nil {
		return false, err
	}
	total, err := parseAmount(last.totalAmount)
	if err != nil {
		return false, err
	}
	return position.Count == last.Meta.Total && sum.Cmp(total) == 0, nil
}
