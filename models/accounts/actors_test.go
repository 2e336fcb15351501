package accounts_test

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/terms"
)

// A change that needs a role checks it in its own transaction. An admin who is demoted
// at the same moment leaves no invitation behind, and what they do afterwards is
// refused, although they still hold what their session read before.
func TestDemotionAndChangeAtOnce(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	owner := w.Service.Tenant(a.ID)
	conn := modelstest.Conn(t, w.URL)
	for round := range 8 {
		email := fmt.Sprintf("admin%d@example.com", round)
		require.NoError(t,
			modelstest.ErrorOf(w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(a.ID), email, terms.Admin, "")))
		id := userID(t, conn, email)
		admin := owner.As(models.Actor{UserID: &id, Email: email})

		var atOnce errgroup.Group
		var inviting, creating error
		atOnce.Go(func() error {
			return modelstest.ErrorOf(accounts.ChangeRole(t.Context(), owner, id, terms.Viewer))
		})
		atOnce.Go(func() error {
			_, _, inviting = accounts.Invite(t.Context(), admin, fmt.Sprintf("friend%d@example.com", round), terms.Admin)
			return nil
		})
		atOnce.Go(func() error {
			_, _, creating = keys.Create(t.Context(), admin, keys.NewKey{Name: email})
			return nil
		})
		require.NoError(t, atOnce.Wait())
		for _, err := range []error{inviting, creating} {
			if err != nil {
				modelstest.RequireKind(t, models.KindForbidden, err)
			}
		}
		require.Zero(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM invitations`), "round %d", round)

		_, _, err := accounts.Invite(t.Context(), admin, "late@example.com", terms.Viewer)
		modelstest.RequireKind(t, models.KindForbidden, err)
		_, _, err = keys.Create(t.Context(), admin, keys.NewKey{Name: "late"})
		modelstest.RequireKind(t, models.KindForbidden, err)
	}
}

// Of two owners who leave at once, one stays.
func TestOwnersLeaveAtOnce(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	conn := modelstest.Conn(t, w.URL)
	for round := range 8 {
		w.User(t, a, fmt.Sprintf("owner%d@example.com", round), terms.Owner, password)
		left := make(chan error)
		for _, id := range modelstest.Column[uuid.UUID](t, conn, `SELECT user_id FROM memberships`) {
			go func() {
				left <- accounts.RemoveMember(t.Context(), w.Service.Tenant(a.ID).As(models.Actor{UserID: &id}), id)
			}()
		}
		modelstest.RequireKind(t, models.KindConflict, cmp.Or(<-left, <-left))
		require.Equal(t, 1, modelstest.Value[int](t, conn, `SELECT count(*) FROM memberships`))
	}
}

// Without an actor nothing can be changed: only the operator's own store acts as the
// operator.
func TestNobodyChangesNothing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	nobody := w.Service.Store.Tenant(a.ID)
	key, _ := w.Key(t, a)
	_, _, err := keys.Create(t.Context(), nobody, keys.NewKey{Name: "x"})
	modelstest.RequireKind(t, models.KindForbidden, err)
	modelstest.RequireKind(t, models.KindForbidden, modelstest.ErrorOf(keys.Revoke(t.Context(), nobody, key.ID)))
	_, _, err = accounts.Invite(t.Context(), nobody, "x@example.com", terms.Viewer)
	modelstest.RequireKind(t, models.KindForbidden, err)
	modelstest.RequireKind(t, models.KindForbidden, organizations.RequireSecondFactor(t.Context(), nobody, true))
	modelstest.CreateKey(t, w.Operator.Store.Tenant(a.ID), keys.NewKey{Name: "x"})
}
