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
	Restarted bool  // the copy was damaged, so all data was read again
}

// ErrDiffers means that a copy still differed from the API's count and sum after all data
// was read again.
var ErrDiffers = errors.New("the copy differs from the API's count and sum")

// ErrNoVersion means that a copy cannot be proved, because the service's responses arrive
// without the version of their data.
var ErrNoVersion = errors.New("a response has no " + headerVersion + ", so the copy cannot be proved: something between the service and this program removes the header")

// Sync brings the copy in a SQLite file up to date, or begins one: it handles the changes
// since the last time, and proves that number and sum of the copy's transactions are the
// API's. If nothing has changed, that takes one request. Otherwise it takes one for each
// 1,000 changes and each 1,000 new transactions, and one for each changed company; where a
// bulk read counts as fewer, it reads in bulk. If it fails or the program is killed, the
// next call continues where it stopped. While another program syncs the file, it returns
// [ErrLocked].
func (c *Client) Sync(ctx context.Context, path string) (Report, error) {
	var report Report
	err := c.Follow(ctx, path, func(r Report) bool {
		report = r
		return false
	})
	return report, err
}

// Follow is Sync, again and again, as soon as something has changed. It calls synced each
// time, and ends when that returns false. While nothing changes, it sends 72 requests an
// hour. If a proxy or the service ends a request that waits, Follow pauses and goes on.
func (c *Client) Follow(ctx context.Context, path string, synced func(Report) bool) (err error) {
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
func (s *syncing) readChanges(ctx context.Context, r *rows) (cvrs []string, after string, last page[Change], err error) {
	after = s.state.after
	for last, err = range pages(ctx, s.c, "/v1/changes", after, s.etag, changeID) {
		if err != nil || last.unchanged {
			return nil, "", last, err
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

// round handles the changes since the state, and reports whether the copy is proved. If
// it was proved the last time, it waits for changes.
//
// Responses with one version belong together. If a round sees several, because the data
// changed meanwhile or an instance is behind, the next one handles the same changes again.
// That does no harm.
//
// Nor may responses be older than the copy, or it would be proved at a version that has less.
// A copy that is not proved may have rows of the newest version, so its round pauses first. A
// proved copy has all changes of its version. If another version has none after them, it is
// an older one, and the copy counts as not proved.
func (s *syncing) round(ctx context.Context) (proved bool, err error) {
	if err := s.begin(ctx); err != nil {
		return false, err
	}
	var r rows
	cvrs, after, changes, err := s.readChanges(ctx, &r)
	if err != nil || changes.unchanged {
		return false, err
	}
	s.etag, s.version, s.mixed = "", changes.version, false
	if err := s.saw(s.version); err != nil {
		return false, err
	}
	etag := "" // of the changes after these
	if after == s.state.after {
		etag = changes.etag
		if changes.version == s.state.version {
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
	finish := func() (err error) {
		s.state, err = s.copy.put(r, func(now state) (string, string) {
			switch {
			case s.mixed:
				return now.after, ""
			case now.count == list.Meta.Total && now.oere == total:
				return after, s.version
			}
			return after, ""
		})
		return err
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
		r = rows{}
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
	s.report.Restarted = true
	return false, s.copy.restart()
}

// begin reads the copy's state, starts the copy if it is empty, and pauses if it is not
// proved.
func (s *syncing) begin(ctx context.Context) (err error) {
	if s.state, err = s.copy.state(); err != nil || s.state.version != "" {
		return err
	}
	s.etag = ""
	if s.state.after == "" {
		if err := s.start(ctx); err != nil {
			return err
		}
	}
	return sleep(ctx, behind)
}

// saw notes the version of a response of the round.
func (s *syncing) saw(version string) error {
	s.mixed = s.mixed || version != s.version
	if version == "" {
		return ErrNoVersion
	}
	return nil
}

// put stores rows before the end of the round, and empties r.
func (s *syncing) put(r *rows) (err error) {
	s.state, err = s.copy.put(*r, func(now state) (after, version string) { return now.after, "" })
	*r = rows{}
	return err
}

// start begins a new copy, which follows the changes after the newest one.
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
	companies, err := s.allCompanies(ctx, math.MaxInt32)
	if err != nil {
		return err
	}
	s.report.Companies += len(companies)
	s.state, err = s.copy.put(rows{companies: companies}, func(state) (string, string) { return after, "" })
	return err
}

// allCompanies reads all companies, unless that takes more than so many requests.
func (s *syncing) allCompanies(ctx context.Context, most int64) (companies []Company, err error) {
	for p, err := range pages(ctx, s.c, "/v1/companies", "", "", companyID) {
		if err == nil {
			err = s.saw(p.version)
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
	companies = make([]Company, len(cvrs))
	for i, cvr := range cvrs {
		header, err := s.c.get(ctx, companyPath(cvr), "", &companies[i])
		if err == nil {
			err = s.saw(header.Get(headerVersion))
		}
		if err != nil {
			return nil, err
		}
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
			err = s.saw(p.version)
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
				err = s.saw(header.Get(headerVersion))
			}
			if err != nil {
				return last, err
			}
		}
	}
}
