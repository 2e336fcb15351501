package client

import (
	"context"
	"errors"
	"math"
	"time"
)

// Report describes what [Client.Sync] did.
type Report struct {
	Changed   bool  // false if nothing had changed; the other fields are then zero
	Companies int   // that were new or had changed
	New       int64 // transactions
	Withdrawn int   // delivery files
	Restarted bool  // all data was read again: the copy was damaged, or see ErrHistory
}

// ErrDiffers means that a copy still differed from the API's count and sum after all data
// was read again.
var ErrDiffers = errors.New("the copy differs from the API's count and sum")

// ErrNoVersion means that a copy cannot be proved, because the service's responses arrive
// without the version of their data.
var ErrNoVersion = errors.New(
	"a response has no " + headerVersion + ", so the copy cannot be proved: something between the service and this program removes the header",
)

// ErrHistory is the cause of a pause after which all data is read again, because the copy
// does not belong to the data that the service has now.
var ErrHistory = errors.New(
	"the service's data has another history than the copy, because it went back in time or is another organization's: all data is read again",
)

// ErrNoWait is the cause of a pause after a request that should have waited for a change.
var ErrNoWait = errors.New(
	"the service did not wait for a change: does a proxy remove or change Prefer, If-None-Match or ETag?",
)

// Sync brings the copy in a SQLite file up to date, or begins one: it handles the changes
// since the last time, and proves that number and sum of the copy's transactions are the
// API's. If nothing has changed, that takes one request. Otherwise it takes one for each
// 1,000 changes and each 1,000 new transactions, and one for each changed company; where a
// bulk read counts as fewer, it reads in bulk. If it fails or the program is killed, the
// next call continues where it stopped. While another program syncs the file, it returns
// [ErrLocked].
//
// A copy holds the data of one history. If the service's data went back in time, or the key is
// another organization's, Sync reads everything again.
func (c *Client) Sync(ctx context.Context, path string) (Report, error) {
	var report Report
	err := c.follow(ctx, path, func(r Report) bool {
		report = r
		return false
	})
	return report, err
}

// Follow is Sync, again and again, as soon as something has changed. It calls synced each
// time, and ends when that returns false. While nothing changes, it sends 72 requests an
// hour. No outage ends it: after 1, 2, 4 … 60 seconds it tries again. It pauses in the same
// steps if a request does not wait for a change. If changes come so fast that an hour's
// requests would not last, it spreads them over the hour.
func (c *Client) Follow(ctx context.Context, path string, synced func(Report) bool) error {
	following := &Client{config: c.config, following: newPace()}
	return following.follow(ctx, path, synced)
}

func (c *Client) follow(ctx context.Context, path string, synced func(Report) bool) (err error) {
	d, err := openCopy(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	s := &syncing{c: c, copy: d}
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
	copy    *dataCopy
	state   state  // as stored
	etag    string // of the changes after the state's, if the copy is proved; may be empty
	version string // of the round's changes
	mixed   bool   // a response of the round had another version
	idle    int    // rounds that found nothing, and did not wait for it
	report  Report
}

// behind is how far responses may be behind the data. After that time, all are as new as
// one from before it.
const behind = time.Second

// fewCompanies are read one by one, however many there are.
const fewCompanies = 10

// bulkRequests is what a bulk read counts as.
const bulkRequests = 20

// readChanges reads the changes after the copy's cursor, and adds what was withdrawn to r.
// It returns the companies that changed, the id of the last change, and the last page.
func (s *syncing) readChanges(
	ctx context.Context,
	r *rows,
) (cvrs []string, after string, last page[Change], err error) {
	after = s.state.after
	for last, err = range pages(ctx, s.c, "/v1/changes", after, s.etag, changeID) {
		if err != nil || last.unchanged {
			return nil, after, last, err
		}
		for _, change := range last.Data {
			after = change.ID
			switch {
			case change.Type == "delivery.withdrawn" && change.CardNetworkDeliveryFileID != nil:
				r.withdrawn = append(r.withdrawn, *change.CardNetworkDeliveryFileID)
			case change.Type == "company.changed" && change.CVR != nil:
				cvrs = append(cvrs, *change.CVR)
			}
		}
	}
	return cvrs, after, last, nil
}

// round pauses, if there is a reason to, handles the changes since the state, and reports
// whether the copy is proved. If it was proved the last time, it waits for changes.
func (s *syncing) round(ctx context.Context) (proved bool, err error) {
	etag, since := "", time.Now()
	before := state{}
	if err = s.begin(ctx); err == nil {
		before, etag, since = s.state, s.etag, time.Now()
		proved, err = s.handle(ctx)
	}
	if errors.Is(err, ErrHistory) {
		err = s.restart(err)
	}
	before.version = s.state.version // which says nothing new
	if s.state != before || etag == "" && s.etag != "" || etag != "" && time.Since(since) >= maxWait-time.Second {
		s.idle = 0
	} else {
		s.idle++
	}
	return proved, err
}

// handle handles the changes since the state.
//
// Responses with one version belong together. If a round sees several, because the data
// changed meanwhile or an instance is behind, the next one handles the same changes again.
// That does no harm.
//
// Nor may responses be older than the copy, or it would be proved at a version that has less.
// A copy that is not proved may have rows of the newest version, so its round pauses first. A
// proved copy has all changes of its version. If another version has none after them, it is
// an older one, and the copy counts as not proved.
func (s *syncing) handle(ctx context.Context) (proved bool, err error) {
	var r rows
	cvrs, after, changes, err := s.readChanges(ctx, &r)
	if err != nil {
		return false, err
	}
	at := changes.at
	if changes.unchanged && at.version == "" { // proxies leave headers out of a 304
		at.version = s.state.version
	}
	s.version, s.mixed = at.version, false
	proved = after == s.state.after && at.version == s.state.version && at.version != ""
	if proved && s.state.history == "" && at.history != "" { // the copy is of this version, and so of its history
		if err := s.store(&rows{}, func(now state) state { now.history = at.history; return now }); err != nil {
			return false, err
		}
	}
	if err := s.saw(at); err != nil || changes.unchanged {
		return false, err
	}
	s.etag = ""
	etag := "" // of the changes after these
	if after == s.state.after {
		etag = changes.etag
		if proved {
			s.etag = etag
			return true, nil
		}
		if s.state.version != "" {
			return false, s.put(&rows{})
		}
	}
	s.report.Changed = true
	withdrawn := len(r.withdrawn)
	if r.companies, err = s.readCompanies(ctx, cvrs); err != nil {
		return false, err
	}
	companies := len(r.companies)
	list, err := s.readTransactions(ctx, &r)
	if err != nil {
		return false, err
	}
	total, err := parseOere(list.totalAmount)
	if err != nil {
		return false, err
	}
	finish := func() error {
		return s.store(&r, func(now state) state {
			now.version = ""
			if s.mixed {
				return now
			}
			if now.count == list.Meta.Total && now.oere == total {
				now.version = s.version
			}
			now.after = after
			return now
		})
	}
	if err := finish(); err != nil {
		return false, err
	}
	if s.mixed {
		return false, nil
	}
	s.report.Withdrawn += withdrawn
	s.report.Companies += companies
	if s.state.version == "" { // perhaps only the number and the sum that the copy stores are wrong
		if err := s.copy.recount(); err != nil {
			return false, err
		}
		if err := finish(); err != nil {
			return false, err
		}
	}
	switch {
	case s.state.version != "":
		s.etag = etag
		return true, nil
	case s.report.Restarted:
		return false, ErrDiffers
	}
	return false, s.restart(nil)
}

// begin pauses if the last rounds found nothing and did not wait for it, or if the copy is
// not proved. It starts the copy if it is empty.
func (s *syncing) begin(ctx context.Context) (err error) {
	if s.state, err = s.copy.state(); err != nil {
		return err
	}
	if s.state.version == "" {
		s.etag = ""
	}
	if s.state.after == "" {
		if err := s.start(ctx); err != nil {
			return err
		}
	}
	var pause time.Duration
	if s.idle > 0 {
		pause = step(s.idle)
	}
	if s.state.version == "" {
		pause = max(pause, behind)
	} else if pause > 0 {
		s.c.paused(ErrNoWait, pause)
	}
	if s.c.following != nil {
		pause = max(pause, s.c.following.pause(time.Now()))
	}
	return sleep(ctx, pause)
}

// saw notes which data a response of the round shows. One that does not name its history may
// be of the copy's.
func (s *syncing) saw(at moment) error {
	s.mixed = s.mixed || at.version != s.version
	if s.state.after == "" && s.state.history == "" { // the copy starts
		s.state.history = at.history
	}
	switch {
	case at.version == "":
		return ErrNoVersion
	case at.history != "" && at.history != s.state.history:
		return ErrHistory
	}
	return nil
}

// store stores rows in one transaction with the state that next makes of the one that the
// copy then has, and empties r.
func (s *syncing) store(r *rows, next func(state) state) (err error) {
	s.state, err = s.copy.put(*r, next)
	*r = rows{}
	return err
}

// put stores rows before the end of the round, and empties r.
func (s *syncing) put(r *rows) error {
	return s.store(r, func(now state) state { now.version = ""; return now })
}

// restart lets the copy begin again. The old rows stay until there are others.
func (s *syncing) restart(cause error) error {
	s.report.Restarted = true
	if cause != nil {
		s.c.paused(cause, behind)
	}
	return s.store(&rows{}, func(now state) state { now.after, now.version, now.history = "", "", ""; return now })
}

// start begins a new copy, which follows the changes after the newest one. It belongs to the
// history of its companies.
func (s *syncing) start(ctx context.Context) error {
	var newest page[Change]
	if _, err := s.c.get(ctx, "/v1/changes?limit=1&before=ffffffff-ffff-ffff-ffff-ffffffffffff", "", &newest); err != nil {
		return err
	}
	after := "00000000-0000-0000-0000-000000000000"
	for _, change := range newest.Data {
		after = change.ID
	}
	if err := sleep(ctx, behind); err != nil {
		return err
	}
	s.state.history = ""
	r := rows{clear: true}
	var err error
	if r.companies, err = s.allCompanies(ctx, math.MaxInt32); err != nil {
		return err
	}
	s.report.Companies += len(r.companies)
	history := s.state.history
	return s.store(&r, func(now state) state { now.after, now.history = after, history; return now })
}

// allCompanies reads all companies, unless that takes more than so many requests.
func (s *syncing) allCompanies(ctx context.Context, most int64) (companies []Company, err error) {
	for p, err := range pages(ctx, s.c, "/v1/companies", "", "", companyID) {
		if err == nil {
			err = s.saw(p.at)
		}
		if err != nil || p.Meta.Total > most*companiesPage {
			return nil, err
		}
		companies = append(companies, p.Data...)
	}
	return companies, nil
}

// readCompanies reads companies that have changed, or all if that takes fewer requests.
func (s *syncing) readCompanies(ctx context.Context, cvrs []string) (companies []Company, err error) {
	if len(cvrs) > fewCompanies { // the first page says how many there are
		companies, err = s.allCompanies(ctx, int64(len(cvrs)))
	}
	if len(companies) > 0 || err != nil {
		return companies, err
	}
	for _, cvr := range cvrs {
		var company Company
		header, err := s.c.get(ctx, companyPath(cvr), "", &company)
		var problem *Error
		if errors.As(err, &problem) && problem.Code == CodeCompanyNotFound {
			s.mixed = true // an instance is behind, or the data went back in time
			continue
		}
		if err == nil {
			err = s.saw(momentOf(header))
		}
		if err != nil {
			return nil, err
		}
		companies = append(companies, company)
	}
	return companies, nil
}

// readTransactions reads the transactions that the copy lacks, and stores them with r, but
// for those of the last page: r has them then.
func (s *syncing) readTransactions(ctx context.Context, r *rows) (last page[Transaction], err error) {
	for {
		after, err := s.copy.last()
		if err != nil {
			return last, err
		}
		p, err := readPage[Transaction](ctx, s.c, "/v1/transactions", after, "")
		if err == nil {
			err = s.saw(p.at)
		}
		if err != nil {
			return last, err
		}
		s.report.New += int64(len(p.Data))
		r.transactions = p.Data
		if !p.Meta.HasMore || len(p.Data) == 0 {
			return p, nil
		}
		if err := s.put(r); err != nil {
			return last, err
		}
		if p.Meta.Total-s.state.count > bulkRequests*int64(p.Meta.Limit) {
			header, err := s.c.bulk(ctx, s.copy.last, func(transactions []Transaction) error {
				s.report.New += int64(len(transactions))
				return s.put(&rows{transactions: transactions})
			})
			if err == nil {
				err = s.saw(momentOf(header))
			}
			if err != nil {
				return last, err
			}
		}
	}
}
