// Package doctor checks a service and everything around it, and says what is wrong and what
// to do about it. It changes nothing and sends no mail.
package doctor

import (
	"context"
	"embed"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/secrets"
)

// Level says how bad a finding is.
type Level string

// The levels. What could not be checked is a warning.
const (
	OK      Level = "ok"
	Warning Level = "warning"
	Failure Level = "failure"
)

// Finding is what a check found, and what to do if it is not ok.
type Finding struct {
	Check   string `json:"check"`
	Level   Level  `json:"level"`
	Message string `json:"message"`
	Do      string `json:"do,omitempty"`
}

// Config is what to check: the settings of a service.
type Config struct {
	Open           func(context.Context) (url string, err error)                      // opens the database
	Refused        error                                                              // why `dispo serve` refuses the settings, or nil
	Secret         secrets.Secret                                                     // empty if it is not known here
	Redis          func(context.Context) (address string, clock time.Time, err error) // counts in Redis; nil without Redis
	Mail           *mail.Server                                                       // nil without one
	PublicURL      *url.URL
	PublicSet      bool // else PublicURL follows from the address to listen on
	TrustedProxies []netip.Prefix
	DatabaseURL    string   // empty for the embedded database
	Ignored        []string // variables of PostgreSQL's programs that were set
	Data           string   // directory of the embedded database, or empty
	Erasures       string   // file, or empty
	Backups        string   // folder, or empty
	RequireFactor  bool     // users need a second factor
	Kept           string   // how long the settings keep everything, from retention.Periods.JSON
	All            bool     // count the transactions of all organizations
}

type doctor struct {
	Config
	url  string        // of the database, once it has answered
	role database.Role // that the login may take, once that is known
}

// check looks for what is wrong with one subject.
type check struct {
	name, needs string // it is left out if the check that it needs has failed
	everyone    bool   // it reads every organization's data, which the service's login may not
	limit       time.Duration
	fine        string                                 // the message if it finds nothing
	run         func(context.Context, *findings) error // its error says why it cannot check
}

const (
	checkLimit = 10 * time.Second
	openLimit  = time.Minute // an embedded database may have to start
)

func (d *doctor) checks() []check {
	counting := time.Minute
	if d.All {
		counting = 24 * time.Hour
	}
	return []check{
		{"settings", "", false, checkLimit, "none is unsafe", d.settings},
		{"machine", "", false, checkLimit, "its folders and limits suffice", d.machine},
		{"database", "", false, openLimit, "it answers", d.database},
		{"server", "database", false, checkLimit, "", d.query("server")},
		{"pooler", "database", false, checkLimit, "each connection keeps its session", d.pooler},
		{"clock", "database", false, checkLimit, "", d.clock},
		{"feed", "pooler", false, checkLimit, "a notification was heard at once", d.feed},
		{"login", "pooler", false, checkLimit, "", d.login},
		{"schema", "login", false, checkLimit, "it is the one that this dispo needs", d.schema},
		{"logins", "schema", false, checkLimit, "none may do more than it needs", d.query("logins", d.Data != "")},
		{"rights", "schema", false, checkLimit, "the roles have those that they need, and no others", d.query("rights")},
		{"row security", "schema", false, checkLimit, "every organization's rows are kept apart", d.query("row_security")},
		{"secret", "schema", true, checkLimit, "everything fits the first one", d.secret},
		{"second factor", "schema", false, checkLimit, "", d.query("second_factors", d.RequireFactor)},
		{"totals", "schema", true, counting, "", d.totals},
		{
			"retention",
			"schema",
			false,
			checkLimit,
			"the database keeps everything for as long as the settings say",
			d.query("retention", d.Kept),
		},
		{"held records", "schema", true, checkLimit, "there are none", d.query("held")},
		{"deliveries", "schema", true, checkLimit, "none is late", d.deliveries},
		{
			"mails",
			"schema",
			true,
			checkLimit,
			"none has waited for long, or was given up lately",
			d.query("mails", d.Mail != nil),
		},
		{"erasures", "schema", false, checkLimit, "none waits for the file", d.query("erasures", d.Erasures != "")},
		{"redis", "", false, checkLimit, "none is set, so each instance counts on its own", d.redis},
		{"mail server", "", false, 2 * checkLimit, "none is set, so no mail is sent", d.mailServer},
		{"public URL", "", false, checkLimit, "", d.public},
		{"backups", "", false, checkLimit, "", d.backups},
	}
}

// Run makes the checks one after the other, and reports what each found. It stops when ctx
// ends.
func Run(ctx context.Context, config Config, report func(Finding)) {
	d := &doctor{Config: config}
	failed := map[string]bool{}
	for _, c := range d.checks() {
		var found findings
		switch {
		case failed[c.needs]:
			found.warn("", "not checked, because the check of the %s failed", c.needs)
			failed[c.name] = true
		case c.everyone && d.role != database.Operator:
			found.warn("Run doctor with the login of the commands, too.", "not checked, because the login works as dispo_app")
		default:
			found = c.made(ctx)
		}
		if ctx.Err() != nil {
			return
		}
		for _, f := range found {
			f.Check = c.name
			failed[c.name] = failed[c.name] || f.Level == Failure
			report(f)
		}
	}
}

// CheckRights asks the questions about rights and row-level security of the database at url, and
// returns the first failure.
func CheckRights(ctx context.Context, url string) error {
	d := &doctor{url: url}
	for _, c := range d.checks() {
		if c.name != "rights" && c.name != "row security" {
			continue
		}
		for _, f := range c.made(ctx) {
			if f.Level == Failure {
				return fmt.Errorf(
					"the database's %s would not protect organizations from each other, so use another backup, unless you know why: %s %s",
					c.name,
					f.Message,
					f.Do,
				)
			}
		}
	}
	return nil
}

// made makes a check, in the time that it has.
func (c check) made(ctx context.Context) (found findings) {
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	if err := c.run(ctx, &found); err != nil {
		found.fail("", "This cannot be checked: %v.", database.RootCause(err))
	}
	if len(found) == 0 {
		found.ok("%s", c.fine)
	}
	return found
}

type findings []Finding

func (f *findings) ok(format string, values ...any)       { f.add(OK, "", format, values) }
func (f *findings) warn(do, format string, values ...any) { f.add(Warning, do, format, values) }
func (f *findings) fail(do, format string, values ...any) { f.add(Failure, do, format, values) }

func (f *findings) add(level Level, do, format string, values []any) {
	*f = append(*f, Finding{Level: level, Message: fmt.Sprintf(format, values...), Do: do})
}

//go:embed *.sql
var queries embed.FS

// query returns the check whose findings are the rows of the file with that name.
func (d *doctor) query(name string, arguments ...any) func(context.Context, *findings) error {
	return func(ctx context.Context, f *findings) (err error) {
		*f, err = read[Finding](ctx, d, name, arguments...)
		return err
	}
}

// read returns the rows of the file with that name.
func read[T any](ctx context.Context, d *doctor, name string, arguments ...any) (rows []T, err error) {
	text, err := queries.ReadFile(name + ".sql")
	if err != nil {
		return nil, err
	}
	err = d.connected(ctx, func(conn *pgx.Conn) error {
		found, err := conn.Query(ctx, string(text), arguments...)
		if err == nil {
			rows, err = pgx.CollectRows(found, pgx.RowToStructByNameLax[T])
		}
		return err
	})
	return rows, err
}

// connected calls use with a connection, which works as the login's role once that is known.
// Each check has its own, because one that runs out of time breaks it.
func (d *doctor) connected(ctx context.Context, use func(*pgx.Conn) error) error {
	config, err := pgxpool.ParseConfig(d.url)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if d.role != "" {
		if _, err := conn.Exec(ctx, "SET ROLE "+string(d.role)); err != nil {
			return err
		}
	}
	return use(conn)
}
