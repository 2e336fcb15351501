package accounts_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/modelstest"
)

const password = "korrekt hest batteri"

// newWorld returns a world and its organization a, whose owner is kari@example.com.
func newWorld(t *testing.T) (*modelstest.World, models.Organization) {
	t.Helper()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	create(t, w, a, "kari@example.com", models.RoleOwner)
	return w, a
}

// enter signs a user in.
func enter(t *testing.T, w *modelstest.World, email, password string) accounts.SignedIn {
	t.Helper()
	signedIn, err := w.Service.Accounts.SignIn(t.Context(), accounts.SignIn{Email: email, Password: password, Address: "192.0.2.1", UserAgent: "test"})
	require.NoError(t, err)
	return signedIn
}

// sessionOf returns the session that a sign-in started.
func sessionOf(t *testing.T, w *modelstest.World, signedIn accounts.SignedIn) accounts.Session {
	t.Helper()
	session, err := w.Service.Accounts.Session(t.Context(), signedIn.Token)
	require.NoError(t, err)
	return session
}

// signIn returns the session of a user who signs in with the password.
func signIn(t *testing.T, w *modelstest.World, email string) accounts.Session {
	t.Helper()
	return sessionOf(t, w, enter(t, w, email, password))
}

// passwordLink returns the token of an operator's link for a new password.
func passwordLink(t *testing.T, w *modelstest.World, email string) string {
	t.Helper()
	token, err := w.Operator.Accounts.PasswordLinkCreate(t.Context(), email)
	require.NoError(t, err)
	return token
}

// roles returns the roles of a tenant's members by e-mail.
func roles(t *testing.T, instance *modelstest.Instance, tenant models.Tenant) map[string]models.Role {
	t.Helper()
	members, err := accounts.Members(t.Context(), tenant)
	require.NoError(t, err)
	roles := map[string]models.Role{}
	for _, member := range members {
		require.Equal(t, tenant.OrganizationID(), member.OrganizationID)
		roles[member.Email] = member.Role
	}
	return roles
}

// Somebody who is invited joins with the invitation's role. Owners change the role of
// members and remove them, which also ends the invitations that these made. The last
// owner stays. Another organization's members are not found.
func TestMembers(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	service := w.Service
	for email, organization := range map[string]models.Organization{"owner@example.com": a, "other@example.com": b} {
		create(t, w, organization, email, models.RoleOwner)
	}
	session := signIn(t, w, "owner@example.com")
	require.Equal(t, a.ID, session.OrganizationID)
	tenant := service.Tenant(a.ID).As(models.Actor{UserID: &session.UserID, Email: session.Email})

	_, token, err := accounts.Invite(t.Context(), tenant, "Kari@example.com", models.RoleAdmin)
	require.NoError(t, err)
	open, err := service.Accounts.Invitation(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, "Organization a", open.OrganizationName)
	require.Equal(t, "owner@example.com", open.InvitedByEmail)
	require.NoError(t, modelstest.ErrorOf(service.Accounts.InvitationAccept(t.Context(), token, password, "192.0.2.1", "test")))
	kari := signIn(t, w, "kari@example.com")
	require.Equal(t, map[string]models.Role{"owner@example.com": models.RoleOwner, "kari@example.com": models.RoleAdmin}, roles(t, service, tenant))

	asKari := service.Tenant(a.ID).As(models.Actor{UserID: &kari.UserID, Email: kari.Email})
	invitation, _, err := accounts.Invite(t.Context(), asKari, "third@example.com", models.RoleViewer)
	require.NoError(t, err)
	invitations, err := accounts.Invitations(t.Context(), tenant)
	require.NoError(t, err)
	require.Len(t, invitations, 1)
	require.Equal(t, invitation.ID, invitations[0].ID)
	require.Equal(t, "kari@example.com", *invitations[0].InvitedByEmail)

	modelstest.RequireKind(t, models.KindForbidden, modelstest.ErrorOf(accounts.ChangeRole(t.Context(), asKari, session.UserID, models.RoleViewer)))
	modelstest.RequireKind(t, models.KindConflict, accounts.RemoveMember(t.Context(), tenant, session.UserID))
	elsewhere := signIn(t, w, "other@example.com")
	for _, userID := range []uuid.UUID{elsewhere.UserID, uuid.New()} {
		modelstest.RequireKind(t, models.KindNotFound, modelstest.ErrorOf(accounts.ChangeRole(t.Context(), tenant, userID, models.RoleAdmin)))
		modelstest.RequireKind(t, models.KindNotFound, accounts.RemoveMember(t.Context(), tenant, userID))
	}

	require.NoError(t, modelstest.ErrorOf(accounts.ChangeRole(t.Context(), tenant, kari.UserID, models.RoleViewer)))
	require.Equal(t, models.RoleViewer, roles(t, service, tenant)["kari@example.com"])
	invitations, err = accounts.Invitations(t.Context(), tenant)
	require.NoError(t, err)
	require.Empty(t, invitations)
	require.NoError(t, accounts.RemoveMember(t.Context(), tenant, kari.UserID))
	require.Equal(t, map[string]models.Role{"owner@example.com": models.RoleOwner}, roles(t, service, tenant))
	require.Equal(t, map[string]models.Role{"other@example.com": models.RoleOwner}, roles(t, service, service.Tenant(b.ID)))
}

// A user sees and ends sessions of their own, and works in organizations of their own.
func TestSessions(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	b, c := w.Organization(t, "b"), w.Organization(t, "c")
	service := w.Service
	_, token, err := accounts.Invite(t.Context(), service.Tenant(b.ID), "kari@example.com", models.RoleViewer)
	require.NoError(t, err)
	first, second := signIn(t, w, "kari@example.com"), signIn(t, w, "kari@example.com")
	require.NoError(t, service.Accounts.InvitationJoin(t.Context(), token, first, "192.0.2.1"))

	actor := models.Actor{UserID: &first.UserID, Email: first.Email}
	session := signIn(t, w, "kari@example.com")
	require.Len(t, session.Memberships, 2)
	requireWorksIn := func(session accounts.Session, organization models.Organization) {
		t.Helper()
		require.Equal(t, organization.ID, modelstest.Value[uuid.UUID](t, modelstest.Conn(t, w.URL), `SELECT organization_id FROM sessions WHERE id = $1`, session.ID))
	}
	requireWorksIn(first, b)
	requireWorksIn(second, a)
	require.NoError(t, service.Accounts.SessionSwitch(t.Context(), session, actor, b.ID))
	requireWorksIn(session, b)
	modelstest.RequireKind(t, models.KindNotFound, service.Accounts.SessionSwitch(t.Context(), session, actor, c.ID))

	sessions, err := service.Accounts.Sessions(t.Context(), first.UserID)
	require.NoError(t, err)
	require.Len(t, sessions, 3)
	require.NoError(t, service.Accounts.SessionEnd(t.Context(), session, actor, second.ID))
	modelstest.RequireKind(t, models.KindNotFound, service.Accounts.SessionEnd(t.Context(), session, actor, second.ID))
	require.NoError(t, service.Accounts.SessionsEndOthers(t.Context(), session, actor))
	sessions, err = service.Accounts.Sessions(t.Context(), first.UserID)
	require.NoError(t, err)
	require.Len(t, sessions, 1)
	require.Equal(t, session.ID, sessions[0].ID)
}
