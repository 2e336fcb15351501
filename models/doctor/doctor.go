// Package doctor checks a service and everything around it, and says what is wrong and what
// to do about it. It changes nothing and sends no mail.
package doctor

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/migrations"
	"dispo/models/database"
	"dispo/models/disk"
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
	ReadURL        string   // of replicas, or empty
	SecretFiles    []string // files with secrets, of which some may be missing
	Ignored        []string // variables of PostgreSQL's programs that were set
	Misspelt       []string // variables that are no settings
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

	idle chan *pgx.Conn // connections to use again; a channel, because a check that was given up may still run

	replica *pgx.ConnConfig // to be asked instead; usually nil
}

// check looks for what is wrong with one subject.
type check struct {
	name, needs string                                 // it is left out if the check that it needs has failed
	fine        string                                 // the message if it finds nothing
	run         func(context.Context, *findings) error // its error says why it cannot check
}

const (
	checkLimit = 10 * time.Second
	longLimit  = time.Minute

	replicaLimit = 3 * time.Second
)

// limits are the times of checks that may take longer: an embedded database may have to start.
var limits = map[string]time.Duration{
	"database": longLimit, "machine": longLimit, "mail server": 2 * checkLimit, "totals": longLimit,
}

// ofEveryone are the checks that read every organization's data, which the service's login may not.
var ofEveryone = []string{"secret", "totals", "held records", "deliveries", "mails"}

func (d *doctor) checks() []check {
	return []check{
		{"settings", "", "none is unsafe", d.settings},
		{"machine", "", "its folders and limits suffice", d.machine},
		{"database", "", "it answers", d.database},
		{"server", "database", "", d.query("server")},
		{"replicas", "database", "there are none", d.replicas},
		{"pooler", "database", "each connection keeps its session", d.pooler},
		{"clock", "database", "", d.clock},
		{"feed", "pooler", "a notification was heard at once", d.feed},
		{"login", "pooler", "", d.login},
		{"schema", "login", "it is the one that this dispo needs", d.schema},
		{"logins", "schema", "none may do more than it needs", d.query("logins", d.Data != "")},
		{"rights", "schema", "the roles have those that they need, and no others", d.query("rights")},
		{"row security", "schema", "every organization's rows are kept apart", d.query("row_security")},
		{"secret", "schema", "everything fits the first one", d.secret},
		{"second factor", "schema", "", d.query("second_factors", d.RequireFactor)},
		{"totals", "schema", "", d.totals},
		{"retention", "schema", "the database keeps everything for as long as the settings say",
			d.query("retention", d.Kept)},
		{"held records", "schema", "there are none", d.query("held")},
		{"deliveries", "schema", "none is late", d.deliveries},
		{"mails", "schema", "none has waited for long, or was given up lately", d.query("mails", d.Mail != nil)},
		{"erasures", "schema", "none waits for the file", d.query("erasures", d.Erasures != "")},
		{"redis", "", "none is set, so each instance counts on its own", d.redis},
		{"mail server", "", "none is set, so no mail is sent", d.mailServer},
		{"public URL", "", "", d.public},
		{"backups", "", "", d.backups},
	}
}

// Run makes the checks one after the other, and reports what each found. It stops when ctx
// ends.
func Run(ctx context.Context, config Config, report func(Finding)) {
	d := &doctor{Config: config, idle: make(chan *pgx.Conn, 1)}
	defer d.disconnect(ctx)
	failed := map[string]bool{}
	for _, c := range d.checks() {
		var found findings
		switch {
		case failed[c.needs]:
			found.warn("", "not checked, because the check of the %s failed", c.needs)
			failed[c.name] = true
		case slices.Contains(ofEveryone, c.name) && d.role != database.Operator:
			found.warn("Run doctor with the login of the commands, too.", "not checked, because the login works as dispo_app")
		default:
			limit := cmp.Or(limits[c.name], checkLimit)
			if c.name == "totals" && d.All {
				limit = 24 * time.Hour
			}
			found = c.made(ctx, limit)
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
	ctx, cancel := context.WithTimeout(ctx, 2*checkLimit)
	defer cancel()
	for _, query := range []string{"rights", "row_security"} {
		found, err := read[Finding](ctx, &doctor{url: url}, query)
		if err != nil {
			return fmt.Errorf("cannot check the database's rights and row-level security: %w", database.RootCause(err))
		}
		for _, f := range found {
			if f.Level == Failure {
				return fmt.Errorf("the database's rights and row-level security would not protect organizations from each "+
					"other, so use another backup, unless you know why: %s %s", f.Message, f.Do)
			}
		}
	}
	return nil
}

// made makes a check within a limit.
func (c check) made(ctx context.Context, limit time.Duration) (found findings) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	made := make(chan findings, 1)
	go func() {
		var found findings
		if err := c.run(ctx, &found); err != nil {
			found.fail("", "This cannot be checked: %v.", database.RootCause(err))
		}
		if len(found) == 0 {
			found.ok("%s", c.fine)
		}
		made <- found
	}()
	select {
	case found = <-made:
	case <-time.After(limit + time.Second): // a file does not hear of the context
		found.fail("See whether a disk or a mount is gone.", "This cannot be checked: %v.", disk.ErrSilent)
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

// connected calls use with a connection, which works as the login's role once that is known. It is
// the last check's, unless that check ran out of time, which breaks a connection.
func (d *doctor) connected(ctx context.Context, use func(*pgx.Conn) error) error {
	conn, err := d.connection(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if !conn.IsClosed() {
			select {
			case d.idle <- conn:
			default:
				conn.Close(ctx)
			}
		}
	}()
	if d.role != "" {
		if _, err := conn.Exec(ctx, "SET ROLE "+string(d.role)); err != nil {
			return err
		}
	}
	return use(conn)
}

func (d *doctor) connection(ctx context.Context) (*pgx.Conn, error) {
	select {
	case conn := <-d.idle:
		return conn, nil
	default:
	}
	server := d.replica
	if server == nil {
		config, err := pgxpool.ParseConfig(d.url)
		if err != nil {
			return nil, err
		}
		server = config.ConnConfig
	}
	migrations.Pin(&server.Config)
	return pgx.ConnectConfig(ctx, server)
}

// disconnect closes the connection that is left.
func (d *doctor) disconnect(ctx context.Context) {
	select {
	case conn := <-d.idle:
		conn.Close(ctx)
	default:
	}
}
