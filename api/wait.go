package api

import (
	"context"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
)

const (
	clientCheck    = 2 * time.Second
	databaseRetry  = 250 * time.Millisecond
	databaseSpread = 750 * time.Millisecond
)

// wait holds a request whose response the caller already has, until the organization's
// data may have changed, the time is up, the client is gone, or the service stops. If
// the key is no longer accepted, it returns that error at once.
func (h *handler) wait(c *fiber.Ctx, tenant models.Tenant, key cacheKey, seconds int) error {
	r := requestOf(c)
	waiter := h.Store.DB().Feed.NewWaiter(r.caller.OrganizationID, r.caller.KeyID)
	defer waiter.Stop()
	end := c.Context().Time().Add(time.Duration(seconds) * time.Second)
	if expires := r.caller.ExpiresAt; !expires.IsZero() && expires.Before(end) {
		end = expires
	}
	timeout, cancel := context.WithDeadline(context.Background(), end)
	defer cancel()
	for over, changed := false, false; !changed; {
		// Changes before the subscription are not signaled, so look first.
		err := h.stillAccepted(c)
		if err != nil && (over || models.ErrorKind(err) != models.KindUnavailable) {
			return err
		}
		if over {
			break
		}
		if err == nil {
			changed, err = h.hasChanged(c, tenant, key)
		}
		if !changed {
			over = !h.sleep(c, tenant, timeout.Done(), waiter.C, err)
			r.Waited()
		}
	}
	c.Set(headerPreferenced, "wait="+strconv.Itoa(seconds))
	r.decision.SetHeaders(c.Set)
	return nil
}

// hasChanged reports whether the caller's response is not the present one.
func (h *handler) hasChanged(c *fiber.Ctx, tenant models.Tenant, key cacheKey) (bool, error) {
	ctx, cancel := h.withDeadline(requestOf(c))
	defer cancel()
	version, err := tenant.DataVersion(ctx)
	return err == nil && !hasTag(c, key.etag(version)), err
}

// sleep returns true when there is a reason to look again, such as the error of the last
// look, and false when the wait is over.
func (h *handler) sleep(c *fiber.Ctx, tenant models.Tenant, timeout, changed <-chan struct{}, failed error) bool {
	var retry <-chan time.Time
	if failed != nil {
		retry = time.After(databaseRetry + rand.N(databaseSpread))
	}
	client, checkable := c.Context().Conn().(interface{ Gone() bool })
	check := time.NewTicker(clientCheck)
	defer check.Stop()
	for {
		select {
		case <-changed:
			return true
		case <-retry:
			return true
		case <-timeout:
			return false
		case <-h.Stopping:
			return false
		case <-check.C:
			if checkable && client.Gone() {
				return false
			}
			if _, known := tenant.RememberedDataVersion(); !known { // nothing is heard while the feed is down
				return true
			}
		}
	}
}
