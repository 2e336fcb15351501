package main_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// Each command for incidents says what it has done, notes it in the audit log, and names
// a user or an organization that does not exist.
func TestIncidents(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "acme")
	on(w.URL).runWith(t, "correct horse battery", "user", "create", "ada@example.com", "--organization", "acme", "--role", "owner", "--password-stdin").requireDone(t)
	for _, row := range []struct {
		arguments    []string
		says, action string
	}{
		{[]string{"user", "disable", "ada@example.com"}, "ada@example.com is disabled", "user.disable"},
		{[]string{"user", "enable", "ADA@example.com"}, "is enabled", "user.enable"},
		{[]string{"user", "end-sessions", "ada@example.com"}, "signed out everywhere", "session.end"},
		{[]string{"user", "reset-second-factor", "ada@example.com"}, "second factor of ada@example.com is off", "second_factor.off"},
		{[]string{"organization", "suspend", "acme"}, "acme (Organization acme) is suspended", "organization.suspend"},
		{[]string{"organization", "resume", "acme"}, "is active", "organization.resume"},
	} {
		require.Contains(t, on(w.URL).run(t, row.arguments...).requireDone(t), row.says)
		require.Equal(t, 1, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM audit_log WHERE action = $1 AND user_id IS NULL`, row.action), row.action)
		unknown := append([]string{}, row.arguments...)
		unknown[2] = "nobody@example.com"
		on(w.URL).run(t, unknown...).requireRefused(t, 1, "nobody@example.com")
	}
	require.Contains(t, on(w.URL).run(t, "organization", "list").requireDone(t), "active")
}
