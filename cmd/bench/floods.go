package main

import (
	"fmt"
	"log"
	"net/url"
	"regexp"
	"strings"

	"github.com/valyala/fasthttp"

	"dispo/models/keys"
)

// measureCold sends the first request of many keys at once, each over its own connection,
// to a service that has just started.
func (b *bench) measureCold() {
	const count = 300
	keys := make([]string, count)
	for i := range keys {
		keys[i] = b.run("", b.dispo, "key", "create", "--organization", fmt.Sprintf("organization-%d", i%organizationCount),
			"--name", "cold")
	}
	service := b.serve()
	defer service.stop()
	total := load{
		clients: count,
		call:    func(n int) call { return service.call(keys[n], "/companies/"+companyCVR(n%organizationCount, 0)) },
	}.run(b.ctx, 0)
	fmt.Printf(
		"first requests of %d keys at once, to a service just started: %.2f s until the last answer (aim: all 200); answers by status: %v\n",
		count,
		total.elapsed.Seconds(),
		total.statuses,
	)
}

// measureForged measures legitimate requests alone, then during a flood of requests with
// well-formed keys that do not exist. The same flood sent to the bare baseline shows how
// much of the slowdown comes from sharing the machine.
func (b *bench) measureForged() {
	service, baseline := b.serve(append(unlimited, trusted)...), b.serveBaseline()
	defer service.stop()
	defer baseline.stop()
	good := load{"a good request", 64, 300, b.others(service)}
	good.run(b.ctx, b.length) // until the service knows the keys
	forged := make([]string, 200_000)
	for i := range forged {
		const sandbox = false
		forged[i] = keys.Generate(sandbox).Text()
	}
	flood := func(name, url string, address func(n int) string) load {
		return load{name, 128, 10_000, func(n int) call {
			return call{url: url, headers: map[string]string{"X-API-Key": forged[n%len(forged)], "X-Forwarded-For": address(n)}}
		}}
	}
	same := func(int) string { return "127.0.0.1" }
	fmt.Printf("%.0f good requests a second, beside up to 10,000 a second with forged keys:\n", good.rate)
	b.besides([]load{good}, []load{
		flood("the flood sent to the bare baseline instead", baseline.site+"/bytes/100", same),
		flood("the flood sent from one address, the same as the good requests", service.site+"/api/v1"+oneCompany, same),
		flood("the flood sent from many addresses", service.site+"/api/v1"+oneCompany, someAddress),
	})
}

// measureNoisy measures what other organizations do, alone and beside 40 clients of one
// organization: first with searches in many companies, then with the present password sent
// to a link for a new one, which makes the service run bcrypt. Each of these requests
// comes from another address, because an address may try only ten passwords on a link.
func (b *bench) measureNoisy() {
	const companies, clients = 300_000, 40
	log.Printf("creating an organization with %d companies", companies)
	b.createOrganization("noisy", "60000000", companies)
	b.psql("postgres", "VACUUM ANALYZE")
	// Some find nothing, some a third of all companies.
	searches := strings.Fields(
		`?q=no+such+company&status=REGISTERED ?q=havnens&status=REJECTED ?q=aps&status=CREATED ?q=varehus
		?q=zz ?status=TERMINATED ?q=6012&status=MODIFIED ?q=vejle+caf%C3%A9+29`,
	)
	service := b.serve(append(uncached, trusted)...)
	defer service.stop()
	for email, slug := range map[string]string{"noisy@example.com": "noisy", "quiet@example.com": "organization-0"} {
		b.run(password, b.dispo, "user", "create", email, "--organization", slug, "--role", "owner", "--password-stdin")
	}
	page := regexp.MustCompile(`/password/\S+`).FindString(b.run("", b.dispo, "user", "password", "noisy@example.com"))
	link := openForm(service.site+page, url.Values{"password": {password}})
	session := cookies(fetch(signIn(service, "noisy@example.com")))
	form := signIn(service, "quiet@example.com")
	fmt.Printf("what others do, beside %d clients of one organization:\n", clients)
	b.besides([]load{
		{"an uncached read", 32, 100, b.others(service)},
		{"a sign-in", 8, 3, func(int) call { return form }},
	}, []load{
		{fmt.Sprintf("searches in %d companies", companies), clients, 0, func(n int) call {
			return call{url: service.site + "/companies" + searches[n%len(searches)], headers: session}
		}},
		{"the present password, sent to a link", clients, 0, func(n int) call {
			return call{
				url:     link.url,
				form:    link.form,
				headers: map[string]string{"Cookie": link.headers["Cookie"], "X-Forwarded-For": someAddress(n)},
			}
		}},
	})
}

// others returns calls that read a company, each by another organization.
func (b *bench) others(service *process) func(n int) call {
	return func(n int) call {
		return service.call(b.keys[n%organizationCount], "/companies/"+companyCVR(n%organizationCount, 0))
	}
}

// someAddress returns an address of its own for each number.
func someAddress(n int) string { return fmt.Sprintf("11.%d.%d.%d", byte(n>>16), byte(n>>8), byte(n)) }

var formToken = regexp.MustCompile(`name="form_token" value="([^"]+)"`)

// openForm opens a page, and returns the call that submits its form.
func openForm(page string, fields url.Values) call {
	answer := fetch(call{url: page})
	fields.Set("form_token", string(formToken.FindSubmatch(answer.Body())[1]))
	return call{url: page, headers: cookies(answer), form: fields.Encode()}
}

// signIn returns the call with which a person signs in.
func signIn(service *process, email string) call {
	form := openForm(service.site+"/sign-in", url.Values{"email": {email}, "password": {password}})
	form.status = fasthttp.StatusSeeOther
	return form
}

// cookies returns the header that sends back the cookies of an answer, with their
// attributes, which look like cookies that nobody reads.
func cookies(answer *fasthttp.Response) map[string]string {
	return map[string]string{"Cookie": string(answer.Header.Peek("Set-Cookie"))}
}
