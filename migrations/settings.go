package migrations

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// pinned are the settings that our SQL relies on, because they change what it means, what it finds,
// or what text it makes of values. An administrator may set each for a server, a database or a login.
var pinned = strings.Join([]string{
	"client_encoding = 'UTF8'",
	"search_path = public",
	"datestyle = 'ISO, YMD'",
	"timezone = 'UTC'",
	"standard_conforming_strings = on",
	"quote_all_identifiers = off",
	"row_security = on", // off makes errors of the policies
	// Writers that wait for their turn read what was committed meanwhile.
	"default_transaction_isolation = 'read committed'",
}, "; SET ")

// Pin makes every connection of config begin with these settings, whatever else the server, the
// database, the login or the address sets. They are no startup parameters, because poolers refuse
// those that they don't know.
func Pin(config *pgconn.Config) {
	config.AfterConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		_, err := conn.Exec(ctx, "SET "+pinned).ReadAll()
		return err
	}
}
