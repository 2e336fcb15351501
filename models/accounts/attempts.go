package accounts

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
)

// Failures are counted by account, by network, and by both together. After so many
// within the window, further attempts have to wait until it has passed. A known device
// has a count of its own and is subject to none of the others, so strangers' guesses
// keep nobody from signing in where they have signed in before.
//
// Requests for a link by mail are counted by address and by network, whether there is such
// an account or not. Invitations by mail are counted by address and by organization, so
// that nobody is flooded with them.
const (
	failuresWindow     = 15 * time.Minute
	failuresPerDevice  = 10  // for its account
	failuresPerOrigin  = 10  // from one network for one account
	failuresPerAccount = 100 // from all networks
	failuresPerNetwork = 50
	failuresPerSite    = 200 // an IPv6 network of 48 bits

	forgottenPerAccount = 3
	forgottenPerNetwork = 20
	forgottenPerSite    = 60

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
	total   []limit // counted only if the others allow the attempt; a success deletes them
}

// signInAttempt is an attempt to guess an account's password. device is empty if it
// comes from a device that the account's user has not signed in on.
func signInAttempt(email, device, address string) attempt {
	if device != "" {
		return attempt{own: []limit{{"account " + email + " on " + device, failuresPerDevice}}}
	}
	return attempt{
		own:     []limit{{"account " + email + " from " + network(address), failuresPerOrigin}},
		network: networkLimits(address),
		// Only attempts that the others allow, or one network alone could use it up.
		total: []limit{{"account " + email, failuresPerAccount}},
	}
}

// codeAttempt is an attempt to guess a code of the second factor, by somebody who has
// the password.
func codeAttempt(email, address string) attempt {
	return attempt{own: []limit{{"code " + email, failuresPerOrigin}}, network: networkLimits(address)}
}

// confirmAttempt is a signed-in user's attempt to confirm that it is them.
func confirmAttempt(email string) attempt {
	return attempt{own: []limit{{"password " + email, failuresPerOrigin}}}
}

// forgottenLimits limits requests for a link by mail.
func forgottenLimits(email, address string) []limit {
	limits := []limit{{"forgotten " + email, forgottenPerAccount}, {"forgotten from " + network(address), forgottenPerNetwork}}
	if site := site(address); site != network(address) {
		limits = append(limits, limit{"forgotten from " + site, forgottenPerSite})
	}
	return limits
}

// invitationLimits limits invitations by mail.
func invitationLimits(email string, organizationID uuid.UUID) []limit {
	return []limit{{"invited " + email, invitationsPerAddress}, {"invited by " + organizationID.String(), invitationsPerOrganization}}
}

// reserve counts the attempt as a failure before it is checked, so that concurrent
// attempts are not all checked, and refuses it after too many. Errors: KindLimited.
func (a *Accounts) reserve(ctx context.Context, try attempt) error {
	if err := count(a.db(ctx), slices.Concat(try.own, try.network)); err != nil {
		return err
	}
	return count(a.db(ctx), try.total)
}

// count counts an attempt for each subject. Errors: KindLimited after too many.
func count(db *gorm.DB, limits []limit) error {
	if len(limits) == 0 {
		return nil
	}
	// One order for all, so that concurrent attempts do not deadlock.
	slices.SortFunc(limits, func(a, b limit) int { return strings.Compare(a.subject, b.subject) })
	counts := make([]failureCount, len(limits))
	for i, l := range limits {
		counts[i] = failureCount{l.subject, 1, time.Now().Add(failuresWindow)}
	}
	err := db.Clauses(clause.Returning{}, clause.OnConflict{
		Columns: []clause.Column{{Name: "subject"}},
		DoUpdates: clause.Assignments(map[string]any{
			"count":      gorm.Expr("CASE WHEN sign_in_failures.expires_at > now() THEN sign_in_failures.count + 1 ELSE 1 END"),
			"expires_at": gorm.Expr("CASE WHEN sign_in_failures.expires_at > now() THEN sign_in_failures.expires_at ELSE excluded.expires_at END"),
		}),
	}).Create(&counts).Error
	if err != nil {
		return models.Wrap(err)
	}
	for i, c := range counts {
		if c.Count > limits[i].most {
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
		succeeded := tx.Where("subject IN ?", subjects(slices.Concat(try.own, try.total)))
		for _, ended := range []*gorm.DB{succeeded, tx.Where("expires_at < now()")} {
			if err := ended.Delete(&failureCount{}).Error; err != nil {
				return err
			}
		}
		if len(try.network) == 0 {
			return nil
		}
		return tx.Model(&failureCount{}).Where("subject IN ?", subjects(try.network)).Update("count", gorm.Expr("count - 1")).Error
	}))
}

// releaseAccount deletes all counts of the account: whoever set its password anew must
// be able to sign in.
func releaseAccount(tx *gorm.DB, email string) error {
	return tx.Where("subject IN ? OR starts_with(subject, ?) OR starts_with(subject, ?)",
		[]string{"account " + email, "code " + email, "password " + email, "forgotten " + email}, "account "+email+" from ", "account "+email+" on ").
		Delete(&failureCount{}).Error
}

func subjects(limits []limit) []string {
	subjects := make([]string, len(limits))
	for i, l := range limits {
		subjects[i] = l.subject
	}
	return subjects
}

func networkLimits(address string) []limit {
	limits := []limit{{"network " + network(address), failuresPerNetwork}}
	if site := site(address); site != network(address) {
		limits = append(limits, limit{"network " + site, failuresPerSite})
	}
	return limits
}

// network returns the network that failures are counted by. Of IPv6 it is the first
// 64 bits, because the rest is the host's to choose (RFC 4291 section 2.5.1).
func network(address string) string { return prefix(address, 64) }

// site returns the network that takes turns with others. Of IPv6 it is the first 48
// bits, because one customer may get as much (RFC 6177).
func site(address string) string { return prefix(address, 48) }

// prefix returns the first bits of an IPv6 address, or the whole of an IPv4 address.
func prefix(address string, bits int) string {
	parsed, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	parsed = parsed.Unmap().WithZone("")
	if parsed.Is6() {
		if prefix, err := parsed.Prefix(bits); err == nil {
			return prefix.String()
		}
	}
	return parsed.String()
}
