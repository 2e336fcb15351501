package browsertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// firstLoad is how many bytes a page may take over the network where the browser
// has nothing of it yet: the document, stylesheet, script and icon, as they come.
const firstLoad = 100_000

// cookies are those that the tab has for the service.
func (b *tab) cookies() (all []*network.Cookie) {
	b.t.Helper()
	b.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		all, err = network.GetCookies().WithURLs([]string{b.url}).Do(ctx)
		return err
	}))
	return all
}

// takeCookies signs a tab in like another one.
func (b *tab) takeCookies(cookies []*network.Cookie) {
	b.t.Helper()
	for _, cookie := range cookies {
		b.do(network.SetCookie(cookie.Name, cookie.Value).WithURL(b.url).WithPath("/").WithHTTPOnly(cookie.HTTPOnly))
	}
}

// Every page is light, also one that is full: it comes in less than 100 kB where
// the browser has nothing of it.
func TestWeight(t *testing.T) {
	together(t)
	o := busy(t)
	first := newTab(t)
	first.signIn(o.owner)
	cookies := first.cookies()
	key := o.keyNamed("Archive", 0).ID.String()
	var table strings.Builder
	for _, path := range []string{
		"/sign-in", "/", "/?by=day", "/companies", "/companies/" + o.cvr, "/settings/api-keys", "/settings/api-keys/new",
		"/settings/api-keys/" + key + "/rotate", "/settings/members", "/settings/audit-log", "/profile", "/profile/second-factor", "/docs",
	} {
		b := newTab(t)
		if path != "/sign-in" {
			b.takeCookies(cookies)
		}
		b.open(path)
		b.requireStatus(200)
		var parts map[string]int64
		b.until(func() bool {
			parts = b.received()
			return len(parts) >= 4
		}, "document, stylesheet, script and icon")
		var sum int64
		for part, bytes := range parts {
			assert.Positive(t, bytes, part)
			sum += bytes
		}
		assert.Less(t, sum, int64(firstLoad), path)
		fmt.Fprintf(&table, "%-60s %6.1f kB\n", strings.ReplaceAll(path, key, "{id}"), float64(sum)/1000)
	}
	t.Log("first load:\n" + table.String())
}
