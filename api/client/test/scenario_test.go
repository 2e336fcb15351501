package client_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/api/client"
)

// scenario is what a client meets, and what must come of it. Both clients run the same ones.
type scenario struct {
	Name      string
	Kept      *copyRows // before it; nil if there was none
	Edition   int       // of the kept copy's tables, if it is not the newest
	Follow    bool      // until there is no answer left, instead of one sync
	Tries     int       // the client's settings
	MaxPause  int       // in seconds
	Exchanges []exchange
	Pauses    []json.RawMessage // seconds and a part of the cause of each that the client reports
	Reports   []client.Report
	Error     string // a part of the one that ends it
	Copy      copyRows
}

// exchange is a request that must come, with its query in alphabetical order, and the answer.
// The answers' version, history and policy are those of the one before, if they are missing.
type exchange struct {
	At                       float64 // seconds since the beginning
	Request                  string
	Wait                     string  // the ETag that the request has
	Seconds                  float64 // that the answer takes
	Status                   int     // 200 if it is missing
	Fails                    bool    // there is no answer
	Code, RetryAfter, Text   string  // of an error, or of something that is not from the API
	Etag                     string
	Version, History, Policy *string
	Bulk                     string   // that the request wants one, and how much of it comes
	More                     bool     // pages follow
	Limit                    *int     // of the page, if it is not 1000
	Companies                []string // CVR number and name
	Changes                  []string // id, type, and delivery file or CVR number
	Transactions             []string // id, delivery file and amount
	Total                    int64
	Sum                      string
}

// copyRows is what a copy has.
type copyRows struct {
	After, Version, History string
	Companies, Transactions []string
	Counted                 *[2]int // number and sum that are kept beside the transactions, if they are wrong
}

type object = map[string]any

func list[T any](items []string, item func(fields []string) T) []T {
	made := []T{}
	for _, text := range items {
		made = append(made, item(strings.SplitN(text, " ", 3)))
	}
	return made
}

const day = "2026-01-02T03:04:05.000Z"

// text returns an answer's body.
func (e exchange) text(t *testing.T) string {
	encode := func(value any) string {
		text, err := json.Marshal(value)
		require.NoError(t, err)
		return string(text)
	}
	switch {
	case e.Text != "" || e.Status != 0 && e.Status != http.StatusOK && e.Code == "":
		return e.Text
	case e.Bulk == "":
		return encode(e.body())
	}
	var text strings.Builder
	transactions := list(e.Transactions, transaction)
	for _, x := range transactions {
		text.WriteString(encode(x) + "\n")
	}
	switch e.Bulk {
	case "whole":
		text.WriteString(encode(object{"meta": object{"count": len(transactions)}}) + "\n")
	case "half a line":
		return text.String()[:text.Len()-20]
	}
	return text.String()
}

func transaction(f []string) object {
	return object{
		"id":                        f[0],
		"cardNetworkDeliveryFileId": f[1],
		"amountDkk":                 f[2],
		"recordIndex":               0,
		"cvr":                       "10000009",
		"regNumber":                 "1234",
		"accountNumber":             "1",
		"transferType":              "CARD",
		"dispositionDate":           "2026-01-01",
		"count":                     1,
		"rawLine":                   "",
		"filename":                  "",
	}
}

// body returns what an answer's body says.
func (e exchange) body() any {
	meta := object{"total": e.Total, "limit": 1000, "hasMore": e.More}
	if e.Limit != nil {
		meta["limit"] = *e.Limit
	}
	companies := list(e.Companies, func(f []string) object {
		return object{
			"id":        f[0],
			"cvr":       f[0],
			"name":      f[1],
			"startDate": "2026-01-01",
			"endDate":   "9999-12-31",
			"status":    "CREATED",
			"createdAt": day,
			"updatedAt": day,
		}
	})
	switch path, _, _ := strings.Cut(e.Request, "?"); {
	case e.Code != "":
		return object{"error": object{"code": e.Code, "message": "The scenario says so."}}
	case path == "/v1/companies":
		return object{"data": companies, "meta": meta}
	case strings.HasPrefix(path, "/v1/companies/"):
		return companies[0]
	case path == "/v1/changes":
		return object{"meta": meta, "data": list(e.Changes, func(f []string) object {
			if f[1] == "company" {
				return object{"id": f[0], "type": "company.changed", "cvr": f[2], "createdAt": day}
			}
			return object{"id": f[0], "type": "delivery." + f[1], "cardNetworkDeliveryFileId": f[2], "createdAt": day}
		})}
	}
	return object{"meta": meta, "data": list(e.Transactions, transaction)}
}

// A client keeps a copy that is right whatever it meets, sends the requests that it must and
// no others, at the times that it must, and says why it pauses. The clock is a test's.
func TestScenarios(t *testing.T) {
	text, err := os.ReadFile("scenarios.json")
	require.NoError(t, err)
	var scenarios []scenario
	require.NoError(t, json.Unmarshal(text, &scenarios))
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { s.run(t) })
		})
	}
}

// run runs a scenario with answers from memory.
func (s scenario) run(t *testing.T) {
	path := newPath(t)
	if s.Kept != nil {
		s.keep(t, path)
	}
	began, n := time.Now(), 0
	header := http.Header{}
	ended := errors.New("there is no answer left")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	transport := roundTripper(func(r *http.Request) (*http.Response, error) {
		if n == len(s.Exchanges) {
			if !s.Follow {
				t.Errorf("one request too many: %s", r.URL)
			}
			cancel(ended)
			return nil, ended
		}
		e := s.Exchanges[n]
		n++
		require.Equal(t, "dispo-client-go/"+client.Version, r.Header.Get("User-Agent"))
		request := strings.TrimPrefix(r.URL.Path, "/api")
		if r.URL.RawQuery != "" {
			request += "?" + r.URL.Query().Encode()
		}
		if request != e.Request || r.Header.Get("If-None-Match") != e.Wait ||
			(r.Header.Get("Prefer") == "wait=50") != (e.Wait != "") ||
			(r.Header.Get("Accept") == "application/x-ndjson") != (e.Bulk != "") ||
			time.Since(began).Seconds() != e.At {
			t.Errorf(
				"request %d is %s, %q after %v, want %s, %q after %v s",
				n,
				request,
				r.Header.Get("If-None-Match"),
				time.Since(began),
				e.Request,
				e.Wait,
				e.At,
			)
			cancel(ended)
		}
		// The fake server answers after this time.
		time.Sleep(time.Duration(e.Seconds * float64(time.Second)))
		for name, value := range map[string]*string{"X-Data-Version": e.Version, "X-Data-History": e.History, "RateLimit-Policy": e.Policy} {
			if value != nil {
				header.Set(name, *value)
			}
		}
		if e.Fails {
			return nil, errors.New("the scenario has no network")
		}
		answer := &http.Response{StatusCode: cmp.Or(e.Status, http.StatusOK), Header: header.Clone()}
		answer.Header.Set("ETag", e.Etag)
		answer.Header.Set("Retry-After", e.RetryAfter)
		answer.Header.Set("X-Total-Amount-DKK", e.Sum)
		answer.Body = io.NopCloser(strings.NewReader(e.text(t)))
		return answer, nil
	})
	pauses := 0
	c, err := client.New(
		client.Config{
			BaseURL:  "https://dispo.example/api",
			Key:      "dispo_x",
			HTTP:     &http.Client{Transport: transport},
			Tries:    s.Tries,
			MaxPause: time.Duration(s.MaxPause) * time.Second,
			Paused: func(cause error, pause time.Duration) {
				if n == len(s.Exchanges) && s.Follow {
					cancel(ended)
					return
				}
				require.Less(t, pauses, len(s.Pauses), "%v", cause)
				var want [2]any
				require.NoError(t, json.Unmarshal(s.Pauses[pauses], &want))
				require.Equal(t, want[0], pause.Seconds(), "%v", cause)
				require.ErrorContains(t, cause, want[1].(string))
				pauses++
			},
		},
	)
	require.NoError(t, err)
	reports := []client.Report{}
	if s.Follow {
		err = c.Follow(ctx, path, func(r client.Report) bool {
			reports = append(reports, r)
			return true
		})
	} else if report, failed := c.Sync(ctx, path); failed == nil {
		reports = append(reports, report)
	} else {
		err = failed
	}
	switch {
	case s.Error != "":
		require.ErrorContains(t, err, s.Error)
	case s.Follow:
		require.ErrorIs(t, err, ended)
	default:
		require.NoError(t, err)
	}
	require.Equal(t, len(s.Exchanges), n)
	require.Equal(t, len(s.Pauses), pauses)
	require.Equal(t, s.Reports, reports)
	s.Copy.require(t, path)
	if s.Kept != nil {
		require.Equal(
			t,
			[]string{"mine", "my_view"},
			query[string](t, path, "SELECT name FROM sqlite_master WHERE name IN ('mine', 'my_view') ORDER BY name"),
		)
	}
}

const mine = "CREATE INDEX mine ON transactions (cvr); CREATE VIEW my_view AS SELECT count(*) FROM transactions"

// keep makes the copy that a scenario begins with, to which somebody has added an index and
// a view.
func (s scenario) keep(t *testing.T, path string) {
	t.Helper()
	schema, err := os.ReadFile("../schema.sql")
	require.NoError(t, err)
	query[string](t, path, string(schema)+mine)
	switch s.Edition {
	case 1:
		query[string](t, path, "ALTER TABLE copy DROP COLUMN history; PRAGMA user_version = 1; SELECT ''")
	case 99:
		query[string](t, path, "PRAGMA user_version = 99; SELECT ''")
	}
	for _, x := range list(s.Kept.Companies, func(f []string) string { return "'" + f[0] + "', '" + f[0] + "', '" + f[1] + "'" }) {
		query[string](t, path, "INSERT INTO companies VALUES ("+x+", NULL, '', '', '', NULL, NULL, NULL, NULL, NULL, '', '')")
	}
	for _, x := range list(s.Kept.Transactions, func(f []string) string {
		return "'" + f[0] + "', '" + f[1] + "', 0, '', '', '', '', '', 1, " + oere(t, f[2])
	}) {
		query[string](t, path, "INSERT INTO transactions VALUES ("+x+", '', NULL, NULL, '', NULL)")
	}
	if s.Kept.Counted != nil {
		query[string](
			t,
			path,
			fmt.Sprintf("UPDATE copy SET transactions = %d, amountOere = %d", s.Kept.Counted[0], s.Kept.Counted[1]),
		)
	}
	query[string](t, path, "UPDATE copy SET after = '"+s.Kept.After+"', version = '"+s.Kept.Version+"'")
	if s.Edition != 1 {
		query[string](t, path, "UPDATE copy SET history = '"+s.Kept.History+"'")
	}
}

// require requires that a copy has exactly these rows.
func (c copyRows) require(t *testing.T, path string) {
	t.Helper()
	transactions := list(c.Transactions, func(f []string) string { return f[0] + " " + f[1] + " " + oere(t, f[2]) })
	require.Equal(
		t,
		list(c.Companies, func(f []string) string { return f[0] + " " + f[1] }),
		query[string](t, path, "SELECT cvr || ' ' || name FROM companies ORDER BY cvr"),
	)
	require.Equal(
		t,
		transactions,
		query[string](
			t,
			path,
			"SELECT id || ' ' || cardNetworkDeliveryFileId || ' ' || amountOere FROM transactions ORDER BY id",
		),
	)
	require.Equal(
		t,
		[]string{c.After + "|" + c.Version + "|" + c.History},
		query[string](t, path, "SELECT after || '|' || version || '|' || history FROM copy"),
	)
}
