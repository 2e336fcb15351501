package dashboard_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"dispo/models/modelstest"
)

func newConn(t *testing.T, s *site) *pgx.Conn { return modelstest.Conn(t, s.URL) }
