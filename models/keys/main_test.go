package keys_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"dispo/models"
	"dispo/models/modelstest"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

// world is a database with an organization, and the service working for it.
type world struct {
	*modelstest.World
	a      models.Organization
	tenant models.Tenant
	conn   *pgx.Conn // the superuser's
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: modelstest.NewWorld(t)}
	w.a, w.conn = w.Organization(t, "a"), modelstest.Conn(t, w.URL)
	w.tenant = w.Service.Tenant(w.a.ID)
	return w
}

// execute runs a statement as the superuser.
func (w *world) execute(t *testing.T, statement string, args ...any) {
	t.Helper()
	modelstest.Execute(t, w.conn, statement, args...)
}

// countWrites lets writes return how many statements update keys from now on.
func (w *world) countWrites(t *testing.T) {
	t.Helper()
	w.execute(t, `CREATE TABLE writes (at timestamptz DEFAULT clock_timestamp());
		CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN INSERT INTO writes DEFAULT VALUES; RETURN NULL; END';
		CREATE TRIGGER count_write AFTER UPDATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION count_write()`)
}

func (w *world) writes(t *testing.T) int {
	t.Helper()
	return modelstest.Value[int](t, w.conn, `SELECT count(*) FROM writes`)
}
