package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// rotating is a key that is being rotated, in a browser.
type rotating struct {
	*browser
	old, successor models.APIKey
	path           string
	command        string // that the page offers to try the new key
}

// startRotation creates a key that a program uses, and its successor on the rotation's
// page.
func startRotation(t *testing.T) *rotating {
	t.Helper()
	s, a, b := ownerSite(t)
	r := &rotating{browser: b}
	r.old, _ = s.Key(t, a)
	r.record(r.old, "10.0.0.7", "nightly-bookkeeping 3")
	r.path = "/settings/api-keys/" + r.old.ID.String() + "/rotate"
	r.get(r.path)
	created := r.submit(r.path, nil)
	require.Equal(t, http.StatusOK, created.StatusCode, created.text())
	r.command = created.page.Find("#curl").Text()
	listed, err := keys.List(t.Context(), s.Service.Tenant(a.ID))
	require.NoError(t, err)
	r.successor = listed[0].APIKey
	return r
}

// states returns the states of the page's steps.
func (r *rotating) states() string {
	var states []string
	for _, step := range r.get(r.path).page.Find(".step").EachIter() {
		class, _ := step.Attr("class")
		states = append(states, strings.TrimPrefix(class, "step "))
	}
	return strings.Join(states, " ")
}

// record counts a request of a client, and waits until it is stored.
func (r *rotating) record(key models.APIKey, address, client string) {
	r.t.Helper()
	instance := modelstest.Open(r.t, r.site.URL, database.Service)
	instance.Usage.Record(modelstest.Caller(key), modelstest.Request(address, client))
	instance.Close()
}

// backdate moves all that is known of a key's uses back in time.
func (r *rotating) backdate(key models.APIKey, by string) {
	r.t.Helper()
	for _, change := range []string{
		`UPDATE api_keys SET last_used_at = last_used_at - $2::interval WHERE id = $1`,
		`UPDATE key_callers SET first_seen = first_seen - $2::interval, last_seen = last_seen - $2::interval, last_used = last_used - $2::interval WHERE key_id = $1`,
		`UPDATE key_usage SET hour = hour - $2::interval WHERE key_id = $1`,
	} {
		modelstest.ExecuteAt(r.t, r.site.URL, change, key.ID, by)
	}
}

// A rotation creates one key, however often its form is sent, and shows it once. A lost one
// can be replaced before it is used, and is refused from then on. The old key works until
// it is revoked, which somebody who confirms may do early.
func TestRotation(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	old, oldText := s.Key(t, a)
	path := "/settings/api-keys/" + old.ID.String() + "/rotate"
	b.get(path)
	form := b.form(path, nil)
	lost := keyForm.FindString(b.do(http.MethodPost, path, form, nil).body)
	require.NoError(t, s.Service.Verify(t, lost))
	require.Equal(t, http.StatusSeeOther, b.do(http.MethodPost, path, form, nil).StatusCode, "the same form again")
	require.NotRegexp(t, keyForm, b.follow().body)

	renewed := keyForm.FindString(b.submit(path+"/recreate", nil).body)
	require.NotEmpty(t, renewed)
	require.Error(t, s.Service.Verify(t, lost))
	require.NoError(t, s.Service.Verify(t, renewed))
	require.NoError(t, s.Service.Verify(t, oldText))

	early := b.do(http.MethodPost, path+"/revoke", form, nil)
	require.Equal(t, path+"?step=revoke", early.Header.Get("Location"), "not safe yet, so it has to be confirmed")
	require.NoError(t, s.Service.Verify(t, oldText))
	b.follow()
	require.Equal(t, path, b.submit(path+"/revoke", nil).Header.Get("Location"))
	require.Error(t, s.Service.Verify(t, oldText))
	require.NoError(t, s.Service.Verify(t, renewed))
	require.Contains(t, b.follow().text("#rotation-news"), "The old key is revoked.")
}

// The page's own test command shows that the key is valid, and nothing else: no step
// becomes done, nothing becomes safe, and a lost key can still be replaced.
func TestTestCommandProvesNoUse(t *testing.T) {
	t.Parallel()
	r := startRotation(t)
	client := regexp.MustCompile(`^curl -A '([^']+)' -H 'X-API-Key: dispo_\w+' 'http://[^']+/api/v1/companies\?limit=1'$`).FindStringSubmatch(r.command)
	require.NotNil(t, client, r.command)
	require.NotContains(t, r.get(r.path).text(), "Your test worked")
	r.record(r.successor, "192.0.2.1", client[1])

	require.Equal(t, "done now later later", r.states())
	page := r.get(r.path)
	require.Contains(t, page.text("#rotation-news"), "Your test worked.")
	require.Contains(t, page.text(), "has not used the new one yet")
	require.NotContains(t, page.text(), "Safe to revoke")
	require.Contains(t, page.text(), "Create a replacement")
	require.Contains(t, r.get(r.path+"?step=verify").text("#step-3"), "Your test worked just now. The key is valid.")
	require.Contains(t, r.get("/settings/api-keys").text(`td[data-label="Last used"]`), "Never")
}

// Each caller of the old key is a line that says whether it has moved. The step is done
// when each has moved or is dismissed, which can be undone.
func TestRotationComparesCallers(t *testing.T) {
	t.Parallel()
	r := startRotation(t)
	r.backdate(r.old, "20 hours")
	r.record(r.old, "10.0.0.8", "ledger/1.0")
	line := func(client string) string {
		return squeeze(r.get(r.path).page.Find(".callers li:contains('" + client + "') p").Text())
	}
	const pending = "nightly-bookkeeping 3 from 10.0.0.7 last used the old key 20 hours ago. It has not used the new one yet."
	require.Equal(t, pending, line("nightly"))
	require.Equal(t, "done now later later", r.states())

	r.record(r.successor, "10.0.0.9", "ledger/2.0")
	require.Contains(t, line("ledger"), "It has used the new one since")
	require.Equal(t, "done now done later", r.states())
	require.Contains(t, r.get(r.path).text("#rotation-news"), "1 caller has not moved")

	require.Equal(t, http.StatusSeeOther, r.submit(r.path+"/caller", url.Values{"action": {"dismiss"}}).StatusCode)
	require.Equal(t, "nightly-bookkeeping 3 from 10.0.0.7 last used the old key 20 hours ago. You said that it doesn’t need the new key.", line("nightly"))
	require.Equal(t, "done done done now", r.states())
	r.submit(r.path+"/caller", url.Values{"action": {"restore"}})
	require.Equal(t, pending, line("nightly"))
	require.Equal(t, "done now done later", r.states())
	log := r.get("/settings/audit-log").text()
	require.Contains(t, log, "Dismissed a caller of a key")
	require.Contains(t, log, "Restored a dismissed caller of a key")
	r.get(r.path)
	require.Equal(t, http.StatusNotFound, r.submit(r.path+"/caller", url.Values{"action": {"dismiss"}, "address": {"192.0.2.99"}}).StatusCode)

	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 4")
	require.Contains(t, line("nightly"), "nightly-bookkeeping 3 from 10.0.0.7 last used the old key 20 hours ago. It has used the new one since")
	require.Equal(t, "done done done now", r.states())
	r.record(r.old, "10.0.0.7", "nightly-bookkeeping 3")
	require.Contains(t, line("nightly"), "It had used the new one before that")
	require.Equal(t, "done now done later", r.states())

	r.get(r.path)
	r.submit(r.path+"/caller", url.Values{"action": {"dismiss"}})
	require.Equal(t, "done done done now", r.states())
	r.record(r.old, "10.0.0.7", "nightly-bookkeeping 3")
	require.Contains(t, line("nightly"), "it has called again since")
	require.Equal(t, "done now done later", r.states())
	require.Contains(t, r.get(r.path).text("#step-2 form"), "Undo")
	require.Contains(t, r.get(r.path).text("#step-2"), "can’t be told apart")
}

// Both keys of a rotation that is under way say so in the list, and lead to it.
func TestKeysOfARotationLeadToIt(t *testing.T) {
	t.Parallel()
	r := startRotation(t)
	list := r.get("/settings/api-keys").page
	require.Equal(t, 2, list.Find("tbody tr:contains('Rotation under way')").Length())
	require.Equal(t, 2, list.Find(`td.actions a[href="`+r.path+`"]`).Length())
	require.Equal(t, r.path, r.get("/settings/api-keys/"+r.successor.ID.String()).page.Find(".head .buttons a").First().AttrOr("href", ""))
}

// The old key is safe to revoke after a longer silence than any of the last 90 days,
// which the page names. Until then, revoking it needs confirmation on every page.
func TestRotationFollowsIdleTimes(t *testing.T) {
	t.Parallel()
	r := startRotation(t)
	r.backdate(r.old, "2 days")
	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	revoke := "/settings/api-keys/" + r.old.ID.String() + "/revoke"
	r.get(revoke)
	form := r.form(revoke, nil)
	notSafe := func(reason string) {
		t.Helper()
		require.Equal(t, "done done done now", r.states())
		page := r.get(r.path)
		require.Contains(t, page.text("#step-4"), "Not yet safe: the old key was last used less than")
		require.Contains(t, page.text("#step-4"), reason)
		require.Contains(t, r.get(revoke).text(), reason)
		require.NotContains(t, page.text(), "Safe to revoke")
		require.Equal(t, r.path+"?step=revoke", r.do(http.MethodPost, r.path+"/revoke", form, nil).Header.Get("Location"))
		modelstest.ExecuteAt(t, r.site.URL, `UPDATE sessions SET confirmed_at = now() - interval '16 minutes'`)
		for _, path := range []string{revoke, r.path + "/revoke"} {
			require.Equal(t, http.StatusForbidden, r.do(http.MethodPost, path, form, nil).StatusCode, "without a recent sign-in")
		}
		modelstest.ExecuteAt(t, r.site.URL, `UPDATE sessions SET confirmed_at = now()`)
	}
	notSafe("The key has been in use for too short a time (")

	modelstest.ExecuteAt(t, r.site.URL, `INSERT INTO key_usage SELECT organization_id, hour - n * interval '1 day', key_id, 1, 0 FROM key_usage, unnest(ARRAY[1, 2, 5, 6]) n WHERE key_id = $1`, r.old.ID)
	notSafe("In the last 90 days, its longest time without use was 3 days, from")

	r.backdate(r.old, "25 hours")
	require.Contains(t, r.get(revoke).text(), "It has been unused for more than 3 days. In the last 90 days, its longest time without use was 3 days")
	page := r.get(r.path)
	require.Contains(t, page.text("#step-4"), "Safe to revoke. The new key works, and the old one has been unused for more than 3 days. ")
	r.submit(r.path+"/revoke", nil)
	require.Contains(t, r.follow().text("#rotation-news"), "All done")
}

// Revoking a key that has been silent for long enough needs no confirmation.
func TestRevokingASilentKey(t *testing.T) {
	t.Parallel()
	r := startRotation(t)
	r.backdate(r.old, "36 days")
	modelstest.ExecuteAt(t, r.site.URL, `UPDATE sessions SET confirmed_at = now() - interval '16 minutes'`)
	revoke := "/settings/api-keys/" + r.old.ID.String() + "/revoke"
	r.get(revoke)
	require.Equal(t, http.StatusSeeOther, r.submit(revoke, nil).StatusCode)
}

// A scheduled revocation is shown wherever the key is shown.
func TestScheduleIsShownEverywhere(t *testing.T) {
	t.Parallel()
	r := startRotation(t)
	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	keyPage := "/settings/api-keys/" + r.old.ID.String()
	require.Equal(t, keyPage+"#end", r.get(r.path).page.Find("#step-4 form a").AttrOr("href", ""), "the page offers a date")
	r.record(r.old, "10.0.0.7", "nightly-bookkeeping 3")
	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	require.Contains(t, r.get("/").text("section[aria-labelledby=attention]"), "is not finished")
	r.get(r.path)
	require.Equal(t, r.path, r.submit(keyPage+"/schedule", nil).Header.Get("Location"), "and, with one click, the days that it has to be unused")
	require.NotContains(t, r.get("/").text(), "is not finished", "nobody has to do anything")
	require.Contains(t, r.get(r.path).text("#step-4 summary"), "Waiting")
	const scheduled = "evoked when unused for 35 days"
	for path, part := range map[string]string{
		"/": "#by-key ~ *", keyPage: ".facts", keyPage + "/revoke": ".facts", r.path: "#step-4",
	} {
		require.Contains(t, r.get(path).text(part), scheduled, path)
	}
	require.Contains(t, r.get("/settings/api-keys").text("tbody"), "Revoked if unused: ", "the list is short")
}

// Several programs with one key may each be idle for times of their own, so the page does
// not say from when revoking is safe. It suggests to pause the key first, which says
// what that does before it is done.
func TestRevokingAKeyOfSeveralPrograms(t *testing.T) {
	t.Parallel()
	r := startRotation(t)
	page := "/settings/api-keys/" + r.successor.ID.String()
	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	r.backdate(r.successor, "36 days")
	require.Contains(t, r.get(page+"/revoke").text(".notice"), "It has been unused for more than 35 days.")
	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	require.Contains(t, r.get(page+"/revoke").text(".warned"), "It will be safe from")
	r.record(r.successor, "10.0.0.8", "ledger/1.0")
	warning := r.get(page + "/revoke").text(".warned")
	require.NotContains(t, warning, "safe from 20")
	require.Contains(t, warning, "Dispo can’t tell when nothing needs the key any more.")
	require.Contains(t, warning, "ledger/1.0 from 10.0.0.8, last ")
	require.Contains(t, warning, "Pause it first")

	require.Equal(t, page+"/pause", r.get(page).page.Find(".head a:contains('Pause')").AttrOr("href", ""))
	require.Contains(t, r.get(page+"/pause").text("main"), "are refused until you resume the key")
	require.Equal(t, http.StatusSeeOther, r.submit(page+"/pause", nil).StatusCode)
	require.Contains(t, r.follow().text(".facts"), "Paused")
	require.Contains(t, r.get(page+"/pause").text("h1"), "can’t be paused")
}
