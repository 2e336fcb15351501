package models

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// An API key is `dispo_`, a 12-character lookup id, `_`, a 32-character random
// secret and a 6-character checksum (CRC-32/IEEE of all before it), the last
// three in base62: 57 characters, under bcrypt's 72 bytes.
const (
	keyPrefix      = "dispo_"
	lookupIDLength = 12
	secretLength   = 32
	checksumLength = 6
	keyLength      = len(keyPrefix) + lookupIDLength + 1 + secretLength + checksumLength
	base62         = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// PresentedKey is a key as a caller brought it: of the right form, with the
// right checksum, and not yet known to be anybody's.
type PresentedKey struct {
	text     string
	lookupID string
	hash     [sha256.Size]byte
}

// ParseKey reads a key without a look at the database. Its error is
// KindUnauthorized: "missing" for no text, "malformed" for one that is no key or
// has a typo. The text is copied: it may point into a request's buffer.
func ParseKey(text string) (PresentedKey, error) {
	if text == "" {
		return PresentedKey{}, NewError(KindUnauthorized, "The API key is missing: send it in the X-API-Key header.")
	}
	if !wellFormed(text) {
		return PresentedKey{}, NewError(KindUnauthorized, "The API key is malformed: see that it was copied whole, it starts with dispo_ and has 57 characters.")
	}
	text = strings.Clone(text)
	return PresentedKey{
		text:     text,
		lookupID: text[len(keyPrefix) : len(keyPrefix)+lookupIDLength],
		hash:     hashKey(text),
	}, nil
}

// hashKey is what a key is remembered under. It is done with every request, and
// allocates nothing.
func hashKey(text string) [sha256.Size]byte {
	var key [keyLength]byte
	return sha256.Sum256(key[:copy(key[:], text)])
}

func wellFormed(text string) bool {
	if len(text) != keyLength || text[:len(keyPrefix)] != keyPrefix || text[len(keyPrefix)+lookupIDLength] != '_' {
		return false
	}
	for i := len(keyPrefix); i < len(text); i++ {
		c := text[i]
		alphanumeric := '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
		if !alphanumeric && i != len(keyPrefix)+lookupIDLength {
			return false
		}
	}
	body := text[:keyLength-checksumLength]
	return checksum(body) == text[keyLength-checksumLength:]
}

// makeKey makes a new random key.
func makeKey() PresentedKey {
	body := keyPrefix + randomBase62(lookupIDLength) + "_" + randomBase62(secretLength)
	key, err := ParseKey(body + checksum(body))
	if err != nil {
		panic("a key just made is malformed")
	}
	return key
}

func (k PresentedKey) hint() string { return k.text[keyLength-4:] }

// fingerprint is what lets a server that knows its secret accept the key again
// without bcrypt: four bytes that tell which secret, then HMAC-SHA-256 of the
// key. Nil without a secret.
func (k PresentedKey) fingerprint(secret []byte) []byte {
	if len(secret) == 0 {
		return nil
	}
	return append(mac(secret, "dispo fingerprint")[:4:4], mac(secret, k.text)...)
}

func mac(secret []byte, text string) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(text))
	return h.Sum(nil)
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
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			panic("the system gives no random numbers: " + err.Error())
		}
		digits[i] = base62[n.Int64()]
	}
	return string(digits)
}
