package dashboard_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/modelstest"
)

// rotating is a key that is being rotated, in a browser.
type rotating struct {
	*browser
	old, successor keys.Key
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
	created := r.post(r.path, nil)
	require.Equal(t, http.StatusOK, created.StatusCode, created.text())
	r.command = created.page.Find("#curl").Text()
	r.successor = s.newestKey(t, a).Key
	return r
}

// record counts a request of a client, and waits until it is stored.
func (r *rotating) record(key keys.Key, address, client string) {
	r.t.Helper()
	request := modelstest.Request(address, client)
	request.Query = keys.TestQuery
	r.site.used(key, request)
}

// backdate moves all that is known of a key's uses back in time.
func (r *rotating) backdate(key keys.Key, by string) {
	r.t.Helper()
	for _, change := range []string{
		`UPDATE api_keys SET last_used_at = last_used_at - $2::interval WHERE id = $1`,
		`UPDATE key_callers SET first_seen = first_seen - $2::interval, last_seen = last_seen - $2::interval, last_used = last_used - $2::interval WHERE key_id = $1`,
		`UPDATE key_usage SET hour = hour - $2::interval WHERE key_id = $1`,
	} {
		r.site.execute(r.t, change, key.ID, by)
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

	early := b.do(http.MethodPost, path+"/revoke", url.Values{"form_token": form["form_token"]}, nil)
	require.Equal(t, path+"?step=revoke", early.Header.Get("Location"), "not safe yet, so it has to be confirmed")
	require.NoError(t, s.Service.Verify(t, oldText))
	b.follow()
	require.Equal(t, path, b.submit(path+"/revoke", nil).Header.Get("Location"))
	require.Error(t, s.Service.Verify(t, oldText))
	require.NoError(t, s.Service.Verify(t, renewed))
	require.Contains(t, b.follow().text("#rotation-news"), "The old key is revoked.")
}

// The old key is safe to revoke after a longer idle time than any of the last 90 days,
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
		page := r.get(r.path)
		require.Contains(t, page.text("#step-4"), "Not yet safe: the old key was last used less than")
		require.Contains(t, page.text("#step-4"), reason)
		require.Contains(t, r.get(revoke).text(), reason)
		require.NotContains(t, page.text(), "Safe to revoke")
		require.Equal(t, r.path+"?step=revoke", r.do(http.MethodPost, r.path+"/revoke", form, nil).Header.Get("Location"))
		r.site.confirmed(t, "16 minutes")
		for _, path := range []string{revoke, r.path + "/revoke"} {
			require.Equal(t, http.StatusForbidden, r.do(http.MethodPost, path, form, nil).StatusCode, "without a recent sign-in")
		}
		r.site.confirmed(t, "0")
	}
	notSafe("The key has been in use for too short a time (")

	r.site.execute(t, `INSERT INTO key_usage SELECT organization_id, hour - n * interval '1 day', key_id, 1, 0
		FROM key_usage, unnest(ARRAY[1, 2, 5, 6]) n WHERE key_id = $1`, r.old.ID)
	notSafe("In the last 90 days, its longest time without use was 3 days, from")

	r.backdate(r.old, "25 hours")
	require.Contains(t, r.get(revoke).text(),
		"It has been unused for more than 3 days. In the last 90 days, its longest time without use was 3 days")
	require.Contains(t, r.get(r.path).text("#step-4"),
		"Safe to revoke. The new key works, and the old one has been unused for more than 3 days. ")
	r.site.confirmed(t, "16 minutes")
	require.Equal(t, http.StatusSeeOther, r.post(revoke, nil).StatusCode)
	require.Contains(t, r.get(r.path).text("#rotation-news"), "All done")
}

// Both keys of a rotation that is under way say so in the list and on their pages, and lead to it. A scheduled
// revocation is shown wherever the key is shown.
func TestScheduleIsShownEverywhere(t *testing.T) {
	t.Parallel()
	r := startRotation(t)
	list := r.get("/settings/api-keys").page
	require.Equal(t, 2, list.Find("tbody tr:contains('Rotation under way')").Length())
	require.Equal(t, 2, list.Find(`td.actions a[href="`+r.path+`"]`).Length())
	for _, key := range []keys.Key{r.old, r.successor} {
		button := r.get("/settings/api-keys/" + key.ID.String()).page.Find(".head .buttons a").First()
		require.Equal(t, r.path, button.AttrOr("href", ""))
		require.Equal(t, "Rotation under way", strings.TrimSpace(button.Text()))
	}

	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	keyPage := "/settings/api-keys/" + r.old.ID.String()
	require.Equal(t, keyPage+"?show=settings#end", r.get(r.path).attr("#step-4 form a", "href"),
		"the page offers a date")
	r.record(r.old, "10.0.0.7", "nightly-bookkeeping 3")
	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	require.Contains(t, r.get("/").text("section[aria-labelledby=attention]"), "is not finished")
	require.Equal(t, r.path, r.send(r.path, keyPage+"/schedule", nil).Header.Get("Location"),
		"and, with one click, the days that it has to be unused")
	require.NotContains(t, r.get("/").text(), "is not finished", "nobody has to do anything")
	require.Contains(t, r.get(r.path).text("#step-4 summary"), "Waiting")
	const scheduled = "evoked when unused for 35 days"
	for path, part := range map[string]string{
		keyPage: ".facts", keyPage + "/revoke": ".facts", r.path: "#rotation-bar",
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
	require.Contains(t, r.get(page+"/revoke").text(".warned"), "It can be revoked without risk from")
	r.record(r.successor, "10.0.0.8", "ledger/1.0")
	warning := r.get(page + "/revoke").text(".warned")
	require.NotContains(t, warning, "without risk from 20")
	require.Contains(t, warning, "Dispo can’t tell when nothing needs the key any more.")
	require.Contains(t, warning, "ledger/1.0 from 10.0.0.8, last ")
	require.Contains(t, warning, "Pause it first")

	require.Equal(t, page+"/pause", r.get(page+"?show=settings").attr("section a:contains('Pause')", "href"))
	require.Contains(t, r.get(page+"/pause").text("main"), "are refused until you resume the key")
	require.Equal(t, http.StatusSeeOther, r.submit(page+"/pause", nil).StatusCode)
	require.Contains(t, r.follow().text(".facts"), "Paused")
	require.Contains(t, r.get(page+"/pause").text("h1"), "can’t be paused")
}

// update writes what the page says into the file, to be read and committed.
var update = flag.Bool("update", false, "write testdata/rotation.txt")

// saying collects what the page of a rotation says in the states that a test brings it to.
type saying struct {
	*rotating
	said strings.Builder
}

// Times and durations depend on when the test runs, and these numbers on nothing else.
var passing = regexp.MustCompile(`\d{4}-\d\d-\d\d( \d\d:\d\d)?|\b\d+ (second|minute|hour)s?\b`)

// note writes down the page's first sentences, its news, and each step with its state.
func (r *saying) note(state string, old keys.Key, step string) {
	r.t.Helper()
	page := r.get("/settings/api-keys/" + old.ID.String() + "/rotate" + step)
	require.Equal(r.t, http.StatusOK, page.StatusCode, state)
	page.page.Find("#step-1 form").Remove() // of a new key
	page.page.Find("time").SetText("…")
	page.page.Find("p, li, dt, dd, h3, button, summary, form").BeforeHtml(" ").AppendHtml(" ")
	lines := []string{"# " + state, page.text("#rotation-lead"), page.text("#rotation-news"), page.text("#rotation-end")}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	for n, word := range page.page.Find("#rotation summary h2 ~ .soft").EachIter() {
		lines = append(lines, fmt.Sprintf("%d %s: %s", n+1, word.Text(), page.text(fmt.Sprintf("#step-%d .body", n+1))))
	}
	text := strings.NewReplacer("…"+r.old.Hint, "…OLD", "…"+r.successor.Hint, "…NEW", "\u00a0", " ").
		Replace(strings.Join(lines, "\n"))
	r.said.WriteString(passing.ReplaceAllString(text, "…") + "\n\n")
}

func (r *saying) set(key keys.Key, values string) {
	r.site.execute(r.t, `UPDATE api_keys SET `+values+` WHERE id = $1`, key.ID)
}

// caller dismisses or restores the first caller that can be.
func (r *saying) caller(action string) {
	r.t.Helper()
	require.Equal(r.t, http.StatusSeeOther, r.send(r.path, r.path+"/caller", url.Values{"action": {action}}).StatusCode)
}

// What the page of a rotation says in each of its states is in testdata/rotation.txt, and holds
// there: which keys work, how far the rotation is, what may still need the old key, and whether
// it is safe to revoke it. The page resumes what is paused.
func TestRotationSaysWhatHolds(t *testing.T) {
	t.Parallel()
	r := &saying{rotating: startRotation(t)}
	r.callersMove(t)
	r.keysEnd(t)
	const path = "testdata/rotation.txt"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(r.said.String()), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), r.said.String())
}

// callersMove lets two callers move to the new key, and back.
func (r *saying) callersMove(t *testing.T) {
	t.Helper()
	const nightly, ledger = "nightly-bookkeeping 3", "ledger/1.0"
	r.record(r.old, "10.0.0.8", ledger)
	r.note("no successor", r.successor, "")
	r.note("no successor, and said to be updated", r.successor, "?step=verify")
	r.note("created", r.old, "")
	r.note("said to be updated", r.old, "?step=verify")
	r.note("revoking before the first use", r.old, "?step=revoke")
	client := regexp.MustCompile(`^curl -A '([^']+)' -H 'X-API-Key: dispo_\w+' 'http://[^']+/api/v1/companies\?limit=1'$`).
		FindStringSubmatch(r.command)
	require.NotNil(t, client, r.command)
	r.record(r.successor, "192.0.2.1", client[1])
	r.note("tested with the page's command", r.old, "?step=verify")
	require.Contains(t, r.get("/settings/api-keys").text(`td[data-label="Last used"]`), "Never")
	r.caller("dismiss")
	r.caller("dismiss")
	r.note("all callers dismissed before the first use", r.old, "")
	r.caller("restore")
	r.caller("restore")
	r.set(r.successor, "paused_at = now()")
	r.note("new key paused before its first use", r.old, "")
	r.set(r.successor, "paused_at = NULL")
	r.record(r.successor, "10.0.0.8", ledger)
	r.note("one of two callers moved", r.old, "")
	r.set(r.old, "revoke_at = date_trunc('day', now() + '5 days', 'Europe/Copenhagen'), revoke_scheduled_at = now()")
	r.note("revocation on a date before all callers moved", r.old, "")
	for _, step := range []string{"", "?step=verify", "?step=revoke"} {
		bar := r.get(r.path + step)
		require.Contains(t, bar.text(".news.warning"), "Will be revoked after", step)
		require.Equal(t, "/settings/api-keys/"+r.old.ID.String()+"?show=settings#end",
			bar.attr(".news a:contains('Change')", "href"), step)
	}
	r.set(r.old, "revoke_at = NULL, revoke_scheduled_at = NULL")
	r.note("revoking before all callers moved", r.old, "?step=revoke")
	require.Equal(t, http.StatusNotFound,
		r.submit(r.path+"/caller", url.Values{"action": {"dismiss"}, "address": {"192.0.2.99"}}).StatusCode)
	r.record(r.old, "10.0.0.8", ledger)
	r.note("the caller that moved used the old key again", r.old, "")
	r.record(r.successor, "10.0.0.8", ledger)
	r.caller("dismiss")
	r.note("one caller moved, the other dismissed", r.old, "")
	r.record(r.old, "10.0.0.7", nightly)
	r.note("the dismissed caller called again", r.old, "")
	r.record(r.successor, "10.0.0.7", nightly)
	r.note("all callers moved", r.old, "")
	log := r.get("/settings/audit-log").text()
	require.Contains(t, log, "Dismissed a caller of a key")
	require.Contains(t, log, "Restored a dismissed caller of a key")
	r.site.execute(t, `INSERT INTO key_callers SELECT organization_id, key_id, '', '', user_agent, now(), now(), now(),
		NULL, 1, 0 FROM key_callers WHERE key_id = $1 LIMIT 1`, r.old.ID)
	r.note("too many callers to compare", r.old, "")
	r.site.execute(t, `DELETE FROM key_callers WHERE address = ''`)
	r.set(r.old, "revoke_after_idle_days = 35, revoke_scheduled_at = now()")
	r.note("revocation scheduled", r.old, "")
	r.set(r.old, "revoke_after_idle_days = NULL, revoke_scheduled_at = NULL")
}

// keysEnd pauses, resumes and revokes the keys, and lets them expire.
func (r *saying) keysEnd(t *testing.T) {
	t.Helper()
	require.Equal(t, r.path, r.post("/settings/api-keys/"+r.old.ID.String()+"/pause", nil).Header.Get("Location"))
	r.note("old key paused", r.old, "")
	refused := modelstest.Request("10.0.0.7", "nightly-bookkeeping 3")
	refused.Status, refused.Reason = http.StatusUnauthorized, "paused"
	r.site.used(r.old, refused)
	r.note("a caller refused while the old key is paused", r.old, "?step=revoke")
	revoke := r.get("/settings/api-keys/" + r.old.ID.String() + "/revoke").text("main")
	for _, said := range []string{"nightly-bookkeeping 3 from 10.0.0.7 tried the old key", "may still need this one", "What was read with this key"} {
		require.Contains(t, revoke, said)
	}
	require.NotRegexp(t, "nightly-bookkeeping 3 from 10.0.0.7 last used|safe from", revoke)
	require.Contains(t, r.get("/").text("section[aria-labelledby=attention]"), "is not finished")
	r.set(r.successor, "paused_at = now()")
	r.note("both keys paused", r.old, "")
	for _, key := range []keys.Key{r.old, r.successor} {
		require.Equal(t, r.path, r.send(r.path, "/settings/api-keys/"+key.ID.String()+"/resume", nil).Header.Get("Location"))
		require.Contains(t, r.follow().text("main"), "Key "+key.Subject()+" works again.")
	}
	for _, change := range []struct{ state, old, successor, step string }{
		{"old key expired with a caller left", "expires_at = now()", "paused_at = NULL", "?step=revoke"},
		{"old key revoked with a caller left", "expires_at = NULL, revoked_at = now()", "paused_at = NULL", ""},
		{"old key unused for long enough", "revoked_at = NULL", "paused_at = NULL", ""},
		{"new key paused after all callers moved", "revoked_at = NULL", "paused_at = now()", "?step=revoke"},
		{"old key expired", "expires_at = now()", "paused_at = NULL", ""},
		{"old key revoked", "revoked_at = now()", "paused_at = NULL", ""},
		{"old key revoked, new key paused", "revoked_at = now()", "paused_at = now()", ""},
		{"old key revoked before the first use of the new one", "revoked_at = now()", "paused_at = NULL, last_used_at = NULL", ""},
		{"both keys revoked", "revoked_at = now()", "revoked_at = now()", ""},
	} {
		if change.state == "old key unused for long enough" {
			r.backdate(r.old, "36 days")
		}
		r.set(r.old, change.old)
		r.set(r.successor, change.successor)
		r.note(change.state, r.old, change.step)
	}
}
