package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
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
	created := r.post(r.path, nil)
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
	request := modelstest.Request(address, client)
	request.Query = keys.TestQuery
	instance.Usage.Record(modelstest.Caller(key), request)
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

	early := b.do(http.MethodPost, path+"/revoke", url.Values{"form_token": form["form_token"]}, nil)
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
	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	require.Equal(t, "done done done now", r.states())
	require.NotContains(t, r.get(r.path).text("#rotation-news"), "Your test worked.")
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
	require.Contains(t, r.get(r.path).text("#step-4"), "Safe to revoke. The new key works, and the old one has been unused for more than 3 days. ")
	modelstest.ExecuteAt(t, r.site.URL, `UPDATE sessions SET confirmed_at = now() - interval '16 minutes'`)
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
	for _, key := range []models.APIKey{r.old, r.successor} {
		button := r.get("/settings/api-keys/" + key.ID.String()).page.Find(".head .buttons a").First()
		require.Equal(t, r.path, button.AttrOr("href", ""))
		require.Equal(t, "Rotation under way", strings.TrimSpace(button.Text()))
	}

	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	keyPage := "/settings/api-keys/" + r.old.ID.String()
	require.Equal(t, keyPage+"#end", r.get(r.path).page.Find("#step-4 form a").AttrOr("href", ""), "the page offers a date")
	r.record(r.old, "10.0.0.7", "nightly-bookkeeping 3")
	r.record(r.successor, "10.0.0.7", "nightly-bookkeeping 3")
	require.Contains(t, r.get("/").text("section[aria-labelledby=attention]"), "is not finished")
	require.Equal(t, r.path, r.send(r.path, keyPage+"/schedule", nil).Header.Get("Location"), "and, with one click, the days that it has to be unused")
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
	require.Contains(t, r.get(page+"/revoke").text(".warned"), "It can be revoked without risk from")
	r.record(r.successor, "10.0.0.8", "ledger/1.0")
	warning := r.get(page + "/revoke").text(".warned")
	require.NotContains(t, warning, "without risk from 20")
	require.Contains(t, warning, "Dispo can’t tell when nothing needs the key any more.")
	require.Contains(t, warning, "ledger/1.0 from 10.0.0.8, last ")
	require.Contains(t, warning, "Pause it first")

	require.Equal(t, page+"/pause", r.get(page).page.Find(".head a:contains('Pause')").AttrOr("href", ""))
	require.Contains(t, r.get(page+"/pause").text("main"), "are refused until you resume the key")
	require.Equal(t, http.StatusSeeOther, r.submit(page+"/pause", nil).StatusCode)
	require.Contains(t, r.follow().text(".facts"), "Paused")
	require.Contains(t, r.get(page+"/pause").text("h1"), "can’t be paused")
}

// facts are what the sentences of a rotation's page are about.
type facts struct {
	old, successor models.KeyState // successor is "" if there is none
	used           bool            // the successor
	pending        int             // callers that may need the old key
	safe           bool            // nothing needs the old key
	scheduled      bool            // the old key is revoked by schedule
}

// sentences are all that the page of a rotation may say, with the facts that each needs. Of
// those with a number, the singular comes first.
var sentences = map[string]func(facts) bool{
	"Replace {key} without an outage: create a new key, put it into your application, and revoke the old one once nothing uses it.": func(f facts) bool { return f.old == models.KeyActive && f.successor == "" },
	"Replace {key} without an outage: both keys work now.":                                                                          func(f facts) bool { return f.old == models.KeyActive && f.successor == models.KeyActive },
	"The new key is paused, so only {key} works now.":                                                                               func(f facts) bool { return f.old == models.KeyActive && f.successor == models.KeyPaused },
	"{key} is paused: requests with it are refused.":                                                                                func(f facts) bool { return f.old == models.KeyPaused },
	"{key} has expired: requests with it are refused.":                                                                              func(f facts) bool { return f.old == models.KeyExpired },
	"{key} is revoked: requests with it are refused.":                                                                               func(f facts) bool { return f.old == models.KeyRevoked },
	"The new key is paused too, so neither works.":                                                                                  func(f facts) bool { return f.old != models.KeyActive && f.successor == models.KeyPaused },
	"Only the new key works now.":                                                                                                   func(f facts) bool { return f.old != models.KeyActive && f.successor == models.KeyActive },

	"All done: the new key works, and the old one is revoked.":                                                             func(f facts) bool { return f.old == models.KeyRevoked && f.works() && f.pending == 0 },
	"The old key is revoked, but {n} caller may still need it.|The old key is revoked, but {n} callers may still need it.": func(f facts) bool { return f.old == models.KeyRevoked && f.pending > 0 },
	"The old key is revoked.":                                                                 func(f facts) bool { return f.old == models.KeyRevoked },
	"Step 1 of 4: create the new key.":                                                        func(f facts) bool { return f.successor == "" },
	"Step {step} of 4: the new key is paused. It has to be resumed.":                          func(f facts) bool { return f.successor == models.KeyPaused },
	"Step 4 of 4: safe to revoke the old key.":                                                func(f facts) bool { return f.safe },
	"Nothing more to do: Dispo will revoke the old key.":                                      func(f facts) bool { return f.scheduled && f.pending == 0 && f.works() },
	"Step 4 of 4: the new key works. Wait until the old one has been unused for long enough.": func(f facts) bool { return f.works() && f.pending == 0 && !f.safe },
	"Step 3 of 4: the new key works, but {n} caller may still need the old one.|Step 3 of 4: the new key works, but {n} callers may still need the old one.": func(f facts) bool { return f.works() && f.pending > 0 },
	"Step 3 of 4: waiting for the new key’s first use.":   func(f facts) bool { return !f.used },
	"Step 2 of 4: put the new key into your application.": func(f facts) bool { return !f.used },

	"{name} {key}, created {when} by {person}.":                                                                                     func(f facts) bool { return f.successor != "" },
	"The old key is revoked, so there is nothing to take over from.":                                                                func(f facts) bool { return f.old == models.KeyRevoked },
	"There is no new key.":                                                                                                          func(f facts) bool { return f.successor == "" },
	"The new key is shown here, once. Put it where your application has the old one.":                                               func(f facts) bool { return f.successor == "" && f.old != models.KeyRevoked },
	"Put the new key, {new}, where your application has {old}, and restart the application if needed.":                              func(f facts) bool { return !f.used && f.successor != "" },
	"The new key, {new}, has been used. Step 3 shows by whom.":                                                                      func(f facts) bool { return f.used },
	"No caller of the old key needs the new one.":                                                                                   func(f facts) bool { return !f.used && f.pending == 0 },
	"The new key has not been used.":                                                                                                func(f facts) bool { return !f.used },
	"Nothing used the old key in the last 30 days.":                                                                                 func(f facts) bool { return f.pending == 0 },
	"In the last 30 days, requests with the old key came from:":                                                                     always,
	"{client} from {address} last used the old key {when}.":                                                                         always,
	"{client} from {address} tried the old key {when} and was refused.":                                                             func(f facts) bool { return f.pending > 0 },
	"{client} last used the old key {when}.":                                                                                        always,
	"There are too many to compare.":                                                                                                func(f facts) bool { return f.pending > 0 },
	"It has used the new one since, {when}.":                                                                                        func(f facts) bool { return f.used },
	"It is marked as not needing the new key.":                                                                                      always,
	"It was marked as not needing the new key, but it has called again since.":                                                      func(f facts) bool { return f.pending > 0 },
	"It had used the new one before that, {when}. Part of it may still have the old key.":                                           func(f facts) bool { return f.used && f.pending > 0 },
	"It has not used the new one yet.":                                                                                              func(f facts) bool { return f.pending > 0 },
	"Applications that use the same program from the same address can’t be told apart: they count as one here.":                     always,
	"It was shown once, when it was created. You can create another one in its place. The one that was never used is then revoked.": func(f facts) bool { return !f.used && f.old != models.KeyRevoked },

	"The first request with the new key will appear here.":                                                      func(f facts) bool { return f.successor == "" && f.old != models.KeyRevoked },
	"Waiting for the first request with {key}.":                                                                 func(f facts) bool { return f.successor == models.KeyActive && !f.used },
	"It appears here within seconds. If your application only runs now and then, come back to this page later.": func(f facts) bool { return f.successor == models.KeyActive && !f.used },
	"The new key works.": facts.works,
	"The new key is paused: requests with it are refused. It has to be resumed.": func(f facts) bool { return f.successor == models.KeyPaused },
	"Never used":       always,
	"Last used {when}": always,
	"from {address}":   always,
	"by {client}":      always,

	"{key} was revoked {when}. Requests with it are refused.":                                                            func(f facts) bool { return f.old == models.KeyRevoked },
	"The old key is safe to revoke once every caller uses the new one, and the old one has been unused for long enough.": func(f facts) bool { return !f.safe && f.old != models.KeyRevoked },
	"Instead of coming back, let Dispo revoke the old key:":                                                              func(f facts) bool { return !f.scheduled && !f.ended() },
	"If the old key may be in the wrong hands, don’t wait: <pause>pause it</pause> now.":                                 func(f facts) bool { return f.old == models.KeyActive },
	"<strong>Safe to revoke.</strong> The new key works, and the old one has been unused for more than {duration}.":      func(f facts) bool { return f.safe && f.works() && f.old != models.KeyExpired },
	"<strong>Safe to revoke.</strong> The new key works, and the old one has expired.":                                   func(f facts) bool { return f.safe && f.works() && f.old == models.KeyExpired },
	"Revoke it anyway?": func(f facts) bool { return !f.safe },
	"Requests with {key} are refused from that moment on, and applications that still use it stop working. You can’t undo this.":                     func(f facts) bool { return f.old == models.KeyActive },
	"Requests with {key} are refused already. A revoked key can’t be brought back.":                                                                  func(f facts) bool { return f.old != models.KeyActive },
	"Not yet safe: the new key has not been used. Applications that use the old key may not have the new one yet.":                                   func(f facts) bool { return !f.used && !f.safe },
	"Not yet safe: {n} caller may still need the old key. Step 3 lists it.|Not yet safe: {n} callers may still need the old key. Step 3 lists them.": func(f facts) bool { return f.used && f.pending > 0 },
	"Not yet safe: the new key is paused.":                                                                                                 func(f facts) bool { return f.successor == models.KeyPaused },
	"Not yet safe: the old key was last used less than {duration} ago.":                                                                    func(f facts) bool { return f.works() && !f.safe && f.pending == 0 },
	"It has expired: nothing stops working that still works.":                                                                              func(f facts) bool { return f.old == models.KeyExpired },
	"Unused for {duration} of {needed}. Safe from {time}, if it stays unused.":                                                             func(f facts) bool { return f.works() && f.pending == 0 && !f.safe },
	"The key has been in use for too short a time ({duration}) to know how often it is needed, so it has to be unused for {needed}.":       always,
	"To know sooner, <pause>pause the key</pause>: what still needs it is refused and appears here, and works again when you resume it.":   func(f facts) bool { return f.old == models.KeyActive },
	"Will be revoked when unused for {n} day, on {day} at the earliest|Will be revoked when unused for {n} days, on {day} at the earliest": func(f facts) bool { return f.scheduled && f.old != models.KeyRevoked },

	"Create key": always, "I have updated my application": func(f facts) bool { return !f.used }, "Check again": always, "Back to the keys": always,
	"Change or cancel": func(f facts) bool { return f.scheduled && !f.ended() }, "Revoke anyway": func(f facts) bool { return !f.safe },
}

func always(facts) bool { return true }

// works reports whether the new key works, and was seen to.
func (f facts) works() bool { return f.used && f.successor == models.KeyActive }

func (f facts) ended() bool { return f.old == models.KeyRevoked || f.old == models.KeyExpired }

var (
	tagInText     = regexp.MustCompile(`</?[a-z]+>`)
	parameterIn   = regexp.MustCompile(`\\\{[a-z]+\\\}`)
	sayings, once = map[i18n.Language]map[*regexp.Regexp]string{}, sync.Once{}
)

// saidIn returns the sentences in a text, or false if it says something else.
func saidIn(language i18n.Language, text string) (said []string, ok bool) {
	once.Do(func() {
		for _, l := range i18n.Offered {
			sayings[l] = map[*regexp.Regexp]string{}
			for english := range sentences {
				one, other, plural := strings.Cut(english, "|")
				forms := []string{l.Lookup(one)}
				if plural {
					forms = []string{l.Form(1, one, other), l.Form(2, one, other)}
				}
				for _, form := range forms {
					form = parameterIn.ReplaceAllString(regexp.QuoteMeta(tagInText.ReplaceAllString(form, "")), `(?:[^.]|\.[^ ])+?`)
					if strings.HasSuffix(form, ".") {
						form += `(?: (.+))?` // another sentence
					}
					sayings[l][regexp.MustCompile(`^`+form+`$`)] = english
				}
			}
		}
	})
	for saying, english := range sayings[language] {
		if match := saying.FindStringSubmatch(text); match != nil {
			if len(match) < 2 || match[1] == "" {
				return []string{english}, true
			}
			if more, ok := saidIn(language, match[1]); ok {
				return append(more, english), true
			}
		}
	}
	return nil, false
}

// saying checks what the page of a rotation says in the states that a test brings it to.
type saying struct {
	*rotating
	seen map[string]bool // sentences
}

// check requires the page's news and the states of its steps, and that each sentence on it,
// in both languages, holds.
func (r *saying) check(state string, old models.APIKey, step, news, states string, f facts) {
	r.t.Helper()
	tenant := r.site.Service.Tenant(r.old.OrganizationID)
	path := "/settings/api-keys/" + old.ID.String() + "/rotate"
	key, err := keys.Get(r.t.Context(), tenant, old.ID)
	require.NoError(r.t, err)
	f.old, f.scheduled = key.State(), key.RevokesAt != nil
	if key.SuccessorID != nil {
		successor, err := keys.Get(r.t.Context(), tenant, *key.SuccessorID)
		require.NoError(r.t, err)
		f.successor, f.used = successor.State(), successor.LastUsedAt != nil
	}
	for _, language := range i18n.Offered {
		for _, step := range []string{step, "?step=revoke"} {
			page := r.do(http.MethodGet, path+step, nil, http.Header{"Accept-Language": {string(language)}}).page
			page.Find("#step-1 form").Remove() // of a new key
			parts := page.Find("#rotation dd .under, #rotation .warned .under").Remove()
			for _, block := range page.Find("#rotation p, #rotation dd, #rotation h3").AddSelection(parts).EachIter() {
				said, ok := saidIn(language, squeeze(strings.ReplaceAll(block.Text(), "\u00a0", " ")))
				assert.True(r.t, ok, "%s, %s: says %q", state, language, squeeze(block.Text()))
				for _, sentence := range said {
					r.seen[sentence] = true
					assert.True(r.t, sentences[sentence](f), "%s, %s: %q is not true of %+v", state, language, sentence, f)
				}
			}
			for id, state := range map[models.APIKey]models.KeyState{old: f.old, r.successor: f.successor} {
				resumes := page.Find(`#rotation form[action="/settings/api-keys/` + id.ID.String() + `/resume"]`).Length()
				assert.Equal(r.t, state == models.KeyPaused, resumes == 1, "%s: resumes the key that is %s", state, state)
			}
		}
	}
	page := r.get(path + step)
	if f.old != models.KeyRevoked {
		require.Equal(r.t, f.pending, page.page.Find("#rotation .callers [value=dismiss]").Length(), "%s: each caller that may need the old key can be dismissed", state)
	}
	require.Contains(r.t, page.text("#rotation-news"), news, state)
	require.Equal(r.t, states, squeeze(page.text("#rotation summary .soft")), state)
}

func (r *saying) set(key models.APIKey, values string) {
	modelstest.ExecuteAt(r.t, r.site.URL, `UPDATE api_keys SET `+values+` WHERE id = $1`, key.ID)
}

// caller dismisses or restores the first caller that can be.
func (r *saying) caller(action string) {
	r.t.Helper()
	require.Equal(r.t, http.StatusSeeOther, r.send(r.path, r.path+"/caller", url.Values{"action": {action}}).StatusCode)
}

// In every state of a rotation, each sentence of its page holds, in both languages; the step
// that the page is at never goes back when a caller moves; and the page resumes what is paused.
func TestRotationSaysWhatHolds(t *testing.T) {
	t.Parallel()
	r := &saying{startRotation(t), map[string]bool{}}
	r.callersMove(t)
	r.keysEnd(t)
	for sentence := range sentences {
		assert.True(t, r.seen[sentence], "no state says %q", sentence)
	}
}

// callersMove lets two callers move to the new key, and back.
func (r *saying) callersMove(t *testing.T) {
	t.Helper()
	const nightly, ledger = "nightly-bookkeeping 3", "ledger/1.0"
	r.record(r.old, "10.0.0.8", ledger)
	r.check("fresh", r.successor, "", "Step 1 of 4", "NowLaterLaterLater", facts{})
	r.check("said updated without a key", r.successor, "?step=verify", "Step 1 of 4", "NowLaterLaterLater", facts{})
	r.check("created", r.old, "", "Step 2 of 4: put", "DoneNowLaterLater", facts{pending: 2})
	r.check("said updated", r.old, "?step=verify", "Step 3 of 4: waiting", "DoneNowNowLater", facts{pending: 2})
	r.check("revoking before the first use", r.old, "?step=revoke", "Step 2 of 4", "DoneNowLaterNow", facts{pending: 2})
	r.caller("dismiss")
	r.caller("dismiss")
	r.check("dismissed before the first use", r.old, "", "Step 3 of 4: waiting", "DoneDoneNowLater", facts{})
	r.caller("restore")
	r.caller("restore")
	r.set(r.successor, "paused_at = now()")
	r.check("successor paused before its use", r.old, "", "Step 2 of 4: the new key is paused", "DoneNowLaterLater", facts{pending: 2})
	r.set(r.successor, "paused_at = NULL")
	r.record(r.successor, "10.0.0.8", ledger)
	r.check("one of two moved", r.old, "?step=verify", "Step 3 of 4: the new key works, but 1 caller", "DoneDoneNowLater", facts{pending: 1})
	r.check("revoking before all moved", r.old, "?step=revoke", "Step 3 of 4: the new key works, but 1 caller", "DoneDoneNowNow", facts{pending: 1})
	require.Contains(t, r.get(r.path).text(".callers li:contains('ledger')"), "It has used the new one since")
	require.Contains(t, r.last.text(".callers li:contains('nightly')"), "It has not used the new one yet.")
	require.Equal(t, http.StatusNotFound, r.submit(r.path+"/caller", url.Values{"action": {"dismiss"}, "address": {"192.0.2.99"}}).StatusCode)
	r.record(r.old, "10.0.0.8", ledger)
	r.check("relapsed", r.old, "", "but 2 callers", "DoneDoneNowLater", facts{pending: 2})
	r.record(r.successor, "10.0.0.8", ledger)
	r.caller("dismiss")
	r.check("dismissed", r.old, "", "Step 4 of 4", "DoneDoneDoneNow", facts{})
	r.record(r.old, "10.0.0.7", nightly)
	r.check("returned", r.old, "", "but 1 caller", "DoneDoneNowLater", facts{pending: 1})
	r.record(r.successor, "10.0.0.7", nightly)
	r.check("all moved", r.old, "", "Step 4 of 4", "DoneDoneDoneNow", facts{})
	log := r.get("/settings/audit-log").text()
	require.Contains(t, log, "Dismissed a caller of a key")
	require.Contains(t, log, "Restored a dismissed caller of a key")
	modelstest.ExecuteAt(t, r.site.URL, `INSERT INTO key_callers SELECT organization_id, key_id, '', '', user_agent, now(), now(), now(), NULL, 1, 0 FROM key_callers WHERE key_id = $1 LIMIT 1`, r.old.ID)
	r.check("others", r.old, "", "but 1 caller", "DoneDoneNowLater", facts{pending: 1})
	modelstest.ExecuteAt(t, r.site.URL, `DELETE FROM key_callers WHERE address = ''`)
	r.set(r.old, "revoke_after_idle_days = 35, revoke_scheduled_at = now()")
	r.check("scheduled", r.old, "", "Nothing more to do", "DoneDoneDoneWaiting", facts{})
	r.set(r.old, "revoke_after_idle_days = NULL, revoke_scheduled_at = NULL")
}

// keysEnd pauses, resumes and revokes the keys, and lets them expire.
func (r *saying) keysEnd(t *testing.T) {
	t.Helper()
	require.Equal(t, r.path, r.post("/settings/api-keys/"+r.old.ID.String()+"/pause", nil).Header.Get("Location"))
	r.check("paused", r.old, "", "Step 4 of 4", "DoneDoneDoneNow", facts{})
	refused := modelstest.Request("10.0.0.7", "nightly-bookkeeping 3")
	refused.Status, refused.Reason = http.StatusUnauthorized, "paused"
	instance := modelstest.Open(t, r.site.URL, database.Service)
	instance.Usage.Record(modelstest.Caller(r.old), refused)
	instance.Close()
	r.check("refused while paused", r.old, "", "but 1 caller", "DoneDoneNowLater", facts{pending: 1})
	revoke := r.get("/settings/api-keys/" + r.old.ID.String() + "/revoke").text("main")
	require.Contains(t, revoke, "nightly-bookkeeping 3 from 10.0.0.7 tried the old key")
	require.NotContains(t, revoke, "nightly-bookkeeping 3 from 10.0.0.7 last used")
	require.Contains(t, revoke, "may still need this one")
	require.NotContains(t, revoke, "safe from")
	require.Contains(t, revoke, "What was read with this key")
	require.Contains(t, r.get("/").text("section[aria-labelledby=attention]"), "is not finished")
	r.set(r.successor, "paused_at = now()")
	r.check("both paused", r.old, "", "Step 3 of 4: the new key is paused", "DoneDoneNowLater", facts{pending: 1})
	for _, key := range []models.APIKey{r.old, r.successor} {
		require.Equal(t, r.path, r.send(r.path, "/settings/api-keys/"+key.ID.String()+"/resume", nil).Header.Get("Location"))
		require.Contains(t, r.follow().text("main"), "Key "+key.Subject()+" works again.")
	}
	r.set(r.old, "expires_at = now()")
	r.check("expired with a caller left", r.old, "", "but 1 caller", "DoneDoneNowLater", facts{pending: 1})
	r.set(r.old, "expires_at = NULL, revoked_at = now()")
	r.check("revoked early", r.old, "", "The old key is revoked, but 1 caller", "DoneDoneNowDone", facts{pending: 1})
	r.set(r.old, "revoked_at = NULL")

	r.backdate(r.old, "36 days")
	r.check("silent", r.old, "", "safe to revoke", "DoneDoneDoneNow", facts{safe: true})
	r.set(r.successor, "paused_at = now()")
	r.check("successor paused", r.old, "", "Step 3 of 4: the new key is paused", "DoneDoneNowLater", facts{})
	r.set(r.successor, "paused_at = NULL")
	r.set(r.old, "expires_at = now()")
	r.check("expired", r.old, "", "safe to revoke", "DoneDoneDoneNow", facts{safe: true})
	r.set(r.old, "revoked_at = now()")
	r.check("revoked", r.old, "", "All done", "DoneDoneDoneDone", facts{})
	r.set(r.successor, "paused_at = now()")
	r.check("revoked, successor paused", r.old, "", "The old key is revoked.", "DoneDoneNowDone", facts{})
	r.set(r.successor, "paused_at = NULL, last_used_at = NULL")
	r.check("revoked before the first use", r.old, "", "The old key is revoked.", "DoneSkippedNowDone", facts{})
	r.set(r.successor, "revoked_at = now()")
	r.check("both revoked", r.old, "", "The old key is revoked.", "SkippedSkippedSkippedDone", facts{})
}
