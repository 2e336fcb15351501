package faults_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

func (f *fleet) read(path string) string {
	text, err := os.ReadFile(path)
	require.NoError(f, err)
	return string(text)
}

// check requires that everything that was acknowledged is there, and nothing half done.
func (f *fleet) check() {
	f.settle()
	f.finishImports()
	f.settleWithdrawals()
	modelstest.RequireTotals(f, f.url)
	var expected []string
	for _, o := range f.organizations {
		expected = append(expected, f.checkOrganization(o))
	}
	f.checkCopies(expected)
	f.checkKeys()
	f.checkMails()
	f.checkRemains()
}

// finishImports waits until the watched folder is empty, and imports what was not acknowledged
// once more, by one command, which must succeed, whether it was stored or not.
func (f *fleet) finishImports() {
	modelstest.Eventually(f, func() bool {
		left, err := filepath.Glob(f.path("deliveries/*.csv"))
		require.NoError(f, err)
		select {
		case <-f.watcher.ended:
			f.Fatalf("the watcher has ended: %s", f.watcher.err.String())
		default:
		}
		return len(left) == 0
	}, "the watcher leaves files")
	refused, _ := filepath.Glob(f.path("deliveries/refused/*"))
	require.Empty(f, refused)
	again := []string{"import", "delivery"}
	pending := f.model.pending()
	for _, d := range pending {
		again = append(again, d.path)
	}
	if len(pending) > 0 {
		f.must(again...)
	}
	for _, d := range pending {
		d.acknowledged = true
	}
}

// settleWithdrawals finds out whether deliveries whose withdrawal was not acknowledged are
// withdrawn, whole or not at all.
func (f *fleet) settleWithdrawals() {
	for _, d := range f.model.deliveries {
		if !d.leaving {
			continue
		}
		d.leaving = false
		all := 0
		for _, o := range f.organizations {
			n, _ := d.of(o)
			all += n
		}
		left := modelstest.ValueAt[int](
			f,
			f.url,
			`SELECT count(*)::int FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id WHERE f.filename = $1`,
			d.name,
		)
		require.Contains(f, []int{0, all}, left, "%s is half withdrawn", d.name)
		d.withdrawn = left == 0 && all > 0
	}
}

// checkOrganization requires what the model has: in the database, and from both instances. It
// syncs the client's copy, and returns what that must have.
func (f *fleet) checkOrganization(o *organization) string {
	records, oere := f.model.expected(o)
	sign, whole := "", oere
	if oere < 0 {
		sign, whole = "-", -oere
	}
	expected := fmt.Sprintf("%d %s%d.%02d", records, sign, whole/100, whole%100)
	require.Equal(
		f,
		expected,
		modelstest.ValueAt[string](f, f.url,
			`SELECT count(*) || ' ' || coalesce(sum(amount_dkk), 0.00)::text FROM transactions WHERE organization_id = $1`,
			o.id),
		"%s has lost or gained something",
		o.slug,
	)
	for _, instance := range f.instances {
		modelstest.Eventually(f, func() bool {
			status, body, header := get(instance.site+"/api/v1/transactions?limit=1", map[string]string{"X-API-Key": o.key})
			return status == http.StatusOK && strings.Contains(body, fmt.Sprintf(`"total":%d,`, records)) &&
				header.Get("X-Total-Amount-Dkk") == strings.SplitN(expected, " ", 2)[1]
		}, "%s does not show %s of %s", instance.site, expected, o.slug)
	}
	modelstest.Eventually(f, func() bool { return f.sync(o, f.instances[f.number(2)], nil) },
		"the copy of %s is not proved", o.slug)
	return fmt.Sprintf("%d %d\n", records, oere)
}

// checkCopies requires that each organization's copy, which is proved, has that many records and
// that sum.
func (f *fleet) checkCopies(expected []string) {
	arguments := []string{"-c", `
import sqlite3, sys
for path in sys.argv[1:]:
    print(*sqlite3.connect(path).execute("SELECT count(*), coalesce(sum(amountOere), 0) FROM transactions").fetchone())`}
	for _, o := range f.organizations {
		arguments = append(arguments, f.path(o.slug+".sqlite"))
	}
	count := f.start(nil, "python3", arguments...)
	require.Zero(f, count.status(), count.err.String())
	require.Equal(f, strings.Join(expected, ""), count.out.String(), "a copy is proved, and wrong")
}

// checkKeys requires that every key works that was not revoked, that no revoked key does, and
// that each revocation is in the file of erasures.
func (f *fleet) checkKeys() {
	keys := f.model.keys[max(0, len(f.model.keys)-30):]
	for _, k := range keys {
		if k.leaving && k.revoked.IsZero() {
			f.revoke(k)
			require.False(f, k.revoked.IsZero(), "a key cannot be revoked")
		}
		if !k.revoked.IsZero() {
			modelstest.Eventually(f, func() bool { return strings.Contains(f.read(f.path("erasures")), k.id) },
				"the revocation of %s is not in the file of erasures", k.id)
		}
		for _, instance := range f.instances {
			modelstest.Eventually(f, func() bool {
				status, _, _ := get(instance.site+"/api/v1/companies", map[string]string{"X-API-Key": k.text})
				return status == http.StatusUnauthorized && k.leaving || status == http.StatusOK && !k.leaving
			}, "a key does not work, or works on")
		}
	}
}

// checkMails requires that every mail reaches the mail server, and that one that comes twice
// has the same Message-ID.
func (f *fleet) checkMails() {
	modelstest.Eventually(f, func() bool {
		// Mails that failed wait for a minute and longer.
		modelstest.ExecuteAt(f, f.url,
			`UPDATE mails SET next_attempt_at = now() WHERE sent_at IS NULL AND given_up_at IS NULL`)
		return modelstest.ValueAt[int](f, f.url, `SELECT count(*)::int FROM mails WHERE sent_at IS NULL`) == 0
	}, "mails wait")
	accepted := map[string]int{}
	for _, mail := range f.mail.Mails() {
		if strings.HasPrefix(mail.To, "gone") { // of an organization that is deleted, with its mails
			continue
		}
		accepted[uuid.FindString(mail.Header(f, "Message-ID"))]++
	}
	written := modelstest.ColumnAt[string](f, f.url, `SELECT id::text FROM mails WHERE sent_at IS NOT NULL`)
	for _, id := range written {
		require.Positive(f, accepted[id], "a mail is lost")
	}
	require.Equal(f, len(written), len(accepted), "a mail came that was not written")
}

// checkRemains requires that nothing goes on that should have ended.
func (f *fleet) checkRemains() {
	modelstest.Eventually(f, func() bool {
		return modelstest.ValueAt[int](f, f.url,
			`SELECT count(*)::int FROM running_tasks WHERE renewed_at > now() - interval '10 seconds'`)+
			modelstest.ValueAt[int](
				f,
				f.url,
				`SELECT count(*)::int FROM pg_stat_activity WHERE state = 'idle in transaction' AND now() - state_change > interval '5 seconds'`,
			) == 0
	}, "a bulk read or a transaction remains")
}
