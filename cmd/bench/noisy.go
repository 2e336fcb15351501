package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"
)

const (
	noisyCompanies = 300_000
	noisyClients   = 40
	quietReads     = 100 // a second, of other organizations
)

// noisySearches are what a member of the noisy organization opens. Some find nothing, some
// a third of all companies.
var noisySearches = []string{
	"/companies?q=no+such+company&status=REGISTERED", "/companies?q=havnens&status=REJECTED", "/companies?q=aps&status=CREATED", "/companies?q=varehus",
	"/companies?q=zz", "/companies?status=TERMINATED", "/companies?q=6012&status=MODIFIED", "/companies?q=s%C3%B8n+caf%C3%A9+29",
}

// measureNoisy measures what other organizations do, alone and beside 40 clients of one
// organization: first with searches in many companies, then with the present password sent
// to a link for a new one, which makes the service run bcrypt.
func (b *bench) measureNoisy() {
	progress("creating an organization with %d companies", noisyCompanies)
	first, second := []string{"Nordlys", "Havnens", "Skovens", "Jensens", "Hansen & Søn", "Aarhus", "Vejle"}, []string{"Varehus", "Byg", "VVS", "Transport", "Revision", "Café"}
	third, statuses := []string{"ApS", "A/S", "I/S"}, []string{"REGISTERED", "CREATED", "MODIFIED"}
	b.createOrganization("noisy", noisyCompanies, func(n int) string {
		return fmt.Sprintf("%d,%s %s %d %s,%s", 60_000_000+n, first[n%7], second[n%6], n, third[n%3], statuses[n%3])
	})
	b.psql("dispo", "VACUUM ANALYZE")
	service := b.serve(uncached...)
	defer service.stop()
	for email, slug := range map[string]string{"noisy@example.com": "noisy", "quiet@example.com": "organization-0"} {
		b.run(password, b.dispo, "user", "create", email, "--organization", slug, "--role", "owner", "--password-stdin")
	}
	site := "http://" + service.address
	searching, linked := newBrowser(), newBrowser()
	must(0, signIn(searching, site, "noisy@example.com"))
	text, _ := b.run("", b.dispo, "user", "password", "noisy@example.com")
	link := site + regexp.MustCompile(`/password/\S+`).FindString(text)
	form := url.Values{"form_token": {must(openForm(linked, link))}, "password": {password}}.Encode()
	quiet := b.measureOthers(service)
	fmt.Printf("what others do, beside %d clients of one organization:\n", noisyClients)
	table := newTable("quiet p50", "p99", "during p50", "p99", "ratio of p50", "ratio of p99", "aim", "failed")
	for _, attack := range []struct {
		name    string
		browser *http.Client
		prepare func(n int, request *fasthttp.Request)
	}{
		{fmt.Sprintf("searches in %d companies", noisyCompanies), searching, func(n int, request *fasthttp.Request) {
			request.SetRequestURI(site + noisySearches[n%len(noisySearches)])
		}},
		{"the present password, sent to a link", linked, func(_ int, request *fasthttp.Request) {
			request.Header.SetMethod(http.MethodPost)
			request.SetRequestURI(link)
			request.Header.SetContentType("application/x-www-form-urlencoded")
			request.SetBodyString(form)
		}},
	} {
		cookies := attack.browser.Jar.Cookies(must(url.Parse(link)))
		flood := load{address: service.address, clients: noisyClients, prepare: func(n int, request *fasthttp.Request) {
			request.Reset()
			attack.prepare(n, request)
			for _, cookie := range cookies {
				request.Header.SetCookie(cookie.Name, cookie.Value)
			}
		}}
		var during []otherRow
		answers := b.beside(flood, func() { during = b.measureOthers(service) })
		progress("%s, answered %v", attack.name, answers)
		fmt.Fprintf(table, "beside %s:\t\t\t\t\t\t\t\t\t\n", attack.name)
		for i, row := range during {
			before, after := quiet[i].times, row.times
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%.1f\t%.1f\t<= 2\t%d of %d\t\n", row.name, ms(median(before)), ms(percentile(before, 0.99)), ms(median(after)),
				ms(percentile(after, 0.99)), ratio(median(after), median(before)), ratio(percentile(after, 0.99), percentile(before, 0.99)), row.failed(), len(after))
		}
	}
	must(0, table.Flush())
}

// otherRow is something that others do.
type otherRow struct {
	name string
	tally
}

// measureOthers measures uncached reads, sign-ins and health checks, side by side.
func (b *bench) measureOthers(service *process) []otherRow {
	length := time.Duration(b.rounds) * b.length
	reads, signIns, health := tally{}, tally{statuses: map[int]int{}}, tally{}
	var group errgroup.Group
	group.Go(func() (err error) {
		reads, err = load{address: service.address, clients: 32, rate: quietReads, prepare: func(_ int, request *fasthttp.Request) {
			organization := 1 + rand.IntN(organizationCount-1)
			b.call(service, organization, "/companies/"+companyCVR(organization, rand.IntN(companiesPerOrganization))).fill(request)
		}}.runFor(b.ctx, length)
		return err
	})
	group.Go(func() (err error) {
		health, err = load{address: service.address, clients: 2, rate: 20, prepare: func(_ int, request *fasthttp.Request) {
			call{url: "http://" + service.address + "/api/health"}.fill(request)
		}}.runFor(b.ctx, length)
		return err
	})
	group.Go(func() error {
		for end := time.Now().Add(length); time.Now().Before(end) && b.ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
			browser, start := newBrowser(), time.Now()
			if err := signIn(browser, "http://"+service.address, "quiet@example.com"); err != nil {
				signIns.statuses[0]++
			} else {
				signIns.times = append(signIns.times, time.Since(start))
			}
			browser.CloseIdleConnections()
		}
		return nil
	})
	must(0, group.Wait())
	return []otherRow{{"an uncached read", reads}, {"a sign-in", signIns}, {"/api/health", health}}
}

// newBrowser returns a client that keeps cookies.
func newBrowser() *http.Client {
	jar, _ := cookiejar.New(nil) // never fails
	return &http.Client{
		Jar: jar, Timeout: requestTimeout, Transport: &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

var formToken = regexp.MustCompile(`name="form_token" value="([^"]+)"`)

// openForm opens a page with a form, and returns the form's token.
func openForm(browser *http.Client, page string) (token string, err error) {
	answer, err := browser.Get(page)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	found := formToken.FindSubmatch(text)
	if err != nil || found == nil {
		return "", fmt.Errorf("%s has no form: status %d: %w", page, answer.StatusCode, err)
	}
	return string(found[1]), nil
}

// signIn signs in as a person does.
func signIn(browser *http.Client, site, email string) error {
	token, err := openForm(browser, site+"/sign-in")
	if err != nil {
		return err
	}
	answer, err := browser.PostForm(site+"/sign-in", url.Values{"form_token": {token}, "email": {email}, "password": {password}})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		return fmt.Errorf("signing in: %s", answer.Status)
	}
	return nil
}
