// Package secrets has the server's secret and what is derived from it, and the hash and cost
// under which other secrets are stored.
package secrets

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// Secret is the server's secret, 32 bytes or more, followed by the one before it while the
// secret is being changed. What is made is made under the first, and what was made under
// either is accepted. Each use has a key of its own, derived from the secret by the use's
// purpose. Empty means that there is none: keys then have no fingerprints, and nothing
// else may be made.
type Secret [][]byte

func derive(secret []byte, purpose string) []byte { return hmacSHA256(secret, "dispo "+purpose) }

// Hash returns the HMAC-SHA-256 of text for one purpose.
func (s Secret) Hash(purpose, text string) []byte {
	return hmacSHA256(derive(s[0], purpose), text)
}

// Hashed reports whether fits accepts what Hash returns for text, or what it returned
// under the secret before.
func (s Secret) Hashed(purpose, text string, fits func(hash []byte) bool) bool {
	return slices.ContainsFunc(s, func(secret []byte) bool { return fits(Secret{secret}.Hash(purpose, text)) })
}

// Sign returns a tag for text. A text that comes back with its tag was written by
// this service for the same purpose.
func (s Secret) Sign(purpose, text string) string {
	return base64.RawURLEncoding.EncodeToString(s.Hash(purpose, text))
}

// Signed reports whether tag is what Sign returns for text.
func (s Secret) Signed(purpose, text, tag string) bool {
	hash, err := base64.RawURLEncoding.DecodeString(tag)
	return err == nil && s.Hashed(purpose, text, func(own []byte) bool { return hmac.Equal(own, hash) })
}

// Ticket returns text with an expiry and a tag: base64url of 8 bytes of Unix
// seconds, the text and the HMAC.
func (s Secret) Ticket(purpose, text string, life time.Duration) string {
	body := binary.BigEndian.AppendUint64(nil, uint64(time.Now().Add(life).Unix()))
	body = append(body, text...)
	return base64.RawURLEncoding.EncodeToString(append(body, s.Hash(purpose, string(body))...))
}

var errTicket = errors.New("the ticket is forged or has expired")

// OpenTicket returns the text of a ticket, or an error if it is forged or has
// expired.
func (s Secret) OpenTicket(purpose, ticket string) (text string, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(ticket)
	if err != nil || len(raw) < 8+sha256.Size {
		return "", errTicket
	}
	body, tag := raw[:len(raw)-sha256.Size], raw[len(raw)-sha256.Size:]
	if !s.Hashed(purpose, string(body), func(own []byte) bool { return hmac.Equal(own, tag) }) ||
		time.Now().Unix() >= int64(binary.BigEndian.Uint64(body)) {
		return "", errTicket
	}
	return string(body[8:]), nil
}

// Encrypt encrypts text by AES-256-GCM. The nonce, which is random, stands before the
// ciphertext.
func (s Secret) Encrypt(purpose string, text []byte) []byte {
	return aead(s[0], purpose).Seal(nil, nil, text, nil)
}

// Decrypt returns what Encrypt encrypted, or an error if the secret is another one.
func (s Secret) Decrypt(purpose string, sealed []byte) (text []byte, err error) {
	err = errSealed
	for i := 0; i < len(s) && err != nil; i++ {
		text, err = aead(s[i], purpose).Open(nil, nil, sealed, nil)
	}
	return text, err
}

// Renew returns what is to be stored instead of what Encrypt encrypted under the secret
// before, or nil if it was encrypted under the present one. It returns an error if neither
// opens it.
func (s Secret) Renew(purpose string, sealed []byte) ([]byte, error) {
	text, err := s.Decrypt(purpose, sealed)
	if err != nil {
		return nil, err
	}
	if _, err := s[:1].Decrypt(purpose, sealed); err == nil {
		return nil, nil
	}
	return s.Encrypt(purpose, text), nil
}

var errSealed = errors.New("there is no secret")

// tagLength is how many bytes of a fingerprint identify its secret.
const tagLength = 4

// FingerprintTag returns the bytes that identify the secret in fingerprints.
func (s Secret) FingerprintTag() []byte { return derive(s[0], "fingerprint")[:tagLength:tagLength] }

// Fingerprint returns what lets a server that knows the secret recognize text: the secret's
// tag, then the HMAC-SHA-256 of text. It is nil without a secret.
func (s Secret) Fingerprint(text string) []byte {
	if len(s) == 0 {
		return nil
	}
	return append(s.FingerprintTag(), hmacSHA256(s[0], text)...)
}

// FingerprintFits compares text with a stored fingerprint. That decides either way if the
// fingerprint was made under the secret, or under the one before it: then renew is true.
func (s Secret) FingerprintFits(text string, stored []byte) (fits, decided, renew bool) {
	for i := range s {
		own := s[i:].Fingerprint(text)
		if len(stored) == len(own) && string(stored[:tagLength]) == string(own[:tagLength]) {
			return hmac.Equal(stored, own), true, i > 0
		}
	}
	return false, false, false
}

func aead(secret []byte, purpose string) cipher.AEAD {
	block, err := aes.NewCipher(derive(secret, purpose))
	if err != nil {
		panic(err) // impossible: the key's length is right
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return aead
}

func hmacSHA256(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// TokenHash returns the hash under which the token of a link or session is stored.
func TokenHash(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}
