package doctor

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"dispo/migrations"
	"dispo/models/database"
)

// database opens the database and connects once.
func (d *doctor) database(ctx context.Context, f *findings) error {
	url, err := d.Open(ctx)
	if err != nil {
		f.fail("", "%v.", err)
		return nil
	}
	d.url = url
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	err = d.connected(ctx, func(conn *pgx.Conn) error { return conn.Ping(ctx) })
	if server, refused := errors.AsType[*pgconn.PgError](err); refused {
		f.fail("Correct the user, the password and the database's name in DATABASE_URL.",
			"The database refuses the login: %s.", server.Message)
	} else if err != nil {
		f.fail("See whether it runs, and whether DATABASE_URL is right.",
			"The database does not answer: %v.", database.RootCause(err))
	}
	return nil
}

func (d *doctor) pooler(ctx context.Context, f *findings) error {
	err := d.connected(ctx, func(conn *pgx.Conn) error { return database.RefusePooler(ctx, conn) })
	if errors.Is(err, database.ErrPooler) {
		f.fail("", "%v.", err)
		return nil
	}
	return err
}

const feedLimit = time.Second

// feed hears a notification on a channel of its own, because one that instances don't know
// would make them forget everything.
func (d *doctor) feed(ctx context.Context, f *findings) error {
	channel := "dispo_doctor_" + strings.ToLower(rand.Text())
	return d.connected(ctx, func(listener *pgx.Conn) error {
		return d.connected(ctx, func(notifier *pgx.Conn) error {
			ctx, cancel := context.WithTimeout(ctx, feedLimit)
			defer cancel()
			_, err := listener.Exec(ctx, "LISTEN "+channel)
			if err == nil {
				_, err = notifier.Exec(ctx, "NOTIFY "+channel)
			}
			if err == nil {
				_, err = listener.WaitForNotification(ctx)
			}
			if err != nil {
				f.fail("Instances hear of changes late: see what stands between them and PostgreSQL, and whether it is overloaded.",
					"A notification was not heard within %v: %v.", feedLimit, database.RootCause(err))
			}
			return nil
		})
	})
}

func (d *doctor) schema(ctx context.Context, f *findings) error {
	db, err := migrations.Connect(d.url)
	if err != nil {
		return err
	}
	defer db.Close()
	schema, err := migrations.Read(ctx, db)
	if err == nil {
		err = schema.Check()
	}
	if err != nil {
		f.fail("", "%v.", err)
	} else if schema.Newer() {
		f.warn("Upgrade this dispo: the release after the next will not serve it.",
			"The schema is at version %d. It is newer than this dispo, which knows version %d, and still serves it.",
			schema.Version, migrations.Latest())
	}
	return nil
}

// login learns which role the login may take, the operator's if it may.
func (d *doctor) login(ctx context.Context, f *findings) error {
	return d.connected(ctx, func(conn *pgx.Conn) error {
		var err error
		for _, role := range []database.Role{database.Service, database.Operator} {
			if _, err = conn.Exec(ctx, "SET ROLE "+string(role)); err == nil {
				d.role = role
			}
		}
		if server, known := errors.AsType[*pgconn.PgError](err); known && server.Code == "22023" { // no such role
			f.fail("Run docs/roles.sql, then `dispo migrate`.", "The server has no %s.", database.Operator)
		} else if d.role == "" {
			f.fail("Use the login of the commands or of the service, or grant it one of the two roles.",
				"The login %s may work neither as dispo_operator nor as dispo_app.", conn.Config().User)
		} else {
			f.ok("%s works as %s", conn.Config().User, d.role)
		}
		return nil
	})
}

func (d *doctor) clock(ctx context.Context, f *findings) error {
	return d.connected(ctx, func(conn *pgx.Conn) error {
		return f.compare(func() (theirs time.Time, whose string, err error) {
			err = conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&theirs)
			return theirs, "the database", err
		})
	})
}

const (
	clockWarning = 2 * time.Second
	clockFailure = 30 * time.Second // codes of second factors are refused
)

// compare compares a clock, which read reads, with ours. Its error is read's.
func (f *findings) compare(read func() (theirs time.Time, whose string, err error)) error {
	began := time.Now()
	theirs, whose, err := read()
	if err != nil {
		return err
	}
	level, do, ahead := OK, "", theirs.Sub(began.Add(time.Since(began)/2))
	if ahead.Abs() > clockWarning {
		level, do = Warning, "Let NTP set both clocks."
	}
	if ahead.Abs() > clockFailure {
		level = Failure
	}
	f.add(level, do, "the clock of %s is %v ahead of this machine's", []any{whose, ahead.Round(time.Millisecond)})
	return nil
}
