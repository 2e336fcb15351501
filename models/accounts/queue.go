package accounts

import (
	"context"
	"slices"
	"sync"

	"dispo/models"
)

// queue decides whose password is checked next, because bcrypt keeps a processor busy
// for tens of milliseconds. Known devices come first. The others take turns by network,
// so that one network, however many attempts it makes, delays another by one at a time.
type queue struct {
	mu       sync.Mutex
	places   int // for passwords that may be checked now
	known    []*waiting
	networks []*line // those with somebody waiting, in the order of their turns
}

// line is the attempts that wait from one network.
type line struct {
	network string
	waiting []*waiting
}

// waiting is an attempt that waits. Its channel is closed when its turn comes.
type waiting struct{ turn chan struct{} }

// More attempts than this are turned away at once: they would not be served in time.
const (
	waitingKnown      = 500
	waitingNetworks   = 500
	waitingPerNetwork = 20
)

var errCrowded = models.NewError(models.KindLimited, "Many people are signing in right now. Try again in a minute.")

func newQueue(places int) *queue { return &queue{places: places} }

// wait waits for the attempt's turn. The caller must call done after its password was
// checked. Errors: KindLimited if too many wait, or the context ends first.
func (q *queue) wait(ctx context.Context, knownDevice bool, network string) (done func(), err error) {
	w := &waiting{turn: make(chan struct{})}
	if !q.join(w, knownDevice, network) {
		return nil, errCrowded
	}
	select {
	case <-w.turn:
		return q.done, nil
	case <-ctx.Done():
		if !q.leave(w) {
			q.done() // its turn came at the same moment
		}
		return nil, errCrowded
	}
}

func (q *queue) join(w *waiting, knownDevice bool, network string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.places > 0:
		q.places--
		close(w.turn)
		return true
	case knownDevice:
		if len(q.known) == waitingKnown {
			return false
		}
		q.known = append(q.known, w)
		return true
	}
	for _, l := range q.networks {
		if l.network == network {
			if len(l.waiting) == waitingPerNetwork {
				return false
			}
			l.waiting = append(l.waiting, w)
			return true
		}
	}
	if len(q.networks) == waitingNetworks {
		return false
	}
	q.networks = append(q.networks, &line{network, []*waiting{w}})
	return true
}

// done passes a place on to the next attempt.
func (q *queue) done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case len(q.known) > 0:
		close(q.known[0].turn)
		q.known = q.known[1:]
	case len(q.networks) > 0:
		first := q.networks[0]
		close(first.waiting[0].turn)
		first.waiting = first.waiting[1:]
		q.networks = q.networks[1:]
		if len(first.waiting) > 0 { // its next turn comes after the others'
			q.networks = append(q.networks, first)
		}
	default:
		q.places++
	}
}

// leave gives up waiting. It reports false if the attempt's turn has come.
func (q *queue) leave(w *waiting) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.known, w); i >= 0 {
		q.known = slices.Delete(q.known, i, i+1)
		return true
	}
	for n, l := range q.networks {
		if i := slices.Index(l.waiting, w); i >= 0 {
			l.waiting = slices.Delete(l.waiting, i, i+1)
			if len(l.waiting) == 0 {
				q.networks = slices.Delete(q.networks, n, n+1)
			}
			return true
		}
	}
	return false
}
