package models

import (
	"context"
	"fmt"
	"net/netip"
	"time"
)

// Guessing is slowed by account and by address: so many failures within the
// window, and further attempts wait until it has passed.
const (
	failuresWindow     = 15 * time.Minute
	failuresPerAccount = 10
	failuresPerAddress = 50
)

// guess is an attempt to prove something by a secret that could be guessed.
type guess struct {
	account string // what is guessed at, and whose
	address string // from where; empty: not limited by it
}

// reserve counts the attempt as a failure before it is looked at, so that
// attempts made at once are not all looked at, and refuses it where there were
// too many. Errors: KindLimited.
func (s *Store) reserve(ctx context.Context, guess guess) error {
	if guess.address != "" {
		if err := s.reserveFor(ctx, "address "+network(guess.address), failuresPerAddress); err != nil {
			return err
		}
	}
	return s.reserveFor(ctx, guess.account, failuresPerAccount)
}

func (s *Store) reserveFor(ctx context.Context, subject string, most int) error {
	var count int
	var left float64
	err := s.pool.QueryRow(ctx, `INSERT INTO sign_in_failures AS f VALUES ($1, 1, now() + make_interval(secs => $2))
		ON CONFLICT (subject) DO UPDATE SET
			count = CASE WHEN f.expires_at > now() THEN f.count + 1 ELSE 1 END,
			expires_at = CASE WHEN f.expires_at > now() THEN f.expires_at ELSE excluded.expires_at END
		RETURNING count, extract(epoch FROM expires_at - now())::float8`, subject, failuresWindow.Seconds()).Scan(&count, &left)
	if err != nil {
		return wrap(err)
	}
	if count > most {
		return NewError(KindLimited, fmt.Sprintf("There were too many attempts. Wait %d minutes, then try again.", int(left/60)+1))
	}
	return nil
}

// release takes the count of an attempt that was right back, forgets the
// account's failures, and what has ended of anybody's.
func (s *Store) release(ctx context.Context, guess guess) error {
	_, err := s.pool.Exec(ctx, `WITH forgotten AS (DELETE FROM sign_in_failures WHERE subject = $1 OR expires_at < now())
		UPDATE sign_in_failures SET count = count - 1 WHERE subject = $2 AND expires_at >= now()`, guess.account, "address "+network(guess.address))
	return wrap(err)
}

// network is the address that failures are counted by: of IPv6 its first 64 bits,
// since the rest is the host's to choose (RFC 4291 section 2.5.1).
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
