// Package dashboard serves the pages for browsers: signing in, API keys and their
// rotation, companies, members and the audit log. It contains the handlers. Package
// web contains the pages.
package dashboard

import (
	"cmp"
	"log/slog"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"
	recoverer "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/google/uuid"

	"dispo/api/download"
	"dispo/api/server"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/fairqueue"
	"dispo/web"
)

// Config configures the dashboard.
type Config struct {
	Store     *models.Store
	Accounts  *accounts.Accounts
	PublicURL *url.URL          // how browsers reach it; with https, cookies are secure
	Mail      bool              // mails are sent
	Support   string            // where people who write clients get help; may be empty
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

type handler struct {
	Config
	users, organizations                 *fairqueue.Queue[uuid.UUID]
	userDownloads, organizationDownloads *fairqueue.Queue[uuid.UUID]
}

// Reasons why a form needs no confirmation.
const (
	notSignedIn  = "nobody has signed in yet"
	byLink       = "the link in the address is the proof"
	onlyLess     = "it only takes access away and has to be fast"
	onlySettings = "it gives nobody access and takes nobody's away"
	onlyReads    = "it changes nothing"
)

// routes lists the pages and forms. The first one whose path matches serves a request.
func (h *handler) routes() []route {
	routes := []route{
		get("/sign-in", anyone, h.signInForm),
		post("/sign-in", anyone, h.signIn, fields("email", "password"), unconfirmed(notSignedIn)),
		post("/sign-in/link", anyone, h.unlockRequest, fields("email"), unconfirmed(notSignedIn)),
		get("/sign-in/link/:token", anyone, showing(h.unlockView, web.UnlockPage), showsSecret),
		post("/sign-in/link/:token", anyone, h.unlock, showsSecret, unconfirmed(byLink)),
		get("/sign-in/second-factor", anyone, h.secondFactorForm),
		post("/sign-in/second-factor", anyone, h.secondFactor, fields("code"), unconfirmed(notSignedIn)),
		get("/password/forgotten", anyone, h.forgottenForm),
		post("/password/forgotten", anyone, h.forgotten, fields("email"), unconfirmed(notSignedIn)),
		get("/password/:token", anyone, showing(h.passwordView, web.PasswordPage), showsSecret),
		post("/password/:token", anyone, h.passwordSet, fields("password"), showsSecret, unconfirmed(byLink)),
		get("/invitations/:token", anyone, showing(h.invitationView, web.InvitationPage), showsSecret),
		post("/invitations/:token", anyone, h.invitationAccept, fields("password"), showsSecret, unconfirmed(byLink)),

		post("/language", anyone, h.languageSwitch, fields("language"), unconfirmed(onlySettings)),
		post("/sign-out", user, h.signOut, unconfirmed(onlyLess)),
		post("/organization", user, h.organizationSwitch, fields("organization"), unconfirmed(onlySettings)),
		get("/kept-form", user, h.keptFormShow),
		post("/confirm", own, h.confirmOnly, unconfirmed("it is the confirmation")),
		get("/profile", own, showing(h.profileView, web.ProfilePage)),
		post(
			"/profile/password",
			own,
			h.passwordChange,
			fields("current_password", "new_password"),
			keepsForm,
			unconfirmed("it asks for the present password itself"),
		),
		post(
			"/profile/mail",
			own,
			h.mailChange,
			fields(mailFields()...),
			keepsForm,
			unconfirmed("it only switches off mails that do not concern security"),
		),
		post("/profile/language", own, h.languageChange, fields("language"), keepsForm, unconfirmed(onlySettings)),
		post("/profile/sessions/end-others", own, h.sessionsEndOthers, keepsForm, unconfirmed(onlyLess)),
		post("/profile/sessions/:id/end", own, h.sessionEnd, keepsForm, unconfirmed(onlyLess)),
		get("/profile/second-factor", own, h.factorForm, confirmed, showsSecret),
		post("/profile/second-factor", own, h.factorConfirm, fields("setup", "code"), confirmed, showsSecret, keepsForm),
		get("/profile/second-factor/remove", own, h.factorRemoveForm, confirmed),
		post("/profile/second-factor/remove", own, h.factorRemove, confirmed, keepsForm),
		get("/profile/second-factor/recovery-codes", own, h.recoveryCodesForm, confirmed),
		post("/profile/second-factor/recovery-codes", own, h.recoveryCodesCreate, confirmed, showsSecret, keepsForm),
		post(
			"/profile/second-factor/recovery-codes/file",
			own,
			h.recoveryCodesFile,
			fields("codes"),
			showsSecret,
			unconfirmed(onlyReads),
		),

		get("/llms.txt", anyone, func(r *request) error { return r.send(fiber.MIMETextPlain, web.DocsIndex()) }),

		get("/", member, h.overview, expiring),
		get("/companies", member, h.companyList),
		get("/companies/export", member, h.companyExport),
		get("/companies/:cvr", member, h.companyShow),
		get("/companies/:cvr/export", member, h.companyTransactionExport),
		get("/transactions", member, h.transactionList),
		get("/transactions/export", member, h.transactionExport),
		get("/days", member, h.dayList),
		get("/days/export", member, h.dayExport),
		get("/deliveries", member, h.deliveryList),
		get("/search", member, h.search),
		get("/deliveries/export", member, h.deliveryExport),
		get("/deliveries/:id", member, h.deliveryShow),
		get("/deliveries/:id/export", member, h.deliveryRecordExport),
		get("/settings", member, h.settings),
		get("/settings/audit-log", member, h.auditLog),
		get("/settings/audit-log/export", member, h.auditExport),

		get("/settings/api-keys", member, h.keyList, expiring),
		get("/settings/api-keys/new", manager, h.keyNew, confirmed),
		post(
			"/settings/api-keys/new",
			manager,
			h.keyCreate,
			fields("nonce", "name", "expires", "expires_on"),
			confirmed,
			showsSecret,
			keepsForm,
		),
		get("/settings/api-keys/:id", member, h.keyShow),
		get("/settings/api-keys/:id/requests", member, h.keyRequests),
		post("/settings/api-keys/:id", manager, h.keyDescribe, fields("name", "note"), keepsForm, unconfirmed(onlySettings)),
		post("/settings/api-keys/:id/expire", manager, h.keyExpire, fields("expires_on"), ifInUse, keepsForm),
		get("/settings/api-keys/:id/pause", manager, showing(h.keyStopView, web.KeyPausePage)),
		post("/settings/api-keys/:id/pause", manager, h.keyPause, fields("rotating"), ifInUse, keepsForm),
		post("/settings/api-keys/:id/resume", manager, h.keyResume, fields("rotating"), confirmed, keepsForm),
		post(
			"/settings/api-keys/:id/schedule",
			manager,
			h.keySchedule,
			fields("rotating", "when", "idle_days", "revoke_on"),
			ifInUse,
			ifScheduled,
			keepsForm,
		),
		post("/settings/api-keys/:id/unschedule", manager, h.keyUnschedule, confirmed, keepsForm),
		get("/settings/api-keys/:id/revoke", member, showing(h.keyStopView, web.KeyRevokePage)),
		post("/settings/api-keys/:id/revoke", manager, h.keyRevoke, ifInUse, keepsForm),
		get("/settings/api-keys/:id/rotate", member, showing(h.rotationView, web.RotationPage)),
		post(
			"/settings/api-keys/:id/rotate",
			manager,
			h.rotationCreate,
			fields("nonce", "name", "expires", "expires_on"),
			confirmed,
			showsSecret,
			keepsForm,
		),
		get("/settings/api-keys/:id/rotate/status", member, showing(h.rotationView, web.RotationSteps)),
		post(
			"/settings/api-keys/:id/rotate/recreate",
			manager,
			h.rotationRecreate,
			fields("nonce"),
			confirmed,
			showsSecret,
			keepsForm,
		),
		post(
			"/settings/api-keys/:id/rotate/caller",
			manager,
			h.rotationCaller,
			fields("action", "address", "client"),
			keepsForm,
			unconfirmed(onlySettings),
		),
		post("/settings/api-keys/:id/rotate/revoke", manager, h.rotationRevoke, fields("confirm"), ifInUse, keepsForm),

		get("/settings/organization", member, h.organizationShow),
		post(
			"/settings/organization",
			manager,
			h.organizationChange,
			fields("name", "time_zone", "expected_by", "notification_address"),
			confirmed,
			keepsForm,
		),
		get("/settings/members", member, showing(h.membersView, web.MembersPage)),
		post("/settings/members/invite", manager, h.memberInvite, fields("email", "role"), confirmed, showsSecret, keepsForm),
		post("/settings/members/invitations/:id/revoke", manager, h.invitationRevoke, keepsForm, unconfirmed(onlyLess)),
		post("/settings/members/second-factor", manager, h.factorRequire, fields("required"), confirmed, keepsForm),
		post("/settings/members/:id/role", manager, h.memberRole, fields("role"), confirmed, keepsForm),
		// Members may remove themselves.
		get("/settings/members/:id/remove", member, h.memberRemoveForm),
		post("/settings/members/:id/remove", member, h.memberRemove, confirmed, keepsForm),
	}
	routes = append(
		routes,
		get("/docs/search", anyone, h.docSearch),
		get("/docs.md", anyone, h.docMarkdown(web.Docs()[0])),
		get("/docs/start", anyone, func(r *request) error { return r.redirect("/docs") }),
	)
	for _, doc := range web.Docs() {
		routes = append(routes, get(doc.Path, anyone, h.doc(doc)), get(doc.MarkdownPath(), anyone, h.docMarkdown(doc)))
	}
	for name, archive := range h.Clients {
		routes = append(routes, get("/docs/clients/"+name, anyone, func(r *request) error {
			r.c.Set(fiber.HeaderContentType, "application/gzip")
			return r.c.Send(archive)
		}))
	}
	return append(routes, pagesOfForms(routes)...)
}

// Routes registers all pages of the dashboard, and the answer to other paths.
func Routes(app fiber.Router, config Config) {
	config.Timeout = cmp.Or(config.Timeout, 4*time.Second)
	h := &handler{
		config,
		fairqueue.New(userLimits),
		fairqueue.New(organizationLimits),
		fairqueue.New(userDownloads),
		fairqueue.New(organizationDownloads),
	}
	app.Use(h.observe, recoverer.New(recoverer.Config{EnableStackTrace: true, StackTraceHandler: keepStack}))
	for _, file := range web.Assets() {
		app.Get(file.Path, asset(file))
	}
	for _, route := range h.routes() {
		if route.method == fiber.MethodGet {
			app.Get(route.path, h.serve(route)) // and HEAD
		} else {
			app.Add(route.method, route.path, h.serve(route))
		}
	}
	app.Use(h.serve(get("", anyone, h.unknown)))
}
