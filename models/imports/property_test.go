package imports_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/imports/format"
	"dispo/models/modelstest"
)

// Whatever the order in which deliveries and companies arrive, each organization has
// each record of each of its companies exactly once, except what was withdrawn and
// history that was not backfilled. Here several operators at once import random
// deliveries, re-encoded and repeated, and companies, withdraw and backfill, while
// their imports are cancelled at random moments. Totals and sums equal counts.
// DISPO_TEST_SEED repeats a round.
func TestDeliveriesArriveOnce(t *testing.T) {
	t.Parallel()
	rounds := modelstest.Rounds(6)
	first, _ := strconv.ParseUint(os.Getenv("DISPO_TEST_SEED"), 10, 64)
	if first == 0 {
		first = uint64(time.Now().UnixNano())
	} else {
		rounds = 1
	}
	for i := range rounds {
		seed := first + uint64(i)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			newRound(t, seed).run()
		})
	}
}

// namedYAML is a layout that identifies its deliveries by a number on a line of its own.
const namedYAML = `
name: named
format: delimited
delimiter: ","
columns: 7
identity: {number: {from_line: H, column: 2}}
fields:
  cvr: {column: 1}
  regNumber: {column: 2}
  accountNumber: {column: 3}
  transferType: {column: 4}
  dispositionDate: {column: 5}
  count: {column: 6}
  amountDkk: {column: 7, decimal_separator: "."}
`

var namedLayout, _ = format.ParseLayout([]byte(namedYAML))

// made is a delivery that the network made. Its records are told apart by their
// account numbers.
type made struct {
	text   string
	layout *format.Layout
	cvrs   map[string]string // by account number
	only   *models.Organization
	// Whether operators also work on it for single organizations, in any order, so that
	// its owners depend on that order.
	narrowed bool
}

// span is from when to when something was done.
type span struct{ start, end time.Time }

func (s span) before(other span) bool { return s.end.Before(other.start) }

type owned struct {
	organization uuid.UUID
	cvr          string
}

type round struct {
	*testing.T
	w             *modelstest.World
	random        *rand.Rand
	organizations []models.Organization
	deliveries    []*made
	withdrawals   bool

	mutex     sync.Mutex
	companies map[owned]span
	imported  map[uuid.UUID]span  // by delivery id
	made      map[uuid.UUID]*made // by delivery id
}

func newRound(t *testing.T, seed uint64) *round {
	r := &round{T: t, w: modelstest.NewWorld(t), random: rand.New(rand.NewPCG(seed, 1)),
		companies: map[owned]span{}, imported: map[uuid.UUID]span{}, made: map[uuid.UUID]*made{}}
	for i := range 2 + r.random.IntN(2) {
		r.organizations = append(r.organizations, r.w.Organization(t, fmt.Sprint("o", i)))
	}
	for i := range 2 + r.random.IntN(4) {
		r.deliveries = append(r.deliveries, r.makeDelivery(i))
	}
	r.withdrawals = r.random.IntN(2) == 0
	return r
}

var propertyCVRs = []string{"10000001", "10000002", "10000003", "10000004", "10000005"}

func (r *round) makeDelivery(number int) *made {
	d := &made{text: modelstest.DeliveryHeader, cvrs: map[string]string{}, narrowed: r.random.IntN(3) == 0}
	if r.random.IntN(2) == 0 {
		d.layout = namedLayout
		d.text = fmt.Sprintf("H,%d,,,,,\n", number)
	} else if r.random.IntN(4) == 0 {
		d.only = &r.organizations[r.random.IntN(len(r.organizations))]
	}
	for i := range 1 + r.random.IntN(12) {
		account := fmt.Sprintf("%04d%04d", number, i)
		cvr := propertyCVRs[r.random.IntN(len(propertyCVRs))]
		d.cvrs[account] = cvr
		d.text += fmt.Sprintf("%s,1234,%s,KØB,2026-01-%02d,%d,%d.%02d\n", cvr, account, 1+number%28, i,
			r.random.IntN(2000)-1000, r.random.IntN(100))
	}
	d.text = strings.ReplaceAll(d.text, ",-0.", ",0.")
	return d
}

// encoded returns the delivery's text as it may arrive.
func (d *made) encoded(variant int) string {
	text := d.text
	if variant&1 != 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if variant&2 != 0 && d.layout == nil {
		text = strings.ReplaceAll(text, ",", ";")
	}
	if variant&4 != 0 {
		text = "\ufeff" + text
	}
	return text
}

// run runs the operators, and checks what they leave.
func (r *round) run() {
	var steps []func(context.Context) error
	for _, d := range r.deliveries {
		for range 1 + r.random.IntN(3) {
			steps = append(steps, r.importStep(d, d.only))
		}
		if d.narrowed {
			steps = append(steps, r.importStep(d, &r.organizations[r.random.IntN(len(r.organizations))]))
		}
		if r.withdrawals && r.random.IntN(2) == 0 {
			steps = append(steps, r.withdrawStep(d))
		}
	}
	for _, organization := range r.organizations {
		for _, cvr := range propertyCVRs {
			if r.random.IntN(10) < 6 {
				steps = append(steps, r.companyStep(organization, cvr))
			}
		}
		if r.random.IntN(3) == 0 {
			steps = append(steps, func(ctx context.Context) error {
				_, err := imports.Backfill(ctx, r.w.Operator.DB(), imports.BackfillOptions{Organization: organization})
				return err
			})
		}
	}
	r.random.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	var operators errgroup.Group
	operators.SetLimit(3)
	for _, step := range steps {
		operators.Go(func() error { return step(r.Context()) })
	}
	require.NoError(r, operators.Wait())
	r.check()
}

// importStep imports a delivery until that has succeeded. An attempt before may end at
// any moment.
func (r *round) importStep(d *made, only *models.Organization) func(context.Context) error {
	options := imports.DeliveryOptions{
		Path:         filepath.Join(r.TempDir(), "delivery.csv"),
		Layout:       d.layout,
		SkipUnknown:  true,
		Organization: only,
	}
	text := d.encoded(r.random.IntN(8))
	require.NoError(r, os.WriteFile(options.Path, []byte(text), 0o600))
	stop, delay := r.random.IntN(3) == 0, time.Duration(r.random.IntN(15_000))*time.Microsecond
	return func(ctx context.Context) error {
		start := time.Now()
		if stop {
			cancelled, cancel := context.WithTimeout(ctx, delay)
			_, _ = imports.Delivery(cancelled, r.w.Operator.DB(), options)
			cancel()
		}
		result, err := imports.Delivery(ctx, r.w.Operator.DB(), options)
		if err != nil {
			return fmt.Errorf("import of %q: %w", text, err)
		}
		end := time.Now()
		r.mutex.Lock()
		defer r.mutex.Unlock()
		was, known := r.imported[result.ID]
		if !known {
			was = span{start, end}
		}
		if start.Before(was.start) {
			was.start = start
		}
		if end.Before(was.end) {
			was.end = end
		}
		r.imported[result.ID], r.made[result.ID] = was, d
		return nil
	}
}

func (r *round) companyStep(organization models.Organization, cvr string) func(context.Context) error {
	path := modelstest.File(r, "companies.csv", "cvr,name\n"+cvr+",x\n")
	return func(ctx context.Context) error {
		start := time.Now()
		_, err := imports.Companies(ctx, r.w.Operator.DB(), imports.CompaniesOptions{Organization: organization, Path: path})
		r.mutex.Lock()
		defer r.mutex.Unlock()
		r.companies[owned{organization.ID, cvr}] = span{start, time.Now()}
		return err
	}
}

// withdrawStep withdraws a delivery if it is stored, from all or from one.
func (r *round) withdrawStep(d *made) func(context.Context) error {
	var only *models.Organization
	if d.narrowed {
		only = &r.organizations[r.random.IntN(len(r.organizations))]
	}
	return func(ctx context.Context) error {
		r.mutex.Lock()
		var ids []uuid.UUID
		for id, made := range r.made {
			if made == d {
				ids = append(ids, id)
			}
		}
		r.mutex.Unlock()
		for _, id := range ids {
			if _, err := imports.Withdraw(ctx, r.w.Operator.DB(), id, "test", only); err != nil &&
				models.ErrorKind(err) != models.KindConflict {
				return err
			}
		}
		return nil
	}
}

// check compares the records of every organization.
func (r *round) check() {
	conn := modelstest.Conn(r, r.w.URL)
	modelstest.RequireTotals(r, r.w.URL)
	type key struct {
		organization uuid.UUID
		delivery     uuid.UUID
		account      string
	}
	has := map[key]int{}
	times := map[[2]string]int{} // by organization and account number
	for _, row := range modelstest.Column[string](r, conn, `SELECT concat_ws(' ', t.organization_id, f.delivery_id, t.account_number) FROM transactions t
		JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id WHERE t.id > f.id AND t.id <= f.last_id`) {
		part := strings.Fields(row)
		has[key{uuid.MustParse(part[0]), uuid.MustParse(part[1]), part[2]}]++
		times[[2]string{part[0], part[2]}]++
	}
	require.Equal(r, modelstest.Value[int](r, conn, `SELECT count(*) FROM transactions`), len(has),
		"a record is outside its file's ids, or twice")
	for record, n := range times {
		require.Equal(r, 1, n, "a record that an organization has %v", record)
	}
	held := map[string]int{}
	for _, row := range modelstest.Column[string](r, conn, `SELECT concat_ws(' ', delivery_id, account_number, only_organization_id) FROM held_records`) {
		held[row]++
		require.Equal(r, 1, held[row])
	}
	live := map[*made]int{}
	for _, id := range modelstest.Column[uuid.UUID](r, conn, `SELECT id FROM deliveries WHERE withdrawn_at IS NULL`) {
		d := r.made[id]
		require.NotNil(r, d, "a delivery that nobody imported")
		live[d]++
		require.Equal(r, 1, live[d], "a delivery is stored twice")
		for account, cvr := range d.cvrs {
			var owners, havers []uuid.UUID
			for _, organization := range r.organizations {
				withdrawn := modelstest.Value[bool](r, conn, `SELECT EXISTS (SELECT FROM delivery_withdrawals
					WHERE organization_id = $1 AND delivery_id = $2)`, organization.ID, id)
				arrived, owner := r.companies[owned{organization.ID, cvr}]
				n := has[key{organization.ID, id, account}]
				if withdrawn || !owner {
					require.Zero(r, n, "%s has a record that is not its own, or was withdrawn", organization.Slug)
				}
				if owner {
					owners = append(owners, organization.ID)
				}
				if n > 0 {
					havers = append(havers, organization.ID)
				}
				// Whoever had the company before the delivery came has the record.
				if owner && !d.narrowed && (d.only == nil || d.only.ID == organization.ID) && arrived.before(r.imported[id]) {
					require.Equal(r, 1, n, "%s lacks the record %s", organization.Slug, account)
				}
			}
			switch {
			case d.narrowed:
			case d.only != nil && !slices.Contains(owners, d.only.ID) && len(owners) == 0:
				require.Equal(r, 1, held[fmt.Sprint(id, " ", account, " ", d.only.ID)], "the record %s is not held for %s", account,
					d.only.Slug)
			case d.only != nil && len(owners) == 1 && owners[0] == d.only.ID:
				require.Equal(r, owners, havers, "the record %s", account)
			case d.only != nil:
			case len(owners) == 0:
				require.Equal(r, 1, held[fmt.Sprint(id, " ", account)], "the record %s is not held", account)
			case len(owners) == 1:
				require.Equal(r, owners, havers, "the record %s", account)
			default:
				require.NotEmpty(r, havers, "nobody has the record %s", account)
			}
		}
	}
	if !r.withdrawals {
		for _, d := range r.deliveries {
			require.Equal(r, 1, live[d], "a delivery is lost")
		}
	}
}
