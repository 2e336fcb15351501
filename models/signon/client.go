package signon

import (
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"code.dny.dev/ssrf"
)

const (
	// patience is how long all calls of a provider take together, at most.
	patience = 10 * time.Second

	// answerMost is how many bytes of an answer are read.
	answerMost = 1 << 20
)

var (
	errRedirected = errors.New("the provider redirected the call")
	errPlain      = errors.New("the address is not https")
	errTooLong    = errors.New("the answer has more than 1 MB")
)

// newClient returns a client that calls public addresses by https alone. The address is checked
// when the connection is made, so a name that changes its address gains nothing. With private,
// any address may be called, also by http, and the environment's proxy is used.
func newClient(private bool) *http.Client {
	dialer := &net.Dialer{Timeout: patience, Control: ssrf.New(ssrf.WithAnyPort()).Safe}
	transport := &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: patience, ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10,
	}
	if private {
		dialer.Control, transport.Proxy = nil, http.ProxyFromEnvironment
	}
	return &http.Client{
		Transport:     guarded{transport, private},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirected },
		Timeout:       patience,
	}
}

// guarded refuses calls without https, and cuts long answers.
type guarded struct {
	http.RoundTripper
	private bool
}

// RoundTrip implements http.RoundTripper.
func (g guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && !g.private {
		return nil, errPlain
	}
	response, err := g.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = &cut{response.Body, answerMost + 1}
	return response, nil
}

// cut is a body of which fewer bytes than so many are read.
type cut struct {
	io.ReadCloser
	left int
}

func (c *cut) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errTooLong
	}
	n, err := c.ReadCloser.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}
