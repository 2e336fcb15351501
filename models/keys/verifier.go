// Package keys verifies API keys, and records and charts the requests made with them. bcrypt costs tens of milliseconds of a
// processor, so it runs for a key's first request only, and often not even then.
package keys

import (
	"context"
	"errors"
	"log/slog"
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

// Verifier verifies keys. It remembers verified and refused keys under their
// SHA-256. What it remembers depends on the change feed: while that is down, the
// key's row is read at every request, and only the proof that the secret is right
// is kept.
type Verifier struct {
	store   *models.Store
	feed    *database.Feed
	log     *slog.Logger
	lookups *fairqueue.Queue[string] // by the address or network that keys come from

	mu       sync.Mutex // held to remember a key and to drop one
	verified *lru.Cache[models.KeyHash, *verifiedKey]
	byID     *lru.Cache[uuid.UUID, models.KeyHash] // of all verified keys
	proven   *lru.Cache[models.KeyHash, string]    // the bcrypt hash that a key, whatever its state, was proven against
	refused  *lru.Cache[models.KeyHash, time.Time] // keys that belong to nobody

	checks [ways]atomic.Int64

	proofs  singleflight.Group
	bcrypts chan struct{} // one place for each bcrypt that may run
}

// Way is how a key was decided about.
type Way int

// The ways. Refused keys, whatever refused them, are apart from the others, which accept.
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
func (k *Verifier) Checks(f func(way string, checks func() float64)) {
	for way, name := range wayNames {
		f(name, func() float64 { return float64(k.checks[way].Load()) })
	}
}

// CountRefused counts a request whose key was refused, or that had none.
func (k *Verifier) CountRefused() { k.checks[Refused].Add(1) }

// verifiedKey is a key whose secret was proven, in the state that was read.
type verifiedKey struct {
	caller     models.Caller
	refusal    error  // why it is refused, unless it has expired; nil if it is not
	generation uint64 // of the feed, before the row was read
	readAt     time.Time
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
		// All processors but one, so that a fleet's new keys leave one to the known keys.
		bcrypts: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)),
	}
	// A verified key that byID has lost could not be dropped, so both go together.
	k.byID, _ = lru.NewWithEvict(rememberedKeys, func(_ uuid.UUID, hash models.KeyHash) { k.verified.Remove(hash) })
	k.verified, _ = lru.New[models.KeyHash, *verifiedKey](rememberedKeys)
	k.proven, _ = lru.New[models.KeyHash, string](rememberedKeys)
	k.refused, _ = lru.New[models.KeyHash, time.Time](refusedKeys)
	k.feed.Subscribe(database.Subscriber{Drop: k.drop})
	return k
}

// drop forgets a key whose row has changed, or everything that may have changed unheard.
// A key that leaves byID leaves verified too. A proof holds for one bcrypt hash, which is
// compared with the row's at every use.
func (k *Verifier) drop(change database.Notification) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch change.Kind {
	case database.KeyChanged:
		k.byID.Remove(change.ID)
	case database.Missed:
		k.verified.Purge()
		k.byID.Purge()
		k.refused.Purge()
	}
}

// Remembered returns the caller whose key text is, if this instance remembers the
// key and it is accepted now. It never asks the database and does not keep text.
func (k *Verifier) Remembered(text string) (models.Caller, bool) {
	hash, ok := models.HashKey(text)
	if !ok {
		return models.Caller{}, false
	}
	entry, ok := k.remembered(hash)
	if !ok || entry.state() != nil {
		return models.Caller{}, false
	}
	k.checks[ByMemory].Add(1)
	return entry.caller, true
}

// remembered returns what is known of a key, if it can be trusted.
func (k *Verifier) remembered(hash models.KeyHash) (entry *verifiedKey, ok bool) {
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
// that keys come from. Errors: KindUnauthorized, saying "revoked", "expired", "paused"
// or "suspended" only for a key whose secret is right; KindUnavailable if the database was
// needed and did not answer; KindBusy if bcrypt has to decide and other keys come first.
func (k *Verifier) Verify(ctx context.Context, key models.PresentedKey, from string) (models.Caller, error) {
	for way := ByRow; ; way = ByBcrypt {
		caller, row, err := k.recognize(ctx, key, from, way)
		if row == nil {
			return caller, err
		}
		fits, err := k.prove(ctx, key, row)
		if err != nil {
			return models.Caller{}, err
		}
		if !fits {
			return models.Caller{}, k.refuse(key)
		}
		// bcrypt took a while, and the row may have changed meanwhile.
	}
}

// Recognize is Verify without bcrypt: memory, and one lookup in the database, have to
// be enough. If they are not, its error is ErrUnproven.
func (k *Verifier) Recognize(ctx context.Context, key models.PresentedKey, from string) (models.Caller, error) {
	caller, row, err := k.recognize(ctx, key, from, ByRow)
	if row != nil {
		return models.Caller{}, ErrUnproven
	}
	return caller, err
}

// recognize returns the caller whose key it is, or else the key's row if only bcrypt
// can decide. If that has just proven the key, way is ByBcrypt.
func (k *Verifier) recognize(
	ctx context.Context,
	key models.PresentedKey,
	from string,
	way Way,
) (models.Caller, *keyRow, error) {
	if entry, ok := k.remembered(key.Hash()); ok {
		return entry.caller, nil, entry.state()
	}
	if since, ok := k.refused.Get(key.Hash()); ok && time.Since(since) < refusedFor {
		return models.Caller{}, nil, ErrInvalid
	}
	entry := &verifiedKey{generation: k.feed.Generation(), readAt: time.Now()}
	row, err := k.lookup(ctx, key, from)
	if err != nil {
		return models.Caller{}, nil, models.Wrap(err)
	}
	if row == nil {
		return models.Caller{}, nil, k.refuse(key)
	}
	if against, ok := k.proven.Get(key.Hash()); !ok || against != row.SecretHash {
		fits, decided, renew := key.FingerprintFits(row.Fingerprint, k.store.Secret())
		if !decided {
			return models.Caller{}, row, nil
		}
		if !fits {
			return models.Caller{}, nil, k.refuse(key)
		}
		if renew {
			k.storeFingerprint(ctx, key, row)
		}
		way = ByFingerprint
	}
	k.proven.Add(key.Hash(), row.SecretHash)
	entry.caller, entry.refusal = models.Caller{
		OrganizationID: row.OrganizationID,
		KeyID:          row.ID,
		Sandbox:        key.Sandbox(),
		Replaced:       row.Replaced,
		Limits:         row.Limits,
	}, row.refusal()
	if row.ExpiresAt != nil {
		entry.caller.ExpiresAt = *row.ExpiresAt
	}
	k.remember(key.Hash(), entry)
	if entry.state() == nil {
		k.checks[way].Add(1)
	}
	return entry.caller, nil, entry.state()
}

// refuse remembers that the key belongs to nobody.
func (k *Verifier) refuse(key models.PresentedKey) error {
	k.refused.Add(key.Hash(), time.Now())
	return ErrInvalid
}

// state returns nil for a key that is accepted now.
func (e *verifiedKey) state() error {
	if !errors.Is(e.refusal, errRevoked) && !e.caller.ExpiresAt.IsZero() && !time.Now().Before(e.caller.ExpiresAt) {
		return errExpired
	}
	return e.refusal
}

// ErrInvalid means that a key belongs to nobody.
var ErrInvalid = models.NewError(models.KindUnauthorized, "The API key is invalid.")

var (
	errRevoked = models.NewError(models.KindUnauthorized, "The API key was revoked: use another one.")
	errExpired = models.NewError(models.KindUnauthorized, "The API key has expired: create a new one.")
	errPaused  = models.NewError(
		models.KindUnauthorized,
		"The API key is paused: your organization can resume it in the dashboard.",
	)
	errSuspended = models.NewError(
		models.KindUnauthorized,
		"Your organization's access is suspended: ask the operator of this service.",
	)
	errBusy = models.NewError(
		models.KindBusy,
		"Many API keys, including yours, are being checked for the first time: try again in a few seconds.",
	)
)

// Reason returns why a known key was refused: revoked, expired, paused or suspended, or ""
// for any other error.
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
	}
	return ""
}

// prove compares the key with its stored bcrypt hash. Concurrent calls for one key
// share one bcrypt, which goes on even if they give up.
func (k *Verifier) prove(ctx context.Context, key models.PresentedKey, row *keyRow) (fits bool, err error) {
	hash := key.Hash()
	shared := k.proofs.DoChan(string(hash[:])+row.SecretHash, func() (any, error) {
		if against, ok := k.proven.Get(hash); ok && against == row.SecretHash {
			return true, nil // by a proof that ended after the row was read
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), proofTimeout)
		defer cancel()
		select {
		case k.bcrypts <- struct{}{}:
		case <-ctx.Done():
			return false, errBusy
		}
		matches := key.Matches(row.SecretHash)
		<-k.bcrypts
		if matches {
			k.proven.Add(hash, row.SecretHash)
			k.storeFingerprint(ctx, key, row)
		}
		return matches, nil
	})
	select {
	case <-ctx.Done():
		return false, errBusy
	case result := <-shared:
		return result.Val.(bool), result.Err
	}
}

// storeFingerprint stores the key's fingerprint, so that other instances need no bcrypt
// for it.
func (k *Verifier) storeFingerprint(ctx context.Context, key models.PresentedKey, row *keyRow) {
	fingerprint := key.Fingerprint(k.store.Secret())
	if fingerprint == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fingerprintTimeout)
	defer cancel()
	err := k.store.Tenant(row.OrganizationID).
		DB(ctx).
		Model(&models.APIKey{}).
		Where("id = ?", row.ID).
		UpdateColumn("fingerprint", fingerprint).
		Error
	if err != nil {
		k.log.Warn(
			"cannot store a key's fingerprint: its first use on another instance takes bcrypt again",
			"key",
			row.ID,
			"error",
			err,
		)
	}
}

// remember keeps the entry, unless the feed has moved since its row was read: then
// it may already be stale.
func (k *Verifier) remember(hash models.KeyHash, entry *verifiedKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.feed.Generation() != entry.generation {
		return
	}
	k.byID.Add(entry.caller.KeyID, hash)
	k.verified.Add(hash, entry)
}
