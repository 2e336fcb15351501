package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models/mail"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

var mails = dashboard.Config{Mail: true}

// Somebody who forgot the password gets the same answer whether there is an account or
// not: status, headers and page. So does somebody who asks too often.
func TestForgottenAnswersAlike(t *testing.T) {
	t.Parallel()
	s, _, _ := ownerSite(t, mails)
	ask := func(email string) (first, shown *answer) {
		b := s.browser(t)
		b.get("/sign-in")
		require.Equal(t, 1, b.last.count(`a[href="/password/forgotten"]`))
		first = b.post("/password/forgotten", url.Values{"email": {email}})
		if first.StatusCode == http.StatusSeeOther {
			shown = b.follow()
		}
		return first, shown
	}
	for attempt := range 5 {
		known, knownPage := ask("owner@a.example")
		unknown, unknownPage := ask("other@a.example")
		require.Equal(t, known.StatusCode, unknown.StatusCode)
		for _, name := range []string{"Location", "Content-Length"} {
			require.Equal(t, known.Header[name], unknown.Header[name], name)
		}
		require.Equal(t, cookies(known), cookies(unknown))
		if attempt < 3 {
			require.Equal(t, http.StatusSeeOther, known.StatusCode, known.text())
			require.Contains(t, knownPage.text(), "If there is an account with that address, we will send it a link")
			require.Equal(t, knownPage.text(), unknownPage.text())
			continue
		}
		require.Equal(t, http.StatusTooManyRequests, known.StatusCode)
		require.Contains(t, known.text(), "Try again in 15 minutes.")
	}
	wrong, _ := ask("kari")
	require.Equal(t, http.StatusUnprocessableEntity, wrong.StatusCode)
	require.Contains(t, wrong.text(), "Type an e-mail address")
	require.Equal(t, 6, modelstest.ValueAt[int](t, s.URL, `SELECT count(*) FROM password_requests`))
}

// cookies returns the cookies that an answer sets. Two answers may come in different
// seconds, so their time is left out.
func cookies(a *answer) (set []string) {
	for _, cookie := range a.Cookies() {
		cookie.Expires, cookie.RawExpires, cookie.Raw = time.Time{}, "", ""
		set = append(set, cookie.String())
	}
	return set
}

// Users choose which mails they get, each for themselves. At first they get all
// but those about arrivals. The page of a new invitation says that a mail is on its way, and
// still shows the link. Where no mails are sent, neither is offered.
func TestMails(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t, mails)
	other := s.member(t, a, "other@a.example", terms.Owner)
	wanted := func(b *browser) []string {
		return b.get("/profile").
			page.Find("input[type=checkbox][checked]").
			Map(func(_ int, box *goquery.Selection) string { return box.AttrOr("name", "") })
	}
	require.Equal(t, []string{"keys", "expiry", "late", "deliveries"}, wanted(b))
	form := b.form("/profile/mail", nil)
	form.Del("expiry")
	form.Set("arrivals", "yes")
	require.Equal(t, http.StatusSeeOther, b.do(http.MethodPost, "/profile/mail", form, nil).StatusCode)
	require.Contains(t, b.follow().text(), "Settings saved.")
	require.Equal(t, []string{"keys", "arrivals", "late", "deliveries"}, wanted(b))
	require.Equal(t, []string{"keys", "expiry", "late", "deliveries"}, wanted(other))
	for _, topic := range wanted(b) {
		form.Del(topic)
	}
	b.do(http.MethodPost, "/profile/mail", form, nil)
	require.Empty(t, wanted(b))

	without := serve(t, s.World, dashboard.Config{}).signedIn(t, "owner@a.example")
	require.Zero(t, without.get("/profile").count("[action='/profile/mail']"))
	for b, expected := range map[*browser]string{b: "We are sending kari@a.example an e-mail with a link to join.", without: "Send this link"} {
		invite(b, "kari@a.example", "viewer")
		require.Contains(t, b.last.text(), expected)
	}
}

// After too many attempts the page offers a link by mail, to anybody alike, whether there is
// such an account or not. The browser in which the link is confirmed can sign in, and no other.
func TestUnlock(t *testing.T) {
	t.Parallel()
	s, _, _ := ownerSite(t, mails)
	s.execute(t, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	s.execute(t, `INSERT INTO sign_in_failures SELECT 'account ' || email || ' in all', 100, now() + interval '15 minutes'
		FROM unnest(ARRAY['owner@a.example', 'other@a.example']) email`)
	var texts []string
	for _, email := range []string{"owner@a.example", "other@a.example"} {
		b := s.browser(t)
		for range 3 {
			require.Equal(t, http.StatusTooManyRequests, b.signIn(email, password).StatusCode)
			asked := b.submit("/sign-in/link", nil)
			require.Equal(t, http.StatusSeeOther, asked.StatusCode)
			texts = append(texts, b.follow().text())
		}
		b.signIn(email, password)
		limited := b.submit("/sign-in/link", nil)
		require.Equal(t, http.StatusTooManyRequests, limited.StatusCode)
		texts = append(texts, strings.ReplaceAll(limited.text(), email, ""))
	}
	require.Contains(t, texts[0], "If there is an account with that address, we will send it a link to sign in.")
	require.Equal(t, texts[:4], texts[4:])

	require.NoError(t, s.Service.Accounts.AnswerPasswordRequests(t.Context()))
	links := modelstest.Column[uuid.UUID](t, modelstest.Conn(t, s.URL), `SELECT id FROM mails WHERE kind = 'unlock'`)
	require.Len(t, links, 3)
	path := "/sign-in/link/" + mail.Token(s.Service.Secret(), links[0])
	b := s.browser(t)
	for range 2 { // opening the link does not use it up
		require.Equal(t, http.StatusOK, b.get(path).StatusCode)
	}
	require.Equal(t, "/sign-in", b.submit(path, nil).Header.Get("Location"))
	require.Contains(t, b.follow().text(), "You can sign in in this browser for 15 minutes.")
	require.Equal(t, http.StatusSeeOther, b.signIn("owner@a.example", password).StatusCode)
	other := s.browser(t)
	require.Equal(t, http.StatusTooManyRequests, other.signIn("owner@a.example", password).StatusCode)
	require.Equal(t, http.StatusNotFound,
		other.do(http.MethodPost, path, url.Values{"form_token": {other.token()}}, nil).StatusCode)
	for _, ended := range []string{path, "/sign-in/link/anything"} {
		require.Equal(t, http.StatusNotFound, other.get(ended).StatusCode)
		require.Equal(t, "This link no longer works", other.last.text("h1"))
		require.NotContains(t, other.last.text(), "attempts", "nothing is said of a link that does not work")
	}
}
