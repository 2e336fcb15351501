package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// The message of every 401 and 404 ends with the address of the documentation of its code,
// which holds nothing of the request. Other messages have none.
func TestErrorsLinkToDocs(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	service := serve(t, w.Service, settings{})
	for _, row := range []struct {
		path, key, link string
		status          int
	}{
		{"/api/v1/companies", "", "#UNAUTHORIZED", 401},
		{"/api/v1/companies", "dispo_x", "#UNAUTHORIZED", 401},
		{"/api/v1/companies/99999999", a.token, "#COMPANY_NOT_FOUND", 404},
		{"/api/v1/companies/99999999/transactions", a.token, "#COMPANY_NOT_FOUND", 404},
		{"/api", a.token, "#NOT_FOUND", 404},
		{"/api/v1/nothing?x=%22", a.token, "#NOT_FOUND", 404},
		{"/api/v1/companies/1", a.token, "", 400},
	} {
		got := service.get(t, row.path, row.key)
		require.Equal(t, row.status, got.status, row.path)
		message := got.object(t)["error"].(object)["message"].(string)
		if row.link == "" {
			require.NotContains(t, message, docsURL)
			continue
		}
		require.True(t, strings.HasSuffix(message, " See "+docsURL+"/errors"+row.link), message)
		require.Equal(t, 1, strings.Count(message, "See "))
	}
	require.NotContains(t, string(service.send(t, http.MethodPost, "/api/v1/companies", withKey(a.token)).body), docsURL)
}
