package models

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"runtime"
	"sync"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/sync/singleflight"
)

// Caller is whom a verified key stands for.
type Caller struct {
	OrganizationID uuid.UUID
	KeyID          uuid.UUID
}

// Keyring verifies keys. A key that was verified is remembered under its
// SHA-256, and so is one that was refused, so that bcrypt, which costs tens of
// milliseconds of a core, stands on the way of a key's first request only. What
// is remembered hangs on the change feed: while that is down, the key's row is
// read at every request, and only the proof that the secret fits is kept.
type Keyring struct {
	store    *Store
	lookup   keyLookup
	mu       sync.Mutex // held to remember a key and to forget one
	verified *lru.Cache[[sha256.Size]byte, *verifiedKey]
	byID     *lru.Cache[uuid.UUID, [sha256.Size]byte] // all that are verified, by the key's id
	proven   *lru.Cache[[sha256.Size]byte, struct{}]  // whose secret fits, whatever has become of the key
	refused  *lru.Cache[[sha256.Size]byte, time.Time] // as nobody's
	proofs   singleflight.Group

	// Who runs a bcrypt of a key: as many as there are processors but one, so that a
	// fleet's keys leave one to those whose keys are known. And who runs one of a
	// password: those don't wait behind a fleet's keys.
	bcrypts   chan struct{}
	passwords chan struct{}
}

// verifiedKey is a key whose secret was proven, with the state it was read in.
type verifiedKey struct {
	caller     Caller
	revoked    bool
	expiresAt  time.Time // zero: never
	generation uint64    // of the feed, before the row was read
	readAt     time.Time
}

const (
	rememberedKeys = 50_000 // some 200 bytes each
	refusedKeys    = 5_000
	refusedFor     = time.Minute
	verifiedFor    = 10 * time.Minute // then the row is read again, without bcrypt

	// proofTimeout is long, because whoever waits for bcrypt waits for others too:
	// a caller is not kept as long, and finds the key proven when it comes back.
	proofTimeout       = time.Minute
	fingerprintTimeout = 3 * time.Second
)

func newKeyring(store *Store) *Keyring {
	atOnce := max(1, runtime.GOMAXPROCS(0)-1)
	k := &Keyring{store: store, lookup: keyLookup{store: store}, bcrypts: make(chan struct{}, atOnce), passwords: make(chan struct{}, 1)}
	// A key that can't be found by its id could not be forgotten: both go together.
	k.byID, _ = lru.NewWithEvict(rememberedKeys, func(_ uuid.UUID, hash [sha256.Size]byte) { k.verified.Remove(hash) })
	k.verified, _ = lru.New[[sha256.Size]byte, *verifiedKey](rememberedKeys)
	k.proven, _ = lru.New[[sha256.Size]byte, struct{}](rememberedKeys)
	k.refused, _ = lru.New[[sha256.Size]byte, time.Time](refusedKeys)
	return k
}

// forget drops a key whose row has changed. The feed's generation has moved
// before, so that nobody remembers what was read earlier.
func (k *Keyring) forget(keyID uuid.UUID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if hash, ok := k.byID.Peek(keyID); ok {
		k.proven.Remove(hash)
	}
	k.byID.Remove(keyID)
}

// forgetAll drops what may have changed unheard. That a secret fits can't have.
func (k *Keyring) forgetAll() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.verified.Purge()
	k.byID.Purge()
	k.refused.Purge()
}

// Known tells whether this instance has verified the key and knows nothing
// against it. It never asks the database.
func (k *Keyring) Known(key PresentedKey) bool {
	if entry, ok := k.verified.Peek(key.hash); ok {
		return entry.state() == nil
	}
	return k.proven.Contains(key.hash)
}

// Remembered tells whose key a text is, where that is known and the key is good.
// It asks the database nothing, and does not keep the text.
func (k *Keyring) Remembered(text string) (Caller, bool) {
	if len(text) != keyLength {
		return Caller{}, false
	}
	entry, ok := k.remembered(hashKey(text))
	if !ok || entry.state() != nil {
		return Caller{}, false
	}
	return entry.caller, true
}

// remembered gives what is known of a key and may be trusted.
func (k *Keyring) remembered(hash [sha256.Size]byte) (entry *verifiedKey, ok bool) {
	if !k.store.feed.fresh() {
		return nil, false
	}
	entry, ok = k.verified.Get(hash)
	return entry, ok && time.Since(entry.readAt) < verifiedFor
}

// Verify tells whose key it is. Its error is KindUnauthorized, with a message
// that says "revoked" or "expired" only for a key whose secret is right, or
// KindUnavailable where the database was needed and did not answer, or KindBusy
// where bcrypt decides and others come first.
func (k *Keyring) Verify(ctx context.Context, key PresentedKey) (Caller, error) {
	if entry, ok := k.remembered(key.hash); ok {
		return entry.caller, entry.state()
	}
	if since, ok := k.refused.Get(key.hash); ok && time.Since(since) < refusedFor {
		return Caller{}, errKeyInvalid
	}
	for {
		entry := &verifiedKey{generation: k.store.feed.generation.Load(), readAt: time.Now()}
		proven := k.proven.Contains(key.hash)
		row, err := k.lookup.find(ctx, key.lookupID)
		if err != nil {
			return Caller{}, wrap(err)
		}
		if row == nil {
			return Caller{}, k.refuse(key)
		}
		fits, decided := proven, proven
		if !decided {
			fits, decided = row.fingerprintFits(key, k.store.secret)
		}
		if !decided {
			if fits, err = k.prove(ctx, key, row); err != nil {
				return Caller{}, err
			}
		}
		if !fits {
			return Caller{}, k.refuse(key)
		}
		if !decided {
			continue // bcrypt took a while: the row may have changed meanwhile
		}
		k.proven.Add(key.hash, struct{}{})
		entry.caller, entry.revoked = Caller{row.OrganizationID, row.ID}, row.RevokedAt != nil
		if row.ExpiresAt != nil {
			entry.expiresAt = *row.ExpiresAt
		}
		k.remember(key, entry)
		return entry.caller, entry.state()
	}
}

// refuse remembers that the key is nobody's.
func (k *Keyring) refuse(key PresentedKey) error {
	k.refused.Add(key.hash, time.Now())
	return errKeyInvalid
}

// state is nil for a key that is good now.
func (e *verifiedKey) state() error {
	switch {
	case e.revoked:
		return errKeyRevoked
	case !e.expiresAt.IsZero() && !time.Now().Before(e.expiresAt):
		return errKeyExpired
	}
	return nil
}

var (
	errKeyInvalid = NewError(KindUnauthorized, "The API key is invalid.")
	errKeyRevoked = NewError(KindUnauthorized, "The API key was revoked: use another one.")
	errKeyExpired = NewError(KindUnauthorized, "The API key has expired: create a new one.")
	errKeysBusy   = NewError(KindBusy, "Many API keys are being checked for the first time, yours among them: try again in a few seconds.")
)

// fingerprintFits compares the key with the fingerprint that is stored of it. That
// decides at once, either way, where it was made under the server's present secret.
func (r *keyRow) fingerprintFits(key PresentedKey, secret []byte) (fits, decided bool) {
	fingerprint := key.fingerprint(secret)
	if fingerprint == nil || len(r.Fingerprint) != len(fingerprint) || string(r.Fingerprint[:4]) != string(fingerprint[:4]) {
		return false, false
	}
	return hmac.Equal(r.Fingerprint, fingerprint), true
}

// prove compares the key with the bcrypt hash that is stored of it. Those who bring
// the same key at once share one bcrypt, which goes on although they may leave.
func (k *Keyring) prove(ctx context.Context, key PresentedKey, row *keyRow) (fits bool, err error) {
	shared := k.proofs.DoChan(string(key.hash[:])+row.SecretHash, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), proofTimeout)
		defer cancel()
		select {
		case k.bcrypts <- struct{}{}:
		case <-ctx.Done():
			return false, errKeysBusy
		}
		err := bcrypt.CompareHashAndPassword([]byte(row.SecretHash), []byte(key.text))
		<-k.bcrypts
		if err != nil {
			return false, nil
		}
		k.proven.Add(key.hash, struct{}{})
		k.storeFingerprint(ctx, key, row)
		return true, nil
	})
	select {
	case <-ctx.Done():
		return false, errKeysBusy
	case result := <-shared:
		return result.Val.(bool), result.Err
	}
}

// storeFingerprint stores what spares the key's next first use a bcrypt.
func (k *Keyring) storeFingerprint(ctx context.Context, key PresentedKey, row *keyRow) {
	fingerprint := key.fingerprint(k.store.secret)
	if fingerprint == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fingerprintTimeout)
	defer cancel()
	if err := k.store.Tenant(row.OrganizationID).keyFingerprint(ctx, row.ID, fingerprint); err != nil {
		k.store.log.Warn("a key's fingerprint could not be stored: its next first use takes bcrypt again", "key", row.ID, "error", err)
	}
}

// remember keeps the entry, unless the feed moved since its row was read: then it
// may be stale already, and the next request reads again.
func (k *Keyring) remember(key PresentedKey, entry *verifiedKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.store.feed.generation.Load() != entry.generation {
		return
	}
	k.byID.Add(entry.caller.KeyID, key.hash)
	k.verified.Add(key.hash, entry)
}
