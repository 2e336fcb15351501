package retention

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"dispo/migrations"
)

// Period is a setting: days or years of the calendar such as 35d or 2y, "default", or "" if it
// is not set.
type Period string

// UnmarshalText reads a period.
func (p *Period) UnmarshalText(text []byte) error {
	if *p = Period(text); *p == "default" {
		return nil
	}
	var read Length
	err := read.UnmarshalText(text)
	if *p = Period(read.String()); err != nil || strings.HasSuffix(string(*p), "h") {
		return errors.New("expected days or years such as 35d or 2y, or default")
	}
	return nil
}

// Periods are the settings of how long everything is kept. The table kept_periods has those
// that hold, and the defaults.
type Periods struct {
	AuditLog        Period `help:"How long entries of audit logs are kept." env:"DISPO_KEEP_AUDIT_LOG" json:"audit_log,omitempty" placeholder:"2y" shortest:"30d"`
	Callers         Period `help:"How long callers of keys are kept after their last request, and refused requests." env:"DISPO_KEEP_CALLERS" json:"callers,omitempty" placeholder:"35d" shortest:"30d"`
	UsageHours      Period `help:"How long the use of keys is kept by hour; then by day." env:"DISPO_KEEP_USAGE_HOURS" json:"usage_hours,omitempty" placeholder:"100d" shortest:"91d"` // pages read 90 days of hours
	Usage           Period `help:"How long the use of keys is kept in all." env:"DISPO_KEEP_USAGE" json:"usage,omitempty" placeholder:"2y" shortest:"91d"`
	Requests        Period `help:"How long the requests of a key are kept." env:"DISPO_KEEP_REQUESTS" json:"requests,omitempty" placeholder:"7d" shortest:"1d"`
	Sessions        Period `help:"How long sessions, links and invitations are kept after they end." env:"DISPO_KEEP_SESSIONS" json:"sessions,omitempty" placeholder:"30d" shortest:"30d"`
	Mails           Period `help:"How long e-mails are kept." env:"DISPO_KEEP_MAILS" json:"mails,omitempty" placeholder:"30d" shortest:"30d"`
	HeldRecords     Period `help:"How long records without a company are held." env:"DISPO_KEEP_HELD_RECORDS" json:"held_records,omitempty" placeholder:"1y" shortest:"30d"`
	WithdrawnTotals Period `help:"How long the totals of withdrawn deliveries are kept." env:"DISPO_KEEP_WITHDRAWN_TOTALS" json:"withdrawn_totals,omitempty" placeholder:"2y" shortest:"30d"`
	Transactions    Period `help:"How long deliveries are kept after their last disposition date; for good by default." env:"DISPO_KEEP_TRANSACTIONS" json:"transactions,omitempty" placeholder:"10y" shortest:"30d"`
}

// Check refuses a period that is too short, in a sentence that names its setting.
func (p Periods) Check() error {
	values := reflect.ValueOf(p)
	for i := range values.NumField() {
		var period, shortest Length
		tag := values.Type().Field(i).Tag
		_ = shortest.UnmarshalText([]byte(tag.Get("shortest")))
		if period.UnmarshalText([]byte(values.Field(i).String())) == nil && period.Shorter(shortest) {
			return fmt.Errorf("%s is %s: keep it for at least %s", tag.Get("env"), period, shortest)
		}
	}
	return nil
}

// JSON returns the periods that are set, by the kinds of kept_periods.
func (p Periods) JSON() string {
	text, _ := json.Marshal(p) // of texts
	return string(text)
}

// Store writes the periods into the database at url, whose login owns the tables, and reports
// each that was another one before, in a sentence. Unset stands for those that are not set; ""
// leaves them.
func Store(ctx context.Context, url string, p Periods, unset Period, report func(change string)) error {
	db, err := migrations.Connect(url)
	if err != nil {
		return err
	}
	defer db.Close()
	var changes string
	err = db.QueryRowContext(ctx, `SELECT keep_as_set($1, $2)`, p.JSON(), unset).Scan(&changes)
	for change := range strings.Lines(changes) {
		report(strings.TrimSpace(change))
	}
	return err
}
