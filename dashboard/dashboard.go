// Package dashboard serves the pages for browsers: signing in, API keys and their
// rotation, companies, members and the audit log. It contains the handlers. Package
// web contains the pages.
package dashboard

import (
	"cmp"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/api/download"
	"dispo/api/server"
	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/models/signon"
	"dispo/web"
)

// Config configures the dashboard.
type Config struct {
	Store     *models.Store
	Accounts  *accounts.Accounts
	SignOn    *signon.SignOn
	PublicURL *url.URL          // how browsers reach it; with https, cookies are secure
	Mail      bool              // mails are sent
	Support   string            // where developers get help; may be empty
	Reference string            // the API's operations and schemas as Markdown
	Clients   map[string][]byte // archives of the API's clients, by their names
	Observer  server.Observer
	Limits    Limits
	Downloads *download.Maker
	Log       *slog.Logger
	Timeout   time.Duration // bounds the work for one request; the default is 4 seconds
}

// Limits describes the API's rate limits for the pages that show them.
type Limits struct {
	Minute, Hour int64
	PerKey       bool // requests are counted by key instead of by organization
	// Use returns how much an organization or key has used of both limits, which may be the
	// organization's own.
	Use func(id uuid.UUID, own models.Limits) (minute, hour Use)
}

// Use is how much of a limit is used.
type Use = web.Use

// Reasons why a form needs no confirmation.
const (
	notSignedIn  = "nobody has signed in yet"
	byLink       = "the link in the address is the proof"
	onlyLess     = "it only takes access away and has to be fast"
	onlySettings = "it gives nobody access and takes nobody's away"
	onlyReads    = "it changes nothing"
	onlyMail     = "it only switches off mails that do not concern security"
	asksItself   = "it asks for the present password itself"
)

// The levels of access.
const (
	anyone  = site.Anyone
	user    = site.User
	own     = site.Own
	member  = site.Member
	manager = site.Manager
)

// routes lists the pages and forms. A form asks for the password again, unless it says why not. A
// session that an identity provider opened may open what says so: what belongs to the organization.
func (c Config) routes() []site.Route {
	routes := []site.Route{
		anyone.Get("/sign-in", signInForm),
		anyone.Post("/sign-in", signIn, "email", "password").Without(notSignedIn),
		anyone.Post("/sign-in/link", unlockRequest, "email").Without(notSignedIn),
		anyone.Get("/sign-in/link/:token", site.Showing(unlockView, web.UnlockPage)).Secret(),
		anyone.Post("/sign-in/link/:token", unlock).Secret().Without(byLink),
		anyone.Get("/sign-in/second-factor", secondFactorForm),
		anyone.Post("/sign-in/second-factor", secondFactor, "code").Without(notSignedIn),
		anyone.Get("/password/forgotten", forgottenForm),
		anyone.Post("/password/forgotten", forgotten, "email").Without(notSignedIn),
		anyone.Get("/password/:token", site.Showing(passwordView, web.PasswordPage)).Secret(),
		anyone.Post("/password/:token", passwordSet, "password").Secret().Without(byLink),
		anyone.Get("/invitations/:token", site.Showing(c.invitationView, web.InvitationPage)).Secret(),
		anyone.Post("/invitations/:token", c.invitationAccept, "password", "by_provider").Secret().Without(byLink),

		anyone.Get("/sign-in/return/:id", c.providerReturn).Secret().Provided(),
		anyone.Get("/sign-in/return/:id/link", c.providerLinkForm),
		user.Post("/sign-in/return/:id/link", c.providerLink),
		anyone.Post("/sign-in/return/:id/mail", c.providerMail).Without(notSignedIn),
		anyone.Get("/sign-in/return/:id/link/:token", c.providerLinkForm).Secret(),
		anyone.Post("/sign-in/return/:id/link/:token", c.providerLinkByMail).Secret().Without(byLink),

		anyone.Post("/language", languageSwitch, "language").Without(onlySettings),
		user.Post("/sign-out", signOut).Without(onlyLess).Provided(),
		user.Post("/organization", organizationSwitch, "organization").Without(onlySettings),
		user.Get("/kept-form", (*site.Request).ShowKeptForm).Provided(),
		own.Post("/confirm", (*site.Request).Confirm).Without("it is the confirmation").NotKept(),
		own.Get("/profile", site.Showing(profileView, web.ProfilePage)),
		own.Post("/profile/password", passwordChange, "current_password", "new_password").Without(asksItself),
		own.Post("/profile/mail", mailChange, mailFields()...).Without(onlyMail),
		own.Post("/profile/language", languageChange, "language").Without(onlySettings),
		own.Post("/profile/sessions/end-others", sessionsEndOthers).Without(onlyLess),
		own.Post("/profile/sessions/:id/end", sessionEnd).Without(onlyLess),
		own.Get("/profile/second-factor", factorForm).Confirmed().Secret(),
		own.Post("/profile/second-factor", factorConfirm, "setup", "code").Secret(),
		own.Get("/profile/second-factor/remove", factorRemoveForm).Confirmed(),
		own.Post("/profile/second-factor/remove", factorRemove),
		own.Get("/profile/second-factor/recovery-codes", recoveryCodesForm).Confirmed(),
		own.Post("/profile/second-factor/recovery-codes", recoveryCodesCreate).Secret(),
		own.Post("/profile/second-factor/recovery-codes/file", recoveryCodesFile, "codes").
			Secret().Without(onlyReads).NotKept(),

		manager.Post("/settings/sign-in", c.providerSet, "issuer", "client_id", "client_secret"),
		manager.Get("/settings/sign-in/try", c.providerTry),
		manager.Post("/settings/sign-in/enable", providerEnable, "on"),
		manager.Post("/settings/sign-in/trust", providerTrust, "on"),
		manager.Get("/settings/sign-in/remove", providerRemoveForm),
		manager.Post("/settings/sign-in/remove", providerRemove),

		anyone.Get("/llms.txt", func(r *site.Request) error { return r.Send(fiber.MIMETextPlain, web.DocsIndex()) }),
	}
	routes = append(routes, site.Provided(
		member.Get("/", withExpiringKeys(c.overview)),
		member.Get("/companies", companyList),
		member.Get("/companies/export", companyExport),
		member.Get("/companies/:cvr", companyShow),
		member.Get("/companies/:cvr/export", companyTransactionExport),
		member.Get("/transactions", transactionList),
		member.Get("/transactions/export", transactionExport),
		member.Get("/days", dayList),
		member.Get("/days/export", dayExport),
		member.Get("/deliveries", deliveryList),
		member.Get("/search", search),
		member.Get("/deliveries/export", deliveryExport),
		member.Get("/deliveries/:id", deliveryShow),
		member.Get("/deliveries/:id/export", deliveryRecordExport),
		member.Get("/settings", func(r *site.Request) error { return r.Redirect("/settings/api-keys") }),
		member.Get("/settings/audit-log", auditLog),
		member.Get("/settings/audit-log/export", auditExport),

		member.Get("/settings/api-keys", withExpiringKeys(keyList)).FindingKeys(),
		manager.Get("/settings/api-keys/new", keyNew).Confirmed(),
		manager.Post("/settings/api-keys/new", keyCreate, "nonce", "name", "expires", "expires_on", "networks").Secret(),
		member.Get("/settings/api-keys/:id", keyShow),
		member.Get("/settings/api-keys/:id/requests", keyRequests),
		member.Get("/settings/api-keys/:id/requests/export", keyRequestExport),
		manager.Post("/settings/api-keys/:id", keyDescribe, "name", "note").Without(onlySettings),
		manager.Post("/settings/api-keys/:id/expire", keyExpire, "expires_on").If(stopsKeyInUse),
		manager.Post("/settings/api-keys/:id/networks", keyBind, "networks", "shuts_out"),
		manager.Post("/settings/api-keys/:id/dismiss", keyDismiss).Without(onlySettings),
		manager.Get("/settings/api-keys/:id/pause", site.Showing(keyStopView, web.KeyPausePage)),
		manager.Post("/settings/api-keys/:id/pause", keyPause, "rotating").If(stopsKeyInUse),
		manager.Post("/settings/api-keys/:id/resume", keyResume, "rotating"),
		manager.Post("/settings/api-keys/:id/schedule", keySchedule, "rotating", "when", "idle_days", "revoke_on").
			If(delaysOrStopsKey),
		manager.Post("/settings/api-keys/:id/unschedule", keyUnschedule),
		member.Get("/settings/api-keys/:id/revoke", site.Showing(keyStopView, web.KeyRevokePage)),
		manager.Post("/settings/api-keys/:id/revoke", keyRevoke).If(stopsKeyInUse),
		member.Get("/settings/api-keys/:id/rotate", site.Showing(rotationView, web.RotationPage)),
		manager.Post("/settings/api-keys/:id/rotate", rotationCreate, "nonce", "name", "expires", "expires_on").Secret(),
		member.Get("/settings/api-keys/:id/rotate/status", site.Showing(rotationView, web.RotationSteps)),
		manager.Post("/settings/api-keys/:id/rotate/recreate", rotationRecreate, "nonce").Secret(),
		manager.Post("/settings/api-keys/:id/rotate/caller", rotationCaller, "action", "address", "client").
			Without(onlySettings),
		manager.Post("/settings/api-keys/:id/rotate/revoke", rotationRevoke, "confirm").If(stopsKeyInUse),

		member.Get("/settings/organization", organizationShow),
		manager.Post("/settings/organization", organizationChange,
			"name", "time_zone", "expected_by", "notification_address"),
		manager.Post("/settings/organization/leaks", leaksChange, "leaks"),
		member.Get("/settings/members", site.Showing(membersView, web.MembersPage)),
		manager.Post("/settings/members/invite", memberInvite, "email", "role").Secret(),
		manager.Post("/settings/members/invitations/:id/revoke", invitationRevoke).Without(onlyLess),
		manager.Post("/settings/members/second-factor", factorRequire, "required"),
		manager.Post("/settings/members/:id/role", memberRole, "role"),
		// Members may remove themselves.
		member.Get("/settings/members/:id/remove", memberRemoveForm),
		member.Post("/settings/members/:id/remove", memberRemove),

		member.Get("/confirm/provider", c.providerConfirm),
		member.Get("/settings/sign-in", c.providerShow),
		manager.Post("/settings/sign-in/require", providerRequire, "on"),

		anyone.Get("/docs/search", c.docSearch),
		anyone.Get("/docs.md", c.docMarkdown(web.Docs()[0])),
		anyone.Get("/docs/start", func(r *site.Request) error { return r.Redirect("/docs") }),
	)...)
	for _, doc := range web.Docs() {
		routes = append(routes, anyone.Get(doc.Path, c.doc(doc)).Provided(),
			anyone.Get(doc.MarkdownPath(), c.docMarkdown(doc)).Provided())
	}
	for _, name := range web.SampleFiles() {
		routes = append(routes, anyone.Get(web.SamplePath(name), func(r *site.Request) error {
			return r.Send(fiber.MIMETextPlain, c.docsView(r).Sample(name))
		}))
	}
	for name, archive := range c.Clients {
		routes = append(routes, anyone.Get("/docs/clients/"+name, func(r *site.Request) error {
			r.Ctx.Set(fiber.HeaderContentType, "application/gzip")
			return r.Ctx.Send(archive)
		}))
	}
	// The slug comes last, so that the other words there match first.
	return append(append(routes, site.PagesAbove(routes)...), anyone.Get("/sign-in/:slug", c.providerStart).Provided())
}

// Routes registers all pages of the dashboard, and the answer to other paths.
func Routes(app fiber.Router, c Config) {
	site.Serve(app, site.Config{
		Store:     c.Store,
		Accounts:  c.Accounts,
		PublicURL: c.PublicURL,
		Mail:      c.Mail,
		Support:   c.Support,
		Observer:  c.Observer,
		Downloads: c.Downloads,
		Log:       c.Log,
		Timeout:   cmp.Or(c.Timeout, 4*time.Second),
		Find:      find,
	}, c.routes())
}

// find looks in an organization for the thing in the request's path.
func find(r *site.Request, in models.Tenant) (err error) {
	switch path := r.Ctx.Route().Path; {
	case strings.HasPrefix(path, "/settings/api-keys/:id"):
		_, err = keys.Get(r.Context(), in, r.ID)
	case strings.HasPrefix(path, "/deliveries/:id"):
		_, err = ledger.FindArrival(r.Context(), in, r.ID)
	case strings.HasPrefix(path, "/companies/:cvr"):
		_, err = ledger.Company(r.Context(), in, r.Param("cvr"))
	default:
		err = models.NewError(models.KindNotFound, "")
	}
	return err
}
