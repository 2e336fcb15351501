// Package keys verifies API keys, and records and charts the requests made with them. bcrypt
// takes tens of milliseconds, so it runs at most once for a key, and not at all for a key
// whose fingerprint is stored.
package keys

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/fairqueue"
)

// Verifier verifies keys. It remembers verified and refused keys under their SHA-256. A
// verified key is trusted only while the change feed is fresh: else its row is read at every
// request. Proofs and refusals need no feed: a proof names the hash that it holds for, and no
// text that was refused becomes a key later.
type Verifier struct {
	store   *models.Store
	feed    *database.Feed
	log     *slog.Logger
	lookups *fairqueue.Queue[string] // by the address or network that keys come from

	mu       sync.Mutex // held to remember a key and to drop one
	verified *lru.Cache[Hash, *verifiedKey]
	byID     map[uuid.UUID]Hash          // of the keys in verified
	proven   *lru.Cache[Hash, string]    // the bcrypt hash that a key in any state was proven against
	refused  *lru.Cache[Hash, time.Time] // keys that belong to nobody

	checks [ways]atomic.Int64

	proofs  singleflight.Group
	bcrypts chan struct{} // one place for each bcrypt that may run
}

// Way is how a key was decided about.
type Way int

// The ways. Refused is for every refusal; the others accept.
const (
	ByMemory      Way = iota // without the database
	ByRow                    // its row was read; its secret had been proven before
	ByFingerprint            // its row was read, and has its fingerprint
	ByBcrypt
	Refused
	ways
)

var wayNames = [ways]string{"memory", "row", "fingerprint", "bcrypt", "refused"}

// Checks calls f with the name of each way and how many checks of this instance went it.
func (k *Verifier) Checks(f func(way string, checks float64)) {
	for way, name := range wayNames {
		f(name, float64(k.checks[way].Load()))
	}
}

// CountRefused counts a request whose key was refused, or that had none.
func (k *Verifier) CountRefused() { k.checks[Refused].Add(1) }

// verifiedKey is a key whose secret was proven, in the state that was read.
type verifiedKey struct {
	caller   Caller
	refusal  error // why it is refused, unless it has expired; nil if it is not
	networks Networks
	readAt   time.Time
}

const (
	rememberedKeys = 50_000 // about 200 bytes each
	refusedKeys    = 5_000
	refusedFor     = time.Minute
	verifiedFor    = 10 * time.Minute // then the row is read again, without bcrypt

	// proofTimeout is long because a bcrypt may have to wait for others. The caller
	// does not wait as long, and finds the key proven on coming back.
	proofTimeout       = time.Minute
	fingerprintTimeout = 3 * time.Second
)

// NewVerifier returns a verifier of the store's keys.
func NewVerifier(store *models.Store, log *slog.Logger) *Verifier {
	k := &Verifier{
		store: store, feed: store.DB().Feed, log: log, lookups: fairqueue.New(lookupLimits),
		byID: map[uuid.UUID]Hash{},
		// All processors but one, so that a fleet's new keys leave one to the known keys.
		bcrypts: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)),
	}
	// Called for each key that leaves verified: removed, purged, or the oldest of too many.
	forget := func(_ Hash, key *verifiedKey) { delete(k.byID, key.caller.KeyID) }
	k.verified, _ = lru.NewWithEvict(rememberedKeys, forget)
	k.proven, _ = lru.New[Hash, string](rememberedKeys)
	k.refused, _ = lru.New[Hash, time.Time](refusedKeys)
	k.feed.Subscribe(database.Subscriber{Drop: k.drop})
	return k
}

// drop forgets a key whose row has changed, or everything that may have changed unheard. A
// proof stays: it names the bcrypt hash that it holds for.
func (k *Verifier) drop(change database.Notification) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch change.Kind {
	case database.KeyChanged:
		k.verified.Remove(k.byID[change.ID])
	case database.Missed:
		k.verified.Purge()
		k.refused.Purge() // a restore may have brought keys back
	}
}

// Remembered returns the caller whose key text is, if this instance remembers the key and it is
// accepted now from that address. It never asks the database and does not keep text.
func (k *Verifier) Remembered(text string, from netip.Addr) (Caller, bool) {
	hash, ok := HashOf(text)
	if !ok {
		return Caller{}, false
	}
	entry, ok := k.remembered(hash)
	if !ok || entry.check(from) != nil {
		return Caller{}, false
	}
	k.checks[ByMemory].Add(1)
	return entry.caller, true
}

// remembered returns what is known of a key, if it can be trusted.
func (k *Verifier) remembered(hash Hash) (entry *verifiedKey, ok bool) {
	if !k.feed.Fresh() {
		return nil, false
	}
	entry, ok = k.verified.Get(hash)
	return entry, ok && time.Since(entry.readAt) < verifiedFor
}

// ErrUnproven means that only bcrypt can decide about a key.
var ErrUnproven = models.NewError(models.KindBusy, "The API key has not been checked yet: try again in a few seconds.")

// Verify returns the caller whose key it is; also beside an error, if the key's
// secret is right. Lookups are shared out fairly between the addresses, or networks,
// that keys come from. Errors: KindUnauthorized, saying "revoked", "expired", "paused",
// "suspended" or "not allowed from" only for a key whose secret is right; KindUnavailable if the database was
// needed and did not answer; KindBusy if bcrypt has to decide and other keys come first.
func (k *Verifier) Verify(ctx context.Context, key Presented, from netip.Addr) (Caller, error) {
	caller, row, err := k.recognize(ctx, key, from)
	if row == nil {
		return caller, err
	}
	if err := k.prove(ctx, key, row); err != nil {
		return Caller{}, err
	}
	return k.accept(ctx, key, from)
}

// Recognize is Verify without bcrypt: memory, and one lookup in the database, have to
// be enough. If they are not, its error is ErrUnproven.
func (k *Verifier) Recognize(ctx context.Context, key Presented, from netip.Addr) (Caller, error) {
	caller, row, err := k.recognize(ctx, key, from)
	if row != nil {
		return Caller{}, ErrUnproven
	}
	return caller, err
}

// recognize returns the caller whose key it is, or else the key's row if only bcrypt
// can decide.
func (k *Verifier) recognize(ctx context.Context, key Presented, from netip.Addr) (Caller, *keyRow, error) {
	if known, ok := k.remembered(key.Hash()); ok {
		return known.caller, nil, known.check(from)
	}
	if since, ok := k.refused.Get(key.Hash()); ok && time.Since(since) < refusedFor {
		return Caller{}, nil, ErrInvalid
	}
	row, err := k.find(ctx, key, from)
	if err != nil {
		return Caller{}, nil, err
	}
	if k.isProven(key, row) {
		caller, err := k.remember(key, row, from, ByRow)
		return caller, nil, err
	}
	fits, decided, renew := k.store.Secret().FingerprintFits(key.Text(), row.Fingerprint)
	if !decided {
		return Caller{}, row, nil
	}
	if !fits {
		return Caller{}, nil, k.rememberUnknown(key)
	}
	if renew {
		k.storeFingerprint(ctx, key, row)
	}
	k.proven.Add(key.Hash(), row.SecretHash)
	caller, err := k.remember(key, row, from, ByFingerprint)
	return caller, nil, err
}

// prove returns nil if the key fits its stored bcrypt hash. Concurrent calls for one key
// share one bcrypt, which goes on even if they give up.
func (k *Verifier) prove(ctx context.Context, key Presented, row *keyRow) error {
	hash := key.Hash()
	shared := k.proofs.DoChan(string(hash[:])+row.SecretHash, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), proofTimeout)
		defer cancel()
		return nil, k.compare(ctx, key, row)
	})
	select {
	case <-ctx.Done():
		return errBusy
	case result := <-shared:
		return result.Err
	}
}

// compare is prove with a bcrypt of its own, when it is its turn.
func (k *Verifier) compare(ctx context.Context, key Presented, row *keyRow) error {
	if k.isProven(key, row) { // by a bcrypt that ended after the row was read
		return nil
	}
	select {
	case k.bcrypts <- struct{}{}:
	case <-ctx.Done():
		return errBusy
	}
	matches := key.Matches(row.SecretHash)
	<-k.bcrypts
	if !matches {
		return k.rememberUnknown(key)
	}
	k.proven.Add(key.Hash(), row.SecretHash)
	k.storeFingerprint(ctx, key, row)
	return nil
}

// accept returns the caller of a key that bcrypt has proven. That took a while, so it reads
// the row again.
func (k *Verifier) accept(ctx context.Context, key Presented, from netip.Addr) (Caller, error) {
	if known, ok := k.remembered(key.Hash()); ok { // another request has read it
		return known.caller, known.check(from)
	}
	row, err := k.find(ctx, key, from)
	if err != nil {
		return Caller{}, err
	}
	if !k.isProven(key, row) { // so many keys were proven meanwhile that this one was forgotten
		return Caller{}, ErrUnproven
	}
	return k.remember(key, row, from, ByBcrypt)
}

// find reads the row of a key. Its error is ErrInvalid if there is none.
func (k *Verifier) find(ctx context.Context, key Presented, from netip.Addr) (*keyRow, error) {
	row, err := k.lookup(ctx, key, from)
	if err == nil && row == nil {
		return nil, k.rememberUnknown(key)
	}
	return row, models.Wrap(err)
}

// isProven reports whether the key's secret was compared with the row's hash before.
func (k *Verifier) isProven(key Presented, row *keyRow) bool {
	against, ok := k.proven.Get(key.Hash())
	return ok && against == row.SecretHash
}

// rememberUnknown remembers that the key belongs to nobody, and returns ErrInvalid.
func (k *Verifier) rememberUnknown(key Presented) error {
	k.refused.Add(key.Hash(), time.Now())
	return ErrInvalid
}

// check returns nil for a key that is accepted now from an address. However a key became known,
// it is asked for each request.
func (e *verifiedKey) check(from netip.Addr) error {
	if !errors.Is(e.refusal, errRevoked) && !e.caller.ExpiresAt.IsZero() && !time.Now().Before(e.caller.ExpiresAt) {
		return errExpired
	}
	if e.refusal == nil && !e.networks.Allow(from) {
		return &elsewhereError{unauthorized("The API key is not allowed from the address " + from.Unmap().String() +
			": your organization can allow it in the dashboard.")}
	}
	return e.refusal
}

// elsewhereError refuses a key that may be used, but not from the caller's address.
type elsewhereError struct{ error }

func (e *elsewhereError) Unwrap() error { return e.error }

// Elsewhere reports whether a key was refused because of the address alone. It is no wrong
// key, so it counts as no failed attempt.
func Elsewhere(err error) bool {
	_, is := errors.AsType[*elsewhereError](err)
	return is
}

// ErrInvalid means that a key belongs to nobody.
var ErrInvalid = unauthorized("The API key is invalid.")

func unauthorized(message string) error { return models.NewError(models.KindUnauthorized, message) }

var (
	errRevoked   = unauthorized("The API key was revoked: use another one.")
	errExpired   = unauthorized("The API key has expired: create a new one.")
	errPaused    = unauthorized("The API key is paused: your organization can resume it in the dashboard.")
	errSuspended = unauthorized("Your organization's access is suspended: ask the operator of this service.")
	errBusy      = models.NewError(models.KindBusy,
		"Many API keys, including yours, are being checked for the first time: try again in a few seconds.")
)

// Reason returns why a known key was refused: revoked, expired, paused, suspended or elsewhere,
// or "" for any other error.
func Reason(err error) string {
	switch {
	case errors.Is(err, errRevoked):
		return "revoked"
	case errors.Is(err, errExpired):
		return "expired"
	case errors.Is(err, errPaused):
		return "paused"
	case errors.Is(err, errSuspended):
		return "suspended"
	case Elsewhere(err):
		return elsewhere
	}
	return ""
}

// storeFingerprint stores the key's fingerprint, so that other instances need no bcrypt
// for it.
func (k *Verifier) storeFingerprint(ctx context.Context, key Presented, row *keyRow) {
	fingerprint := k.store.Secret().Fingerprint(key.Text())
	if fingerprint == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fingerprintTimeout)
	defer cancel()
	keys := k.store.Tenant(row.OrganizationID).DB(ctx).Model(&Key{})
	if err := keys.Where("id = ?", row.ID).UpdateColumn("fingerprint", fingerprint).Error; err != nil {
		k.log.Warn("cannot store a key's fingerprint: its first use on another instance takes bcrypt again",
			"key", row.ID, "error", err)
	}
}

// remember keeps a key whose secret is right in the state of its row, and returns its caller
// and why it is refused from an address. It counts the way that led here if the key is accepted.
func (k *Verifier) remember(key Presented, row *keyRow, from netip.Addr, way Way) (Caller, error) {
	verified := &verifiedKey{refusal: row.refusal(), networks: row.Networks, readAt: row.readAt, caller: Caller{
		OrganizationID: row.OrganizationID,
		KeyID:          row.ID,
		Sandbox:        key.Sandbox(),
		Replaced:       row.Replaced,
		Limits:         row.Limits,
	}}
	if row.ExpiresAt != nil {
		verified.caller.ExpiresAt = *row.ExpiresAt
	}
	k.keep(key.Hash(), verified, row.generation)
	refusal := verified.check(from)
	if refusal == nil {
		k.checks[way].Add(1)
	}
	return verified.caller, refusal
}

// keep remembers a verified key, unless the feed has moved since a generation of it, before
// the key's row was read: then the key may be stale.
func (k *Verifier) keep(hash Hash, key *verifiedKey, generation uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.feed.Generation() == generation {
		k.verified.Add(hash, key)
		k.byID[key.caller.KeyID] = hash
	}
}

// Caller is the organization and the key of a request whose key was verified.
type Caller struct {
	OrganizationID uuid.UUID
	KeyID          uuid.UUID
	Sandbox        bool      // whether the organization is a sandbox
	ExpiresAt      time.Time // when the key expires; zero means never
	Replaced       bool      // whether the key has a successor that would be accepted now
	models.Limits            // of the organization
}

// expirySoonDays is how many days before its expiry people and programs are warned of
// a key.
const expirySoonDays = 14

// ExpirySoon returns the time before which a key that expires is about to.
func ExpirySoon(now time.Time) time.Time { return now.AddDate(0, 0, expirySoonDays) }

// ExpiresSoon reports whether the caller's key is about to expire.
func (c Caller) ExpiresSoon(now time.Time) bool {
	return !c.ExpiresAt.IsZero() && c.ExpiresAt.Before(ExpirySoon(now))
}
