// Package fairqueue lets a limited number of callers work at once. The others wait, and
// the subjects they belong to, such as users or networks, take turns. So a subject with
// many callers delays another by one caller at a time.
package fairqueue

import (
	"context"
	"slices"
	"sync"
)

// Limits are the limits of a queue. Zero means that there is none, except for Waiting.
type Limits[K comparable] struct {
	AtOnce     int // callers that work at once
	PerSubject int // callers of one subject that work at once
	Waiting    int // callers of one subject that wait
	Subjects   int // subjects with callers that wait
	// Preferred subjects get every second place while they wait, for any number of
	// the others, and are not bound by Subjects. Nil means that none is preferred.
	Preferred func(subject K) bool
}

// Queue is a queue of callers. It remembers only subjects that have callers.
type Queue[K comparable] struct {
	limits    Limits[K]
	mu        sync.Mutex
	atOnce    int                   // callers that work
	working   map[K]int             // the same by subject
	waiting   map[K][]chan struct{} // in order of arrival; closed to start the caller
	order     []K                   // the subjects that wait, in order of their turns
	preferred bool                  // whether the last to start was a preferred subject
}

// New returns an empty queue.
func New[K comparable](limits Limits[K]) *Queue[K] {
	return &Queue[K]{limits: limits, working: map[K]int{}, waiting: map[K][]chan struct{}{}}
}

// Enter waits until a caller of the subject may work. The caller calls leave, once or
// more often, when it is done. Enter reports false if ctx ends first, or at once if too
// many wait already.
func (q *Queue[K]) Enter(ctx context.Context, subject K) (leave func(), ok bool) {
	start, ok := q.join(subject)
	if !ok {
		return nil, false
	}
	select {
	case <-start:
		return sync.OnceFunc(func() { q.leave(subject) }), true
	case <-ctx.Done():
		q.giveUp(subject, start)
		return nil, false
	}
}

// join adds a caller, and reports false if it may not wait.
func (q *Queue[K]) join(subject K) (start chan struct{}, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	start = make(chan struct{})
	q.waiting[subject] = append(q.waiting[subject], start)
	if len(q.waiting[subject]) == 1 {
		q.order = append(q.order, subject)
	}
	q.startNext()
	crowded := q.limits.Subjects > 0 && len(q.order) > q.limits.Subjects && !q.prefers(subject)
	if n := len(q.waiting[subject]); n > q.limits.Waiting || n == 1 && crowded {
		q.remove(subject, n-1)
		return nil, false
	}
	return start, true
}

// Subjects returns how many subjects have callers that wait.
func (q *Queue[K]) Subjects() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.order)
}

func (q *Queue[K]) leave(subject K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.atOnce--
	if q.working[subject]--; q.working[subject] == 0 {
		delete(q.working, subject)
	}
	q.putLast(subject)
	q.startNext()
}

// giveUp removes a caller that waits, or that was started at the same moment.
func (q *Queue[K]) giveUp(subject K, start chan struct{}) {
	q.mu.Lock()
	i := slices.Index(q.waiting[subject], start)
	if i >= 0 {
		q.remove(subject, i)
	}
	q.mu.Unlock()
	if i < 0 {
		q.leave(subject)
	}
}

// startNext starts the caller whose turn it is, if there is a place.
func (q *Queue[K]) startNext() {
	if q.limits.AtOnce > 0 && q.atOnce >= q.limits.AtOnce {
		return
	}
	mayStart := func(subject K) bool { return q.limits.PerSubject == 0 || q.working[subject] < q.limits.PerSubject }
	next := slices.IndexFunc(q.order,
		func(subject K) bool { return q.prefers(subject) != q.preferred && mayStart(subject) })
	if next < 0 {
		if next = slices.IndexFunc(q.order, mayStart); next < 0 {
			return
		}
	}
	subject := q.order[next]
	q.putLast(subject)
	q.preferred = q.prefers(subject)
	q.atOnce++
	q.working[subject]++
	close(q.waiting[subject][0])
	q.remove(subject, 0)
}

// putLast lets all others that wait come before the subject, also those who came while its
// caller worked.
func (q *Queue[K]) putLast(subject K) {
	if place := slices.Index(q.order, subject); place >= 0 {
		q.order = append(slices.Delete(q.order, place, place+1), subject)
	}
}

func (q *Queue[K]) prefers(subject K) bool {
	return q.limits.Preferred != nil && q.limits.Preferred(subject)
}

// remove removes the caller at a place of the subject's.
func (q *Queue[K]) remove(subject K, place int) {
	q.waiting[subject] = slices.Delete(q.waiting[subject], place, place+1)
	if len(q.waiting[subject]) == 0 {
		delete(q.waiting, subject)
		q.order = slices.DeleteFunc(q.order, func(other K) bool { return other == subject })
	}
}
