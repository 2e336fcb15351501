package client_test

import (
	"context"
	"errors"
	"net/http"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/api/client"
	"dispo/models/modelstest"
)

// SQLite stays out of the program, and the client needs nothing else of other modules.
func TestModules(t *testing.T) {
	t.Parallel()
	text, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "dispo/cmd/dispo").Output()
	require.NoError(t, err)
	require.NotContains(t, string(text), "modernc.org")
	text, err = exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, "dispo/api/client").Output()
	require.NoError(t, err)
	require.Equal(t, []string{"modernc.org/sqlite"}, regexp.MustCompile(`(?m)^\S+\.\S+$`).FindAllString(string(text), -1))
}

// An iteration visits all items of all pages once, in order, and requests no page that
// nobody asked for.
func TestListsAreIteratedPageByPage(t *testing.T) {
	t.Parallel()
	d := newData(t)
	proxy := apitest.NewProxy(t, d.baseURL, nil)
	c := d.client(t, proxy.URL+"/")
	stored := modelstest.Transactions(t, d.Service, d.organization, cvrs[3])
	i := 0
	for x, err := range c.Transactions(t.Context(), cvrs[3], "") {
		require.NoError(t, err)
		require.Equal(t, stored[i].ID.String(), x.ID)
		require.Equal(t, stored[i].AmountDKK, x.AmountDKK)
		require.Equal(t, stored[i].RawLine, x.RawLine)
		i++
	}
	require.Len(t, stored, i)
	require.Len(t, proxy.Requests(), 3)

	for x, err := range c.Transactions(t.Context(), cvrs[3], stored[99].ID.String()) {
		require.NoError(t, err)
		require.Equal(t, stored[100].ID.String(), x.ID)
		break
	}
	require.Len(t, proxy.Requests(), 4)

	for _, cvr := range []string{"", cvrs[3]} {
		var of, all int64
		for day, err := range c.Days(t.Context(), cvr, "") {
			require.NoError(t, err)
			of += day.Transactions
		}
		for _, err := range c.Transactions(t.Context(), cvr, "") {
			require.NoError(t, err)
			all++
		}
		require.Equal(t, all, of)
		for range c.Days(t.Context(), cvr, "9999-12-31") {
			t.Error("there are no later days")
		}
	}

	for range c.Transactions(t.Context(), cvrs[0], "") {
		t.Error("the company has no transactions")
	}
	company, err := c.Company(t.Context(), cvrs[2])
	require.NoError(t, err)
	require.Equal(t, "Company "+cvrs[2], company.Name)
	require.Nil(t, company.Address)
	require.Equal(t, client.StatusCreated, company.Status)
}

// Every error of the API is an Error with its code and request id, and ends an iteration.
// Nothing contains the key.
func TestErrorsHaveTheirCode(t *testing.T) {
	t.Parallel()
	d := newData(t)
	wrong := modelstest.ForgeKey(d.key)
	limited := apitest.Serve(t, d.Service, 1)
	html := apitest.NewProxy(t, d.baseURL, func(_ int, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		http.Error(w, "<html>", http.StatusNotFound)
	})
	once := func(c *client.Config) { c.Tries = 1 }
	_, err := d.client(t, limited).Company(t.Context(), cvrs[0])
	require.NoError(t, err)
	for name, test := range map[string]struct {
		client *client.Client
		cvr    string
		status int
		code   client.ErrorCode
	}{
		"unknown company":      {d.client(t, d.baseURL), "37065048", 404, client.CodeCompanyNotFound},
		"malformed CVR number": {d.client(t, d.baseURL), "1/2?", 400, client.CodeBadRequest},
		"invalid key":          {d.client(t, d.baseURL, func(c *client.Config) { c.Key = " " + wrong + "\n" }), cvrs[0], 401, client.CodeUnauthorized},
		"limit":                {d.client(t, limited, once), cvrs[0], 429, client.CodeRateLimitExceeded},
		"wrong address":        {d.client(t, d.baseURL+"/v1"), cvrs[0], 404, client.CodeNotFound},
		"no API":               {d.client(t, html.URL), cvrs[0], 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := test.client.Company(t.Context(), test.cvr)
			var problem *client.Error
			require.ErrorAs(t, err, &problem)
			require.Equal(t, test.status, problem.Status)
			require.Equal(t, test.code, problem.Code)
			require.NotContains(t, err.Error(), wrong)
			require.NotContains(t, err.Error(), d.key)
			if test.code != "" {
				require.NotEmpty(t, problem.Message)
				require.NotEmpty(t, problem.RequestID)
			}
			require.Equal(t, test.status == 429, problem.RetryAfter > 0)

			visited := 0
			for _, err := range test.client.Transactions(t.Context(), test.cvr, "") {
				require.ErrorAs(t, err, &problem)
				visited++
			}
			require.Equal(t, 1, visited)
		})
	}
}

// A wrong setting is refused without a request, and without the key in the error.
func TestNewRefusesWrongSettings(t *testing.T) {
	t.Parallel()
	good := client.Config{BaseURL: "https://dispo.example/api", Key: "dispo_x"}
	_, err := client.New(good)
	require.NoError(t, err)
	for _, base := range []string{"", "dispo.example/api", "https://", "https://dispo.example/api?x=1", "://"} {
		_, err := client.New(client.Config{BaseURL: base, Key: good.Key})
		require.ErrorContains(t, err, "base URL", base)
	}
	for _, key := range []string{"", "secret", "dispo_a\nb"} {
		_, err := client.New(client.Config{BaseURL: good.BaseURL, Key: key})
		require.EqualError(t, err, "the key is not an API key of Dispo")
	}
}

// The client waits as long as the API asks it to, and no longer than it may; it goes on
// after failures of the network, and gives up after so many tries.
func TestClientWaitsAndTriesAgain(t *testing.T) {
	t.Parallel()
	d := newData(t)
	const always = 1000
	fail := func(times int, status int, code, retryAfter string) apitest.Handler {
		return func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			if n <= times {
				apitest.Fail(w, status, code, retryAfter)
				return
			}
			next.ServeHTTP(w, r)
		}
	}
	for name, test := range map[string]struct {
		handle   apitest.Handler
		tries    int
		requests int
		pauses   []time.Duration
		code     client.ErrorCode // empty: it succeeds
	}{
		"limit":              {fail(2, 429, "RATE_LIMIT_EXCEEDED", "1"), 3, 3, []time.Duration{time.Second, time.Second}, ""},
		"unavailable":        {fail(1, 503, "SERVICE_UNAVAILABLE", "1"), 3, 2, []time.Duration{time.Second}, ""},
		"no Retry-After":     {fail(1, 500, "INTERNAL_ERROR", ""), 3, 2, []time.Duration{time.Second}, ""},
		"503 without it":     {fail(2, 503, "SERVICE_UNAVAILABLE", ""), 3, 3, []time.Duration{time.Second, 2 * time.Second}, ""},
		"for ever":           {fail(always, 503, "SERVICE_UNAVAILABLE", "1"), 2, 2, []time.Duration{time.Second}, client.CodeServiceUnavailable},
		"longer than wanted": {fail(always, 429, "RATE_LIMIT_EXCEEDED", "4"), 3, 1, nil, client.CodeRateLimitExceeded},
		"not to be cured":    {fail(always, 401, "UNAUTHORIZED", ""), 3, 1, nil, client.CodeUnauthorized},
		"broken connection": {func(n int, w http.ResponseWriter, r *http.Request, next http.Handler) {
			if n == 1 {
				apitest.Break(w)
			}
			next.ServeHTTP(w, r)
		}, 3, 2, []time.Duration{time.Second}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := apitest.NewProxy(t, d.baseURL, test.handle)
			var pauses []time.Duration
			c := d.client(t, proxy.URL, func(c *client.Config) {
				c.Tries, c.MaxPause = test.tries, 3*time.Second
				c.Paused = func(cause error, pause time.Duration) {
					require.Error(t, cause)
					pauses = append(pauses, pause)
				}
			})
			_, err := c.Company(t.Context(), cvrs[0])
			if test.code == "" {
				require.NoError(t, err)
			} else {
				var problem *client.Error
				require.ErrorAs(t, err, &problem)
				require.Equal(t, test.code, problem.Code)
			}
			require.Len(t, proxy.Requests(), test.requests)
			require.Equal(t, test.pauses, pauses)
		})
	}
}

// While nothing changes, Follow sends one request that waits for 50 seconds after another,
// and copies each change at once. A wait that a proxy or the service ends is tried again, in
// growing steps, but not before the service wants it. While one program syncs a copy, Sync
// returns ErrLocked and sends nothing.
func TestFollow(t *testing.T) {
	t.Parallel()
	d, path := newData(t), newPath(t)
	ended := []struct {
		status     int
		retryAfter string
		pause      time.Duration
	}{{504, "", time.Second}, {502, "0", 2 * time.Second}, {503, "5", 5 * time.Second}, {429, "1", time.Second}}
	waits, waiting := 0, make(chan struct{})
	proxy := apitest.NewProxy(t, d.baseURL, func(_ int, w http.ResponseWriter, r *http.Request, next http.Handler) {
		require.Equal(t, "dispo-client-go/"+client.Version, r.Header.Get("User-Agent"))
		if r.Header.Get("Prefer") != "" {
			require.Equal(t, "wait=50", r.Header.Get("Prefer"))
			if waits++; waits <= len(ended) {
				apitest.Fail(w, ended[waits-1].status, "", ended[waits-1].retryAfter)
				return
			}
			close(waiting)
		}
		next.ServeHTTP(w, r)
	})
	var pauses []time.Duration
	c := d.client(t, proxy.URL, func(c *client.Config) {
		c.Paused = func(_ error, pause time.Duration) { pauses = append(pauses, pause) }
	})
	go func() {
		<-waiting
		d.Delivery(t, cvrs[0], 1)
	}()
	var reports []client.Report
	require.NoError(t, c.Follow(t.Context(), path, func(r client.Report) bool {
		reports = append(reports, r)
		d.requireCopy(t, path)
		_, err := c.Sync(t.Context(), path)
		require.ErrorIs(t, err, client.ErrLocked)
		require.EqualError(t, err, "another program is syncing the copy in "+path)
		return len(reports) < 2
	}))
	require.Equal(t, []client.Report{{Changed: true, Companies: 4, New: 352}, {Changed: true, New: 1}}, reports)
	require.Len(t, pauses, len(ended))
	for i, pause := range pauses {
		require.Equal(t, ended[i].pause, pause)
	}
	// The first copy, the waits, and the first page of transactions after them.
	require.Len(t, proxy.Requests(), 4+len(ended)+1+1)
}

// Nothing outlasts its context, neither a request nor a pause, and the error says why it
// waited.
func TestContextEndsWaiting(t *testing.T) {
	t.Parallel()
	d := newData(t)
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	proxy := apitest.NewProxy(t, d.baseURL, func(_ int, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		apitest.Fail(w, 429, "RATE_LIMIT_EXCEEDED", "3600")
	})
	c := d.client(t, proxy.URL, func(c *client.Config) { c.Paused = func(error, time.Duration) { cancel(stop) } })
	_, err := c.Company(ctx, cvrs[0])
	require.ErrorIs(t, err, stop)
	var problem *client.Error
	require.ErrorAs(t, err, &problem)
	require.Equal(t, time.Hour, problem.RetryAfter)

	_, err = d.client(t, proxy.URL).Company(ctx, cvrs[0])
	require.ErrorIs(t, err, stop)
	require.Len(t, proxy.Requests(), 1)
}
