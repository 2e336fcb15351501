// Package dashboard serves the pages for browsers: signing in, API keys and their
// rotation, companies, members and the audit log. It contains the handlers. Package
// web contains the pages.
package dashboard

import (
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/compress"
	recoverer "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/google/uuid"

	"dispo/dashboard/export"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/web"
)

// Config configures the dashboard.
type Config struct {
	Store     *models.Store
	Accounts  *accounts.Accounts
	PublicURL *url.URL                  // how browsers reach it; with https, cookies are secure
	Mail      bool                      // mails are sent
	Support   string                    // where people who write clients get help; may be empty
	Address   func(c *fiber.Ctx) string // returns the client's address
	Limits    Limits
	Exports   *export.Maker // makes the files to download
	Log       *slog.Logger
}

// Limits describes the API's rate limits for the pages that show them.
type Limits struct {
	Minute, Hour int64
	PerKey       bool // requests are counted by key instead of by organization
	// Use returns how much an organization or key has used of both limits.
	Use func(id uuid.UUID) (minute, hour web.Use)
}

// requestDeadline limits the time for one request.
const requestDeadline = 4 * time.Second

type handler struct {
	Config
	users, organizations, exporting *crowd
}

// showsSecret reports whether the answer may show a secret beside what was typed. Its
// length would give it away if it was compressed (BREACH). Downloads are not compressed
// either, because they are sent while they are made.
func showsSecret(c *fiber.Ctx) bool {
	path := c.Path()
	return c.Method() != fiber.MethodGet || strings.HasPrefix(path, "/password/") || strings.HasPrefix(path, "/invitations/") ||
		strings.HasPrefix(path, "/profile/second-factor") || strings.HasSuffix(path, "/export")
}

// Routes registers all pages of the dashboard, and the answer to other paths.
func Routes(app fiber.Router, config Config) {
	h := &handler{config, newCrowd(userTurns), newCrowd(organizationTurns), newCrowd(exportTurns)}
	app.Use(h.observe, compress.New(compress.Config{Level: compress.LevelBestSpeed, Next: showsSecret}), recoverer.New(recoverer.Config{EnableStackTrace: true, StackTraceHandler: keepStack}))

	// Anyone.
	for _, file := range append(web.Assets(), web.ReferenceAssets()...) {
		app.Get(file.Path, asset(file))
	}
	for _, page := range web.Docs() {
		app.Get(page.Path, h.anyone(h.doc(page)))
	}
	app.Get("/sign-in", h.anyone(h.signInForm))
	app.Post("/sign-in", h.anyone(h.signIn))
	app.Get("/sign-in/second-factor", h.anyone(h.secondFactorForm))
	app.Post("/sign-in/second-factor", h.anyone(h.secondFactor))
	app.Get("/password/forgotten", h.anyone(h.forgottenForm))
	app.Post("/password/forgotten", h.anyone(h.forgotten))
	app.Get("/password/:token", h.anyone(h.passwordForm))
	app.Post("/password/:token", h.anyone(h.passwordSet))
	app.Get("/invitations/:token", h.anyone(h.invitationForm))
	app.Post("/invitations/:token", h.anyone(h.invitationAccept))

	// Signed-in users.
	app.Post("/sign-out", h.user(h.signOut))
	app.Post("/organization", h.user(h.organizationSwitch))
	app.Get("/unsent", h.user(h.unsentShow))
	app.Post("/confirm", h.own(h.confirmOnly))
	app.Get("/profile", h.own(h.profile))
	app.Post("/profile/password", h.own(h.passwordChange))
	app.Post("/profile/mail", h.own(h.mailChange))
	app.Post("/profile/language", h.own(h.languageChange))
	app.Post("/profile/sessions/end-others", h.own(h.sessionsEndOthers))
	app.Post("/profile/sessions/:id/end", h.own(h.sessionEnd))
	app.Get("/profile/second-factor", h.own(h.confirmed(h.factorForm)))
	app.Post("/profile/second-factor", h.own(h.confirmed(h.factorConfirm)))
	app.Get("/profile/second-factor/remove", h.own(h.confirmed(h.factorRemoveForm)))
	app.Post("/profile/second-factor/remove", h.own(h.confirmed(h.factorRemove)))
	app.Get("/profile/second-factor/recovery-codes", h.own(h.confirmed(h.recoveryCodesForm)))
	app.Post("/profile/second-factor/recovery-codes", h.own(h.confirmed(h.recoveryCodesCreate)))
	app.Post("/profile/second-factor/recovery-codes/file", h.own(h.recoveryCodesFile))

	// Members of an organization.
	app.Get("/", h.member(h.warned(h.overview)))
	app.Get("/companies", h.member(h.companyList))
	app.Get("/companies/export", h.member(h.companyExport)) // before :cvr
	app.Get("/companies/:cvr", h.member(h.companyShow))
	app.Get("/companies/:cvr/export", h.member(h.companyTransactionExport))
	app.Get("/transactions", h.member(h.transactionList))
	app.Get("/transactions/export", h.member(h.transactionExport))
	app.Get("/deliveries", h.member(h.deliveryList))
	app.Get("/deliveries/export", h.member(h.deliveryExport)) // before :id
	app.Get("/deliveries/:id", h.member(h.deliveryShow))
	app.Get("/deliveries/:id/export", h.member(h.deliveryRecordExport))
	app.Get("/settings", h.member(h.settings))
	app.Get("/settings/api-keys", h.member(h.warned(h.keyList)))
	app.Get("/settings/members", h.member(h.memberList))
	app.Get("/settings/audit-log", h.member(h.auditLog))
	app.Get("/settings/organization", h.member(h.organizationShow))
	app.Post("/settings/audit-log/export", h.member(h.auditExport))

	// Owners and admins.
	app.Get("/settings/api-keys/new", h.manager(h.confirmed(h.keyNew)))
	app.Post("/settings/api-keys/new", h.manager(h.confirmed(h.keyCreate)))
	app.Get("/settings/api-keys/:id", h.member(h.keyShow)) // after new
	app.Get("/settings/api-keys/:id/pause", h.manager(h.keyStopForm(web.KeyPausePage)))
	app.Get("/settings/api-keys/:id/revoke", h.manager(h.keyStopForm(web.KeyRevokePage)))
	app.Post("/settings/api-keys/:id/revoke", h.manager(h.keyRevoke))
	app.Get("/settings/api-keys/:id/rotate", h.manager(h.rotation))
	app.Post("/settings/api-keys/:id/rotate", h.manager(h.rotate))
	app.Get("/settings/api-keys/:id/rotate/status", h.manager(h.rotationStatus))
	app.Post("/settings/api-keys/:id", h.manager(h.keyDescribe))
	app.Post("/settings/api-keys/:id/expire", h.manager(h.keyExpire))
	app.Post("/settings/api-keys/:id/pause", h.manager(h.keyPause))
	app.Post("/settings/api-keys/:id/resume", h.manager(h.keyResume))
	app.Post("/settings/api-keys/:id/schedule", h.manager(h.keySchedule))
	app.Post("/settings/api-keys/:id/unschedule", h.manager(h.keyUnschedule))
	app.Post("/settings/organization", h.manager(h.confirmed(h.organizationChange)))
	app.Post("/settings/members/invite", h.manager(h.memberInvite))
	app.Post("/settings/members/invitations/:id/revoke", h.manager(h.invitationRevoke))
	app.Post("/settings/members/:id/role", h.manager(h.confirmed(h.memberRole)))
	app.Post("/settings/members/second-factor", h.manager(h.confirmed(h.factorRequire)))
	// Members may remove themselves.
	app.Get("/settings/members/:id/remove", h.member(h.memberRemoveForm))
	app.Post("/settings/members/:id/remove", h.member(h.memberRemove))

	app.Use(h.anyone(func(*request) error {
		return models.NewError(models.KindNotFound, "")
	}))
}
