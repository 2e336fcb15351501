package accounts

import (
	"context"

	"dispo/models"
	"dispo/models/i18n"
)

// LanguageChange sets the language of the user's pages and e-mails; empty means the
// browser's. Errors: KindInvalid for a language that is not offered.
func (a *Accounts) LanguageChange(ctx context.Context, session Session, language i18n.Language) error {
	if language != "" && !language.IsOffered() {
		return models.NewError(models.KindInvalid, "Choose one of the languages.")
	}
	return models.Wrap(a.db(ctx).Model(&User{}).Where("id = ?", session.UserID).Update("language", language).Error)
}

// LanguageSeen notes the language that the user's browser prefers, in which mails are
// written unless the user has chosen one.
func (a *Accounts) LanguageSeen(ctx context.Context, session Session, language i18n.Language) error {
	return models.Wrap(a.db(ctx).Model(&User{}).Where("id = ?", session.UserID).Update("browser_language", language).Error)
}
