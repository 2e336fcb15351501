package dashboard_test

import (
	"bytes"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"dispo/dashboard"
	"dispo/models/modelstest"
)

// One field finds companies, accounts, days, amounts, keys, delivery files and members as people write them, for
// every member and in the organization alone. Each result leads to its page. Without a text, or
// with one that is too long, the page says what can be searched for.
func TestSearch(t *testing.T) {
	t.Parallel()
	w := newPair(t)
	conn := modelstest.Conn(t, w.site.URL)
	modelstest.Execute(t, conn, `UPDATE companies SET name = 'Nordlys & SØN ' || cvr`)
	modelstest.Refold(t, w.site.URL)
	modelstest.Execute(t, conn, `UPDATE companies SET receiver_reg_number = '3409', receiver_account_number = '0012345678',
		sender_account_number = '98765' WHERE cvr = '10000001'`)
	modelstest.Execute(t, conn, `UPDATE transactions SET amount_dkk = 1234.5, disposition_date = '2026-11-20',
		reg_number = '1234', account_number = '0012345678'`)
	modelstest.Execute(t, conn, `UPDATE delivery_files SET filename = 'NIGHTLY-ÅRHUS-100%.csv'`)
	modelstest.Recount(t, w.site.URL)
	key := w.paths["a"].Replace("{key}")
	modelstest.Execute(t, conn, `UPDATE api_keys SET name = 'BOGFØRING'`)
	modelstest.Execute(t, conn, `UPDATE api_keys SET hint = 'TqP4' WHERE id = $1`, key)
	company, delivery := "/companies/10000001", w.paths["a"].Replace("/deliveries/{delivery}")
	transaction := "/transactions?" + url.Values{
		"from":   {"2026-11-20"},
		"to":     {"2026-11-20"},
		"cvr":    {"10000001"},
		"amount": {"1234.50"},
	}.Encode()
	b := w.signedIn(t, "viewer@a.example")
	for text, want := range map[string][]string{
		"10000001": {company}, "DK10000001": {company}, " 10 00 00 01 ": {company}, "1000": {company}, "nordlys": {company}, "NORDLYS & Søn": {company},
		"1.234,50": {transaction, company, delivery}, "1,234.50": {transaction, company, delivery}, "1234.5": {transaction, company, delivery}, "kr. 1200-1300": {transaction, company, delivery},
		"-1234.5": nil, "1234.5-": nil, "1234": {transaction, company, delivery}, "1.234": {transaction, company, delivery}, "1234,00": nil,
		"0012345678": {transaction, company, delivery}, "12345678": {transaction, company, delivery}, "1234-12345678": {transaction, company, delivery}, "1234 0012345678": {transaction, company, delivery}, "3409 12345678": {company}, "3409-0012345678": {company}, "34090012345678": {company}, "98765": {company}, "0000098765": {company},
		"3408 12345678": nil, "2345678": nil, "Owner@A.example": {"/settings/members"}, "owner@b": nil,
		"20 Nov 2026": {transaction, company, delivery}, "20. november 2026": {transaction, company, delivery}, "Nov 20, 2026": {transaction, company, delivery},
		"20.11.2026": {transaction, company, delivery}, "2026-11-20": {transaction, company, delivery}, "20/11/2026": {transaction, company, delivery},
		"bogføring": {"/settings/api-keys/" + key}, "TqP4": {"/settings/api-keys/" + key}, "qP4": {"/settings/api-keys/" + key}, "dispo_…TqP4": {"/settings/api-keys/" + key},
		"nightly-århus": {delivery}, "100%": {delivery},
		"10000002": nil, "1234.51": nil, "21.11.2026": nil, "Q4": nil, "1000000.1": nil, "'; --": nil, "%": {delivery}, "_": nil, `\`: nil, "a\x00\xff": nil,
	} {
		a := b.get("/search?" + url.Values{"q": {text}}.Encode())
		require.Equal(t, http.StatusOK, a.StatusCode, "%q", text)
		found := map[string]bool{}
		a.page.Find("main table a").Each(func(_ int, link *goquery.Selection) { found[link.AttrOr("href", "")] = true })
		require.ElementsMatch(t, want, slices.Collect(maps.Keys(found)), "%q", text)
		require.Equal(t, want == nil, strings.Contains(a.text(), "Nothing found."), text)
		require.Equal(t, strings.TrimSpace(strings.NewReplacer("\x00", "", "\xff", "\ufffd").Replace(text)),
			a.attr("#find", "value"))
		for link := range found {
			require.Equal(t, http.StatusOK, b.get(link).StatusCode, link)
		}
	}
	require.Equal(t, 1, b.get(transaction).count("main tbody tr"))

	w.Delivery(t, "10000001", 11) // the first ones are shown, and the page says so
	modelstest.Execute(t, conn, `UPDATE transactions SET disposition_date = '2026-11-20'`)
	modelstest.Recount(t, w.site.URL)
	require.Contains(t, b.get("/search?q=20.11.2026").text("dl.sums"), "1–10 of 12 transactions")
	modelstest.Execute(t, conn, `UPDATE transactions SET amount_dkk = -77.25`)
	modelstest.Recount(t, w.site.URL)
	for text, rows := range map[string]int{"77.25": 10, "77,25 kr.": 10, "-77.25": 10, "77,25-": 10, "77..78": 0, "77.26": 0, "77": 10, "77,-": 0} { // without a sign, an amount has either
		require.Equal(t, rows, b.get("/search?"+url.Values{"q": {text}}.Encode()).count("#amounts ~ * tbody tr"),
			text)
	}
	all := b.get("/search?q=77.25").attr("#amounts ~ p a", "href")
	require.Contains(t, b.get(all).text("dl.sums"), "−927.00 DKK")

	for text, status := range map[string]int{"": http.StatusOK, "+": http.StatusOK, strings.Repeat("æ", 201): http.StatusUnprocessableEntity} {
		a := b.get("/search?q=" + text)
		require.Equal(t, status, a.StatusCode)
		require.Contains(t, a.text(), "What you can search for")
		require.NotContains(t, a.text(), "Nothing found")
		require.Equal(t, strings.Trim(text, "+"), a.attr("#find", "value"), "nothing typed is lost")
	}
}

// A whole key is not searched for. Its secret leaves the address of every page at once, and neither the page
// nor the log has it, nor what else was searched for. In the list of keys its last characters
// take its place, and find it.
func TestSearchForKey(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s, a, b := ownerSite(t,
		dashboard.Config{Log: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	key, text := s.Key(t, a)
	secret := strings.ToLower(text[len("dispo_")+13:])
	for _, typed := range []string{text, "Key: " + text + ".", strings.ToUpper(text), `"` + text + `"`, "X-API-Key: " + text} {
		for _, page := range []string{"/companies?status=CREATED&q=", "/settings/api-keys?sort=name&q=", "/docs/search?q=", "/settings/audit-log?person=", "/transactions?amount=", "/days?x="} {
			left := b.get(page + url.QueryEscape(typed))
			require.Equal(t, http.StatusSeeOther, left.StatusCode, page)
			require.NotContains(t, strings.ToLower(left.Header.Get("Location")), secret, page)
			to, _, _ := strings.Cut(page, "?")
			require.True(t, strings.HasPrefix(left.Header.Get("Location"), to+"?"), page)
			require.NotEqual(t, http.StatusSeeOther, b.follow().StatusCode, page)
		}
		if strings.Contains(typed, text) {
			require.Equal(t, "/settings/api-keys?q="+key.Hint,
				b.get("/settings/api-keys?q="+url.QueryEscape(typed)).Header.Get("Location"), typed)
			require.Contains(t, b.follow().text("tbody"), "…"+key.Hint)
		}
		answer := b.get("/search?" + url.Values{"q": {typed}}.Encode())
		require.Equal(t, http.StatusSeeOther, answer.StatusCode)
		require.NotContains(t, strings.ToLower(answer.Header.Get("Location")), secret)
		answer = b.follow()
		require.Equal(t, http.StatusUnprocessableEntity, answer.StatusCode)
		require.Contains(t, answer.text(), "so it was not searched for")
		to := "/settings/api-keys"
		if strings.Contains(typed, text) {
			to += "/" + key.ID.String() + "/revoke"
		}
		require.Equal(t, "revoke it", answer.text("main .problem a[href='"+to+"']"), typed)
		require.NotContains(t, strings.ToLower(answer.body), secret)
		require.Zero(t, answer.count("main table"))
	}
	require.Contains(t, b.get("/search?q="+key.Hint).text(), key.Name)
	b.get("/search?q=hemmeligt")
	require.Contains(t, log.String(), `"/search"`)
	require.NotContains(t, log.String(), "hemmeligt")
	require.NotContains(t, log.String(), key.LookupID)
}

// The count above the companies is that of the ones that the search finds. They can be sorted
// without a script: a heading links to each order, and the pages keep it.
func TestCompanies(t *testing.T) {
	t.Parallel()
	s, a, b := ownerSite(t)
	cvrs := []string{"20000001", "20000002", "30000001"}
	for i := range 60 {
		cvrs = append(cvrs, strconv.Itoa(40_000_059-i))
	}
	s.Companies(t, a, cvrs...)
	for query, want := range map[string]string{
		"": "63 companies", "q=company": "63 companies", "q=40000": "60 companies", "q=300000": "1 company",
		"q=200000&status=CREATED": "2 companies", "q=20000&sort=cvr": "2 companies", "status=nonsense&q=300000": "1 company",
		"q=DK20000001": "1 company", "q=20+00+00+01": "1 company", "q=2000+0001&sort=-name": "1 company",
		"q=nobody": "", "q=200000&status=TERMINATED": "",
	} {
		page := b.get("/companies?" + query)
		require.Equal(t, want, page.text("main .head p"), query)
		require.Equal(t, want == "", strings.Contains(page.text(), "No matching companies."), query)
	}
	first := func(path string) string { return b.get(path).page.Find("tbody th a").First().Text() }
	for sort, want := range map[string]string{"": "Company 40000059", "name": "Company 40000000", "-cvr": "Company 40000059", "nonsense": "Company 40000059"} {
		require.Equal(t, want, first("/companies?q=4000&sort="+sort), sort)
	}
	page := b.get("/companies?sort=cvr&q=4000&status=CREATED").page
	require.Equal(t, "/companies?q=4000&sort=-cvr&status=CREATED",
		page.Find("th[aria-sort=ascending] a").AttrOr("href", ""))
	next := page.Find("a[rel=next]").AttrOr("href", "")
	require.Equal(t, "Company 40000050", first(next))
	require.Contains(t, next, "sort=cvr")
}
