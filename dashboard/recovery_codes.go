package dashboard

import (
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
)

// recoveryCodesText is what the page with new recovery codes sends.
var recoveryCodesText = regexp.MustCompile(`^[a-z2-7]{5}-[a-z2-7]{5}( [a-z2-7]{5}-[a-z2-7]{5}){0,19}$`)

// recoveryCodesFile answers with the codes that a page has just shown, as a text file.
// Only their hashes are stored, so the page sends them.
func (h *handler) recoveryCodesFile(r *request) error {
	codes := r.field("codes")
	if !recoveryCodesText.MatchString(codes) {
		return models.NewError(models.KindInvalid, "These are not recovery codes. Create new ones on your profile page.")
	}
	r.c.Set(fiber.HeaderCacheControl, "no-store")
	r.c.Set(fiber.HeaderContentDisposition, `attachment; filename="dispo-recovery-codes.txt"`)
	r.c.Type("txt", "utf-8")
	return r.c.SendString(strings.Join([]string{
		r.frame.T("Recovery codes for Dispo"),
		r.frame.T("Account: {email}", "email", r.session.Email),
		r.frame.T("Downloaded: {day}", "day", r.frame.Date(r.frame.Now.UTC())),
		"",
		r.frame.T("If you lose your authenticator app, sign in with one of these codes. Each works once."),
		"",
		strings.ReplaceAll(codes, " ", "\n"),
		"",
	}, "\n"))
}
