package models_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// Whatever ends a request's connection to the database, its caller hears that the service
// is unavailable, never of an internal error. Faults of the service stay internal.
func TestKindsOfDatabaseErrors(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	closed := modelstest.Open(t, w.URL, database.Service)
	closed.Close()
	_, closedPool := ledger.Company(t.Context(), closed.Tenant(a.ID), "10000001")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, endedRequest := ledger.Company(ended, w.Service.Tenant(a.ID), "10000001")
	state := func(code string) error { return &pgconn.PgError{Code: code} }
	for name, row := range map[string]struct {
		err  error
		kind models.Kind
	}{
		"a pool that was closed":        {closedPool, models.KindUnavailable},
		"a request that ended":          {endedRequest, models.KindUnavailable},
		"a bad connection":              {driver.ErrBadConn, models.KindUnavailable},
		"a closed connection":           {net.ErrClosed, models.KindUnavailable},
		"a connection that is returned": {sql.ErrConnDone, models.KindUnavailable},
		"a transaction that ended":      {sql.ErrTxDone, models.KindUnavailable},
		"a transaction of pgx":          {pgx.ErrTxClosed, models.KindUnavailable},
		"an answer that broke off":      {io.ErrUnexpectedEOF, models.KindUnavailable},
		"a connection that was reset":   {&net.OpError{Op: "read", Err: io.EOF}, models.KindUnavailable},
		"context canceled":              {context.Canceled, models.KindUnavailable},
		"a deadline":                    {context.DeadlineExceeded, models.KindUnavailable},
		"a server that shuts down":      {state("57P01"), models.KindUnavailable},
		"a server that starts":          {state("57P03"), models.KindUnavailable},
		"too many connections":          {state("53300"), models.KindUnavailable},
		"a full disk":                   {state("53100"), models.KindUnavailable},
		"a standby":                     {state("25006"), models.KindUnavailable},
		"a snapshot in a standby's way": {state("40001"), models.KindUnavailable},
		"a statement that took long":    {state("57014"), models.KindBusy},
		"a syntax error":                {state("42601"), models.KindInternal},
		"a row that is missing":         {gorm.ErrRecordNotFound, models.KindNotFound},
		"an unknown error":              {io.ErrShortWrite, models.KindInternal},
	} {
		require.Equal(t, row.kind, models.ErrorKind(models.Wrap(row.err)), name)
		require.Equal(t, row.kind, models.ErrorKind(models.Wrap(fmt.Errorf("read companies: %w", row.err))), name)
	}
	require.ErrorContains(t, models.Wrap(state("53100")), "the disk of the database is full: make room there: ")
}
