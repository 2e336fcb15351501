package models

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"
	"gorm.io/gorm"
)

const (
	totpPeriod        = 30 // seconds
	totpDigits        = 6
	totpSkew          = 1 // steps that a clock may be off, either way
	recoveryCodeCount = 10
	setupLife         = 15 * time.Minute
)

// SecondFactorSetup is a new TOTP secret that is not in use yet (RFC 6238).
type SecondFactorSetup struct {
	URL    string // otpauth://…, for a QR code
	Secret string // base32, to type by hand
	Ticket string // to bring back with a first code, within 15 minutes
}

// SecondFactorStart makes a secret for the user to take into their app.
func (s *Store) SecondFactorStart(user Session) (SecondFactorSetup, error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: "Dispo", AccountName: user.Email, Period: totpPeriod})
	if err != nil {
		return SecondFactorSetup{}, err
	}
	return s.setupOf(key, user), nil
}

func (s *Store) setupOf(key *otp.Key, user Session) SecondFactorSetup {
	return SecondFactorSetup{URL: key.URL(), Secret: key.Secret(), Ticket: s.ticket("setup", user.UserID.String()+" "+key.Secret(), setupLife)}
}

// SecondFactorAgain gives the setup that a ticket was made for, to show it once
// more after a wrong code. Errors: KindInvalid for a ticket that has ended.
func (s *Store) SecondFactorAgain(user Session, ticket string) (SecondFactorSetup, error) {
	secret, err := s.setupSecret(user.UserID, ticket)
	if err != nil {
		return SecondFactorSetup{}, err
	}
	link := fmt.Sprintf("otpauth://totp/Dispo:%s?algorithm=SHA1&digits=6&issuer=Dispo&period=%d&secret=%s", url.PathEscape(user.Email), totpPeriod, secret)
	return SecondFactorSetup{URL: link, Secret: secret, Ticket: ticket}, nil
}

func (s *Store) setupSecret(userID uuid.UUID, ticket string) (string, error) {
	text, err := s.openTicket("setup", ticket)
	id, secret, _ := strings.Cut(text, " ")
	if err != nil || id != userID.String() {
		return "", NewError(KindInvalid, "Setting up took too long: start again.")
	}
	return secret, nil
}

// SecondFactorConfirm turns the second factor on, by a first code that proves
// that the app has the secret, and gives the recovery codes: the one time that
// they can be had. Errors: KindInvalid.
func (s *Store) SecondFactorConfirm(ctx context.Context, user Session, actor Actor, ticket, code string) (codes []string, err error) {
	secret, err := s.setupSecret(user.UserID, ticket)
	if err != nil {
		return nil, err
	}
	step, right := codeStep(secret, code, 0)
	if !right {
		return nil, NewError(KindInvalid, "That code is not right: see that your phone's clock is, and type the newest code.")
	}
	tenant := s.Tenant(user.OrganizationID).As(actor)
	err = tenant.change(ctx, func(tx *gorm.DB) error {
		if err := tx.Exec(`UPDATE users SET totp_secret = ?, totp_step = ?, updated_at = now() WHERE id = ?`,
			s.encrypt("totp", []byte(secret)), step, user.UserID).Error; err != nil {
			return err
		}
		if codes, err = s.newRecoveryCodes(tx, user.UserID); err != nil {
			return err
		}
		return tenant.note(tx, ActionFactorOn, "")
	})
	return codes, err
}

// SecondFactorRemove turns it off; the user has to give the password again.
// Errors: ErrPasswordWrong, KindLimited.
func (s *Store) SecondFactorRemove(ctx context.Context, user Session, actor Actor, password string) error {
	if err := s.ownPassword(ctx, user.UserID, password); err != nil {
		return err
	}
	tenant := s.Tenant(user.OrganizationID).As(actor)
	return tenant.change(ctx, func(tx *gorm.DB) error {
		if err := tx.Exec(`UPDATE users SET totp_secret = NULL, updated_at = now() WHERE id = ?`, user.UserID).Error; err != nil {
			return err
		}
		if err := tx.Exec(`DELETE FROM recovery_codes WHERE user_id = ?`, user.UserID).Error; err != nil {
			return err
		}
		return tenant.note(tx, ActionFactorOff, "")
	})
}

// RecoveryCodesLeft counts the user's recovery codes that are unused.
func (s *Store) RecoveryCodesLeft(ctx context.Context, userID uuid.UUID) (int, error) {
	var left int
	err := s.db.WithContext(ctx).Raw(`SELECT count(*) FROM recovery_codes WHERE user_id = ?`, userID).Scan(&left).Error
	return left, wrap(err)
}

// RecoveryCodesCreate makes the codes anew, and voids the former ones; the user
// has to give the password again. Errors: ErrPasswordWrong, KindLimited.
func (s *Store) RecoveryCodesCreate(ctx context.Context, user Session, actor Actor, password string) (codes []string, err error) {
	if err := s.ownPassword(ctx, user.UserID, password); err != nil {
		return nil, err
	}
	tenant := s.Tenant(user.OrganizationID).As(actor)
	err = tenant.change(ctx, func(tx *gorm.DB) error {
		if codes, err = s.newRecoveryCodes(tx, user.UserID); err != nil {
			return err
		}
		return tenant.note(tx, ActionRecoveryCreated, "")
	})
	return codes, err
}

// newRecoveryCodes stores new codes, by their hashes, in the place of others.
func (s *Store) newRecoveryCodes(tx *gorm.DB, userID uuid.UUID) ([]string, error) {
	if err := tx.Exec(`DELETE FROM recovery_codes WHERE user_id = ?`, userID).Error; err != nil {
		return nil, err
	}
	codes := make([]string, recoveryCodeCount)
	for i := range codes {
		codes[i] = recoveryCode()
		if err := tx.Exec(`INSERT INTO recovery_codes VALUES (?, ?)`, userID, s.codeHash(codes[i])).Error; err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// codeFits takes a code once: its time step must be later than the last one's,
// and a recovery code is used up.
func (s *Store) codeFits(ctx context.Context, user User, address, code string) (bool, error) {
	if code = plainCode(code); len(code) != totpDigits {
		return s.recoveryCodeFits(ctx, user, address, code)
	}
	secret, err := s.decrypt("totp", user.TOTPSecret)
	if err != nil {
		return false, NewError(KindInvalid, "Your second factor can't be checked any more: sign in by a recovery code, and set it up anew.")
	}
	step, right := codeStep(string(secret), code, user.TOTPStep)
	if !right {
		return false, nil
	}
	taken := s.db.WithContext(ctx).Exec(`UPDATE users SET totp_step = ? WHERE id = ? AND totp_step < ?`, step, user.ID, step)
	return taken.RowsAffected == 1, wrap(taken.Error)
}

func (s *Store) recoveryCodeFits(ctx context.Context, user User, address, code string) (bool, error) {
	used := s.db.WithContext(ctx).Exec(`DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?`, user.ID, s.codeHash(code))
	if used.Error != nil || used.RowsAffected == 0 {
		return false, wrap(used.Error)
	}
	return true, s.noteEverywhere(ctx, user.ID, Actor{UserID: &user.ID, Email: user.Email, Address: address}, ActionRecoveryUsed, "")
}

// codeHash is how a recovery code is stored: it is short, so its hash is of no use
// without the server's secret.
func (s *Store) codeHash(code string) []byte { return mac(s.derive("recovery"), plainCode(code)) }

// codeStep finds the time step after the last one that a code is for.
func codeStep(secret, code string, last int64) (step int64, right bool) {
	code = plainCode(code)
	now := time.Now().Unix() / totpPeriod
	for step := now - totpSkew; step <= now+totpSkew; step++ {
		expected, err := totp.GenerateCode(secret, time.Unix(step*totpPeriod, 0))
		if err == nil && expected == code && step > last {
			return step, true
		}
	}
	return 0, false
}

// recoveryCode is 10 random characters, in two groups.
func recoveryCode() string {
	random := make([]byte, 7)
	_, _ = rand.Read(random)
	text := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random))[:10]
	return text[:5] + "-" + text[5:]
}

// plainCode is a code without what people put between its characters.
func plainCode(code string) string {
	return strings.NewReplacer(" ", "", "-", "").Replace(strings.ToLower(strings.TrimSpace(code)))
}
