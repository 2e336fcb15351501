package client_test

import (
	"context"
	"errors"
	"fmt"
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

// nowhere is the address of a service that no request reaches.
const nowhere = "http://127.0.0.1:1"

// A response that breaks off is asked for again.
func TestBrokenConnection(t *testing.T) {
	t.Parallel()
	proxy := apitest.NewProxy(t, nowhere, func(n int, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		if n == 1 {
			apitest.Break(w)
		}
		fmt.Fprintf(w, `{"cvr": %q}`, cvrs[0])
	})
	company, err := data{key: "dispo_x"}.client(t, proxy.URL).Company(t.Context(), cvrs[0])
	require.NoError(t, err)
	require.Equal(t, cvrs[0], company.CVR)
	require.Len(t, proxy.Requests(), 2)
}

// Nothing outlasts its context, neither a request nor a pause, and the error says why it
// waited.
func TestContextEndsWaiting(t *testing.T) {
	t.Parallel()
	d := data{key: "dispo_x"}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	proxy := apitest.NewProxy(t, nowhere, func(_ int, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
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
