package people

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"gorm.io/gorm"

	"dispo/models"
)

// Failures are counted by account and by address. After so many within the window,
// further attempts have to wait until it has passed.
const (
	failuresWindow     = 15 * time.Minute
	failuresPerAccount = 10
	failuresPerAddress = 50
)

// attempt is an attempt to prove something by a secret that could be guessed.
type attempt struct {
	account string // what could be guessed, and whose it is
	address string // empty if failures do not count for the address
}

// reserve counts the attempt as a failure before it is checked, so that concurrent
// attempts are not all checked, and refuses it after too many. Errors: KindLimited.
func (p *People) reserve(ctx context.Context, a attempt) error {
	if a.address != "" {
		if err := p.reserveFor(ctx, "address "+network(a.address), failuresPerAddress); err != nil {
			return err
		}
	}
	return p.reserveFor(ctx, a.account, failuresPerAccount)
}

func (p *People) reserveFor(ctx context.Context, subject string, most int) error {
	var failures struct {
		Count int
		Left  float64 // seconds
	}
	err := p.db(ctx).Raw(`INSERT INTO sign_in_failures AS f VALUES (?, 1, now() + make_interval(secs => ?))
		ON CONFLICT (subject) DO UPDATE SET
			count = CASE WHEN f.expires_at > now() THEN f.count + 1 ELSE 1 END,
			expires_at = CASE WHEN f.expires_at > now() THEN f.expires_at ELSE excluded.expires_at END
		RETURNING count, extract(epoch FROM expires_at - now())::float8 AS "left"`, subject, failuresWindow.Seconds()).Scan(&failures).Error
	if err != nil {
		return models.Wrap(err)
	}
	if failures.Count > most {
		return models.NewError(models.KindLimited, fmt.Sprintf("There were too many attempts. Wait %d minutes, then try again.", int(failures.Left/60)+1))
	}
	return nil
}

// failureCount is the number of failures counted for an account or an address.
type failureCount struct {
	Subject   string
	Count     int
	ExpiresAt time.Time
}

// TableName is the counts' table.
func (failureCount) TableName() string { return "sign_in_failures" }

// release takes back the count of an attempt that succeeded. It also deletes the
// account's failures and all expired rows.
func (p *People) release(ctx context.Context, a attempt) error {
	return models.Wrap(p.db(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Where("subject = ? OR expires_at < now()", a.account).Delete(&failureCount{}).Error; err != nil {
			return err
		}
		return tx.Model(&failureCount{}).Where("subject = ?", "address "+network(a.address)).Update("count", gorm.Expr("count - 1")).Error
	}))
}

// network returns the address that failures are counted by. Of IPv6 it is the first
// 64 bits, because the rest is the host's to choose (RFC 4291 section 2.5.1).
func network(address string) string {
	parsed, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	parsed = parsed.Unmap().WithZone("")
	if parsed.Is6() {
		if prefix, err := parsed.Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return parsed.String()
}
