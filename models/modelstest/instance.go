package modelstest

import (
	"log/slog"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/secrets"
)

// Instance is what one process of the service puts together on its database.
type Instance struct {
	*models.Store
	Keys     *keys.Verifier
	Accounts *accounts.Accounts
	Usage    *keys.Recorder
}

// Tenant returns the store bound to one organization. Unlike the service's own, its actor
// is the operator, so that tests may change what they name.
func (i *Instance) Tenant(organizationID uuid.UUID) models.Tenant {
	return i.Store.Tenant(organizationID).As(models.OperatorActor)
}

// Close ends the instance's work. A second call does nothing.
func (i *Instance) Close() {
	i.Usage.Close()
	i.DB().Close()
}

// Secret is the server's secret of the instances that Open opens.
var Secret = secrets.Secret{[]byte("a secret of thirty-two bytes long")}

// Open opens an instance on the database, and closes it with the test.
func Open(t testing.TB, url string, role database.Role) *Instance {
	t.Helper()
	return OpenConfig(t, database.Config{URL: url, Role: role}, Secret)
}

// OpenFollowing opens an instance of the service, and waits until it follows the
// change feed.
func OpenFollowing(t testing.TB, url string) *Instance {
	t.Helper()
	instance := Open(t, url, database.Service)
	Eventually(t, instance.DB().Feed.Fresh)
	return instance
}

// OpenConfig opens an instance with a configuration of the test's own, and closes
// it with the test.
func OpenConfig(t testing.TB, config database.Config, secret secrets.Secret) *Instance {
	t.Helper()
	if config.MaxConnections == 0 {
		config.MaxConnections = 8
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	db, err := database.Open(t.Context(), config)
	require.NoError(t, err)
	store := models.NewStore(db, secret)
	instance := &Instance{
		Store:    store,
		Keys:     keys.NewVerifier(store, config.Log),
		Accounts: accounts.New(store),
		Usage:    keys.NewRecorder(db, config.Log),
	}
	t.Cleanup(instance.Close)
	return instance
}
