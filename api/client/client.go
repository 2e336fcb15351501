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
	// Timeout is the time for one try of a request, and in a bulk read for the next bytes; 0
	// is 30 seconds.
	Timeout time.Duration
	// Tries is the number of times that a request is sent before its error is returned; 0 is
	// 5. [Client.Follow] never gives up.
	Tries int
	// MaxPause is the longest pause before another try; 0 is an hour. If the API asks for
	// a longer one, its error is returned at once, but [Client.Follow] tries again after
	// MaxPause.
	MaxPause time.Duration
	// Paused is called before each pause that an error or a proxy makes necessary, with its
	// cause; nil means no callback.
	Paused func(cause error, pause time.Duration)
}

// Client reads the data of one organization. It is safe for concurrent use.
type Client struct {
	config    Config
	following *pace // of Follow; nil is any other use
}

// Version is the client's.
const Version = "1.0.0"

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
	return &Client{config: config}, nil
}

// Companies returns the companies that arrived after the one with the id after, or all of
// them if it is empty. It requests a page when the iteration reaches it. The iteration
// ends after an error.
func (c *Client) Companies(ctx context.Context, after string) iter.Seq2[Company, error] {
	return items(pages(ctx, c, "/v1/companies", after, "", companyID))
}

// Company returns the company with a CVR number.
func (c *Client) Company(ctx context.Context, cvr string) (Company, error) {
	var company Company
	_, err := c.get(ctx, companyPath(cvr), "", &company)
	return company, err
}

// Transactions is Companies for the transactions of a company, or of all companies if cvr
// is empty.
func (c *Client) Transactions(ctx context.Context, cvr, after string) iter.Seq2[Transaction, error] {
	path := "/v1/transactions"
	if cvr != "" {
		path = companyPath(cvr) + "/transactions"
	}
	return items(pages(ctx, c, path, after, "", transactionID))
}

// Changes is Companies for what happened to the organization's data.
func (c *Client) Changes(ctx context.Context, after string) iter.Seq2[Change, error] {
	return items(pages(ctx, c, "/v1/changes", after, "", changeID))
}

// Days is Companies for the days that have transactions of a company, or of any company if
// cvr is empty. after is a date, YYYY-MM-DD, or empty.
func (c *Client) Days(ctx context.Context, cvr, after string) iter.Seq2[Day, error] {
	path := "/v1/days"
	if cvr != "" {
		path = companyPath(cvr) + "/days"
	}
	return items(pages(ctx, c, path, after, "", dayDate))
}

func companyPath(cvr string) string { return "/v1/companies/" + url.PathEscape(cvr) }

func companyID(x Company) string         { return x.ID }
func transactionID(x Transaction) string { return x.ID }
func changeID(x Change) string           { return x.ID }
func dayDate(x Day) string               { return x.DispositionDate }

// page is a page of a list.
type page[T any] struct {
	Data []T      `json:"data"`
	Meta PageMeta `json:"meta"`

	etag        string
	at          moment
	totalAmount string // of a list of transactions
	unchanged   bool   // it is still what the caller has, and the rest is empty
}

// moment says which data a response shows. Responses with the same moment show the same.
type moment struct{ version, history string }

const headerVersion = "X-Data-Version"

func momentOf(header http.Header) moment {
	return moment{header.Get(headerVersion), header.Get("X-Data-History")}
}

const (
	companiesPage = 100  // the most that the API allows for the lists of companies and of one company
	longPage      = 1000 // and for lists over all companies
)

// readPage reads the page of a list that follows the item with the id after. With its ETag,
// it waits until the page has changed.
func readPage[T any](ctx context.Context, c *Client, path, after, etag string) (p page[T], err error) {
	limit := longPage
	if strings.HasPrefix(path, "/v1/companies") {
		limit = companiesPage
	}
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if after != "" {
		query.Set("after", after)
	}
	header, err := c.get(ctx, path+"?"+query.Encode(), etag, &p)
	p.etag, p.at, p.totalAmount = header.Get("ETag"), momentOf(header), header.Get("X-Total-Amount-Dkk")
	p.unchanged = etag != "" && p.etag == etag
	return p, err
}

// pages returns a list's pages. With the ETag of the first one, it waits until that page has
// changed.
func pages[T any](
	ctx context.Context,
	c *Client,
	path, after, etag string,
	id func(T) string,
) iter.Seq2[page[T], error] {
	return func(yield func(page[T], error) bool) {
		for {
			p, err := readPage[T](ctx, c, path, after, etag)
			if !yield(p, err) || err != nil || !p.Meta.HasMore || len(p.Data) == 0 {
				return
			}
			after, etag = id(p.Data[len(p.Data)-1]), ""
		}
	}
}

func items[T any](pages iter.Seq2[page[T], error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for p, err := range pages {
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
