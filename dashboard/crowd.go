package dashboard

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"dispo/models"
)

// A user's requests, and an organization's, are served so many at once. Others wait for
// their turn, so many and so long. An organization gets fewer than the connections that
// pages have, so that it cannot keep others waiting.
var (
	userTurns         = turns{atOnce: 2, waiting: 50}
	organizationTurns = turns{atOnce: 3, waiting: 200}
)

const turnPatience = 2 * time.Second // about half of a request's deadline

// errCrowded refuses a request that would have to wait for too long.
var errCrowded = models.NewError(models.KindLimited,
	"You or others in your organization are opening too many pages at once. Wait a few seconds and try again.")

// inTurn serves a signed-in user's request when it is the user's turn, and the
// organization's. Without a session it serves at once.
func (h *handler) inTurn(r *request, page func(*request) error) error {
	if r.session == nil {
		return page(r)
	}
	ctx, cancel := context.WithTimeout(r.context(), turnPatience)
	defer cancel()
	leaveUser, ok := h.users.enter(ctx, r.session.UserID)
	if !ok {
		return errCrowded
	}
	defer leaveUser()
	leaveOrganization, ok := h.organizations.enter(ctx, r.session.Current.OrganizationID)
	if !ok {
		return errCrowded
	}
	defer leaveOrganization()
	return page(r)
}

// turns says how many requests of one user or organization are served at once, and how
// many may wait.
type turns struct {
	atOnce  int64
	waiting int
}

// crowd keeps the requests of each user or organization in line. It remembers only those
// that have requests.
type crowd struct {
	turns
	mu    sync.Mutex
	lines map[uuid.UUID]*line
}

type line struct {
	turn     *semaphore.Weighted // first come, first served
	requests int                 // that wait or are served
}

func newCrowd(t turns) *crowd { return &crowd{turns: t, lines: map[uuid.UUID]*line{}} }

// enter waits for a turn, which lasts until leave is called. It reports false if there is
// no turn before ctx ends, or at once if too many wait already.
func (c *crowd) enter(ctx context.Context, id uuid.UUID) (leave func(), ok bool) {
	line := c.join(id)
	if line == nil {
		return nil, false
	}
	if line.turn.Acquire(ctx, 1) != nil {
		c.quit(id, line)
		return nil, false
	}
	return func() {
		line.turn.Release(1)
		c.quit(id, line)
	}, true
}

// join returns the line of a user or organization, or nil if it is full.
func (c *crowd) join(id uuid.UUID) *line {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lines[id]
	if l == nil {
		l = &line{turn: semaphore.NewWeighted(c.atOnce)}
		c.lines[id] = l
	}
	if l.requests >= int(c.atOnce)+c.waiting {
		return nil
	}
	l.requests++
	return l
}

func (c *crowd) quit(id uuid.UUID, l *line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.requests--; l.requests == 0 {
		delete(c.lines, id)
	}
}
