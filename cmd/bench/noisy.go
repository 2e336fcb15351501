package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	noisyCompanies = 300_000
	noisyClients   = 40
	noisyPassword  = "bench: kvik brun rev"
	quietReads     = 100 // a second, of other organizations
)

// noisySQL creates an organization with many companies. Its argument is their number.
const noisySQL = `
INSERT INTO organizations (id, slug, name, last_id) VALUES ('019a0000-0000-7000-8000-000000000000', 'noisy', 'Noisy', 'ffffffff-0000-0000-0000-000000000000');
INSERT INTO companies (organization_id, id, cvr, name, address, status)
SELECT '019a0000-0000-7000-8000-000000000000', ('019a' || lpad(to_hex(n), 28, '0'))::uuid, (60000000 + n)::text,
    (ARRAY['Nordlys', 'Havnens', 'Skovens', 'Jensens', 'Hansen & Søn', 'Aarhus', 'Vejle'])[1 + n %% 7] || ' ' ||
    (ARRAY['Varehus', 'Byg', 'VVS', 'Transport', 'Revision', 'Café'])[1 + n %% 6] || ' ' || n || ' ' || (ARRAY['ApS', 'A/S', 'I/S'])[1 + n %% 3],
    'Storegade 1, 8000 Aarhus C', (ARRAY['REGISTERED', 'CREATED', 'MODIFIED'])[1 + n %% 3]
FROM generate_series(1, %d) n`

// noisyPaths are what a member of the noisy organization opens. Some searches find
// nothing, some find a third of all companies.
var noisyPaths = []string{
	"/companies?q=no+such+company&status=REGISTERED", "/companies?q=havnens&status=REJECTED", "/companies?q=aps&status=CREATED", "/companies?q=varehus",
	"/companies?q=zz", "/companies?status=TERMINATED", "/companies?q=6012&status=MODIFIED", "/companies?q=s%C3%B8n+caf%C3%A9+29",
}

// noisyRow is something that others do, and how long it took.
type noisyRow struct {
	name          string
	quiet, during []time.Duration
	refused       int // during the attack: answers that were not the expected ones
}

// measureNoisy measures other organizations' uncached reads, sign-ins and health checks,
// alone and while a member of one large organization sends searches as fast as they are
// answered.
func (b *bench) measureNoisy(ctx context.Context) error {
	progress("creating an organization with %d companies", noisyCompanies)
	if err := b.psql(ctx, "dispo", fmt.Sprintf(noisySQL, noisyCompanies)); err != nil {
		return err
	}
	if err := b.psql(ctx, "dispo", "VACUUM ANALYZE"); err != nil {
		return err
	}
	service, err := b.serve(ctx, uncached...)
	if err != nil {
		return err
	}
	defer service.stop()
	for email, slug := range map[string]string{"noisy@example.com": "noisy", "quiet@example.com": "organization-0"} {
		if err := b.createUser(ctx, email, slug); err != nil {
			return err
		}
	}
	attacker, err := signIn(ctx, service, "noisy@example.com")
	if err != nil {
		return err
	}
	reads, signIns, health := &noisyRow{name: "an uncached read"}, &noisyRow{name: "a sign-in"}, &noisyRow{name: "/api/health"}
	length := time.Duration(b.rounds) * b.length
	if err := b.measureOthers(ctx, service, length, reads, signIns, health, false); err != nil {
		return err
	}
	attacking, stop := context.WithCancel(ctx)
	defer stop()
	answers := newTally()
	attacked := make(chan struct{})
	go func() { defer close(attacked); answers = attack(attacking, service, attacker) }()
	err = b.measureOthers(ctx, service, length, reads, signIns, health, true)
	stop()
	<-attacked
	if err != nil {
		return err
	}
	fmt.Printf("%d clients of one organization with %d companies search without a pause; meanwhile others:\n", noisyClients, noisyCompanies)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tquiet p50\tp99\tduring p50\tp99\tratio of p99\taim\tfailed\t")
	for _, row := range []*noisyRow{reads, signIns, health} {
		quiet, during := percentile(row.quiet, 0.99), percentile(row.during, 0.99)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%.1f\t<= 2\t%d of %d\t\n", row.name, ms(median(row.quiet)), ms(quiet), ms(median(row.during)), ms(during),
			ratio(during, quiet), row.refused, row.refused+len(row.during))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Printf("  answers to the searches: %v; p50 %s, p99 %s\n", answers, ms(answers.percentile(0.5)), ms(answers.percentile(0.99)))
	return ctx.Err()
}

// measureOthers measures what others do, side by side.
func (b *bench) measureOthers(ctx context.Context, service *process, length time.Duration, reads, signIns, health *noisyRow, attacked bool) error {
	record := func(row *noisyRow, elapsed time.Duration, err error) error {
		switch {
		case err == nil && attacked:
			row.during = append(row.during, elapsed)
		case err == nil:
			row.quiet = append(row.quiet, elapsed)
		case attacked:
			row.refused++
		default:
			return err
		}
		return nil
	}
	loop := openLoop{address: service.address, rate: quietReads, workers: 32, warmUp: time.Second, prepare: func(n int, request *fasthttp.Request) {
		organization := 1 + n%(organizationCount-1)
		b.call(service, organization, "/companies/"+companyCVR(organization, rand.IntN(companiesPerOrganization))).fill(request)
	}}
	var failure error
	total, err := loop.runDuring(ctx, func() error {
		var working sync.WaitGroup
		var mu sync.Mutex
		end := time.Now().Add(length)
		repeat := func(row *noisyRow, pause time.Duration, f func() error) {
			working.Go(func() {
				for time.Now().Before(end) && ctx.Err() == nil {
					start := time.Now()
					err := f()
					err = record(row, time.Since(start), err)
					mu.Lock()
					failure = errors.Join(failure, err)
					mu.Unlock()
					time.Sleep(pause)
				}
			})
		}
		repeat(health, 50*time.Millisecond, func() error {
			_, err := fetch(call{url: "http://" + service.address + "/api/health"})
			return err
		})
		repeat(signIns, 200*time.Millisecond, func() error {
			_, err := signIn(ctx, service, "quiet@example.com")
			return err
		})
		working.Wait()
		return failure
	})
	if err != nil {
		return err
	}
	failed := len(total.times) - total.statuses[fasthttp.StatusOK] + total.errors
	switch {
	case attacked:
		reads.during, reads.refused = total.times, failed
	case failed > 0:
		return fmt.Errorf("reads without an attack: %v", total)
	default:
		reads.quiet = total.times
	}
	return nil
}

// attack sends searches of one session from many clients, each as soon as its last one
// is answered.
func attack(ctx context.Context, service *process, cookies string) tally {
	client := newClient("http://"+service.address, noisyClients)
	defer client.CloseIdleConnections()
	tallies := make([]tally, noisyClients)
	var working sync.WaitGroup
	for i := range tallies {
		tallies[i] = newTally()
		working.Go(func() {
			request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
			for n := i; ctx.Err() == nil; n++ {
				request.Reset()
				request.SetRequestURI("http://" + service.address + noisyPaths[n%len(noisyPaths)])
				request.Header.Set("Cookie", cookies)
				start := time.Now()
				if err := client.DoTimeout(request, answer, requestTimeout); err != nil {
					tallies[i].errors, tallies[i].err = tallies[i].errors+1, err
					continue
				}
				tallies[i].times = append(tallies[i].times, time.Since(start))
				tallies[i].statuses[answer.StatusCode()]++
			}
		})
	}
	working.Wait()
	total := newTally()
	for _, t := range tallies {
		total.add(t)
	}
	return total
}

// createUser creates an owner of an organization with the command.
func (b *bench) createUser(ctx context.Context, email, slug string) error {
	command := exec.CommandContext(ctx, b.dispo, "user", "create", email, "--organization", slug, "--role", "owner", "--password-stdin")
	command.Env = b.environment()
	command.Stdin = strings.NewReader(noisyPassword)
	command.Stderr = b.log
	return command.Run()
}

var formToken = regexp.MustCompile(`name="form_token" value="([^"]+)"`)

// signIn signs in as a browser does, and returns the cookies.
func signIn(ctx context.Context, service *process, email string) (cookies string, err error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	client := &http.Client{Jar: jar, Timeout: requestTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	page := "http://" + service.address + "/sign-in"
	status, form, err := fetchPage(ctx, client, http.MethodGet, page, nil)
	if err != nil {
		return "", err
	}
	token := formToken.FindStringSubmatch(form)
	if status != http.StatusOK || token == nil {
		return "", fmt.Errorf("the sign-in page: status %d", status)
	}
	status, _, err = fetchPage(ctx, client, http.MethodPost, page, url.Values{"form_token": {token[1]}, "email": {email}, "password": {noisyPassword}})
	if err != nil {
		return "", err
	}
	if status != http.StatusSeeOther {
		return "", fmt.Errorf("signing in: status %d", status)
	}
	address, err := url.Parse(page)
	if err != nil {
		return "", err
	}
	var all []string
	for _, cookie := range jar.Cookies(address) {
		all = append(all, cookie.Name+"="+cookie.Value)
	}
	return strings.Join(all, "; "), nil
}

func fetchPage(ctx context.Context, client *http.Client, method, page string, form url.Values) (status int, body string, err error) {
	request, err := http.NewRequestWithContext(ctx, method, page, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, "", err
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}
