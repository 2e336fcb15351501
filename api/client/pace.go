package client

import (
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// pace spreads the requests of a program that follows changes over an hour. A third of the
// hour's window may go to the requests of a moment, a quarter of all; after those, each request
// takes the time in which the others fit into the rest.
type pace struct {
	requests int           // since the last pause
	quota    int           // requests of the longest window
	window   time.Duration // its length
	debt     time.Duration // that the requests until at have not waited for
	at       time.Time
}

func newPace() *pace { return &pace{quota: 1000, window: time.Hour} }

var policyForm = regexp.MustCompile(`;q=([0-9]{1,9});w=([0-9]{1,9})`)

// count counts the request of a response, and learns the limits.
func (p *pace) count(response *http.Response) {
	p.requests++
	if response.Header.Get("X-Total-Count") != "" {
		p.requests += bulkRequests - 1
	}
	longest := time.Duration(0)
	for _, found := range policyForm.FindAllStringSubmatch(response.Header.Get("RateLimit-Policy"), -1) {
		quota, _ := strconv.Atoi(found[1])
		seconds, _ := strconv.Atoi(found[2])
		if window := time.Duration(seconds) * time.Second; window > longest {
			longest = window
			p.quota, p.window = max(1, quota), window
		}
	}
}

// pause returns the pause before the next request.
func (p *pace) pause(now time.Time) time.Duration {
	each, atOnce := p.window*4/3/time.Duration(p.quota), p.window/3
	p.debt = max(0, p.debt-now.Sub(p.at)) + each*time.Duration(p.requests)
	p.debt = min(p.debt, atOnce+max(time.Minute, 5*each)) // a first copy may spend all
	p.requests, p.at = 0, now
	return max(0, p.debt-atOnce)
}
