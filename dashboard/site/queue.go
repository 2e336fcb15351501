package site

import (
	"context"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/fairqueue"
)

// A user's requests, and an organization's, are limited. An organization gets fewer at
// once than the connections that pages have, so that it cannot keep others waiting. A user
// downloads one file at a time, and an organization two.
var (
	userPages             = fairqueue.Limits[uuid.UUID]{PerSubject: 2, Waiting: 50}
	organizationPages     = fairqueue.Limits[uuid.UUID]{PerSubject: 3, Waiting: 200}
	userDownloads         = fairqueue.Limits[uuid.UUID]{PerSubject: 1, Waiting: 4}
	organizationDownloads = fairqueue.Limits[uuid.UUID]{PerSubject: 2, Waiting: 20}
)

// errTooManyAtOnce refuses a request that would have to wait for too long.
var errTooManyAtOnce = models.NewError(models.KindLimited,
	"You or others in your organization are opening too many pages at once. Wait a few seconds and try again.")

// turns are the queues of users and of organizations.
type turns struct {
	users, organizations *fairqueue.Queue[uuid.UUID]
}

func newTurns(users, organizations fairqueue.Limits[uuid.UUID]) turns {
	return turns{fairqueue.New(users), fairqueue.New(organizations)}
}

// enter waits for the user's turn, and then for the organization's.
func (t turns) enter(ctx context.Context, session accounts.Session) (leave func(), ok bool) {
	leaveUser, ok := t.users.Enter(ctx, session.UserID)
	if !ok {
		return nil, false
	}
	leaveOrganization, ok := t.organizations.Enter(ctx, session.Current.OrganizationID)
	if !ok {
		leaveUser()
		return nil, false
	}
	return func() { leaveOrganization(); leaveUser() }, true
}

// answerInTurn answers a signed-in user's request after waiting for the user's and the
// organization's turn. Without a session it answers at once.
func (r *Request) answerInTurn() error {
	if r.Session != nil {
		ctx, cancel := context.WithTimeout(r.Context(), r.Site.Timeout/2)
		defer cancel()
		leave, ok := r.Site.pages.enter(ctx, *r.Session)
		if !ok {
			return errTooManyAtOnce
		}
		defer leave()
	}
	page, err := r.choose()
	if err != nil {
		return err
	}
	return page(r)
}
