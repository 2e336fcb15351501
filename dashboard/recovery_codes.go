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
func (h *handler) recoveryCodesFile(v *visit) error {
	codes := v.FormValue("codes")
	if !recoveryCodesText.MatchString(codes) {
		return models.NewError(models.KindInvalid, "These are not recovery codes. Create new ones on your profile page.")
	}
	v.Set(fiber.HeaderCacheControl, "no-store")
	v.Set(fiber.HeaderContentDisposition, `attachment; filename="dispo-recovery-codes.txt"`)
	v.Type("txt", "utf-8")
	return v.SendString(strings.Join([]string{
		v.frame.T("Recovery codes for Dispo"),
		v.frame.T("Account: {email}", "email", v.session.Email),
		v.frame.T("Downloaded: {day}", "day", v.frame.Date(v.frame.Now.UTC())),
		"",
		v.frame.T("If you lose your authenticator app, sign in with one of these codes. Each works once."),
		"",
		strings.ReplaceAll(codes, " ", "\n"),
		"",
	}, "\n"))
}
