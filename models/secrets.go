package models

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"
)

// Everything here hangs on the server's secret, each use under a key of its own
// derived from it by its purpose.

func (s *Store) derive(purpose string) []byte { return mac(s.secret, "dispo "+purpose) }

// Sign gives a tag for a text, for one purpose: what comes back with the tag was
// written by this service.
func (s *Store) Sign(purpose, text string) string {
	return base64.RawURLEncoding.EncodeToString(mac(s.derive(purpose), text))
}

// Signed tells whether tag is Sign's for the text.
func (s *Store) Signed(purpose, text, tag string) bool {
	return hmac.Equal([]byte(s.Sign(purpose, text)), []byte(tag))
}

// ticket is a signed text that ends at a time: base64url of 8 bytes of Unix
// seconds, the text, and the tag.
func (s *Store) ticket(purpose, text string, life time.Duration) string {
	body := binary.BigEndian.AppendUint64(nil, uint64(time.Now().Add(life).Unix()))
	body = append(body, text...)
	return base64.RawURLEncoding.EncodeToString(append(body, mac(s.derive(purpose), string(body))...))
}

var errTicket = errors.New("no ticket of ours, or one that has ended")

func (s *Store) openTicket(purpose, ticket string) (text string, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(ticket)
	if err != nil || len(raw) < 8+sha256.Size {
		return "", errTicket
	}
	body, tag := raw[:len(raw)-sha256.Size], raw[len(raw)-sha256.Size:]
	if !hmac.Equal(mac(s.derive(purpose), string(body)), tag) || time.Now().Unix() >= int64(binary.BigEndian.Uint64(body)) {
		return "", errTicket
	}
	return string(body[8:]), nil
}

// encrypt and decrypt use AES-256-GCM, the nonce before the text.
func (s *Store) encrypt(purpose string, text []byte) []byte {
	aead := s.aead(purpose)
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails: it ends the program where the system gives no random numbers
	return aead.Seal(nonce, nonce, text, nil)
}

func (s *Store) decrypt(purpose string, sealed []byte) ([]byte, error) {
	aead := s.aead(purpose)
	if len(sealed) < aead.NonceSize() {
		return nil, errors.New("too short to be encrypted")
	}
	return aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], nil)
}

func (s *Store) aead(purpose string) cipher.AEAD {
	block, err := aes.NewCipher(s.derive(purpose))
	if err != nil {
		panic(err) // the key's length is ours
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}

// newToken makes a random token, and the hash by which it is found again.
func newToken() (token string, hash []byte) {
	random := make([]byte, 32)
	_, _ = rand.Read(random)
	token = base64.RawURLEncoding.EncodeToString(random)
	return token, tokenHash(token)
}

func tokenHash(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}
