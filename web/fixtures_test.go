package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/a-h/templ"
)

var now = time.Date(2026, 11, 20, 12, 34, 56, 0, time.UTC)

func before(d time.Duration) time.Time { return now.Add(-d) }

const (
	dayLong   = 24 * time.Hour
	keyID     = "0192f0c1-5d0e-7cc3-8a51-6f3f0e3b8f0a"
	newID     = "0192f0c1-9a11-7b02-9c40-2d1f5a7e6b31"
	baseURL   = "https://dispo.example/api"
	sampleKey = "dispo_k3Jx9QmT2aLp_7hYb2NcVw4ZsRt8KdEq1MfUo6GjXi5Pa0BTqP4"
)

var copenhagen = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Copenhagen")
	if err != nil {
		panic(err)
	}
	return zone
}()

func expiringFrame(path string) Frame {
	f := frame(path)
	f.Expiring = []ExpiringKey{{ID: keyID, Name: "Bookkeeping", ExpiresAt: now.AddDate(0, 0, 3)}, {ID: newID, Name: "Reports", ExpiresAt: now.AddDate(0, 0, 13)}}
	return f
}

// fixtureLocale is the reader's language in the fixtures that are made.
var fixtureLocale = English

// danishPages returns realisticPages for a Danish reader.
func danishPages() map[string]templ.Component {
	fixtureLocale = Danish
	defer func() { fixtureLocale = English }()
	return realisticPages()
}

func frame(path string) Frame {
	return Frame{
		Path: path, Now: now, Locale: fixtureLocale, Zone: copenhagen, UserEmail: "mette.lund@nordlys.example", Role: Owner, CanManage: true, FormToken: "form-token",
		Organization: Organization{ID: "1", Name: "Nordlys Handel", Role: Owner},
		Organizations: []Organization{
			{ID: "1", Name: "Nordlys Handel", Role: Owner},
			{ID: "2", Name: "Vesterhav Transport & Logistik A/S", Role: Viewer},
		},
	}
}

func visitorFrame(path string) Frame {
	return Frame{Path: path, Now: now, Locale: fixtureLocale, Zone: time.UTC, FormToken: "form-token"}
}

func asMember(f Frame) Frame {
	f.Role, f.CanManage = Viewer, false
	return f
}

func inSandbox(f Frame) Frame {
	f.Organization.Sandbox, f.Organizations[0].Sandbox = true, true
	return f
}

func withNotice(f Frame, notice string) Frame {
	f.Notice = notice
	return f
}

var (
	bookkeeping = KeyRow{
		ID: keyID, Name: "Bookkeeping, production", Hint: "TqP4", State: KeyActive, CreatedBy: "mette.lund@nordlys.example",
		CreatedAt: before(212 * dayLong),
		LastUse:   LastUse{At: before(3 * time.Minute), Address: "203.0.113.7", UserAgent: "axios/1.7.2"},
	}
	successor = KeyRow{
		ID: newID, Name: "Bookkeeping, production", Hint: "9xWd", State: KeyActive, CreatedBy: "mette.lund@nordlys.example",
		CreatedAt: before(6 * time.Minute), ExpiresAt: now.Add(365 * dayLong),
	}
	successorUsed = func() KeyRow {
		k := successor
		k.LastUse = LastUse{At: before(40 * time.Second), Address: "203.0.113.9", UserAgent: "axios/1.7.2"}
		return k
	}()
	nightly = RotationCaller{Client: "nightly-bookkeeping", CallerView: CallerView{
		Address: "10.0.0.7", UserAgent: "nightly-bookkeeping 3", FirstSeen: before(200 * dayLong), LastSeen: before(20 * time.Hour), Requests: 1204,
	}}
	ledgerMoved = RotationCaller{Client: "axios", NewKeyUsed: before(40 * time.Second), Moved: true, CallerView: CallerView{
		Address: "203.0.113.7", UserAgent: "axios/1.7.2", FirstSeen: before(30 * dayLong), LastSeen: before(3 * time.Minute), Requests: 18_214, Refused: 12, LastRefused: before(2 * dayLong),
	}}
	partlyMoved = func() RotationCaller {
		c := ledgerMoved
		c.Moved, c.NewKeyUsed = false, before(time.Hour)
		return c
	}()
	refusedCaller = func() RotationCaller {
		c := nightly
		c.UserAgent, c.Client, c.LastRefused, c.Refused = "", "", c.LastSeen, 3
		return c
	}()
	dismissed = func() RotationCaller {
		c := nightly
		c.Dismissed = true
		return c
	}()
	otherCallers = RotationCaller{CallerView: CallerView{UserAgent: "curl/8.5.0", FirstSeen: before(dayLong), LastSeen: before(time.Hour), Requests: 5000}}
	revoked      = func() KeyRow {
		k := bookkeeping
		k.State, k.RevokedAt = KeyRevoked, before(20*time.Second)
		return k
	}()
)

func keys() []KeyRow {
	rotating, replacing := bookkeeping, successor
	rotating.SuccessorID, rotating.ReplacedBy = newID, KeyRef{newID, "9xWd"}
	replacing.Replaces = KeyRef{keyID, "TqP4"}
	for i, bar := range sampleBars(30, dayLong, 9400) {
		rotating.Days = append(rotating.Days, bar.Served)
		replacing.Days = append(replacing.Days, max(0, int64(i-27)*900))
	}
	return []KeyRow{
		replacing,
		{
			ID: "3", Name: "Data warehouse", Hint: "b07Q", State: KeyPaused, CreatedBy: "jonas@nordlys.example", CreatedAt: before(80 * dayLong),
			ExpiresAt: now.Add(9*dayLong + time.Hour), ExpiresSoon: true,
			LastUse: LastUse{At: before(7 * time.Hour), Address: "2001:db8:4:1::17", UserAgent: "python-requests/2.32.3"},
		},
		rotating,
		{
			ID: "4", Name: "Trial of a rather long name that somebody gave a key once and never thought of again",
			Hint: "Zz19", State: KeyExpired, CreatedAt: before(400 * dayLong), ExpiresAt: before(35 * dayLong),
		},
		{
			ID: "5", Name: "Old importer", Hint: "oO0l", State: KeyRevoked, CreatedBy: "jonas@nordlys.example",
			CreatedAt: before(700 * dayLong), RevokedAt: before(212 * dayLong),
			LastUse: LastUse{At: before(213 * dayLong), Address: "198.51.100.23", UserAgent: "curl/8.5.0"},
		},
	}
}

func keyView(f Frame) KeyView {
	v := KeyView{Frame: f, Key: bookkeeping, Chart: Chart{By: ByDay, Bars: sampleBars(30, dayLong, 9400), KeyID: keyID},
		Predecessors: []KeyRow{keys()[4]}, Successors: []KeyRow{successor}, Refusals: overview(f, ByDay).Refusals[:1],
		Log: []AuditRow{
			{At: before(time.Hour), Actor: "mette.lund@nordlys.example", Action: "key.schedule_revoke", Subject: "Bookkeeping, production (dispo_…TqP4), when unused for 35 days", Address: "203.0.113.7"},
			{At: before(212 * dayLong), Actor: "mette.lund@nordlys.example", Action: "key.create", Subject: "Bookkeeping, production (dispo_…TqP4)", Address: "203.0.113.7"},
		},
	}
	v.Key.RevokesAt, v.Key.QuietDays, v.Key.Note = now.Add(35*dayLong), 35, "Runs on the accountants’ server.\nAsk Jonas before you revoke it."
	return v
}

func sampleBars(n int, length time.Duration, peak int64) []Bar {
	all := make([]Bar, n)
	for i := range all {
		wave := []int64{3, 5, 4, 8, 21, 55, 62, 70, 58, 66, 81, 40, 33, 60, 72, 90, 77, 51, 30, 12, 9, 7, 4, 2}[i%24]
		all[i] = Bar{Start: now.Truncate(length).Add(-time.Duration(n-1-i) * length), Served: wave * peak / 90}
		if i == n-9 {
			all[i].Refused = peak / 4
		}
		if i == n-2 {
			all[i].Refused = 3
		}
	}
	return all
}

func keyUses() []KeyUse {
	return []KeyUse{
		{KeyRow: KeyRow{ID: keyID, Name: "Bookkeeping, production", Hint: "TqP4", State: KeyActive}, Served: 18_214, Refused: 253},
		{KeyRow: KeyRow{ID: "3", Name: "Data warehouse", Hint: "b07Q", State: KeyActive, RevokesAt: now.AddDate(0, 0, 9), QuietDays: 14}, Served: 960},
		{KeyRow: KeyRow{ID: "5", Name: "Old importer", Hint: "oO0l", State: KeyRevoked}, Refused: 12},
	}
}

func overview(f Frame, by ChartBy) OverviewView {
	v := OverviewView{
		Frame:  f,
		Minute: Use{Used: 12, Limit: 60, ResetsAt: now.Add(4 * time.Second)},
		Hour:   Use{Used: 861, Limit: 1000, ResetsAt: now.Add(26 * time.Minute)},
		Chart:  Chart{By: ByHour, Bars: sampleBars(48, time.Hour, 820), Limit: 1000},
		Keys:   keyUses(),
		Refusals: []Refusal{
			{At: before(61 * time.Second), FirstAt: before(17 * time.Minute), Count: 12, KeyName: "Bookkeeping, production", KeyHint: "TqP4", Status: 429, Method: "GET",
				Path: "/api/v1/companies/12345674/transactions?limit=100&after=0192f0c1-9a11-7b02-9c40-2d1f5a7e6b31", Address: "203.0.113.7", UserAgent: "axios/1.7.2"},
			{At: before(5 * time.Hour), Count: 1, KeyName: "Old importer", KeyHint: "oO0l", Status: 401, Method: "GET",
				Path: "/api/v1/companies", Address: "198.51.100.23", UserAgent: "curl/8.5.0"},
		},
	}
	if by == ByDay {
		v.Minute.Used = 60
		v.Chart = Chart{By: ByDay, Bars: sampleBars(30, dayLong, 9400), KeyID: keyID}
	}
	return v
}

func transactions() []TransactionRow {
	var all []TransactionRow
	for i := range 50 {
		all = append(all, TransactionRow{
			CVR: "12345674", CompanyName: "Vesterhav Fisk & Skaldyr A/S", DeliveryFileID: newID,
			DispositionDate: isoDate(before(time.Duration(i) * dayLong)), TransferType: "Card settlement",
			RegNumber: "4711", AccountNumber: "0012345678", Count: int64(18 + i*37%400),
			AmountDKK: []string{"1234.50", "-310.00", "98765.25", "1204550.10", "0.00"}[i%5],
			Filename:  fmt.Sprintf("delivery-%s.txt", isoDate(before(time.Duration(i)*dayLong))), RecordIndex: int64(i * 7),
			RawLine:     "OS845    0000000018000000123450201126471100123456781234567487654321             ",
			ProcessedAt: before(time.Duration(i)*dayLong - time.Hour),
		})
	}
	return all
}

func transactionLedger(path string) Ledger {
	return Ledger{
		Path: path, Types: []string{"Card settlement", "Refund"}, Rows: transactions(), From: 51, To: 100, Count: 2314, Amount: "30118412.75", Shown: "13056503.50",
		Newest: path, Newer: path + "?newer=x", Older: path + "?older=x", Oldest: path + "?at=oldest",
	}
}

func deliveries() DeliveriesView {
	v := DeliveriesView{
		Frame:   frame("/deliveries"),
		Waiting: []WaitingRow{{CVR: "12345674", Count: 12, Amount: "-310.00", FirstDate: "2026-11-18", LastDate: "2026-11-19"}},
		Pager:   Pager{Next: "/deliveries?before=x"},
	}
	for i := range 12 {
		day := isoDate(before(time.Duration(i+1) * dayLong))
		v.Rows = append(v.Rows, DeliveryRow{ID: newID, Filename: "delivery-" + day + ".txt", Layout: "os", Count: int64(1200 + 31*i), Amount: "98765.25", FirstDate: day, LastDate: day, ArrivedAt: before(time.Duration(i)*dayLong + 6*time.Hour)})
		v.Days = append(v.Days, BookingDay{Day: day, Count: int64(1200 + 31*i), Amount: "98765.25", UsualCount: 1200, UsualAmount: "98000.00", Files: 1})
	}
	v.Rows[1].WithdrawnAt, v.Rows[1].Reason, v.Rows[1].LastDate = before(time.Hour), "replaced by delivery-2026-11-18-corrected.txt", "2026-11-19"
	v.Rows[2].FirstDate, v.Rows[2].LastDate, v.Rows[2].ArrivedAt, v.Rows[2].Layout = "", "", time.Time{}, ""
	v.Days[0].Count, v.Days[0].Amount, v.Days[0].Files = 0, "0.00", 0
	v.Days[1].Count, v.Days[1].WithdrawnFiles, v.Days[1].WithdrawnCount, v.Days[1].WithdrawnAmount, v.Days[1].WithdrawnID = 10, 1, 1231, "98765.25", newID
	v.Days[3].Count, v.Days[3].Amount, v.Days[3].UsualCount, v.Days[3].UsualAmount = 0, "0.00", 0, "0.00"
	v.Days[2].UsualAmount = ""
	return v
}

func companies() []CompanyRow {
	statuses := []CompanyStatus{Registered, Registered, Created, Modified, Terminated, Rejected}
	names := []string{"Nordlys Handel ApS", "Bageriet på Hjørnet", "Vesterhav Fisk & Skaldyr A/S", "Cykelsmeden i Aarhus", "Hotel Skagen Strand", "Grønt & Godt IVS"}
	var all []CompanyRow
	for i := range 50 {
		c := CompanyRow{CVR: fmt.Sprint(12345674 + i*1013), Name: names[i%6], Status: statuses[i%6], StartDate: "2024-03-01", EndDate: openEnded, Transactions: int64(i) * 997}
		if c.Status == Terminated {
			c.EndDate = "2026-06-30"
		}
		all = append(all, c)
	}
	return all
}

// qrCode looks like a QR code, but is not one.
func qrCode() [][]bool {
	modules := make([][]bool, 33)
	for y := range modules {
		modules[y] = make([]bool, 33)
		for x := range modules[y] {
			modules[y][x] = (x*7+y*13+x*y)%5 < 2
		}
	}
	return modules
}

func rotation(change func(v *RotationView)) templ.Component {
	v := RotationView{
		Frame: frame("/settings/api-keys/" + keyID + "/rotate"), Old: bookkeeping, BaseURL: baseURL, Silence: Silence{Needed: 3 * dayLong, From: before(18 * dayLong), To: before(15 * dayLong)},
		KeyFields: KeyFields{Name: Field{Value: bookkeeping.Name}, Nonce: "nonce"},
	}
	change(&v)
	return RotationPage(v)
}

func members() MembersView {
	all := []Role{Owner, Admin, Viewer}
	return MembersView{
		Frame: frame("/settings/members"),
		Members: []MemberRow{
			{ID: "1", Email: "mette.lund@nordlys.example", Role: Owner, Self: true, SecondFactor: true, JoinedAt: before(900 * dayLong), LastOwner: true},
			{ID: "2", Email: "jonas@nordlys.example", Role: Admin, SecondFactor: true, JoinedAt: before(600 * dayLong), Roles: all, CanRemove: true},
			{ID: "3", Email: "revision@revisorerne-i-midtjylland.example", Role: Viewer, JoinedAt: before(30 * dayLong), Roles: all, CanRemove: true},
		},
		Invitations: []InvitationRow{
			{ID: "1", Email: "sofie@nordlys.example", Role: Viewer, InvitedBy: "jonas@nordlys.example", CreatedAt: before(dayLong), ExpiresAt: now.Add(6 * dayLong)},
			{ID: "2", Email: "peter@nordlys.example", Role: Admin, CreatedAt: before(20 * dayLong), ExpiresAt: before(13 * dayLong)},
		},
		InviteRoles: all,
	}
}

const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"

func sessionRows() []SessionRow {
	return []SessionRow{
		{ID: "1", Current: true, Address: "203.0.113.40", UserAgent: chrome, StartedAt: before(2 * dayLong), SeenAt: now},
		{ID: "2", Address: "2001:db8:99::3", UserAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
			StartedAt: before(40 * dayLong), SeenAt: before(3 * dayLong)},
	}
}

func auditRows() []AuditRow {
	return []AuditRow{
		{At: before(time.Minute), Actor: "mette.lund@nordlys.example", Action: "key.revoke", Subject: "Bookkeeping, production (dispo_…TqP4)", Address: "203.0.113.40"},
		{At: before(9 * time.Minute), Actor: "mette.lund@nordlys.example", Action: "key.rotate", Subject: "Bookkeeping, production (dispo_…TqP4)", Address: "203.0.113.40"},
		{At: before(dayLong), Actor: "jonas@nordlys.example", Action: "member.invite", Subject: "sofie@nordlys.example as viewer", Address: "203.0.113.41"},
		{At: before(dayLong + time.Hour), Actor: "jonas@nordlys.example", Action: "session.start", Address: "2001:db8:99::3"},
		{At: before(900 * dayLong), Action: "user.create", Subject: "mette.lund@nordlys.example as owner"},
	}
}

func rejectedField(value, reason string) Field {
	return Field{Value: value, Error: fixtureLocale.Lookup(reason)}
}

// realisticPages returns every page in the states that people see, by name.
func realisticPages() map[string]templ.Component {
	profile := ProfileView{Frame: frame("/profile"), SecondFactor: true, RecoveryCodesLeft: 8, Sessions: sessionRows(),
		MailTopics: []MailTopic{{Name: "keys", Wanted: true}, {Name: "expiry"}, {Name: "deliveries", Wanted: true}}}
	invitation := InvitationView{
		Frame: visitorFrame("/invitations/abc"), State: InvitationNewcomer, OrganizationName: "Nordlys Handel", Email: "sofie@nordlys.example",
		Role: Viewer, InvitedBy: "jonas@nordlys.example", ExpiresAt: now.Add(6 * dayLong),
	}
	company := CompanyView{
		Frame: frame("/companies/12345674"), CVR: "12345674", Name: "Vesterhav Fisk & Skaldyr A/S", Address: "Havnegade 12, 6960 Hvide Sande",
		Status: Registered, StartDate: "2024-03-01", EndDate: openEnded, SenderRegNumber: "4711", SenderAccountNumber: "0012345678",
		DefaultAmountDKK: "2500.00", CreatedAt: before(600 * dayLong), UpdatedAt: before(3 * dayLong),
		Ledger: transactionLedger("/companies/12345674"),
	}
	company.Ledger.OneCompany, company.Ledger.Filter = true, TransactionFilter{Type: Field{Value: "Card settlement"}}
	filtered := transactionLedger("/transactions")
	filtered.Filter = TransactionFilter{From: Field{Value: "2026-10-01"}, To: Field{Value: "2026-12-31"}, Amount: Field{Value: "100..200"}, CVR: Field{Value: "12345674"}}
	filtered.Count, filtered.More, filtered.Amount, filtered.From, filtered.To = 10_000, true, "", 0, 0
	filtered.Withdrawals = []Withdrawal{{ID: newID, Filename: "delivery-2026-11-21-b.csv", At: before(time.Hour), Reason: "The network sent it twice.", Count: 39, Amount: "1619116.66"},
		{ID: keyID, Filename: "delivery-2026-11-20.txt", At: before(dayLong), Reason: "replaced by delivery-2026-11-20-corrected.txt", Count: 1, Amount: "-12.50"}}
	filtered.Since, filtered.Earlier = "2026-11-01", "/transactions?to=2026-10-31"
	rejected := Ledger{Path: "/transactions", Types: filtered.Types, Filter: TransactionFilter{From: rejectedField("yesterday", fixtureLocale.T("Enter a day as year-month-day, such as 2026-10-31.")), Type: Field{Value: "Unknown"},
		Amount: rejectedField("much", fixtureLocale.T("Enter an amount such as 1234.50, or a range such as 100-200.")), CVR: rejectedField("1", fixtureLocale.T("Enter a CVR with 8 digits, such as 12345678."))}}
	keysRevoked := KeysView{Frame: withNotice(frame("/settings/api-keys"), "Key “Old importer” is revoked. Requests with it are refused."), Keys: keys()}
	keyPaused, keyRevoked, keyRejected := keyView(frame("/settings/api-keys/"+keyID)), keyView(frame("/settings/api-keys/"+keyID)), keyView(frame("/settings/api-keys/"+keyID))
	keyPaused.Key.State, keyPaused.Key.PausedAt, keyPaused.Key.RevokesAt = KeyPaused, before(20*time.Minute), time.Time{}
	keyRevoked.Key, keyRevoked.Chart = revoked, Chart{By: ByHour, Bars: sampleBars(48, time.Hour, 820)}
	keyRejected.Key.RevokesAt, keyRejected.Described = time.Time{}, true
	keyRejected.KeyForms = KeyForms{Described: true, Name: rejectedField("", "A key needs a name of 1 to 100 characters."), QuietDays: rejectedField("400", "The number of days must be from 1 to 365.")}
	inviteRejected := members()
	inviteRejected.InviteEmail = rejectedField("jonas@nordlys.example", "This person is a member already.")
	day := overview(frame("/"), ByHour)
	day.Chart.Day, day.Chart.Bars = "2026-11-18", sampleBars(24, time.Hour, 90)
	day.Chart.Limit = 1000

	kept := KeptFormView{
		Frame: frame("/kept-form"), Path: "/settings/api-keys/new", ShownFor: frame("").Organization,
		Fields: []HiddenField{{"name", "Bookkeeping, production"}, {"expires", "date"}, {"expires_on", "2026-12-31"}, {"nonce", "nonce"}},
	}
	keptSwitched := kept
	keptSwitched.Switched, keptSwitched.ShownFor = true, frame("").Organizations[1]
	pages := map[string]templ.Component{
		"sign-in":                SignInPage(SignInView{Frame: visitorFrame("/sign-in"), Next: "/settings/api-keys"}),
		"forgotten":              ForgottenPage(ForgottenView{Frame: visitorFrame("/password/forgotten"), Mail: true}),
		"forgotten-rejected":     ForgottenPage(ForgottenView{Frame: visitorFrame("/password/forgotten"), Mail: true, Email: rejectedField("kari", "Type an e-mail address, such as kari@example.com.")}),
		"forgotten-no-mail":      ForgottenPage(ForgottenView{Frame: visitorFrame("/password/forgotten")}),
		"sign-in-rejected":       SignInPage(SignInView{Frame: visitorFrame("/sign-in"), Email: "mette@nordlys.example", Problem: "The e-mail or the password is wrong."}),
		"second-factor":          SecondFactorPage(SecondFactorView{Frame: visitorFrame("/sign-in/second-factor")}),
		"second-factor-rejected": SecondFactorPage(SecondFactorView{Frame: visitorFrame("/sign-in/second-factor"), Problem: "This code is wrong or too old."}),
		"password":               PasswordPage(PasswordView{Frame: visitorFrame("/password/abc"), Email: "mette.lund@nordlys.example", Password: rejectedField("", "The password needs at least 12 characters.")}),
		"invitation":             InvitationPage(invitation),
		"overview":               OverviewPage(overview(frame("/"), ByHour)),
		"overview-days":          OverviewPage(overview(frame("/"), ByDay)),
		"overview-day":           OverviewPage(day),
		"companies":              CompaniesPage(CompaniesView{Frame: frame("/companies"), Rows: companies(), Total: 1204, Pager: Pager{Next: "/companies?after=x"}}),
		"companies-sorted":       CompaniesPage(CompaniesView{Frame: frame("/companies"), Query: "a", Sort: "-name", Rows: companies(), Total: 1204, Found: 512}),
		"companies-unsorted":     CompaniesPage(CompaniesView{Frame: frame("/companies"), Query: "a", Sort: "cvr", Unsorted: true, Rows: companies(), Total: 120_400, Found: 50, More: true}),
		"company":                CompanyPage(company),
		"transactions":           TransactionsPage(TransactionsView{Frame: frame("/transactions"), Ledger: transactionLedger("/transactions")}),
		"transactions-filtered":  TransactionsPage(TransactionsView{Frame: frame("/transactions"), Ledger: filtered}),
		"transactions-rejected":  TransactionsPage(TransactionsView{Frame: frame("/transactions"), Ledger: rejected}),
		"transactions-beyond":    TransactionsPage(TransactionsView{Frame: frame("/transactions"), Ledger: Ledger{Path: "/transactions", Types: filtered.Types, Count: 17, Newest: "/transactions"}}),
		"deliveries":             DeliveriesPage(deliveries()),
		"delivery":               DeliveryPage(DeliveryView{Frame: frame("/deliveries/" + newID), Delivery: deliveries().Rows[0], Rows: transactions(), Pager: Pager{Prev: "/deliveries/" + newID, Next: "/deliveries/" + newID + "?older=x"}}),
		"delivery-withdrawn": DeliveryPage(DeliveryView{Frame: frame("/deliveries/" + keyID), Delivery: deliveries().Rows[1], MoreWithdrawn: true, Withdrawn: []WithdrawnDay{
			{CVR: "12345674", CompanyName: "Vesterhav Fisk & Skaldyr A/S", Day: "2026-11-19", Count: 39, Amount: "1619116.66", BookedCount: 2, BookedAmount: "310.00"},
			{CVR: "12345674", CompanyName: "Vesterhav Fisk & Skaldyr A/S", Day: "2026-11-18", Count: 1, Amount: "-12.50", BookedAmount: "0.00"}}}),
		"keys":                  KeysPage(KeysView{Frame: frame("/settings/api-keys"), Keys: keys()}),
		"keys-revoked":          KeysPage(keysRevoked),
		"keys-searched":         KeysPage(KeysView{Frame: frame("/settings/api-keys"), Keys: keys()[3:], Query: "o", Unused: true, Sort: "name"}),
		"key-new":               KeyNewPage(KeyNewView{Frame: frame("/settings/api-keys/new"), KeyFields: KeyFields{Nonce: "nonce"}}),
		"key-new-rejected":      KeyNewPage(KeyNewView{Frame: frame("/settings/api-keys/new"), KeyFields: KeyFields{Name: rejectedField("", "A key needs a name of 1 to 100 characters."), Expires: Field{Value: "date"}, ExpiresOn: rejectedField("2020-01-01", "The last day must lie ahead."), Nonce: "nonce"}}),
		"key-created":           KeyCreatedPage(KeyCreatedView{Frame: frame("/settings/api-keys/new"), Key: bookkeeping, Text: sampleKey, BaseURL: baseURL}),
		"key-new-expiring":      KeyNewPage(KeyNewView{Frame: expiringFrame("/settings/api-keys/new"), KeyFields: KeyFields{Nonce: "nonce", Expires: Field{Value: "never"}}}),
		"organization":          OrganizationPage(OrganizationView{Frame: frame("/settings/organization"), Mail: true, NotificationAddress: Field{Value: "accounts@nordlys.example"}, Name: Field{Value: "Nordlys Handel"}, TimeZone: Field{Value: "Europe/Copenhagen"}}),
		"organization-rejected": OrganizationPage(OrganizationView{Frame: frame("/settings/organization"), Name: rejectedField("", "An organization needs a name."), TimeZone: rejectedField("Mars", "“Mars” is not a time zone."), NotificationAddress: rejectedField("accounts", "“accounts” is not a valid e-mail address")}),
		"sandbox-overview":      OverviewPage(overview(inSandbox(frame("/")), ByHour)),
		"key-created-again":     KeyCreatedPage(KeyCreatedView{Frame: frame("/settings/api-keys/new"), BaseURL: baseURL}),
		"key":                   KeyPage(keyView(frame("/settings/api-keys/" + keyID))),
		"key-paused":            KeyPage(keyPaused),
		"key-revoked":           KeyPage(keyRevoked),
		"key-unused":            KeyPage(KeyView{Frame: frame("/settings/api-keys/" + newID), Key: successor, Chart: Chart{By: ByDay, Bars: make([]Bar, 30)}}),
		"key-rejected":          KeyPage(keyRejected),
		"key-pause": KeyPausePage(KeyStopView{Frame: frame("/settings/api-keys/" + keyID + "/pause"), Key: bookkeeping, RequestsLastDay: 1240,
			Silence: Silence{Needed: 35 * dayLong, Until: now.Add(34 * dayLong)}, Callers: []RotationCaller{nightly}}),
		"key-pause-unused": KeyPausePage(KeyStopView{Frame: frame("/settings/api-keys/" + newID + "/pause"), Key: successor}),
		"key-pause-done":   KeyPausePage(KeyStopView{Frame: frame("/settings/api-keys/" + keyID + "/pause"), Key: revoked}),
		"key-revoke": KeyRevokePage(KeyStopView{Frame: frame("/settings/api-keys/" + keyID + "/revoke"), Key: bookkeeping, RequestsLastDay: 1240, LastActive: true,
			Silence: Silence{Needed: 35 * dayLong, Until: now.Add(34 * dayLong)}, Callers: []RotationCaller{nightly, ledgerMoved, refusedCaller, otherCallers, nightly, nightly}}),
		"key-revoke-safe": KeyRevokePage(KeyStopView{Frame: frame("/settings/api-keys/" + keyID + "/revoke"), Key: bookkeeping,
			Silence: Silence{Needed: 9 * time.Hour, From: before(3*dayLong + 9*time.Hour), To: before(3 * dayLong), Until: before(time.Hour)}, Callers: []RotationCaller{nightly}}),
		"key-revoke-unused": KeyRevokePage(KeyStopView{Frame: frame("/settings/api-keys/" + newID + "/revoke"), Key: successor}),
		"key-revoke-done":   KeyRevokePage(KeyStopView{Frame: frame("/settings/api-keys/" + keyID + "/revoke"), Key: revoked}),
		"rotation-1-create": rotation(func(v *RotationView) {}),
		"rotation-2-created": rotation(func(v *RotationView) {
			v.Successor, v.NewKey, v.Callers = &successor, sampleKey, []RotationCaller{nightly}
		}),
		"rotation-2-update": rotation(func(v *RotationView) { v.Successor, v.Callers = &successor, []RotationCaller{nightly, ledgerMoved} }),
		"rotation-3-verify": rotation(func(v *RotationView) { v.Successor, v.Step = &successor, RotationVerify }),
		"rotation-3-revoke": rotation(func(v *RotationView) { v.Successor, v.Step = &successor, RotationRevoke }),
		"rotation-3-tested": rotation(func(v *RotationView) {
			v.Successor, v.Step, v.TestedAt, v.Callers = &successor, RotationVerify, before(9*time.Second), []RotationCaller{nightly, refusedCaller}
		}),
		"rotation-3-moving": rotation(func(v *RotationView) {
			v.Successor, v.Callers = &successorUsed, []RotationCaller{ledgerMoved, nightly, partlyMoved, refusedCaller, dismissed, otherCallers}
		}),
		"rotation-4-wait": rotation(func(v *RotationView) {
			v.Successor, v.Silence.Until, v.Callers = &successorUsed, now.Add(2*dayLong), []RotationCaller{ledgerMoved, dismissed}
		}),
		"rotation-4-wait-unknown": rotation(func(v *RotationView) {
			v.Old.RevokesAt, v.Old.QuietDays = now.AddDate(0, 0, 34), 35
			v.Successor, v.Callers, v.Silence = &successorUsed, []RotationCaller{ledgerMoved}, Silence{Needed: 35 * dayLong, Until: now.Add(34 * dayLong)}
		}),
		"rotation-4-revoke": rotation(func(v *RotationView) {
			v.Successor, v.Step, v.Silence.Until, v.Callers = &successorUsed, RotationRevoke, now.Add(2*dayLong), []RotationCaller{ledgerMoved, nightly}
		}),
		"rotation-4-safe": rotation(func(v *RotationView) {
			v.Successor, v.SafeToRevoke, v.Callers = &successorUsed, true, []RotationCaller{ledgerMoved}
		}),
		"rotation-5-done":      rotation(func(v *RotationView) { v.Successor, v.Old, v.SafeToRevoke = &successorUsed, revoked, true }),
		"members":              MembersPage(members()),
		"members-rejected":     MembersPage(inviteRejected),
		"member-remove":        MemberRemovePage(MemberRemoveView{Frame: frame("/settings/members/2/remove"), Member: members().Members[1], Keys: 2}),
		"member-leave":         MemberRemovePage(MemberRemoveView{Frame: frame("/settings/members/1/remove"), Member: members().Members[0]}),
		"invitation-created":   InvitationCreatedPage(InvitationCreatedView{Frame: frame("/settings/members"), Email: "sofie@nordlys.example", Role: Viewer, Link: "https://dispo.example/invitations/7hYb2NcVw4ZsRt8KdEq1MfUo6GjXi5Pa0Bn", ExpiresAt: now.Add(7 * dayLong)}),
		"invitation-mailed":    InvitationCreatedPage(InvitationCreatedView{Frame: frame("/settings/members"), Mailed: true, Email: "sofie@nordlys.example", Role: Viewer, Link: "https://dispo.example/invitations/7hYb2NcVw4ZsRt8KdEq1MfUo6GjXi5Pa0Bn", ExpiresAt: now.Add(7 * dayLong)}),
		"audit-log":            AuditLogPage(AuditLogView{Frame: frame("/settings/audit-log"), Rows: auditRows(), Pager: Pager{Next: "/settings/audit-log?before=x"}, Download: Download{Path: "/settings/audit-log/export", JSONLines: true}}),
		"profile":              ProfilePage(profile),
		"profile-off":          ProfilePage(ProfileView{Frame: frame("/profile"), Sessions: sessionRows()[:1], CurrentPassword: rejectedField("", "This is not your present password.")}),
		"totp-setup":           TOTPSetupPage(TOTPSetupView{Frame: frame("/profile/second-factor"), Secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", URI: "otpauth://totp/Dispo:mette?secret=JBSWY3DPEHPK3PXP", QR: qrCode(), Setup: "sealed"}),
		"second-factor-remove": SecondFactorRemovePage(SecondFactorRemoveView{Frame: frame("/profile/second-factor/remove")}),
		"recovery-codes-new":   RecoveryCodesNewPage(RecoveryCodesNewView{Frame: frame("/profile/second-factor/recovery-codes"), Left: 3}),
		"recovery-codes":       RecoveryCodesPage(RecoveryCodesView{Frame: frame("/profile/second-factor"), Codes: strings.Fields("4fj2-99ad k2m8-pq0z 77aa-1c3e 9xnb-40vd ab2c-ppq1 m0n7-3ke2 zz81-dd4f 5tre-a9w8 qq02-81lk h3h3-6y7u"), TurnedOn: true}),
		"kept-form":            KeptFormPage(kept),
		"kept-form-switched":   KeptFormPage(keptSwitched),
		"confirm":              ConfirmPage(ConfirmView{Frame: frame("/settings/api-keys/new"), Path: "/settings/api-keys/new", Fields: kept.Fields}),
		"confirm-rejected":     ConfirmPage(ConfirmView{Frame: frame("/profile/second-factor"), Path: "/profile/second-factor", SecondFactor: true, Confirmation: rejectedField("", "This is not your password.")}),
		"keys-none":            KeysPage(KeysView{Frame: frame("/settings/api-keys")}),
		"companies-none":       CompaniesPage(CompaniesView{Frame: frame("/companies")}),
		"company-none":         CompanyPage(CompanyView{Frame: frame("/companies/12345674"), CVR: "12345674", Name: "Grønt & Godt IVS", Status: Created, StartDate: "2026-11-01", EndDate: openEnded, CreatedAt: before(dayLong), UpdatedAt: before(dayLong)}),
		"transactions-none":    TransactionsPage(TransactionsView{Frame: frame("/transactions"), Ledger: Ledger{Path: "/transactions"}}),
		"deliveries-none":      DeliveriesPage(DeliveriesView{Frame: frame("/deliveries")}),
		"audit-log-none":       AuditLogPage(AuditLogView{Frame: frame("/settings/audit-log")}),
		"audit-log-no-match":   AuditLogPage(AuditLogView{Frame: frame("/settings/audit-log"), Filter: AuditFilter{Person: "jonas@nordlys.example", Action: "key.revoke", From: "2026-11-01", To: "2026-11-20"}}),
		"error-403":            ErrorPage(ErrorView{Frame: asMember(frame("/settings/api-keys/new")), Status: 403}),
		"error-404":            ErrorPage(ErrorView{Frame: frame("/nowhere"), Status: 404}),
		"error-404-outside":    ErrorPage(ErrorView{Frame: visitorFrame("/invitations/abc"), Status: 404, Message: "This invitation has been used or withdrawn, or it has expired."}),
		"error-429":            ErrorPage(ErrorView{Frame: visitorFrame("/sign-in"), Status: 429, RetryAfter: 47 * time.Second}),
		"error-500":            ErrorPage(ErrorView{Frame: frame("/"), Status: 500, RequestID: "0192f0c1-9a11-7b02-9c40-2d1f5a7e6b31"}),
	}
	for _, d := range Docs() {
		pages[docName(d)] = d.Page(DocsView{Frame: frame(d.Path), BaseURL: baseURL, LimitMinute: 60, LimitHour: 1000})
		pages[docName(d)+"-outside"] = d.Page(DocsView{Frame: visitorFrame(d.Path), BaseURL: baseURL, LimitMinute: 600, LimitHour: 5000, PerKey: true, Support: "support@dispo.example"})
	}
	for _, state := range []InvitationState{InvitationSignIn, InvitationJoin, InvitationOtherUser} {
		v := invitation
		v.State = state
		if state != InvitationSignIn {
			v.Frame = frame(v.Path)
		}
		pages["invitation-"+string(state)] = InvitationPage(v)
	}
	return pages
}

// docName is the name of a page of the documentation among the fixtures.
func docName(d Doc) string { return strings.ReplaceAll(strings.Trim(d.Path, "/"), "/", "-") }
