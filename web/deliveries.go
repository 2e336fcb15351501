package web

import (
	"math/big"
	"net/url"
	"strings"
	"time"

	"dispo/models/i18n"
)

// DeliveriesView is the view of GET /deliveries?before=. The parameter is optional.
type DeliveriesView struct {
	Frame
	LateBy  time.Time     // when a delivery that has not arrived was expected; zero if none is late; only on the first page
	Bars    DayBars       // the last 30 days; only on the first page
	Days    []ReceivedDay // the last 14 days, the latest first; only on the first page
	Waiting []WaitingRow  // only on the first page
	Rows    []DeliveryRow // the latest first
	Pager   Pager         // Prev leads to later deliveries, Next to earlier ones
}

// ReceivedDay is what was received on a day, beside what is usual.
type ReceivedDay struct {
	Day         string // YYYY-MM-DD
	Count       int64  // transactions with this disposition date
	Amount      string // their sum, decimal
	UsualCount  int64  // the median of the weekday's last eight days with transactions; 0 if it usually has none
	UsualAmount string // the same; empty if too little is known
	Compared    bool   // enough is known to say by how much the day differs
	Files       int64  // delivery files with transactions of this day

	WithdrawnFiles  int64 // that had transactions of this day
	WithdrawnCount  int64
	WithdrawnAmount string // decimal
	WithdrawnID     string // the latest of these files
	SentAgain       bool   // records came after each of these withdrawals
}

// weekday is the day's name.
func (d ReceivedDay) weekday(f Frame) string {
	day, err := time.Parse(time.DateOnly, d.Day)
	if err != nil {
		return ""
	}
	return [...]string{
		f.T("Sunday"), f.T("Monday"), f.T("Tuesday"), f.T("Wednesday"), f.T("Thursday"), f.T("Friday"), f.T("Saturday"),
	}[day.Weekday()]
}

// weekdayInText is the day's name within a sentence.
func (d ReceivedDay) weekdayInText(f Frame) string {
	if f.Locale == i18n.Danish {
		return strings.ToLower(d.weekday(f))
	}
	return d.weekday(f)
}

// path leads to the day among those of its month, with its companies.
func (d ReceivedDay) path() string {
	return "/days?" + url.Values{
		"month": {d.Day[:min(len(d.Day), len("2006-01"))]},
		"day":   {d.Day},
	}.Encode() + "#day-" + d.Day
}

// verdict is what a day has beside what is usual.
type verdict int

const (
	ordinary verdict = iota // or nothing is known to be usual
	toCome                  // the day is after today, and has something already
	notYet                  // nothing today
	nothing
	low // less than half of the usual number or sum
)

func (d ReceivedDay) verdict(f Frame) verdict {
	switch {
	case d.ahead(f) && d.Count > 0:
		return toCome
	case d.ahead(f), d.UsualAmount == "" || d.UsualCount == 0:
		return ordinary
	case d.Count == 0 && d.Day == f.today():
		return notYet
	case d.Count == 0:
		return nothing
	case 2*d.Count < d.UsualCount || halfOf(d.Amount, d.UsualAmount):
		return low
	}
	return ordinary
}

// short reports whether the day has too little.
func (d ReceivedDay) short(f Frame) bool { return d.verdict(f) == nothing || d.verdict(f) == low }

// BelowUsual reports whether the day has less than usual, if only a little.
func (d ReceivedDay) BelowUsual() bool {
	return 2*d.Count < d.UsualCount || cents(d.Amount).Cmp(cents(d.UsualAmount)) < 0
}

// ahead reports whether the day is to come.
func (d ReceivedDay) ahead(f Frame) bool { return d.Day > f.today() }

// noted reports whether dayNote says something.
func (d ReceivedDay) noted(f Frame) bool { return d.verdict(f) != ordinary || d.WithdrawnFiles > 0 }

// missing is by how much the sum of a past day is below the usual one, decimal; empty if it is not, or none is known.
func (d ReceivedDay) missing(f Frame) string {
	short := new(big.Int).Sub(cents(d.UsualAmount), cents(d.Amount))
	if d.UsualAmount == "" || short.Sign() <= 0 || d.Day >= f.today() {
		return ""
	}
	return decimal(short)
}

// halfOf reports whether an amount is less than half of a usual one above zero.
func halfOf(amount, usual string) bool {
	a, b := cents(amount), cents(usual)
	return b.Sign() > 0 && a.Lsh(a, 1).Cmp(b) < 0
}

// WaitingRow is records that wait for a company.
type WaitingRow struct {
	CVR                 string
	Count               int64
	Amount              string // decimal
	FirstDate, LastDate string // YYYY-MM-DD
}

// DeliveryRow is a delivery file with the organization's own records.
type DeliveryRow struct {
	ID                  string
	Filename            string
	Layout              string // empty if unknown
	Count               int64
	Amount              string    // decimal
	FirstDate, LastDate string    // YYYY-MM-DD; empty if unknown or without records
	ArrivedAt           time.Time // zero if unknown
	WithdrawnAt         time.Time // zero if it was not withdrawn
	Reason              string    // of the withdrawal
	SentAgain           bool      // records of its days came after the withdrawal
}

// reason returns why a delivery was withdrawn: in the operator's words, or because of its age.
func (f Frame) reason(reason string) string {
	if reason == "retention" {
		return f.T("transactions are not kept for longer")
	}
	return reason
}

func (r DeliveryRow) withdrawn() bool { return !r.WithdrawnAt.IsZero() }

// DeliveryView is the view of GET /deliveries/{id}?older=. The parameter is optional.
type DeliveryView struct {
	Frame
	Delivery  DeliveryRow
	Rows      []TransactionRow // the newest first
	Withdrawn []WithdrawnDay   // of a withdrawn delivery, the newest first; none if unknown
	Pager     Pager            // Prev leads to the first page, Next to older rows
}

// WithdrawnDay is what a withdrawn delivery had of a day.
type WithdrawnDay struct {
	Day string // YYYY-MM-DD
	Withdrawn
	Companies []WithdrawnCompany // those on this page
}

// WithdrawnCompany is what a withdrawn delivery had of a company's day.
type WithdrawnCompany struct {
	CVR, Name string
	Withdrawn
}

// Withdrawn is what a withdrawn delivery had, beside what was received for the same now.
type Withdrawn struct {
	Count         int64
	AmountDKK     string // decimal
	ReceivedCount int64
	ReceivedDKK   string // decimal
}

// Withdrawal is a withdrawn delivery, with its records of the days of a list.
type Withdrawal struct {
	ID       string
	Filename string
	At       time.Time
	Reason   string
	Count    int64
	Amount   string // decimal
	// SentAgain means that records of each of the days came after the withdrawal.
	SentAgain bool
	// First and Last are the days that these records are of, YYYY-MM-DD.
	First, Last string
}

const withdrawalsOpen = 3 // the others are folded

// cents returns a decimal amount in øre. It returns 0 for text that is not one.
func cents(amount string) *big.Int {
	n, ok := new(big.Int).SetString(strings.Replace(amount, ".", "", 1), 10)
	if !ok {
		return new(big.Int)
	}
	return n
}
