package accounts

import (
	"context"
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/accounts/password"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/secrets"
)

// Failures are counted by account, by network, and by both together. After too many
// within the window, further attempts are refused until it has passed, and are not
// counted. A known device has counts of its own and is subject to none of the others, so
// strangers' guesses keep nobody from signing in where they have signed in before.
//
// Requests for a link by mail are counted by address and by network, whether there is such
// an account or not. Invitations by mail are counted by address and by organization, so
// that nobody is flooded with them.
const (
	failuresWindow     = 15 * time.Minute
	failuresPerOrigin  = 10  // from one device or network for one account or link
	recoveriesMost     = 100 // on one device; a recovery code has 50 bits
	failuresPerAccount = 100 // from all networks
	failuresPerNetwork = 50

	forgottenPerAccount = 3
	forgottenPerNetwork = 20

	invitationsPerAddress      = 5
	invitationsPerOrganization = 50
)

// failureCount is the number of failures counted for a subject.
type failureCount struct {
	Subject   string
	Count     int
	ExpiresAt time.Time
}

// TableName is the counts' table.
func (failureCount) TableName() string { return "sign_in_failures" }

// limit is a subject that failures are counted for, and how many it may have.
type limit struct {
	subject string
	most    int
}

// attempt is an attempt to prove something by a secret that could be guessed.
type attempt struct {
	own     []limit // a success deletes these counts
	network []limit // a success takes one back from these
}

// ofAccount returns a subject that releaseAccount deletes. E-mail addresses have no
// spaces, so no other account's subject begins in the same way.
func ofAccount(email, what string) string { return "account " + email + " " + what }

// signInAttempt is an attempt to guess an account's password. device is empty if it
// comes from a device that the account's user has not signed in on.
func signInAttempt(email, device, address string) attempt {
	if device != "" {
		return attempt{own: []limit{{ofAccount(email, "on "+device), failuresPerOrigin}}}
	}
	return attempt{
		own: append(byNetwork(ofAccount(email, "from"), address, failuresPerOrigin),
			limit{ofAccount(email, "in all"), failuresPerAccount}),
		network: byNetwork("network", address, failuresPerNetwork),
	}
}

// codeAttempt is an attempt to guess a code of the second factor, by somebody who knows
// the password. Wrong codes never keep the user of a known device from a recovery code.
func codeAttempt(email, device, address, code string) attempt {
	switch {
	case device != "" && len(plainCode(code)) != totpDigits:
		return attempt{own: []limit{{ofAccount(email, "recovery code on "+device), recoveriesMost}}}
	case device != "":
		return attempt{own: []limit{{ofAccount(email, "code on "+device), failuresPerOrigin}}}
	}
	return attempt{
		own:     []limit{{ofAccount(email, "code"), failuresPerOrigin}},
		network: byNetwork("network", address, failuresPerNetwork),
	}
}

// confirmAttempt is a signed-in user's attempt to confirm that it is them. what says for whom
// it is counted.
func confirmAttempt(email, what string) attempt {
	return attempt{own: []limit{{ofAccount(email, what), failuresPerOrigin}}}
}

// providedBy counts, in the place of a known device, what is tried where an organization's provider
// let somebody in. The provider may name anybody, so such tries count nowhere else, and all its
// sessions share them.
func providedBy(organizationID uuid.UUID) string { return "provider of " + organizationID.String() }

// linkLimits limits the passwords that one network tries by a link.
func linkLimits(token, address string) []limit {
	return byNetwork(linkSubject(token)+" from", address, failuresPerOrigin)
}

func linkSubject(token string) string {
	return "link " + hex.EncodeToString(secrets.TokenHash(token)[:8])
}

// forgottenLimits limits requests for a link of a kind by mail. Somebody who asks for links
// to set a password keeps nobody from one to sign in.
func forgottenLimits(kind mail.Kind, email, address string) []limit {
	return append(byNetwork("forgotten from", address, forgottenPerNetwork),
		limit{ofAccount(email, "forgotten "+string(kind)), forgottenPerAccount})
}

func invitationLimits(email string, organizationID uuid.UUID) []limit {
	return []limit{
		{"invited " + email, invitationsPerAddress},
		{"invited by " + organizationID.String(), invitationsPerOrganization},
	}
}

// reserve counts the attempt as a failure before it is checked, so that concurrent
// attempts are not all checked, and refuses it after too many. Errors: KindLimited.
func (a *Accounts) reserve(ctx context.Context, try attempt) error {
	return count(a.db(ctx), slices.Concat(try.own, try.network))
}

// count counts an attempt for each subject, or, after too many for one of them, for
// none. Errors: KindLimited.
func count(db *gorm.DB, limits []limit) error {
	// One order for all, so that concurrent attempts do not deadlock.
	slices.SortFunc(limits, func(a, b limit) int { return strings.Compare(a.subject, b.subject) })
	var counts []failureCount
	if err := db.Where("subject IN ? AND expires_at > now()", subjects(limits)).Find(&counts).Error; err != nil {
		return models.Wrap(err)
	}
	if err := exceeded(counts, limits, 1); err != nil {
		return err
	}
	now, err := database.Now(db)
	if err != nil {
		return models.Wrap(err)
	}
	counts = make([]failureCount, len(limits))
	for i, l := range limits {
		counts[i] = failureCount{l.subject, 1, now.Add(failuresWindow)}
	}
	return models.Wrap(db.Transaction(func(tx *gorm.DB) error {
		err := tx.Clauses(clause.Returning{}, clause.OnConflict{
			Columns: []clause.Column{{Name: "subject"}},
			DoUpdates: clause.Assignments(map[string]any{
				"count": gorm.Expr("CASE WHEN sign_in_failures.expires_at > now() THEN sign_in_failures.count + 1 ELSE 1 END"),
				"expires_at": gorm.Expr(
					"CASE WHEN sign_in_failures.expires_at > now() THEN sign_in_failures.expires_at ELSE excluded.expires_at END"),
			}),
		}).Create(&counts).Error
		if err != nil {
			return err
		}
		return exceeded(counts, limits, 0) // others may have been counted meanwhile
	}))
}

// exceeded returns an error if that many more would exceed a limit.
func exceeded(counts []failureCount, limits []limit, more int) error {
	for _, c := range counts {
		l := slices.IndexFunc(limits, func(l limit) bool { return l.subject == c.Subject })
		if c.Count+more > limits[l].most {
			if n := int(time.Until(c.ExpiresAt).Minutes()) + 1; n > 1 {
				return models.NewError(models.KindLimited, "Too many attempts. Try again in {n} minutes.", "n", n)
			}
			return models.NewError(models.KindLimited, "Too many attempts. Try again in 1 minute.")
		}
	}
	return nil
}

// release takes back the counts of an attempt that succeeded, and deletes all expired
// ones.
func (a *Accounts) release(ctx context.Context, try attempt) error {
	return models.Wrap(a.db(ctx).Transaction(func(tx *gorm.DB) error {
		// Each condition has an index. Both in one statement would read all rows.
		for _, ended := range []*gorm.DB{tx.Where("subject IN ?", subjects(try.own)), tx.Where("expires_at < now()")} {
			if err := ended.Delete(&failureCount{}).Error; err != nil {
				return err
			}
		}
		if len(try.network) == 0 {
			return nil
		}
		return tx.Model(&failureCount{}).
			Where("subject IN ?", subjects(try.network)).
			Update("count", gorm.Expr("count - 1")).Error
	}))
}

// releaseAccount deletes all counts of the account: a user with a new password must
// be able to sign in.
func releaseAccount(tx *gorm.DB, email string) error {
	return tx.Where("starts_with(subject, ?)", ofAccount(email, "")).Delete(&failureCount{}).Error
}

func subjects(limits []limit) []string {
	subjects := make([]string, len(limits))
	for i, l := range limits {
		subjects[i] = l.subject
	}
	return subjects
}

// byNetwork limits each network that an address belongs to. The next larger one gets half
// as much again and no more, so a thief of it gains little.
func byNetwork(subject, address string, most int) (limits []limit) {
	for i, network := range networks(address) {
		limits = append(limits, limit{subject + " " + network, most + i*most/2})
	}
	return limits
}

// networks returns the networks that may be one customer's, the largest last: of IPv6 the
// first 64, 56 and 48 bits (RFC 6177), of IPv4 the address.
func networks(address string) []string {
	parsed, err := netip.ParseAddr(address)
	if err != nil {
		return []string{address}
	}
	if parsed = parsed.Unmap().WithZone(""); parsed.Is4() {
		return []string{parsed.String()}
	}
	var all []string
	for _, bits := range []int{64, 56, 48} {
		prefix, _ := parsed.Prefix(bits) // fails only for more bits than there are
		all = append(all, prefix.String())
	}
	return all
}

// stranger returns the place in the queue of an unknown browser.
func stranger(address string) password.Origin {
	all := networks(address)
	return password.Origin{Network: all[len(all)-1]}
}
