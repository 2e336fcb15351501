package dashboard

import (
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"

	"dispo/dashboard/site"
	"dispo/models"
)

// recoveryCodesText is what the page with new recovery codes sends.
var recoveryCodesText = regexp.MustCompile(`^[a-z2-7]{5}-[a-z2-7]{5}( [a-z2-7]{5}-[a-z2-7]{5}){0,19}$`)

// recoveryCodesFile answers with the codes that a page has just shown, as a text file.
// Only their hashes are stored, so the page sends them.
func recoveryCodesFile(r *site.Request) error {
	codes := r.Field("codes")
	if !recoveryCodesText.MatchString(codes) {
		return models.NewError(models.KindInvalid, "These are not recovery codes. Create new ones on your profile page.")
	}
	r.Ctx.Set(fiber.HeaderCacheControl, "no-store")
	r.Ctx.Set(fiber.HeaderContentDisposition, `attachment; filename="dispo-recovery-codes.txt"`)
	r.Ctx.Type("txt", "utf-8")
	return r.Ctx.SendString(strings.Join([]string{
		r.T("Recovery codes for Dispo"),
		r.T("Account: {email}", "email", r.Session.Email),
		r.T("Downloaded: {day}", "day", r.Date(r.Now.UTC())),
		"",
		r.T("If you lose your authenticator app, sign in with one of these codes. Each works once."),
		"",
		strings.ReplaceAll(codes, " ", "\n"),
		"",
	}, "\n"))
}
