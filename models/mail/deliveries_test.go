package mail_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/mail"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/terms"
)

// deliveryWorld is a world at times of its own, with two instances.
type deliveryWorld struct {
	*world
	other *modelstest.Instance
	owner models.Tenant
}

func newDeliveryWorld(t *testing.T) *deliveryWorld {
	t.Helper()
	w := &deliveryWorld{world: newWorld(t, modelstest.MailPlain)}
	w.other = modelstest.Open(t, w.URL, database.Service)
	w.Companies(t, w.organization, "10000001", "10000002")
	w.owner = w.user(t, "owner@a.example", terms.Owner)
	return w
}

// at parses a time in Copenhagen, whose clocks move forward on 29 March and back on 25 October 2026.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Copenhagen")
	require.NoError(t, err)
	moment, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
	require.NoError(t, err)
	return moment
}

// wants lets a user have every mail.
func (w *deliveryWorld) wants(t *testing.T, emails ...string) {
	t.Helper()
	for _, email := range emails {
		id := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM users WHERE email = $1`, email)
		require.NoError(t, w.Service.Accounts.UnwantedMailSet(t.Context(), id, nil))
	}
}

// announced has both instances announce at once what is due at a time, and returns the
// mails that are sent then.
func (w *deliveryWorld) announced(t *testing.T, when string) []modelstest.ReceivedMail {
	t.Helper()
	w.announce(t, when)
	return w.sent(t)
}

func (w *deliveryWorld) announce(t *testing.T, when string) {
	t.Helper()
	instances := []*modelstest.Instance{w.Service, w.other}
	modelstest.AtOnce(t, len(instances),
		func(i int) error { return mail.AnnounceDue(t.Context(), instances[i].Store, at(t, when)) })
}

// requireRead requires that these mails go to these readers, are harmless, and have these
// parts in their subjects and texts.
func requireRead(t *testing.T, mails []modelstest.ReceivedMail, parts map[string][]string) {
	t.Helper()
	require.Equal(t, slices.Sorted(maps.Keys(parts)), recipients(mails))
	for _, m := range mails {
		requireHarmless(t, m)
		text, _ := m.Parts(t)
		for _, part := range parts[m.To] {
			require.Contains(t, m.Header(t, "Subject")+"\n"+text, part)
		}
	}
}

func (w *deliveryWorld) withdraw(t *testing.T, delivery imports.DeliveryResult) {
	t.Helper()
	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(), delivery.ID, "x", nil)))
}

// An hour after a day's first delivery, those who asked for it get one mail about all that
// came by then, with sums by company, in their language. Two instances write it once. It
// has no bank numbers.
func TestArrivalMail(t *testing.T) {
	t.Parallel()
	w := newDeliveryWorld(t)
	w.user(t, "admin@a.example", terms.Admin)
	w.user(t, "viewer@a.example", terms.Viewer)
	modelstest.ExecuteAt(t, w.URL, `UPDATE users SET language = CASE WHEN email LIKE 'viewer%' THEN 'da' ELSE 'en' END`)
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET notification_address = 'notice@a.example'`)
	modelstest.ExecuteAt(t, w.URL, `UPDATE companies SET name = 'Nordlys www.evil.example' WHERE cvr = '10000002'`)
	modelstest.Refold(t, w.URL)
	w.wants(t, "owner@a.example", "viewer@a.example")
	record := func(amount string, cvrs ...string) (path string) {
		var lines []string
		for _, cvr := range cvrs {
			lines = append(lines, cvr+",9876,0012345678,CARD,2026-03-26,3,"+amount+"\n")
		}
		return modelstest.DeliveryFile(t, lines...)
	}
	arrive := func(when, path string) {
		result := w.Import(t, imports.DeliveryOptions{Path: path})
		modelstest.ExecuteAt(t, w.URL, `UPDATE delivery_files SET created_at = $1 WHERE delivery_id = $2`, at(t, when),
			result.ID)
	}
	arrive("2026-03-27 08:00", record("1000.25", "10000001", "10000002"))
	arrive("2026-03-27 09:00", record("234.00", "10000002"))
	arrive("2026-03-27 09:01", record("5.00", "10000001"))

	require.Empty(t, recipients(w.announced(t, "2026-03-27 08:59")))
	mails := w.announced(t, "2026-03-27 09:00")
	requireRead(t, mails, map[string][]string{
		"owner@a.example": {
			"Received for Organization a on 27 March 2026: 2,234.50 DKK\n",
			"2 deliveries for Organization a arrived on 27 March 2026, with 3 transactions of 2,234.50 DKK in all.",
			"27 March 2026 at 09:00 (Europe/Copenhagen)",
			"(CVR 10000002), 2 transactions, 1,234.25 DKK\n- Company 10000001 (CVR 10000001), 1 transaction, 1,000.25 DKK\n",
			"because you are a member of Organization a",
			"turn off",
			"one more e-mail about it after midnight",
		},
		"viewer@a.example": {
			"Modtaget for Organization a den 27.03.2026: 2.234,50 kr.\n",
			"Den 27.03.2026 er der modtaget 2 leverancer for Organization a med 3 transaktioner på i alt 2.234,50 kr.",
			"27.03.2026 kl. 09.00",
			"(CVR 10000002), 2 transaktioner, 1.234,25 kr.\n- Company 10000001 (CVR 10000001), 1 transaktion, 1.000,25 kr.\n",
			"fordi du er medlem",
			"slå e-mails om dette fra",
			"én e-mail mere om det efter midnat",
		},
	})
	for _, m := range mails {
		text, html := m.Parts(t)
		require.Equal(t, 2, strings.Count(html, "<tr>"))
		require.Equal(t, publicURL+"/deliveries?organization="+w.organization.ID.String(), linkOf(t, m))
		require.Contains(t, html,
			`<a class="link" href="`+publicURL+"/companies/10000002?organization="+w.organization.ID.String()+`"`)
		require.NotContains(t, text, "more compan")
		for _, secret := range []string{"9876", "12345678", "www.evil.example"} {
			require.NotContains(t, text+html, secret)
		}
	}
	require.Empty(t, recipients(w.announced(t, "2026-03-27 09:01")), "the day has had its mail")
	require.Empty(t, recipients(w.announced(t, "2026-03-27 23:59")))
	later := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM delivery_files WHERE created_at = $1`,
		at(t, "2026-03-27 09:01"))
	mails = w.announced(t, "2026-03-28 00:00")
	requireRead(t, mails, map[string][]string{
		"owner@a.example": {
			"1 more delivery for Organization a arrived later on 27 March 2026, with 1 transaction of 5.00 DKK in all.",
		},
		"viewer@a.example": {
			"Senere den 27.03.2026 er der modtaget 1 leverance mere for Organization a med 1 transaktion på i alt 5,00 kr.",
		},
	})
	for _, m := range mails {
		require.Equal(t, publicURL+"/deliveries/"+later.String()+"?organization="+w.organization.ID.String(), linkOf(t, m))
	}

	// A large delivery's mail has its largest companies.
	cvrs := make([]string, 25)
	for i := range cvrs {
		cvrs[i] = fmt.Sprintf("200000%02d", i)
	}
	w.Companies(t, w.organization, cvrs...)
	arrive("2026-03-28 08:00", record("7.00", cvrs...))
	mails = w.announced(t, "2026-03-28 09:00")
	requireRead(t, mails,
		map[string][]string{"owner@a.example": {"5 more companies"}, "viewer@a.example": {"Hertil kommer 5 virksomheder"}})
	for _, m := range mails {
		text, _ := m.Parts(t)
		require.Equal(t, 20, strings.Count(text, "\n- "))
	}
}

// Each day's deliveries are in that day's mail or, if they came after it, in one at the
// day's end, also on days of 23 or 25 hours, after midnight, and when no instance ran for a
// while. A delivery that was withdrawn before the mail is not in it. If none is left, there
// is no mail until an hour after the next one.
func TestArrivalMailDays(t *testing.T) {
	t.Parallel()
	w := newDeliveryWorld(t)
	w.wants(t, "owner@a.example")
	for _, row := range []struct{ arrivals, when, expected string }{
		{"2026-03-28 23:59", "2026-03-29 00:58", ""},
		{"2026-03-29 00:00, 2026-03-29 00:30", "2026-03-29 00:59", "1 delivery on 28 March"},
		{"", "2026-03-29 01:00", "2 deliveries on 29 March"},
		{"2026-03-29 03:00, 2026-03-29 23:56", "2026-03-29 23:59", ""},
		{"2026-03-29 23:57", "2026-03-30 00:00", "3 more deliveries on 29 March"},
		{"2026-03-29 23:58", "2026-03-30 00:57", ""}, // the import ended after midnight
		{"", "2026-03-30 00:58", "1 more delivery on 29 March"},
		{"", "2026-03-30 00:59", ""},
		{"2026-03-30 00:00, 2026-03-30 23:30, 2026-03-31 00:10", "2026-03-31 00:30", "2 deliveries on 30 March"},
		{"", "2026-03-31 01:10", "1 delivery on 31 March"},
		{"2026-10-25 00:00, 2026-10-25 23:59", "2026-10-26 00:58", "2 deliveries on 25 October"},
		{"2026-10-26 23:30, 2026-10-27 08:00, 2026-10-28 08:00", "2026-10-28 12:00", "1 delivery on 26 October"},
		{"", "2026-10-28 12:01", "1 delivery on 27 October"},
		{"", "2026-10-28 12:02", "1 delivery on 28 October"},
		{"", "2026-10-28 12:03", ""},
		{"2026-11-01 08:00", "2026-11-04 08:01", ""}, // three days are too long ago
		{"2026-11-05 08:00 withdrawn", "2026-11-05 09:00", ""},
		{"2026-11-05 08:30, 2026-11-05 08:40 withdrawn", "2026-11-05 09:29", ""}, // an hour after the first that is left
		{"", "2026-11-05 09:30", "1 delivery on 5 November"},
	} {
		for arrival := range strings.SplitSeq(row.arrivals, ", ") {
			if when, withdrawn := strings.CutSuffix(arrival, " withdrawn"); arrival != "" {
				delivery := w.Arrival(t, "10000001", at(t, when))
				if withdrawn {
					w.withdraw(t, delivery)
				}
			}
		}
		modelstest.ExecuteAt(t, w.URL, `DELETE FROM mails WHERE kind = 'delivery_withdrawn'`)
		require.NoError(t, mail.AnnounceDue(t.Context(), w.Service.Store, at(t, row.when)))
		mails := w.sent(t)
		if row.expected == "" {
			require.Empty(t, recipients(mails), row.when)
			continue
		}
		require.Len(t, mails, 1, row.when)
		text, _ := mails[0].Parts(t)
		number, day, _ := strings.Cut(row.expected, " on ")
		arrived := " for Organization a arrived on "
		if strings.Contains(number, "more") {
			arrived = " for Organization a arrived later on "
		}
		require.Contains(t, text, number+arrived+day, row.when)
	}
	// Also where the clocks skip midnight.
	modelstest.ExecuteAt(t, w.URL, `UPDATE organizations SET time_zone = 'America/Santiago'`)
	w.Arrival(t, "10000001", time.Date(2026, 9, 6, 3, 59, 0, 0, time.UTC))
	w.Arrival(t, "10000001", time.Date(2026, 9, 6, 4, 0, 0, 0, time.UTC)) // 6 September, 01:00
	for _, day := range []string{"5 September", "6 September"} {
		require.NoError(t, mail.AnnounceDue(t.Context(), w.Service.Store, at(t, "2026-09-06 08:00")))
		mails := w.sent(t)
		require.Len(t, mails, 1)
		require.Contains(t, mails[0].Header(t, "Subject"), day)
	}
}

// A mail goes to those who are members when it is sent, and wanted it when it was due: a
// member of two organizations gets one of each, a removed member none, and whoever
// switches it on later none of the past. A suspended organization's waits, and a sandbox
// has none.
func TestArrivalMailReaders(t *testing.T) {
	t.Parallel()
	w := newDeliveryWorld(t)
	b := w.Organization(t, "b", "10000001")
	both := w.user(t, "both@a.example", terms.Viewer)
	removed := w.user(t, "removed@a.example", terms.Viewer)
	w.user(t, "disabled@a.example", terms.Viewer)
	require.NoError(
		t,
		modelstest.ErrorOf(
			w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(b.ID), "owner@b.example", terms.Owner, "")),
	)
	modelstest.ExecuteAt(t, w.URL, `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'viewer')`,
		b.ID, both.Actor().UserID)
	w.wants(t, "both@a.example", "removed@a.example", "disabled@a.example")
	made := w.Sandbox(t, "made")
	modelstest.ExecuteAt(t, w.URL, `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'viewer')`,
		made.ID, both.Actor().UserID)
	modelstest.ExecuteAt(t, w.URL, `UPDATE delivery_files SET created_at = $1`, at(t, "2026-03-27 08:00"))

	require.Empty(t, recipients(w.announced(t, "2026-03-27 09:00")), "the sandbox")
	w.Arrival(t, "10000001", at(t, "2026-03-27 08:00"))
	require.NoError(t, organizations.Suspend(t.Context(), w.Operator.Tenant(b.ID)))
	w.announce(t, "2026-03-27 09:00")
	require.NoError(t, accounts.RemoveMember(t.Context(), w.owner, *removed.Actor().UserID))
	require.NoError(t, w.Operator.Accounts.UserDisable(t.Context(), "disabled@a.example"))
	mails := w.sent(t)
	require.Equal(t, []string{"both@a.example", "owner@a.example"}, recipients(mails), "the owner is told who was removed")
	require.Contains(t, mails[0].Header(t, "Subject"), "Received for Organization a")
	require.NoError(t, organizations.Resume(t.Context(), w.Operator.Tenant(b.ID)))
	mails = w.announced(t, "2026-03-27 11:00")
	require.Equal(t, []string{"both@a.example"}, recipients(mails))
	require.Contains(t, mails[0].Header(t, "Subject"), "Organization b")

	w.wants(t, "owner@a.example")
	require.Empty(t, recipients(w.announced(t, "2026-03-27 12:00")))
}

// An instance that is killed while it decides leaves the mail to another one, which waits
// for it.
func TestArrivalMailSurvivesKill(t *testing.T) {
	t.Parallel()
	w := newDeliveryWorld(t)
	w.wants(t, "owner@a.example")
	w.Arrival(t, "10000001", at(t, "2026-03-27 08:00"))
	killed := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, killed, `BEGIN`)
	modelstest.Execute(t, killed, `INSERT INTO delivery_notices VALUES ($1, 'delivery_arrived', $2, $3)`,
		w.organization.ID, at(t, "2026-03-27 00:00"), at(t, "2026-03-28 00:00"))
	done := make(chan error)
	go func() { done <- mail.AnnounceDue(t.Context(), w.Service.Store, at(t, "2026-03-27 09:00")) }()
	modelstest.EventuallyBlocked(t, w.URL, 1)
	require.NoError(t, killed.Close(t.Context()))
	require.NoError(t, <-done)
	require.Len(t, recipients(w.announced(t, "2026-03-27 09:00")), 1)
}

// A delivery that is late is reported once to every member who wants it, and to the
// notification address: not if it arrives in time, on days without banks, or while the
// organization is suspended.
func TestLateMail(t *testing.T) {
	t.Parallel()
	w := newDeliveryWorld(t)
	w.user(t, "viewer@a.example", terms.Viewer)
	unwilling := w.user(t, "unwilling@a.example", terms.Admin)
	require.NoError(
		t,
		w.Service.Accounts.UnwantedMailSet(t.Context(), *unwilling.Actor().UserID,
			[]mail.Topic{mail.TopicArrivals, mail.TopicLate}),
	)
	modelstest.ExecuteAt(t, w.URL, `UPDATE users SET language = CASE WHEN email LIKE 'viewer%' THEN 'da' ELSE 'en' END`)
	require.Empty(t, recipients(w.announced(t, "2026-03-26 23:00")), "nothing is expected by default")
	modelstest.ExecuteAt(
		t,
		w.URL,
		`UPDATE organizations SET expected_by = '10:00', expected_since = '2026-03-26 12:00+01', notification_address = 'notice@a.example'`,
	)
	require.Empty(t, recipients(w.announced(t, "2026-03-27 09:59")))
	late := []string{
		"The delivery to Organization a is late\n",
		"was expected by 27 March 2026 at 10:00 (Europe/Copenhagen), and had not arrived by then.",
	}
	requireRead(t, w.announced(t, "2026-03-27 10:00"), map[string][]string{
		"notice@a.example": late,
		"owner@a.example":  late,
		"viewer@a.example": {
			"Leverancen til Organization a er forsinket\n",
			"var ventet senest den 27.03.2026 kl. 10.00 (Europe/Copenhagen), men var ikke modtaget på det tidspunkt.",
		},
	})
	for _, when := range []string{"2026-03-27 10:01", "2026-03-28 12:00", "2026-03-29 12:00", "2026-03-30 09:59"} {
		require.Empty(t, recipients(w.announced(t, when)), when)
	}
	// On Monday, after the clocks moved.
	require.Len(t, recipients(w.announced(t, "2026-03-30 10:00")), 3)
	// In time on Tuesday; a withdrawal later has a mail of its own.
	delivery := w.Arrival(t, "10000001", at(t, "2026-03-31 09:00"))
	require.Empty(t, recipients(w.announced(t, "2026-03-31 10:00")))
	w.withdraw(t, delivery)
	require.Len(t, recipients(w.sent(t)), 4)
	require.Empty(t, recipients(w.announced(t, "2026-03-31 10:01")))
	// Suspended on Wednesday, until after the time.
	require.NoError(t, organizations.Suspend(t.Context(), w.Operator.Tenant(w.organization.ID)))
	require.Empty(t, recipients(w.announced(t, "2026-04-01 10:00")))
	require.NoError(t, organizations.Resume(t.Context(), w.Operator.Tenant(w.organization.ID)))
	require.Len(t, recipients(w.announced(t, "2026-04-01 15:00")), 3)
	// The next bank day is after Easter. It came while no instance ran.
	w.Arrival(t, "10000001", at(t, "2026-04-07 11:00"))
	require.Empty(t, recipients(w.announced(t, "2026-04-07 11:30")))
}
