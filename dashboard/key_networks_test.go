package dashboard_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/modelstest"
)

// A key is bound to networks when it is created, or in its settings, which offer the addresses
// that use it. What cannot be read is refused and shown again. A list that shuts out an address in
// use is saved only if the form was sent again after a warning that names it; where more callers
// use the key than are listed, it says that. A rotation takes the list over.
func TestKeyNetworks(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	wrong := b.post("/settings/api-keys/new", url.Values{"name": {"Production"}, "networks": {"192.0.2.7/24"}})
	require.Equal(t, http.StatusUnprocessableEntity, wrong.StatusCode)
	require.Contains(t, wrong.text("main"), "one address of the network 192.0.2.0/24")
	require.Equal(t, "192.0.2.7/24", wrong.text("#networks"))
	created := b.post("/settings/api-keys/new",
		url.Values{"name": {"Production"}, "networks": {"192.0.2.0/24\r\n2001:db8::1"}})
	require.Contains(t, created.text("main"), "Allowed from192.0.2.0/242001:db8::1")
	key := s.newestKey(t, a)
	path := "/settings/api-keys/" + key.ID.String()

	for _, address := range []string{"192.0.2.7", "203.0.113.9"} {
		s.used(key.Key, modelstest.Request(address, "curl"))
	}
	settings := b.get(path + "?show=settings")
	require.Equal(t, "192.0.2.0/24\n2001:db8::1", settings.page.Find("#networks").Text())
	require.Contains(t, settings.text("main"), "Used in the last 30 days from: 192.0.2.7, 203.0.113.9.")
	filled := b.get(settings.attr("section[aria-labelledby=allowed] p a[href*=fill]", "href"))
	require.Equal(t, "192.0.2.0/24\n2001:db8::1\n203.0.113.9", filled.page.Find("#networks").Text())

	bind := func(list, shutsOut string) *answer {
		return b.send(path+"?show=settings", path+"/networks", url.Values{"networks": {list}, "shuts_out": {shutsOut}})
	}
	bound := func() string { return s.newestKey(t, a).Networks.String() }
	require.Equal(t, http.StatusUnprocessableEntity, bind("everywhere", "").StatusCode)
	warned := bind("192.0.2.8", "")
	require.Equal(t, http.StatusUnprocessableEntity, warned.StatusCode)
	require.Contains(t, warned.text("main"), "shuts out 1 address that used the key in the last 30 days: 192.0.2.7.")
	require.Equal(t, "192.0.2.8", warned.text("#networks"))
	require.Equal(t, "192.0.2.0/24, 2001:db8::1", bound())
	again := warned.attr("[name=shuts_out]", "value")
	require.Equal(t, http.StatusUnprocessableEntity, bind("192.0.2.8", "192.0.2.9").StatusCode, "another warning")
	bind("192.0.2.8", again)
	require.Equal(t, "192.0.2.8", bound())
	bind("", "")
	require.Equal(t, "anywhere", bound())
	require.Contains(t, b.get(path).text("main"), "Allowed fromAnywhere")

	var many []keys.Request
	for i := range 101 {
		many = append(many, modelstest.Request("198.51.100."+strconv.Itoa(i), "curl"))
	}
	s.used(key.Key, many...)
	require.Contains(t, b.get(path+"?show=settings").text("main"), "And from others: the key has more than 100 callers")
	warned = bind("198.51.100.0/24 192.0.2.7 203.0.113.9", "")
	require.Equal(t, http.StatusUnprocessableEntity, warned.StatusCode)
	require.Contains(t, warned.text("main"), "more than 100 callers. Those beyond are counted together")
	require.NotContains(t, warned.text("main"), "This list shuts out")
	bind("198.51.100.0/24 192.0.2.7 203.0.113.9", warned.attr("[name=shuts_out]", "value"))
	require.Equal(t, "198.51.100.0/24, 192.0.2.7, 203.0.113.9", bound())

	rotation := b.get(path + "/rotate")
	require.Contains(t, rotation.text("main"), "allowed from the same addresses: 198.51.100.0/24, 192.0.2.7, 203.0.113.9.")
	b.post(path+"/rotate", url.Values{"name": {"New"}})
	require.NotEqual(t, key.ID, s.newestKey(t, a).ID)
	require.Equal(t, "198.51.100.0/24, 192.0.2.7, 203.0.113.9", bound())
}
