package accounts

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/secrets"
	"dispo/models/tasks"
)

const (
	// mailedLinkLife is short, because a later reader of somebody's mail must not take
	// the account by it.
	mailedLinkLife = 2 * time.Hour

	// unlockLife is how long a mailed link lets somebody sign in after too many attempts,
	// and then how long the browser that opened it may try.
	unlockLife = 15 * time.Minute

	mailedLinksMost = 3 // to set a password, that an account has at once

	forgottenEvery   = time.Second
	forgottenBatch   = 20
	forgottenTimeout = 10 * time.Second
)

// passwordRequest is a request for a link by mail, as it was typed.
type passwordRequest struct {
	ID        uuid.UUID
	Kind      mail.Kind // mail.Password or mail.Unlock
	Email     string
	Address   string    // from where it was asked
	CreatedAt time.Time `gorm:"default:clock_timestamp()"`
}

// LinkRequest notes that somebody asks for a link by mail: with mail.Password to set a new
// password, with mail.Unlock to sign in after too many attempts. SendPasswordLinks answers it.
// It does not look for the account, so nothing that the caller sees depends on whether there
// is one. Errors: KindInvalid for a text that is no e-mail address, KindLimited.
func (a *Accounts) LinkRequest(ctx context.Context, kind mail.Kind, email, address string) error {
	email, err := models.ReadEmail(email)
	if err != nil {
		return models.NewError(models.KindInvalid, "Type an e-mail address, such as kari@example.com.")
	}
	if err := count(a.db(ctx), forgottenLimits(kind, email, address)); err != nil {
		return err
	}
	return models.Wrap(
		a.db(ctx).
			Create(&passwordRequest{ID: database.NewID(), Kind: kind, Email: email, Address: address}).Error,
	)
}

// SendPasswordLinks writes mails with links to those who asked for them, until ctx ends.
func (a *Accounts) SendPasswordLinks(ctx context.Context, log *slog.Logger) {
	tasks.Every(ctx, forgottenEvery, log, "cannot answer the requests for new passwords: trying again soon",
		a.AnswerPasswordRequests)
}

// AnswerPasswordRequests answers the requests that wait, each once: an account that can
// sign in gets a mail, unless it has got three to set a password in the last two hours. Others
// get nothing.
func (a *Accounts) AnswerPasswordRequests(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, forgottenTimeout)
	defer cancel()
	requests, err := models.Find[passwordRequest](a.db(ctx).Order("created_at").Limit(forgottenBatch))
	if err != nil {
		return err
	}
	for _, request := range requests {
		if err := a.answerPasswordRequest(ctx, request); err != nil {
			return err
		}
	}
	return nil
}

func (a *Accounts) answerPasswordRequest(ctx context.Context, request passwordRequest) error {
	user, err := a.userByEmail(ctx, request.Email)
	if err != nil {
		return err
	}
	life, action := mailedLinkLife, models.ActionPasswordForgotten
	if request.Kind == mail.Unlock {
		life, action = unlockLife, models.ActionUnlockRequested
	}
	var memberships []Membership
	if user != nil && user.DisabledAt == nil && time.Since(request.CreatedAt) < life {
		if memberships, err = a.memberships(ctx, user.ID); err != nil {
			return err
		}
	}
	if len(memberships) == 0 {
		_, err := takeRequest(a.db(ctx), request)
		return err
	}
	// The mail belongs to no organization more than another. The first one keeps it.
	tenant := a.store.Tenant(memberships[0].OrganizationID).As(user.actor(request.Address))
	return tenant.Write(ctx, func(tx *gorm.DB) error {
		if taken, err := takeRequest(tx, request); err != nil || !taken {
			return err
		}
		message := mail.Mail{
			OrganizationID: tenant.OrganizationID(),
			ID:             database.NewID(),
			Kind:           request.Kind,
			Recipient:      user.Email,
			UserID:         &user.ID,
		}
		now, err := database.Now(tx)
		if err != nil {
			return err
		}
		link := passwordLink{
			TokenHash: secrets.TokenHash(mail.Token(a.secret, message.ID)),
			Kind:      request.Kind,
			UserID:    user.ID,
			ExpiresAt: now.Add(life),
		}
		var links int64 // to set a password; requests for others are limited for as long as their links work
		err = tx.Model(&passwordLink{}).
			Where("user_id = ? AND kind = ? AND expires_at > now() AND expires_at <= ?", user.ID, mail.Password, link.ExpiresAt).
			Count(&links).Error
		if err != nil || request.Kind == mail.Password && links >= mailedLinksMost {
			return err
		}
		if err := tx.Create(&link).Error; err != nil {
			return err
		}
		details := mail.Details{"expires_at": mail.Time(link.ExpiresAt), "address": request.Address}
		if err := mail.WriteOne(tx, message, details); err != nil {
			return err
		}
		return noteEverywhere(tx, user.ID, user.actor(request.Address), action, user.Email)
	})
}

// takeRequest deletes a request. It reports false if another instance has.
func takeRequest(tx *gorm.DB, request passwordRequest) (bool, error) {
	taken := tx.Where("id = ?", request.ID).Delete(&passwordRequest{})
	return taken.RowsAffected > 0, models.Wrap(taken.Error)
}

// UnwantedMail returns the topics of which a user does not want mails.
func (a *Accounts) UnwantedMail(ctx context.Context, userID uuid.UUID) ([]mail.Topic, error) {
	var topics []mail.Topic
	err := a.db(ctx).Raw(`SELECT unnest(unwanted_mail) FROM users WHERE id = ?`, userID).Scan(&topics).Error
	return topics, models.Wrap(err)
}

// UnwantedMailSet sets the topics of which a user does not want mails. Errors: KindInvalid
// for a topic that does not exist.
func (a *Accounts) UnwantedMailSet(ctx context.Context, userID uuid.UUID, topics []mail.Topic) error {
	names := make([]string, len(topics))
	for i, topic := range topics {
		if !topic.Known() {
			return models.NewError(models.KindInvalid, fmt.Sprintf("%q is not a topic of mails", topic))
		}
		names[i] = string(topic)
	}
	return models.Wrap(
		a.db(ctx).
			Exec(`UPDATE users SET unwanted_mail = string_to_array(?, ',') WHERE id = ?`, strings.Join(names, ","), userID).
			Error,
	)
}
