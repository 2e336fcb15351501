package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	noisyCompanies = 300_000
	noisyClients   = 40
)

// noisySearches are what a member of the noisy organization opens. Some find nothing, some
// a third of all companies.
var noisySearches = []string{
	"/companies?q=no+such+company&status=REGISTERED", "/companies?q=havnens&status=REJECTED", "/companies?q=aps&status=CREATED", "/companies?q=varehus",
	"/companies?q=zz", "/companies?status=TERMINATED", "/companies?q=6012&status=MODIFIED", "/companies?q=s%C3%B8n+caf%C3%A9+29",
}

// measureNoisy measures what other organizations do, alone and beside 40 clients of one
// organization: first with searches in many companies, then with the present password sent
// to a link for a new one, which makes the service run bcrypt. Each of these requests
// comes from another address, because an address may try only ten passwords on a link.
func (b *bench) measureNoisy() {
	progress("creating an organization with %d companies", noisyCompanies)
	first, second := []string{"Nordlys", "Havnens", "Skovens", "Jensens", "Hansen & Søn", "Aarhus", "Vejle"}, []string{"Varehus", "Byg", "VVS", "Transport", "Revision", "Café"}
	third, statuses := []string{"ApS", "A/S", "I/S"}, []string{"REGISTERED", "CREATED", "MODIFIED"}
	b.createOrganization("noisy", noisyCompanies, func(n int) string {
		return fmt.Sprintf("%d,%s %s %d %s,%s", 60_000_000+n, first[n%7], second[n%6], n, third[n%3], statuses[n%3])
	})
	b.psql("dispo", "VACUUM ANALYZE")
	service := b.serve(append(uncached, trusted)...)
	defer service.stop()
	for email, slug := range map[string]string{"noisy@example.com": "noisy", "quiet@example.com": "organization-0"} {
		b.run(password, b.dispo, "user", "create", email, "--organization", slug, "--role", "owner", "--password-stdin")
	}
	text, _ := b.run("", b.dispo, "user", "password", "noisy@example.com")
	link := openForm(service.site+regexp.MustCompile(`/password/\S+`).FindString(text), url.Values{"password": {password}})
	session := cookies(fetch(signIn(service, "noisy@example.com")))
	quiet := b.measureOthers(service)
	fmt.Printf("what others do, beside %d clients of one organization:\n", noisyClients)
	table := newTable("quiet p50", "p99", "during p50", "p99", "ratio of p50", "ratio of p99", "aim", "failed")
	defer table.Flush()
	attack := func(name string, call func(n int) call) {
		var during []tally
		answers := b.beside(load{clients: noisyClients, call: call}, func() { during = b.measureOthers(service) })
		progress("%s, answered %v", name, answers)
		fmt.Fprintf(table, "beside %s:\t\t\t\t\t\t\t\t\t\n", name)
		for i, row := range during {
			before := quiet[i]
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%.1f\t%.1f\t<= 2\t%d of %d\t\n", row.name, ms(before.p50()), ms(before.p99()), ms(row.p50()), ms(row.p99()),
				ratio(row.p50(), before.p50()), ratio(row.p99(), before.p99()), row.failed, len(row.times))
		}
	}
	attack(fmt.Sprintf("searches in %d companies", noisyCompanies), func(n int) call {
		return call{url: service.site + noisySearches[n%len(noisySearches)], cookies: session}
	})
	attack("the present password, sent to a link", func(n int) call {
		guess := link
		guess.from = someAddress(n)
		return guess
	})
}

// measureOthers measures uncached reads, sign-ins and health checks, side by side.
func (b *bench) measureOthers(service *process) []tally {
	form, health := signIn(service, "quiet@example.com"), call{url: service.site + "/api/health"}
	loads := []load{
		{name: "an uncached read", clients: 32, rate: 100, call: func(int) call {
			organization := 1 + rand.IntN(organizationCount-1)
			return b.call(service, organization, "/companies/"+companyCVR(organization, rand.IntN(companiesPerOrganization)))
		}},
		{name: "a sign-in", clients: 8, rate: 3, call: func(int) call { return form }},
		{name: "/api/health", clients: 2, rate: 20, call: func(int) call { return health }},
	}
	results := make([]tally, len(loads))
	var all sync.WaitGroup
	for i, load := range loads {
		all.Go(func() { results[i] = load.run(b.ctx, time.Duration(b.rounds)*b.length) })
	}
	all.Wait()
	return results
}

var formToken = regexp.MustCompile(`name="form_token" value="([^"]+)"`)

// openForm opens a page, and returns the call that submits its form.
func openForm(page string, fields url.Values) call {
	answer := fetch(call{url: page})
	found := formToken.FindSubmatch(answer.Body())
	if found == nil {
		must(0, fmt.Errorf("%s has no form", page))
	}
	fields.Set("form_token", string(found[1]))
	return call{url: page, cookies: cookies(answer), form: fields.Encode()}
}

// signIn returns the call with which a person signs in.
func signIn(service *process, email string) call {
	form := openForm(service.site+"/sign-in", url.Values{"email": {email}, "password": {password}})
	form.status = fasthttp.StatusSeeOther
	return form
}

// cookies returns the cookies that an answer sets, as a request sends them.
func cookies(answer *fasthttp.Response) string {
	var all []string
	for _, cookie := range answer.Header.Cookies() {
		pair, _, _ := strings.Cut(string(cookie), ";")
		all = append(all, pair)
	}
	return strings.Join(all, "; ")
}
