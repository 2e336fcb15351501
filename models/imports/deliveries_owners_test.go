package imports_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// operators work on deliveries of single days. A company is named by its CVR's last digit.
type operators struct {
	*testing.T
	w             *modelstest.World
	organizations map[string]*models.Organization
	deliveries    map[int]uuid.UUID // by day
}

// A step is what an operator does. It returns what the operator is told.
type step func(o *operators) (told string, err error)

// deliver imports a record for each of these companies, for one organization or for all.
func deliver(day int, companies, only string) step {
	return func(o *operators) (string, error) { return o.deliver(day, companies, only, imports.RepeatedRefuse) }
}

// replace is deliver instead of the delivery that it repeats.
func replace(day int, companies string) step {
	return func(o *operators) (string, error) { return o.deliver(day, companies, "", imports.RepeatedReplace) }
}

func (o *operators) deliver(day int, companies, only string, repeated imports.Repeated) (string, error) {
	var lines []string
	for _, company := range companies {
		lines = append(lines, fmt.Sprintf("1000000%c,1234,1,CARD,2026-01-%02d,1,1.00\n", company, day))
	}
	done, err := o.w.ImportDelivery(o.Context(), imports.DeliveryOptions{
		Path:         modelstest.DeliveryFile(o, lines...),
		Organization: o.organizations[only],
		SkipUnknown:  true,
		Repeated:     repeated,
	})
	o.deliveries[day] = done.ID
	told := fmt.Sprintf("%d of %d for %d", done.Stored, done.Records, done.Organizations)
	if done.Already {
		told = fmt.Sprintf("already, %d lacking", done.Lacking)
	}
	if done.Held > 0 {
		told += fmt.Sprintf(", %d held", done.Held)
	}
	if done.Others > 0 {
		told += fmt.Sprintf(", %d of others", done.Others)
	}
	if done.Replaced != nil {
		told += ", replaced"
	}
	for _, slug := range done.LeftOut {
		told += ", without " + slug
	}
	return told, err
}

// companies creates a company for each digit.
func companies(slug, digits string) step {
	return func(o *operators) (string, error) {
		text := "cvr,name\n"
		for _, digit := range digits {
			text += fmt.Sprintf("1000000%c,x\n", digit)
		}
		done, err := importCompanies(o, o.w, *o.organizations[slug], text)
		return fmt.Sprintf("%d delivered, history of %d", done.Delivered.Records, done.History), err
	}
}

func backfill(slug string, options imports.BackfillOptions) step {
	return func(o *operators) (string, error) {
		options.Organization = *o.organizations[slug]
		done, err := imports.Backfill(o.Context(), o.w.Operator.DB(), options)
		return fmt.Sprintf("%d of %s", done.Records, done.TotalAmountDKK), err
	}
}

// withdraw withdraws a delivery from one organization, or from all.
func withdraw(day int, only string) step {
	return func(o *operators) (string, error) {
		done, err := imports.Withdraw(o.Context(), o.w.Operator.DB(), o.deliveries[day], " wrong ", o.organizations[only])
		told := fmt.Sprintf("%d held", done.Held)
		for _, share := range done.Shares {
			told += fmt.Sprintf(", %s %d of %s", share.Slug, share.Records, share.TotalAmountDKK)
		}
		return told, err
	}
}

// has returns the lines of the records that each organization has of each company, in the
// order of their arrival, and of those that are held for any organization or for one.
const has = `SELECT coalesce(string_agg(line, ' ' ORDER BY line), '') FROM (
	SELECT o.slug || right(t.cvr, 1) || ':' || string_agg(t.record_index::text, ',' ORDER BY t.id) AS line FROM transactions t JOIN organizations o ON o.id = t.organization_id GROUP BY o.slug, t.cvr
	UNION ALL SELECT concat_ws(' for ', 'held' || right(h.cvr, 1), o.slug) || ':' || string_agg(h.record_index::text, ',' ORDER BY h.delivery_id, h.record_index) FROM held_records h
		LEFT JOIN organizations o ON o.id = h.only_organization_id GROUP BY o.slug, h.cvr) x`

func requireHas(t *testing.T, w *modelstest.World, expected string) {
	t.Helper()
	require.Equal(t, expected, modelstest.ValueAt[string](t, w.URL, has))
}

type row struct {
	step      step
	told, has string
}

// ownerScenarios are what operators do in a world with these companies. Each row has a step,
// what the operator reads about it, and what is stored afterwards. The audit log has the
// entries of all organizations.
var ownerScenarios = map[string]struct {
	companies map[string]string // of the organizations
	rows      []row
	audit     []string
}{
	// An import for one organization brings it what it lacks of a delivery, and nobody else.
	"owners": {
		map[string]string{"a": "12", "b": "23", "c": ""},
		[]row{
			{deliver(1, "21328", "a"), "3 of 5 for 1, 1 held, 1 of others", "a1:2 a2:1,4 held8 for a:5"},
			{deliver(1, "21328", "b"), "3 of 5 for 1, 1 held, 1 of others",
				"a1:2 a2:1,4 b2:1,4 b3:3 held8 for a:5 held8 for b:5"},
			{companies("c", "2"), "0 delivered, history of 2", "a1:2 a2:1,4 b2:1,4 b3:3 held8 for a:5 held8 for b:5"},
			{deliver(1, "21328", ""), "already, 1 lacking", "a1:2 a2:1,4 b2:1,4 b3:3 held8 for a:5 held8 for b:5"},
			{deliver(1, "21328", "c"), "2 of 5 for 1, 1 held, 2 of others",
				"a1:2 a2:1,4 b2:1,4 b3:3 c2:1,4 held8 for a:5 held8 for b:5 held8 for c:5"},
			{deliver(2, "23", ""), "4 of 2 for 3",
				"a1:2 a2:1,4,1 b2:1,4,1 b3:3,2 c2:1,4,1 held8 for a:5 held8 for b:5 held8 for c:5"},
			{deliver(3, "7", ""), "0 of 1 for 0, 1 held",
				"a1:2 a2:1,4,1 b2:1,4,1 b3:3,2 c2:1,4,1 held7:1 held8 for a:5 held8 for b:5 held8 for c:5"},
		},
		nil,
	},
	// A company that arrives gets what was held for it, after what its organization has
	// already. Another organization that has it later does not get this history.
	"held": {map[string]string{"a": "1", "b": ""}, []row{
		{deliver(1, "212", ""), "1 of 3 for 1, 2 held", "a1:2 held2:1,3"},
		{deliver(2, "32", ""), "0 of 2 for 0, 2 held", "a1:2 held2:1,3,2 held3:1"},
		{companies("a", "2"), "3 delivered, history of 0", "a1:2 a2:1,3,2 held3:1"},
		{companies("b", "23"), "1 delivered, history of 3", "a1:2 a2:1,3,2 b3:1"},
	}, nil},
	// What is held for one organization waits for that one alone.
	"held for one": {map[string]string{"a": "", "b": ""}, []row{
		{deliver(1, "1", "b"), "0 of 1 for 0, 1 held", "held1 for b:1"},
		{deliver(1, "1", "b"), "already, 0 lacking", "held1 for b:1"},
		{companies("a", "1"), "0 delivered, history of 0", "held1 for b:1"},
		{companies("b", "1"), "1 delivered, history of 0", "b1:1"},
	}, nil},
	// A backfill delivers what others have and the organization has not, but not what was
	// withdrawn from it.
	"backfill": {
		map[string]string{"a": "12", "b": "", "c": "1"},
		[]row{
			{deliver(1, "12", ""), "3 of 2 for 2", "a1:1 a2:2 c1:1"},
			{deliver(2, "12", ""), "3 of 2 for 2", "a1:1,1 a2:2,2 c1:1,1"},
			{deliver(3, "12", ""), "3 of 2 for 2", "a1:1,1,1 a2:2,2,2 c1:1,1,1"},
			{companies("b", "123"), "0 delivered, history of 6", "a1:1,1,1 a2:2,2,2 c1:1,1,1"},
			{backfill("b", imports.BackfillOptions{DryRun: true}), "6 of 6.00", "a1:1,1,1 a2:2,2,2 c1:1,1,1"},
			{backfill("b", imports.BackfillOptions{CVR: "10000001", From: new(day(2026, 1, 3))}), "1 of 1.00",
				"a1:1,1,1 a2:2,2,2 b1:1 c1:1,1,1"},
			{backfill("b", imports.BackfillOptions{From: new(day(2026, 1, 3))}), "1 of 1.00",
				"a1:1,1,1 a2:2,2,2 b1:1 b2:2 c1:1,1,1"},
			{withdraw(3, "b"), "0 held, b 2 of 2.00", "a1:1,1,1 a2:2,2,2 c1:1,1,1"},
			{backfill("b", imports.BackfillOptions{CVR: "10000001"}), "2 of 2.00", "a1:1,1,1 a2:2,2,2 b1:1,1 c1:1,1,1"},
			{backfill("b", imports.BackfillOptions{}), "2 of 2.00", "a1:1,1,1 a2:2,2,2 b1:1,1 b2:2,2 c1:1,1,1"},
			{backfill("b", imports.BackfillOptions{}), "0 of 0.00", "a1:1,1,1 a2:2,2,2 b1:1,1 b2:2,2 c1:1,1,1"},
			{backfill("b", imports.BackfillOptions{CVR: "10000009"}), "b has no company with the CVR \"10000009\"",
				"a1:1,1,1 a2:2,2,2 b1:1,1 b2:2,2 c1:1,1,1"},
		},
		[]string{
			"b: 1 transaction of 1.00 DKK from earlier deliveries of the company 10000001 from 2026-01-03 on",
			"b: 1 transaction of 1.00 DKK from earlier deliveries from 2026-01-03 on",
			"b: delivery.csv: 2 transactions of 2.00 DKK. Reason: wrong",
			"b: 2 transactions of 2.00 DKK from earlier deliveries of the company 10000001",
			"b: 2 transactions of 2.00 DKK from earlier deliveries",
		},
	},
	// A withdrawal leaves other deliveries, and the same one can be imported again.
	"withdrawal": {map[string]string{"a": "1", "b": "12", "c": "3"}, []row{
		{deliver(1, "129", ""), "3 of 3 for 2, 1 held", "a1:1 b1:1 b2:2 held9:3"},
		{deliver(2, "1", ""), "2 of 1 for 2", "a1:1,1 b1:1,1 b2:2 held9:3"},
		{withdraw(1, ""), "1 held, a 1 of 1.00, b 2 of 2.00", "a1:1 b1:1"},
		{withdraw(1, ""), "the delivery … was withdrawn on …", "a1:1 b1:1"},
		{deliver(1, "129", ""), "3 of 3 for 2, 1 held", "a1:1,1 b1:1,1 b2:2 held9:3"},
	}, []string{
		"a: delivery.csv: 1 transaction of 1.00 DKK. Reason: wrong",
		"b: delivery.csv: 2 transactions of 2.00 DKK. Reason: wrong",
	}},
	// A withdrawal from one organization leaves the others alone, and holds: only an import
	// for that organization brings the delivery back.
	"withdrawal from one": {map[string]string{"a": "1", "b": "1", "c": ""}, []row{
		{deliver(1, "119", ""), "4 of 3 for 2, 1 held", "a1:1,2 b1:1,2 held9:3"},
		{withdraw(1, "c"), "c has no records of the delivery …", "a1:1,2 b1:1,2 held9:3"},
		{withdraw(1, "b"), "0 held, b 2 of 2.00", "a1:1,2 held9:3"},
		{deliver(1, "119", ""), "already, 1 lacking", "a1:1,2 held9:3"},
		{companies("b", "9"), "0 delivered, history of 0", "a1:1,2 held9:3"},
		{deliver(1, "119", "b"), "3 of 3 for 1", "a1:1,2 b1:1,2 b9:3"},
	}, []string{
		"b: delivery.csv: 2 transactions of 2.00 DKK. Reason: wrong",
	}},
	// Nor does a delivery that replaces it, however often.
	"replacement": {map[string]string{"a": "1", "b": "12"}, []row{
		{deliver(1, "123", ""), "3 of 3 for 2, 1 held", "a1:1 b1:1 b2:2 held3:3"},
		{withdraw(1, "b"), "0 held, b 2 of 2.00", "a1:1 held3:3"},
		{replace(1, "1231"), "2 of 4 for 1, 1 held, replaced, without b", "a1:1,4 held3:3"},
		{replace(1, "12311"), "3 of 5 for 1, 1 held, replaced, without b", "a1:1,4,5 held3:3"},
		{companies("b", "3"), "0 delivered, history of 0", "a1:1,4,5 held3:3"},
		{backfill("b", imports.BackfillOptions{}), "0 of 0.00", "a1:1,4,5 held3:3"},
		{deliver(1, "12311", "b"), "5 of 5 for 1", "a1:1,4,5 b1:1,4,5 b2:2 b3:3"},
	}, []string{
		"b: delivery.csv: 2 transactions of 2.00 DKK. Reason: wrong",
		"a: delivery.csv: 1 transaction of 1.00 DKK. Reason: replaced by delivery.csv",
		"a: delivery.csv: 2 transactions of 2.00 DKK. Reason: replaced by delivery.csv",
	}},
}

// Whatever operators do, each organization gets the records of its companies, and they are
// told what was left out.
func TestDeliveryOwners(t *testing.T) {
	t.Parallel()
	for name, scenario := range ownerScenarios {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &operators{t, modelstest.NewWorld(t), map[string]*models.Organization{}, map[int]uuid.UUID{}}
			for slug, digits := range scenario.companies {
				organization := o.w.Organization(t, slug)
				o.organizations[slug] = &organization
				if digits != "" {
					_, err := companies(slug, digits)(o)
					require.NoError(t, err)
				}
			}
			conn := modelstest.Conn(t, o.w.URL)
			for i, row := range scenario.rows {
				told, err := row.step(o)
				if err != nil {
					told = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d`).ReplaceAllString(err.Error(), "…")
				}
				require.Equal(t, []string{row.told, row.has}, []string{told, modelstest.Value[string](t, conn, has)}, i)
			}
			require.ElementsMatch(
				t,
				scenario.audit,
				modelstest.Column[string](t, conn, `SELECT o.slug || ': ' || subject FROM audit_log l
					JOIN organizations o ON o.id = organization_id WHERE action LIKE 'delivery%'`),
			)
		})
	}
}

// A withdrawal needs a delivery and a reason of one line, which is not that of the schedule.
func TestWithdrawRefused(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t, "10000001")
	done := w.Delivery(t, "10000001", 1)
	for _, reason := range []string{"", " ", "a\nb", strings.Repeat("x", 501), "\xff", " retention "} {
		_, err := imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, reason, nil)
		modelstest.RequireKind(t, models.KindInvalid, err)
	}
	_, err := imports.Withdraw(t.Context(), w.Operator.DB(), uuid.New(), "x", nil)
	modelstest.RequireKind(t, models.KindNotFound, err)
	requireHas(t, w, "a1:1")
}
