package dashboard

import (
	"context"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/fairqueue"
)

// A user's requests, and an organization's, are limited. An organization gets fewer at
// once than the connections that pages have, so that it cannot keep others waiting.
var (
	userLimits         = fairqueue.Limits[uuid.UUID]{PerSubject: 2, Waiting: 50}
	organizationLimits = fairqueue.Limits[uuid.UUID]{PerSubject: 3, Waiting: 200}
)

// errTooManyAtOnce refuses a request that would have to wait for too long.
var errTooManyAtOnce = models.NewError(models.KindLimited,
	"You or others in your organization are opening too many pages at once. Wait a few seconds and try again.")

// queued serves a signed-in user's request after waiting for the user's and the
// organization's turn. Without a session it serves at once.
func (h *handler) queued(r *request, page func(*request) error) error {
	if r.session == nil {
		return page(r)
	}
	ctx, cancel := context.WithTimeout(r.context(), h.Timeout/2)
	defer cancel()
	leave, ok := enterBoth(ctx, h.users, h.organizations, *r.session)
	if !ok {
		return errTooManyAtOnce
	}
	defer leave()
	return page(r)
}

// enterBoth waits for the user's turn, and then for the organization's.
func enterBoth(
	ctx context.Context,
	users, organizations *fairqueue.Queue[uuid.UUID],
	session accounts.Session,
) (leave func(), ok bool) {
	leaveUser, ok := users.Enter(ctx, session.UserID)
	if !ok {
		return nil, false
	}
	leaveOrganization, ok := organizations.Enter(ctx, session.Current.OrganizationID)
	if !ok {
		leaveUser()
		return nil, false
	}
	return func() { leaveOrganization(); leaveUser() }, true
}
