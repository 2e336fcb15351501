package main_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// A delivery is stored once for every organization that has the company. Importing the
// same content again changes nothing, and says so.
func TestImportDelivery(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Organization(t, "bolt", cvr, otherCVR)
	path := file(t, "week 5.csv", delivery(cvr, otherCVR, cvr))
	r := w.run(t, "import", "delivery", path)
	require.Equal(t, "week 5.csv: 3 records, 5 transactions stored for 2 organizations", r.requireDone(t))
	require.Empty(t, r.err)

	before := rows(t, w.URL)
	same := file(t, "another name.csv", delivery(cvr, otherCVR, cvr))
	for _, again := range []string{path, same} {
		r = w.run(t, "import", "delivery", again)
		require.Equal(t, filepath.Base(again)+": already imported, nothing has changed", r.requireDone(t))
	}
	require.Equal(t, before, rows(t, w.URL))
	w.run(t, "import", "delivery", path, "--organization", "nobody").requireRefused(t, 1, `"nobody"`, "dispo organization list")
}

// What an import leaves out is said: records of other organizations' companies, beside
// those that --organization names, and with --skip-unknown those that are held.
func TestImportDeliveryOfSome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Organization(t, "bolt", cvr, otherCVR)
	path := file(t, "delivery.csv", delivery(cvr, otherCVR, otherCVR))
	require.Equal(t, "delivery.csv: 3 records, 1 transaction stored for 1 organization; 2 skipped because their company belongs to other organizations",
		w.run(t, "import", "delivery", path, "--organization", "acme").requireDone(t))
	require.Equal(t, "delivery.csv: already imported, nothing has changed; 1 organization with companies in it got none of it: --organization SLUG delivers it",
		w.run(t, "import", "delivery", path).requireDone(t))
	require.Equal(t, "delivery.csv: 3 records, 3 transactions stored for 1 organization", w.run(t, "import", "delivery", path, "--organization", "bolt").requireDone(t))

	path = file(t, "bad.csv", delivery(noCVR))
	w.run(t, "import", "delivery", path).requireBadLines(t, "line 2: cvr: no organization has a company with the CVR "+noCVR+" (--skip-unknown")
	require.Equal(t, "bad.csv: 1 record, 0 transactions stored for 0 organizations; 1 held because no organization has their company",
		w.run(t, "import", "delivery", path, "--skip-unknown").requireDone(t))
}

// A bad file is reported, and the other files of the command are imported, in order.
// The last line says which were not.
func TestImportSeveralFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, bad, last := file(t, "first.csv", delivery(cvr)), file(t, "bad.csv", delivery("123")), file(t, "last.csv", strings.ReplaceAll(delivery(cvr, cvr), "CARD", "CASH"))
	r := w.run(t, "import", "delivery", first, bad, "/missing.csv", last)
	require.Equal(t, 1, r.status)
	require.Equal(t, "first.csv: 1 record, 1 transaction stored for 1 organization\nlast.csv: 2 records, 2 transactions stored for 1 organization\n", r.out)
	require.Equal(t, 4, strings.Count(r.err, "\n"), r.err)
	require.Contains(t, r.err, "dispo: bad.csv has 1 bad line")
	require.True(t, strings.HasSuffix(r.err, "dispo: there is no file /missing.csv\n2 of 4 files were not imported: "+bad+", /missing.csv\n"), r.err)
	require.Equal(t, 3, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`))

	good, wrong := file(t, "good.csv", "cvr,name\n"+otherCVR+",A\n"), file(t, "wrong.csv", "cvr,name\nx,A\n")
	later := file(t, "later.csv", "cvr,name\n"+otherCVR+",B\n")
	r = w.run(t, "import", "companies", good, wrong, later, "--organization", "acme")
	require.Equal(t, 1, r.status)
	require.Equal(t, "good.csv: 1 company inserted, 0 updated, 0 unchanged\nlater.csv: 0 companies inserted, 1 updated, 0 unchanged\n", r.out)
	require.True(t, strings.HasSuffix(r.err, "\n1 of 3 files were not imported: "+wrong+"\n"), r.err)
	r = w.run(t, "import", "companies", good, later, "--organization", "acme", "--dry-run")
	require.Equal(t, "good.csv: 0 companies would be inserted, 1 would be updated, 0 unchanged\nlater.csv: 0 companies would be inserted, 0 would be updated, 1 unchanged", r.requireDone(t))
	require.Equal(t, "This was a dry run: nothing was stored.\n", r.err)
}

// A file that starts with OS1 is read as os. --layout reads other layouts from a file.
func TestImportLayouts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	examples, err := filepath.Abs("../../models/imports/format/testdata")
	require.NoError(t, err)
	w.Organization(t, "bolt", otherCVR)
	for _, arguments := range [][]string{
		{"delivery.os.txt"},
		{"fixed.txt", "--layout", filepath.Join(examples, "fixed.yaml")},
		{"delimited.txt", "--layout", filepath.Join(examples, "delimited.yaml")},
	} {
		arguments[0] = filepath.Join(examples, arguments[0])
		w.run(t, append([]string{"import", "delivery"}, arguments...)...).requireDone(t)
	}
	require.Equal(t, "delimited.txt example-delimited, delivery.os.txt os, fixed.txt example-fixed", modelstest.ValueAt[string](t, w.URL,
		`SELECT string_agg(DISTINCT filename || ' ' || layout, ', ' ORDER BY filename || ' ' || layout) FROM delivery_files`))
}

// A layout that cannot be read or parsed is refused before anything is imported.
func TestBadLayout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path, pipe := file(t, "good.csv", delivery(cvr)), filepath.Join(newFolder(t), "layout.yaml")
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	for _, row := range []struct {
		layout string
		parts  []string
	}{
		{"/missing.yaml", []string{"/missing.yaml", "no such file"}},
		{newFolder(t), []string{"is a directory"}},
		{"/dev/null", []string{"/dev/null", "not a regular file"}},
		{file(t, "empty.yaml", ""), []string{"empty.yaml", "empty"}},
		{file(t, "large.yaml", strings.Repeat("# large\n", 1<<17)+"#"), []string{"large.yaml", "larger than 1 MB"}},
		{file(t, "broken.yaml", "a: [\n"), []string{"broken.yaml", "line 2"}},
		{file(t, "wrong.yaml", "format: fixed\nwidht: 80\n"), []string{"wrong.yaml", "line 2", "widht"}},
		{pipe, []string{"cannot read the layout " + pipe + ": it is not a regular file"}}, // although it has no writer
	} {
		w.run(t, "import", "delivery", path, "--layout", row.layout).requireRefused(t, 1, row.parts...)
	}
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`))
}

// The name of a file is refused if it could change how a terminal or a log shows it.
func TestImportRefusesFileNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range []string{"a\nb.csv", "a\rb.csv", "a\x1b[2Jb.csv", "a\u202eb.csv"} {
		for _, kind := range []string{"delivery", "companies --organization acme"} {
			r := w.run(t, append(append([]string{"import"}, strings.Fields(kind)...), file(t, name, delivery(cvr)))...)
			r.requireRefused(t, 1, strconv.Quote(name), "rename the file")
		}
	}
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM deliveries`))
}
