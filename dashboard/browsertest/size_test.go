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

// maxFirstLoad is how many bytes a page may transfer with an empty cache: document,
// stylesheet, script and icon, as sent over the network.
const maxFirstLoad = 100_000

// cookies returns the tab's cookies for the service.
func (b *tab) cookies() (all []*network.Cookie) {
	b.t.Helper()
	b.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		all, err = network.GetCookies().WithURLs([]string{b.url}).Do(ctx)
		return err
	}))
	return all
}

// setCookies signs the tab in with the cookies of another one.
func (b *tab) setCookies(cookies []*network.Cookie) {
	b.t.Helper()
	for _, cookie := range cookies {
		b.do(network.SetCookie(cookie.Name, cookie.Value).WithURL(b.url).WithPath("/").WithHTTPOnly(cookie.HTTPOnly))
	}
}

// Every page, even with much data, transfers less than 100 kB with an empty cache.
func TestPagesTransferLessThan100kB(t *testing.T) {
	parallel(t)
	o := newBusyOrganization(t)
	first := newTab(t)
	first.signIn(o.owner)
	cookies := first.cookies()
	key := o.keyNamed("Archive", 0).ID.String()
	var table strings.Builder
	for _, path := range []string{
		"/sign-in", "/", "/?by=day", "/companies", "/companies/" + o.cvr, "/settings/api-keys", "/settings/api-keys/new",
		"/settings/api-keys/" + key + "/rotate", "/settings/members", "/settings/audit-log", "/profile", "/profile/second-factor", "/docs", "/docs/sync", "/docs/errors", "/docs/samples",
	} {
		b := newTab(t)
		if path != "/sign-in" {
			b.setCookies(cookies)
		}
		b.open(path)
		b.requireStatus(200)
		var resources map[string]int64
		b.waitUntil(func() bool {
			resources = b.transferred()
			return len(resources) >= 4
		}, "document, stylesheet, script and icon")
		var sum int64
		for url, bytes := range resources {
			assert.Positive(t, bytes, url)
			sum += bytes
		}
		assert.Less(t, sum, int64(maxFirstLoad), path)
		fmt.Fprintf(&table, "%-60s %6.1f kB\n", strings.ReplaceAll(path, key, "{id}"), float64(sum)/1000)
	}
	t.Log("first load:\n" + table.String())
}
