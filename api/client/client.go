package client

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Config configures a Client. Only BaseURL and Key are required.
type Config struct {
	// BaseURL is the API's address, such as https://dispo.example/api.
	BaseURL string
	// Key is the organization's API key. No error contains it.
	Key string
	// HTTP sends the requests; nil means a new http.Client. Redirects are never followed,
	// so that the key reaches no other server.
	HTTP *http.Client
	// Timeout is the time for one try of a request; 0 is 30 seconds.
	Timeout time.Duration
	// Tries is the number of times that a request is sent before its error is returned; 0 is 5.
	Tries int
	// MaxPause is the longest pause before another try; 0 is an hour. If the API asks for
	// a longer one, its error is returned at once.
	MaxPause time.Duration
	// Paused is called before each pause, with its cause; nil means no callback.
	Paused func(cause error, pause time.Duration)
}

// Client reads the data of one organization. It is safe for concurrent use.
type Client struct{ config Config }

var keyForm = regexp.MustCompile(`^dispo_\w+$`)

// New returns a client. It fails if the address or the key cannot be right, and sends
// nothing.
func New(config Config) (*Client, error) {
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" || base.RawQuery != "" {
		return nil, errors.New("the base URL is not an address such as https://dispo.example/api")
	}
	config.BaseURL = strings.TrimRight(config.BaseURL, "/")
	config.Key = strings.TrimSpace(config.Key)
	if !keyForm.MatchString(config.Key) {
		return nil, errors.New("the key is not an API key of Dispo")
	}
	var sender http.Client
	if config.HTTP != nil {
		sender = *config.HTTP
	}
	// The API never redirects, and the key must not follow to another server.
	sender.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	config.HTTP = &sender
	if config.Timeout == 0 {
		config.Timeout = 30 * time.Second
	}
	if config.Tries == 0 {
		config.Tries = 5
	}
	if config.MaxPause == 0 {
		config.MaxPause = time.Hour
	}
	return &Client{config}, nil
}

// Companies returns the companies that arrived after the one with the id after, or all of
// them if it is empty. It requests a page when the iteration reaches it. The iteration
// ends after an error.
func (c *Client) Companies(ctx context.Context, after string) iter.Seq2[Company, error] {
	return items(ctx, c, "/v1/companies", after, func(x Company) string { return x.ID })
}

// Company returns the company with a CVR number.
func (c *Client) Company(ctx context.Context, cvr string) (Company, error) {
	var company Company
	_, err := c.get(ctx, request{path: "/v1/companies/" + url.PathEscape(cvr)}, &company)
	return company, err
}

// Transactions returns the transactions of a company that arrived after the one with the
// id after, or all of them if it is empty. It requests a page when the iteration reaches
// it. The iteration ends after an error.
func (c *Client) Transactions(ctx context.Context, cvr, after string) iter.Seq2[Transaction, error] {
	return items(ctx, c, transactionsPath(cvr), after, func(x Transaction) string { return x.ID })
}

func transactionsPath(cvr string) string {
	return "/v1/companies/" + url.PathEscape(cvr) + "/transactions"
}

// Changed reports whether any data of the organization has changed since it returned etag.
// If etag is empty, it reports true. If nothing has changed, it waits for a change for up to
// wait, in whole seconds and at most 50; 0 does not wait.
//
// A wait is one request. If a proxy or the service ends it early with status 502, 503 or 504,
// Changed pauses and reports that nothing has changed yet.
func (c *Client) Changed(ctx context.Context, etag string, wait time.Duration) (newETag string, changed bool, err error) {
	r := request{path: "/v1/companies?limit=1", etag: etag, wait: min(wait, maxWait).Truncate(time.Second)}
	header, err := c.get(ctx, r, nil)
	if err != nil {
		return "", false, err
	}
	newETag = header.Get("ETag")
	return newETag, newETag != etag, nil
}

// maxWait is the longest wait that the API allows. Many proxies end a request after 60
// seconds.
const maxWait = 50 * time.Second

// page is a page of a list.
type page[T any] struct {
	Data []T      `json:"data"`
	Meta PageMeta `json:"meta"`

	totalAmount string // of a list of transactions
}

// pages returns a list's pages, from the item that follows the one with the id after.
func pages[T any](ctx context.Context, c *Client, path, after string, id func(T) string) iter.Seq2[page[T], error] {
	return func(yield func(page[T], error) bool) {
		for {
			query := url.Values{"limit": {strconv.Itoa(pageSize)}}
			if after != "" {
				query.Set("after", after)
			}
			var p page[T]
			header, err := c.get(ctx, request{path: path + "?" + query.Encode()}, &p)
			p.totalAmount = header.Get("X-Total-Amount-Dkk")
			if !yield(p, err) || err != nil || !p.Meta.HasMore || len(p.Data) == 0 {
				return
			}
			after = id(p.Data[len(p.Data)-1])
		}
	}
}

const pageSize = 100 // the most that the API allows

func items[T any](ctx context.Context, c *Client, path, after string, id func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for p, err := range pages(ctx, c, path, after, id) {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range p.Data {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
