package dashboard_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// Many slow requests of one user keep neither others of the organization nor other
// organizations waiting. Those that would have to wait too long get an explanation, and
// when to try again.
func TestManyRequestsOfOneUser(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Service = modelstest.OpenConfig(t, database.Config{URL: w.URL, Role: database.Service, MaxConnections: 4}, modelstest.Secret)
	s := serveConfig(t, w, dashboard.Config{Timeout: 4 * time.Second})
	noisy, quiet := w.Organization(t, "noisy"), w.Organization(t, "quiet")
	s.user(t, noisy, "noisy@example.com", models.RoleOwner)
	s.user(t, noisy, "colleague@example.com", models.RoleViewer)
	s.user(t, quiet, "quiet@example.com", models.RoleOwner)
	attacker := s.signedIn(t, "noisy@example.com")
	others := []*browser{s.signedIn(t, "colleague@example.com"), s.signedIn(t, "quiet@example.com")}

	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`)
	answers := make(chan *answer, 20)
	var attack sync.WaitGroup
	for range cap(answers) {
		attack.Go(func() {
			own := *attacker // it keeps the last answer
			answers <- own.get("/settings/api-keys")
		})
	}
	for attackers := 0; attackers < cap(answers)-2; attackers++ {
		refused := <-answers
		require.Equal(t, http.StatusTooManyRequests, refused.StatusCode, refused.text())
		require.Equal(t, "5", refused.Header.Get("Retry-After"))
		require.Contains(t, refused.text(), "try again")
		for _, b := range others {
			require.Equal(t, http.StatusOK, b.get("/companies").StatusCode)
		}
	}
	modelstest.Execute(t, conn, `ROLLBACK`)
	attack.Wait()
	require.Equal(t, http.StatusOK, attacker.get("/settings/api-keys").StatusCode)
}
