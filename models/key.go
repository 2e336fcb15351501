package models

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"

	"golang.org/x/crypto/bcrypt"
)

// An API key is `dispo_`, or `dispo_test_` for a sandbox, a 12-character lookup id,
// `_`, a 32-character random secret and a 6-character checksum (CRC-32/IEEE of
// everything before it), the last three in base62. That is 57 characters, or 62, under
// bcrypt's 72 bytes.
const (
	keyPrefix        = "dispo_"
	sandboxInfix     = "test_" // after keyPrefix, in the keys of sandboxes
	sandboxKeyPrefix = keyPrefix + sandboxInfix
	lookupIDLength   = 12
	secretLength     = 32
	checksumLength   = 6
	bodyLength       = lookupIDLength + 1 + secretLength + checksumLength // after the prefix
	keyLength        = len(keyPrefix) + bodyLength
	sandboxKeyLength = len(sandboxKeyPrefix) + bodyLength
	base62           = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// KeyPrefix returns what the keys of a real organization, or of a sandbox, begin with.
func KeyPrefix(sandbox bool) string {
	if sandbox {
		return sandboxKeyPrefix
	}
	return keyPrefix
}

// prefixOf returns the prefix of a text that has the length and the prefix of a key, or "".
func prefixOf(text string) string {
	for _, prefix := range []string{keyPrefix, sandboxKeyPrefix} {
		if len(text) == len(prefix)+bodyLength && strings.HasPrefix(text, prefix) {
			return prefix
		}
	}
	return ""
}

// KeyHash is the SHA-256 of a key, under which it is remembered.
type KeyHash [sha256.Size]byte

// HashKey returns the hash of a text that has the length of a key; others are no
// keys. It runs with every request, does not keep the text and allocates nothing.
func HashKey(text string) (hash KeyHash, ok bool) {
	if len(text) != keyLength && len(text) != sandboxKeyLength {
		return KeyHash{}, false
	}
	var key [sandboxKeyLength]byte
	return sha256.Sum256(key[:copy(key[:], text)]), true
}

// PresentedKey is a key that a caller sent: well formed, with the right checksum,
// and not yet known to be anybody's.
type PresentedKey struct {
	text     string
	sandbox  bool
	lookupID string
	hash     KeyHash
}

// ParseKey reads a key without asking the database. It copies the text, which may
// point into a request's buffer. Errors: KindUnauthorized, saying "missing" for an
// empty text and "malformed" for one that is no key or has a typo.
func ParseKey(text string) (PresentedKey, error) {
	if text == "" {
		return PresentedKey{}, NewError(KindUnauthorized, "The API key is missing: send it in the X-API-Key header.")
	}
	if !wellFormed(text) {
		return PresentedKey{}, NewError(
			KindUnauthorized,
			"The API key is malformed: check that you copied all of it. It starts with dispo_ and has 57 characters, or with dispo_test_ and 62.",
		)
	}
	text = strings.Clone(text)
	hash, _ := HashKey(text)
	prefix := prefixOf(text)
	return PresentedKey{
		text:     text,
		sandbox:  prefix == sandboxKeyPrefix,
		lookupID: text[len(prefix) : len(prefix)+lookupIDLength],
		hash:     hash,
	}, nil
}

// Sandbox reports whether it is the key of a sandbox.
func (k PresentedKey) Sandbox() bool { return k.sandbox }

// Text returns the whole key.
func (k PresentedKey) Text() string { return k.text }

// LookupID returns the public part of the key, by which its row is found.
func (k PresentedKey) LookupID() string { return k.lookupID }

// Hash returns the hash under which the key is remembered.
func (k PresentedKey) Hash() KeyHash { return k.hash }

// Matches reports whether the key is the one that was hashed by bcrypt. It takes
// tens of milliseconds of a processor.
func (k PresentedKey) Matches(bcryptHash string) bool {
	return bcrypt.CompareHashAndPassword([]byte(bcryptHash), []byte(k.text)) == nil
}

// Fingerprint returns what lets a server that knows its secret accept the key again
// without bcrypt: the secret's tag, then the HMAC-SHA-256 of the key. It is nil without a
// secret.
func (k PresentedKey) Fingerprint(secret Secret) []byte {
	if len(secret) == 0 {
		return nil
	}
	return append(secret.FingerprintTag(), hmacSHA256(secret[0], k.text)...)
}

// FingerprintTag returns the four bytes that identify the secret in fingerprints.
func (s Secret) FingerprintTag() []byte { return derive(s[0], "fingerprint")[:4:4] }

// FingerprintFits compares the key with its stored fingerprint. That decides either way if
// the fingerprint was made under one of the server's secrets. renew means that it was the
// secret before.
func (k PresentedKey) FingerprintFits(stored []byte, secret Secret) (fits, decided, renew bool) {
	for i := range secret {
		own := k.Fingerprint(secret[i:])
		if len(stored) == len(own) && string(stored[:4]) == string(own[:4]) {
			return hmac.Equal(stored, own), true, i > 0
		}
	}
	return false, false, false
}

// HintLength is how many of a key's last characters name it.
const HintLength = 4

// Hint returns the last characters of the key.
func (k PresentedKey) Hint() string { return k.text[len(k.text)-HintLength:] }

func wellFormed(text string) bool {
	prefix := prefixOf(text)
	if prefix == "" || text[len(prefix)+lookupIDLength] != '_' {
		return false
	}
	lookupID, rest := text[len(prefix):][:lookupIDLength], text[len(prefix)+lookupIDLength+1:]
	body := text[:len(text)-checksumLength]
	return strings.Trim(lookupID, base62) == "" && strings.Trim(rest, base62) == "" && checksum(body) == text[len(body):]
}

// GenerateKey returns a new random key of a real organization, or of a sandbox.
func GenerateKey(sandbox bool) PresentedKey {
	body := KeyPrefix(sandbox) + randomBase62(lookupIDLength) + "_" + randomBase62(secretLength)
	key, err := ParseKey(body + checksum(body))
	if err != nil {
		panic("a new key is malformed")
	}
	return key
}

func checksum(body string) string {
	rest := crc32.ChecksumIEEE([]byte(body))
	var digits [checksumLength]byte
	for i := checksumLength - 1; i >= 0; i-- {
		digits[i] = base62[rest%62]
		rest /= 62
	}
	return string(digits[:])
}

func randomBase62(length int) string {
	digits := make([]byte, length)
	for i := range digits {
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(base62)))) // never fails: without random numbers the program ends
		digits[i] = base62[n.Int64()]
	}
	return string(digits)
}
