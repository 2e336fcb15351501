package client

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"time"
)

// Store keeps a copy of an organization's companies and transactions. A store in a
// database does each call but Lock in one transaction.
//
// If the program is killed during Append, the store has none of the transactions, all of
// them, or the first few, and Position agrees. Every other call is done as a whole or not
// at all, and may be repeated.
type Store interface {
	// Lock keeps other programs from syncing the copy until unlock is called or the
	// process ends, however it ends. It returns [ErrLocked] if the copy is locked already.
	// A store in PostgreSQL can use pg_try_advisory_lock.
	Lock(ctx context.Context) (unlock func() error, err error)
	// State returns the value of the last call of SetState, or the zero State.
	State(ctx context.Context) (State, error)
	SetState(ctx context.Context, state State) error
	// Start removes the copy's companies and transactions, and adds the companies.
	Start(ctx context.Context, companies []Company) error
	// PutCompanies adds companies, and replaces those that have the same CVR number.
	PutCompanies(ctx context.Context, companies []Company) error
	// Withdraw removes the transactions of delivery files.
	Withdraw(ctx context.Context, deliveryFileIDs []string) error
	// Append adds transactions, in this order. When it returns, a crash of the machine
	// does not lose them.
	Append(ctx context.Context, transactions []Transaction) error
	// Position returns what is stored of the transactions. It counts and adds what it
	// finds, and relies on nothing that it remembers.
	Position(ctx context.Context) (Position, error)
}

// State says up to where the copy follows the changes.
type State struct {
	After   string `json:"after"`   // the id of the last change that was handled; empty: there is no copy yet
	Version string `json:"version"` // of the data that the copy was proved against; empty: it is not proved
}

// Position describes what a copy has of the transactions. The zero value means none.
type Position struct {
	Last  string // the greatest id
	Count int64
	Sum   string // of the amounts, such as "1234.50"; empty is zero
}

// Report describes what [Client.Sync] did.
type Report struct {
	Changed   bool  // false if nothing had changed; the other fields are then zero
	Companies int   // that were new or had changed
	New       int64 // transactions
	Withdrawn int   // delivery files
	Restarted bool  // the copy was damaged, so all data was read again
}

// ErrDiffers means that a copy still differed from the API's count and sum after all data
// was read again.
var ErrDiffers = errors.New("the copy differs from the API's count and sum")

// ErrLocked means that another program is syncing the copy.
var ErrLocked = errors.New("another program is syncing the copy")

// Sync brings a copy up to date: it handles the changes since the last time, and proves
// that count and sum of the copy's transactions are the API's. If nothing has changed, that
// takes one request. Otherwise it takes one for each 1,000 changes and each 1,000 new
// transactions, and one for each changed company. If it fails or the program is killed, the
// next call continues where it stopped. While another program syncs the store, it returns
// [ErrLocked].
func (c *Client) Sync(ctx context.Context, store Store) (Report, error) {
	var report Report
	err := c.Follow(ctx, store, func(r Report) bool {
		report = r
		return false
	})
	return report, err
}

// Follow is Sync, again and again, as soon as something has changed. It calls synced each
// time, and ends when that returns false. While nothing changes, it sends 72 requests an
// hour. If a proxy or the service ends a request that waits, Follow pauses and goes on.
func (c *Client) Follow(ctx context.Context, store Store, synced func(Report) bool) (err error) {
	unlock, err := store.Lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	s := &syncing{c: c, store: store}
	if s.state, err = store.State(ctx); err != nil {
		return err
	}
	for first := true; ; {
		proved, err := s.round(ctx)
		if err != nil {
			return err
		}
		if proved && (first || s.report.Changed) {
			if !synced(s.report) {
				return nil
			}
			first, s.report = false, Report{}
		}
	}
}

// syncing is a copy that is being synced.
type syncing struct {
	c       *Client
	store   Store
	state   State  // as stored
	etag    string // of the changes after the state's, if the copy is proved; may be empty
	version string // of the round's changes
	mixed   bool   // a response of the round had another version
	differs bool   // the copy did from the list of transactions
	report  Report
}

// behind is how far responses may be behind the data. After that time, all are as new as
// one from before it.
const behind = time.Second

// fewCompanies are read one by one, however many there are.
const fewCompanies = 10

// round handles the changes since the state, and reports whether the copy is proved. If
// it was proved the last time, it waits for changes.
//
// Responses with one version belong together. If a round sees several, because the data
// changed meanwhile or an instance is behind, the next one handles the same changes again,
// after a pause in which all instances hear of them.
func (s *syncing) round(ctx context.Context) (proved bool, err error) {
	if s.state.After == "" {
		if err := s.start(ctx); err != nil {
			return false, err
		}
	}
	state := State{After: s.state.After}
	var withdrawn, cvrs []string
	var changes page[Change]
	for p, err := range pages(ctx, s.c, "/v1/changes", state.After, s.etag, changeID) {
		if err != nil || p.unchanged {
			return false, err
		}
		for _, change := range p.Data {
			state.After = change.ID
			switch {
			case change.Type == "delivery.withdrawn" && change.CardNetworkDeliveryFileID != nil:
				withdrawn = append(withdrawn, *change.CardNetworkDeliveryFileID)
			case change.Type == "company.changed" && change.CVR != nil:
				cvrs = append(cvrs, *change.CVR)
			}
		}
		changes = p
	}
	s.etag, s.version, s.mixed = "", changes.version, false
	etag := "" // of the changes after these
	if state.After == s.state.After {
		etag = changes.etag
		if changes.version == s.state.Version {
			s.etag = etag
			return true, nil
		}
	}
	if s.state.Version != "" { // from here on, the copy is not what was proved
		if err := s.setState(ctx, State{After: s.state.After}); err != nil {
			return false, err
		}
	}
	s.report.Changed = true
	if len(withdrawn) > 0 {
		if err := s.store.Withdraw(ctx, withdrawn); err != nil {
			return false, err
		}
	}
	companies, err := s.readCompanies(ctx, cvrs)
	if err != nil {
		return false, err
	}
	list, err := s.readTransactions(ctx)
	if err != nil {
		return false, err
	}
	if !s.mixed {
		proved, err = s.prove(ctx, list)
	}
	switch {
	case err != nil || s.state.After == "":
		return false, err
	case proved:
		s.report.Withdrawn += len(withdrawn)
		s.report.Companies += companies
		s.etag = etag
		return true, s.setState(ctx, State{state.After, s.version})
	}
	return false, sleep(ctx, behind)
}

// prove compares the copy with a list of transactions. If they differ twice, the copy is
// damaged, and starts again.
func (s *syncing) prove(ctx context.Context, list page[Transaction]) (proved bool, err error) {
	position, err := s.store.Position(ctx)
	if err != nil {
		return false, err
	}
	sum, err := parseAmount(cmp.Or(position.Sum, "0.00"))
	if err != nil {
		return false, err
	}
	total, err := parseAmount(list.totalAmount)
	if err != nil {
		return false, err
	}
	differed := s.differs
	s.differs = position.Count != list.Meta.Total || sum.Cmp(total) != 0
	switch {
	case !s.differs || !differed: // perhaps the copy is newer than this list
		return !s.differs, nil
	case s.report.Restarted:
		return false, ErrDiffers
	}
	s.differs, s.report.Restarted = false, true
	return false, s.setState(ctx, State{})
}

func (s *syncing) setState(ctx context.Context, state State) error {
	err := s.store.SetState(ctx, state)
	if err == nil {
		s.state = state
	}
	return err
}

// start begins a new copy, which follows the changes after the newest one.
func (s *syncing) start(ctx context.Context) error {
	var newest page[Change]
	if _, err := s.c.get(ctx, "/v1/changes?limit=1&before=ffffffff-ffff-ffff-ffff-ffffffffffff", "", &newest); err != nil {
		return err
	}
	state := State{After: "00000000-0000-0000-0000-000000000000"}
	for _, change := range newest.Data {
		state.After = change.ID
	}
	if err := sleep(ctx, behind); err != nil {
		return err
	}
	companies, err := s.allCompanies(ctx, math.MaxInt32)
	if err == nil {
		err = s.store.Start(ctx, companies)
	}
	if err != nil {
		return err
	}
	s.report.Companies += len(companies)
	return s.setState(ctx, state)
}

// allCompanies reads all companies, or returns none if they have more pages than most.
func (s *syncing) allCompanies(ctx context.Context, most int64) (companies []Company, err error) {
	for p, err := range pages(ctx, s.c, "/v1/companies", "", "", companyID) {
		if err != nil || p.Meta.Total > most*companiesPage {
			return nil, err
		}
		companies = append(companies, p.Data...)
		s.mixed = s.mixed || p.version != s.version
	}
	return companies, nil
}

// readCompanies reads companies that have changed, or all if that takes fewer requests,
// and returns how many.
func (s *syncing) readCompanies(ctx context.Context, cvrs []string) (read int, err error) {
	var companies []Company
	if len(cvrs) > fewCompanies { // the first page says how many there are
		companies, err = s.allCompanies(ctx, int64(len(cvrs)))
	}
	if len(companies) == 0 {
		companies = make([]Company, len(cvrs))
		for i := 0; i < len(cvrs) && err == nil; i++ {
			var header http.Header
			header, err = s.c.get(ctx, companyPath(cvrs[i]), "", &companies[i])
			s.mixed = s.mixed || header.Get(headerVersion) != s.version
		}
	}
	if err != nil || len(companies) == 0 {
		return 0, err
	}
	return len(companies), s.store.PutCompanies(ctx, companies)
}

// readTransactions reads the transactions that the copy lacks, and returns the last page.
func (s *syncing) readTransactions(ctx context.Context) (last page[Transaction], err error) {
	position, err := s.store.Position(ctx)
	if err != nil {
		return last, err
	}
	for p, err := range pages(ctx, s.c, "/v1/transactions", position.Last, "", transactionID) {
		if err == nil && len(p.Data) > 0 {
			err = s.store.Append(ctx, p.Data)
		}
		if err != nil {
			return last, err
		}
		s.report.New += int64(len(p.Data))
		s.mixed = s.mixed || p.version != s.version
		last = p
	}
	return last, nil
}
