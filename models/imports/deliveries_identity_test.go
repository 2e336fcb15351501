package imports_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/imports/format"
	"dispo/models/modelstest"
)

// Importing the same delivery again, also under another name, with other line ends or
// a byte-order mark, changes nothing and says so: no row, no total, no data version.
func TestDeliveryAgainChangesNothing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "a", "10000001")
	b := w.Organization(t, "b", "10000001")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000001"))
	w.Import(t, imports.DeliveryOptions{Path: path})
	conn := modelstest.Conn(t, w.URL)
	before := everything(t, w)

	text := modelstest.ReadFile(t, path)
	other := modelstest.File(t, "renamed.csv", string(text))
	longer := modelstest.File(t, "longer.csv", string(text)+"\n")
	windows := modelstest.File(t, "windows.csv", "\ufeff"+strings.ReplaceAll(string(text), "\n", "\r\n"))
	for _, wanted := range []imports.DeliveryOptions{{Path: path}, {Path: other}, {Path: path, SkipUnknown: true}, {Path: other, Organization: &b},
		{Path: longer}, {Path: windows}, {Path: windows}, {Path: windows, Organization: &b, SkipUnknown: true}, {Path: windows, Repeated: imports.RepeatedReplace},
		{Path: path, Repeated: imports.RepeatedAdditional}} {
		done := w.Import(t, wanted)
		requireResult(t,
			imports.DeliveryResult{Filename: filepath.Base(wanted.Path), Layout: "csv", Records: 2, Already: true}, done)
	}
	require.Equal(t, before, everything(t, w))
	require.Equal(t, 1, modelstest.Value[int](t, conn, `SELECT count(*) FROM deliveries`))
}

// everything returns the text of all rows that imports write.
func everything(t *testing.T, w *modelstest.World) string {
	t.Helper()
	return modelstest.Value[string](t, modelstest.Conn(t, w.URL), `SELECT concat_ws(E'\n',
		(SELECT string_agg(x::text, E'\n' ORDER BY id) FROM organizations x),
		(SELECT string_agg(x::text, E'\n' ORDER BY organization_id, id) FROM companies x),
		(SELECT string_agg(x::text, E'\n' ORDER BY organization_id, id) FROM delivery_files x),
		(SELECT string_agg(x::text, E'\n' ORDER BY organization_id, id) FROM transactions x))`)
}

// A file that identifies itself as a stored delivery but has other records is refused, and
// the message shows the numbers and sums of both. It can replace the stored one, or be stored
// beside it.
func TestDeliveryWithOtherRecords(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	w.Organization(t, "b", "10000002")
	first, second := "10000001,1234,1,CARD,2026-01-31,1,1.00\n", "10000002,1234,2,CARD,2026-01-31,2,2.00\n"
	load := func(text string, repeated imports.Repeated) (imports.DeliveryResult, error) {
		return w.ImportDelivery(t.Context(),
			imports.DeliveryOptions{Path: modelstest.File(t, "d.txt", text), Layout: namedLayout, Repeated: repeated})
	}
	old, err := load("H,7,,,,,\n"+first+second, imports.RepeatedRefuse)
	require.NoError(t, err)
	before := everything(t, w)
	corrected := "H,7,,,,,\n" + strings.Replace(first, "1.00", "1.50", 1) +
		strings.Replace(second, "1234,2,", "1234,98765,", 1) + second
	_, err = load(corrected, imports.RepeatedRefuse)
	modelstest.RequireKind(t, models.KindConflict, err)
	require.Equal(
		t,
		`d.txt identifies itself as the delivery "number=7", which was imported before as d.txt (`+old.ID.String()+`) with other records (now 3 of 5.50 DKK, stored 2 of 3.00 DKK). `+
			`Pass --replace to replace the stored delivery, or --additional to store this one beside it`,
		err.Error(),
	)
	require.Equal(t, before, everything(t, w))
	_, err = w.ImportDelivery(t.Context(), imports.DeliveryOptions{
		Path:         modelstest.File(t, "d.txt", corrected),
		Layout:       namedLayout,
		Repeated:     imports.RepeatedReplace,
		Organization: &a,
	})
	modelstest.RequireKind(t, models.KindInvalid, err)
	_, err = load("H,7,,,,,\n"+first, imports.RepeatedRefuse)
	require.ErrorContains(t, err, "with other records (now 1 of 1.00 DKK, stored 2 of 3.00 DKK). Pass",
		"also of a company that is not in the file")

	done, err := load(corrected, imports.RepeatedReplace)
	require.NoError(t, err)
	require.Equal(t, old.ID, done.Replaced.ID)
	require.EqualValues(t, 3, done.Stored)
	requireHas(t, w, "a1:1 b2:2,3")
	require.Equal(t, "1.50", modelstest.Transactions(t, w.Service, a, "10000001")[0].AmountDKK)
	done, err = load(corrected, imports.RepeatedRefuse)
	require.NoError(t, err)
	require.True(t, done.Already)

	// Other deliveries of the layout may have the same records.
	require.NoError(t, modelstest.ErrorOf(load("H,8,,,,,\n"+first, imports.RepeatedRefuse)))
	_, err = load("H,7,,,,,\n"+first, imports.RepeatedAdditional)
	require.NoError(t, err)
	require.ErrorContains(t, modelstest.ErrorOf(load("H,7,,,,,\n"+second, imports.RepeatedReplace)),
		"of which 2 deliveries are stored")
	require.Len(t, modelstest.Transactions(t, w.Service, a, "10000001"), 3)
}

// A file of several OS deliveries that shares one with a stored file is refused, and one that
// holds only one of the stored deliveries cannot replace them both.
func TestDeliveryThatSharesAnOS1(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t, "10150817")
	of := func(month string) string { return strings.Replace(osDelivery(t), "LEV-2026-01", "LEV-2026-"+month, 1) }
	load := func(text string, repeated imports.Repeated) (imports.DeliveryResult, error) {
		return w.ImportDelivery(t.Context(),
			imports.DeliveryOptions{Path: modelstest.File(t, "d.os", text), Repeated: repeated})
	}
	require.NoError(t, modelstest.ErrorOf(load(of("01"), imports.RepeatedRefuse)))
	done, err := load(strings.ReplaceAll(of("01"), "\r\n", "\n"), imports.RepeatedRefuse)
	require.NoError(t, err)
	require.True(t, done.Already)
	for _, row := range []struct {
		text     string
		repeated imports.Repeated
		refused  string
	}{
		{of("01") + of("02"), imports.RepeatedRefuse, `the deliveries "supplierCvr=12345674, deliveryId=LEV-2026-01-31" and 1 more`},
		{of("02"), imports.RepeatedRefuse, ""},
		{of("03") + of("04"), imports.RepeatedRefuse, ""},
		{of("03"), imports.RepeatedReplace, `which also holds the delivery "supplierCvr=12345674, deliveryId=LEV-2026-04-31"`},
		{of("04") + of("03"), imports.RepeatedReplace, ""},
	} {
		before := everything(t, w)
		_, err := load(row.text, row.repeated)
		if row.refused == "" {
			require.NoError(t, err)
			continue
		}
		modelstest.RequireKind(t, models.KindConflict, err)
		require.ErrorContains(t, err, row.refused)
		require.Equal(t, before, everything(t, w))
	}
	requireHas(t, w, "a7:4,7,4,7,4,7,13,16")
}

// A delivery that is known only by its records is refused if it repeats stored ones: a
// resend with one more row must not double the others. That holds whoever has them,
// and for held records. --replace and --additional decide otherwise.
func TestDeliveryThatRepeatsRecords(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001"), w.Organization(t, "b", "10000001")
	more := strings.Replace(modelstest.Record("10000001"), "1234.50", "7.00", 1)
	lines := []string{modelstest.Record("10000001"), modelstest.Record("10000009")}
	w.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines...), SkipUnknown: true, Organization: &a})
	before := everything(t, w)
	for _, organization := range []*models.Organization{nil, &a, &b} {
		for _, text := range [][]string{{more, lines[0]}, {more, lines[1]}, {more, lines[0], lines[1]}, {lines[0], lines[0]}} {
			_, err := w.ImportDelivery(t.Context(),
				imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, text...), SkipUnknown: true, Organization: organization})
			modelstest.RequireKind(t, models.KindConflict, err)
			require.ErrorContains(t, err, "--additional")
			require.Contains(t, err.Error(), "delivery.csv repeats ")
		}
	}
	require.Equal(t, before, everything(t, w))

	done := w.Import(t, imports.DeliveryOptions{
		Path:        modelstest.DeliveryFile(t, more, lines[0], lines[1]),
		SkipUnknown: true,
		Repeated:    imports.RepeatedReplace,
	})
	require.NotNil(t, done.Replaced)
	requireHas(t, w, "a1:1,2 b1:1,2 held9:3")
	w.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines[0]), Repeated: imports.RepeatedAdditional})
	requireHas(t, w, "a1:1,2,1 b1:1,2,1 held9:3")

	// Another date, company, amount or account is another record.
	var others []string
	for _, change := range [][2]string{{"01-31", "02-01"}, {"10000001", "10000002"}, {"1234.50", "1234.51"}, {"0012345678", "0012345679"}, {"CARD", "CASH"}, {",3,", ",4,"}} {
		others = append(others, strings.Replace(lines[0], change[0], change[1], 1))
	}
	w.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, others...), SkipUnknown: true})
}

// Identical bytes are the same delivery, and are refused under another layout until
// the delivery is withdrawn.
func TestDeliveryUnderAnotherLayout(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	other, err := format.ParseLayout(
		[]byte(strings.NewReplacer("name: named", "name: other", "{column: 4}", "{value: OTHER}").Replace(namedYAML)))
	require.NoError(t, err)
	path := modelstest.File(t, "d.txt", "H,1,,,,,\n"+modelstest.Record("10000001"))
	done := w.Import(t, imports.DeliveryOptions{Path: path, Layout: namedLayout})
	_, err = w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path, Layout: other})
	modelstest.RequireKind(t, models.KindConflict, err)
	require.ErrorContains(t, err, "the layout named, not other")
	require.ErrorContains(t, err, "dispo delivery withdraw "+done.ID.String())

	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, "wrong layout", nil)))
	w.Import(t, imports.DeliveryOptions{Path: path, Layout: other})
	require.Equal(t, "OTHER", modelstest.Transactions(t, w.Service, a, "10000001")[0].TransferType)
}

// A dry run reports what an import would do, and stores nothing.
func TestDeliveryDryRun(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	conn := modelstest.Conn(t, w.URL)
	before := modelstest.Dump(t, conn)
	options := imports.DeliveryOptions{
		Path:        modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000009")),
		SkipUnknown: true,
		DryRun:      true,
	}
	done := w.Import(t, options)
	requireResult(t,
		imports.DeliveryResult{Filename: "delivery.csv", Layout: "csv", Records: 2, Stored: 1, Held: 1, Organizations: 1},
		done)
	require.Equal(t, "a", done.Shares[0].Slug)
	require.Equal(t, "1234.50", done.Shares[0].TotalAmountDKK)
	options.SkipUnknown = false
	_, err := w.ImportDelivery(t.Context(), options)
	modelstest.BadFile(t, err)
	companies, err := imports.Companies(t.Context(), w.Operator.DB(), imports.CompaniesOptions{
		Organization: a,
		DryRun:       true,
		Path:         modelstest.File(t, "companies.csv", "cvr,name\n10000009,x\n"),
	})
	require.NoError(t, err)
	require.EqualValues(t, 1, companies.Inserted)
	require.Equal(t, before, modelstest.Dump(t, conn))
}
