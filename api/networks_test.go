package api_test

import (
	"context"
	"net/netip"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// bindElsewhere binds a key to where no test calls from.
func bindElsewhere(ctx context.Context, t models.Tenant, id uuid.UUID) (keys.Detail, error) {
	return keys.Bind(ctx, t, id, keys.Networks{netip.MustParsePrefix("198.51.100.0/24")})
}

// A key that is bound to networks is refused from elsewhere, by a message with the address that
// counts: the one that a trusted proxy names, and no other. That is noted as a refused request,
// and is no failed attempt, so that another key still gets a check by bcrypt from there.
func TestKeyBoundToNetworks(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{failures: 1, trustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	from := func(address, key string) answer {
		return service.send(t, "GET", "/api/v1/companies", headers("X-API-Key", key, "X-Forwarded-For", address))
	}
	_, err := bindElsewhere(t.Context(), w.Service.Tenant(a.ID), a.key.ID)
	require.NoError(t, err)
	other := withNewKey(t, w, a.Organization)
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET fingerprint = NULL`)
	for range 3 { // by bcrypt, and then from memory
		refused := from("203.0.113.9", a.token)
		refused.requireError(t, 401, "UNAUTHORIZED", "not allowed from the address 203.0.113.9", "dashboard")
		require.Equal(t, `ApiKey realm="dispo"`, refused.header.Get("WWW-Authenticate"))
		require.Empty(t, refused.header.Get("X-RateLimit-Limit"))
		from("198.51.100.7", a.token).requireOK(t)
		from("::ffff:198.51.100.7", a.token).requireOK(t)
		from("198.51.100.7, 203.0.113.9", a.token).requireError(t, 401, "UNAUTHORIZED", "203.0.113.9")
	}
	from("203.0.113.9", other.token).requireOK(t)
	from("203.0.113.9", otherSecret(a.token)).requireError(t, 401, "UNAUTHORIZED", "invalid")
	from("203.0.113.9", unknownKey).requireBlocked(t)
	from("203.0.113.9", a.token).requireError(t, 401, "UNAUTHORIZED", "not allowed from")

	direct := serve(t, w.Service, settings{})
	direct.send(t, "GET", "/api/v1/companies", headers("X-API-Key", a.token, "X-Forwarded-For", "198.51.100.7")).
		requireError(t, 401, "UNAUTHORIZED", "not allowed from the address 127.0.0.1")

	modelstest.Eventually(t, func() bool {
		callers, err := keys.Callers(t.Context(), w.Service.Tenant(a.ID), a.key.ID, a.key.CreatedAt)
		require.NoError(t, err)
		refused := map[string]int64{}
		for _, caller := range callers {
			refused[caller.Address] = caller.Refused
		}
		return refused["203.0.113.9"] == 7 && refused["127.0.0.1"] == 1 && refused["198.51.100.7"] == 0
	})
	refusals, err := keys.Refusals(t.Context(), w.Service.Tenant(a.ID), &a.key.ID, 1)
	require.NoError(t, err)
	require.Equal(t, "elsewhere", refusals[0].Reason)
}
