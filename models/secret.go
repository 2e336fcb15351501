package models

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"
)

// Secret is the server's secret, 32 bytes or more. Each use has a key of its own,
// derived from the secret by the use's purpose. Empty means that there is none:
// keys then have no fingerprints.
type Secret []byte

func (s Secret) derive(purpose string) []byte { return hmacSHA256(s, "dispo "+purpose) }

// Hash returns the HMAC-SHA-256 of text for one purpose.
func (s Secret) Hash(purpose, text string) []byte { return hmacSHA256(s.derive(purpose), text) }

// Sign returns a tag for text. A text that comes back with its tag was written by
// this service for the same purpose.
func (s Secret) Sign(purpose, text string) string {
	return base64.RawURLEncoding.EncodeToString(s.Hash(purpose, text))
}

// Signed reports whether tag is what Sign returns for text.
func (s Secret) Signed(purpose, text, tag string) bool {
	return hmac.Equal([]byte(s.Sign(purpose, text)), []byte(tag))
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
	if !hmac.Equal(s.Hash(purpose, string(body)), tag) || time.Now().Unix() >= int64(binary.BigEndian.Uint64(body)) {
		return "", errTicket
	}
	return string(body[8:]), nil
}

// Encrypt encrypts text by AES-256-GCM. The nonce, which is random, stands before the
// ciphertext.
func (s Secret) Encrypt(purpose string, text []byte) []byte {
	return s.aead(purpose).Seal(nil, nil, text, nil)
}

// Decrypt returns what Encrypt encrypted, or an error if the secret is another one.
func (s Secret) Decrypt(purpose string, sealed []byte) ([]byte, error) {
	return s.aead(purpose).Open(nil, nil, sealed, nil)
}

func (s Secret) aead(purpose string) cipher.AEAD {
	block, err := aes.NewCipher(s.derive(purpose))
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
