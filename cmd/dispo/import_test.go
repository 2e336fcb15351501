package main_test

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

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

// quiet waits until no transaction is open in the database, in particular none of a
// client that has ended.
func quiet(t *testing.T, url string) {
	t.Helper()
	modelstest.Eventually(t, func() bool {
		return modelstest.ValueAt[bool](t, url, `SELECT NOT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL)`)
	})
}

// An import that is killed or interrupted in the middle of a large file stores nothing
// and can be repeated. An interrupted import says that it has stored nothing.
func TestImportEndedInTheMiddle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const records = 20_000
	path := file(t, "large.csv", modelstest.DeliveryCSV(cvr, records))
	before := rows(t, w.URL)
	for _, signal := range []syscall.Signal{syscall.SIGKILL, interrupt} {
		release := hold(t, w.URL, "SELECT FROM companies FOR UPDATE")
		p := w.start(t, "import", "delivery", path)
		modelstest.Eventually(t, func() bool { return waits(t, w.URL) })
		p.signal(t, signal)
		r := p.result(t)
		release()
		require.Empty(t, r.out)
		if signal == syscall.SIGKILL {
			require.Equal(t, -1, r.status)
			require.Empty(t, r.err)
		} else {
			r.requireRefused(t, 1, "interrupted, nothing was imported from the file")
		}
		quiet(t, w.URL)
		require.Equal(t, before, rows(t, w.URL), signal)
	}

	// There is no progress bar without a terminal.
	r := w.run(t, "import", "delivery", path)
	require.Equal(t, fmt.Sprintf("large.csv: %d records, %[1]d transactions stored for 1 organization", records),
		r.requireDone(t))
	require.Empty(t, r.err)
	require.Equal(t, records, modelstest.ValueAt[int](t, w.URL, `SELECT transaction_count FROM companies`))
}

// If a command with several files is interrupted, the files before the current one are
// stored. The last line names the others.
func TestImportInterruptedBetweenFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Organization(t, "bolt", otherCVR)
	hold(t, w.URL, "SELECT FROM companies WHERE cvr = '"+otherCVR+"' FOR UPDATE")
	unread := []string{file(t, "second.csv", delivery(otherCVR)), file(t, "third.csv", delivery(cvr, cvr))}
	p := w.start(t, "import", "delivery", file(t, "first.csv", delivery(cvr)), unread[0], unread[1])
	modelstest.Eventually(t, func() bool { return waits(t, w.URL) })
	p.signal(t, interrupt)
	r := p.result(t)
	require.Equal(t, 1, r.status)
	require.Equal(t, "first.csv: 1 record, 1 transaction stored for 1 organization\n", r.out)
	require.Equal(
		t,
		"dispo: interrupted, nothing was imported from the file\n2 of 3 files were not imported: "+strings.Join(unread,
			", ")+"\n",
		r.err,
	)
	require.Equal(t, 1, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`))
}
