package keys

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"

	"golang.org/x/crypto/bcrypt"

	"dispo/models"
)

// An API key is `dispo_`, or `dispo_test_` for a sandbox, a 12-character lookup id,
// `_`, a 32-character random secret and a 6-character checksum (CRC-32/IEEE of
// everything before it), the last three in base62. That is 57 characters, or 62, under
// bcrypt's 72 bytes.
const (
	sandboxPrefix    = models.KeyPrefix + models.SandboxInfix
	checksumLength   = 6
	bodyLength       = models.LookupIDLength + 1 + models.KeySecretLength + checksumLength // after the prefix
	keyLength        = len(models.KeyPrefix) + bodyLength
	sandboxKeyLength = len(sandboxPrefix) + bodyLength
	base62           = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// Prefix returns what the keys of a real organization, or of a sandbox, begin with.
func Prefix(sandbox bool) string {
	if sandbox {
		return sandboxPrefix
	}
	return models.KeyPrefix
}

// prefixOf returns the prefix of a text that has the length and the prefix of a key, or "".
func prefixOf(text string) string {
	for _, prefix := range []string{models.KeyPrefix, sandboxPrefix} {
		if len(text) == len(prefix)+bodyLength && strings.HasPrefix(text, prefix) {
			return prefix
		}
	}
	return ""
}

// Hash is the SHA-256 of a key, under which it is remembered.
type Hash [sha256.Size]byte

// HashOf returns the hash of a text that has the length of a key; others are no
// keys. It runs with every request, does not keep the text and allocates nothing.
func HashOf(text string) (hash Hash, ok bool) {
	if len(text) != keyLength && len(text) != sandboxKeyLength {
		return Hash{}, false
	}
	var key [sandboxKeyLength]byte
	return sha256.Sum256(key[:copy(key[:], text)]), true
}

// Presented is a key that a caller sent: well formed, with the right checksum,
// and not yet known to be anybody's.
type Presented struct {
	text     string
	sandbox  bool
	lookupID string
	hash     Hash
}

// Parse reads a key without asking the database. It copies the text, which may
// point into a request's buffer. Errors: models.KindUnauthorized, saying "missing" for an
// empty text and "malformed" for one that is no key or has a typo.
func Parse(text string) (Presented, error) {
	if text == "" {
		return Presented{}, models.NewError(models.KindUnauthorized,
			"The API key is missing: send it in the X-API-Key header.")
	}
	if !wellFormed(text) {
		return Presented{}, models.NewError(
			models.KindUnauthorized,
			"The API key is malformed: check that you copied all of it. It starts with dispo_ and has 57 characters, or with dispo_test_ and 62.",
		)
	}
	text = strings.Clone(text)
	hash, _ := HashOf(text)
	prefix := prefixOf(text)
	return Presented{
		text:     text,
		sandbox:  prefix == sandboxPrefix,
		lookupID: text[len(prefix) : len(prefix)+models.LookupIDLength],
		hash:     hash,
	}, nil
}

// Sandbox reports whether it is the key of a sandbox.
func (k Presented) Sandbox() bool { return k.sandbox }

// Text returns the whole key.
func (k Presented) Text() string { return k.text }

// LookupID returns the public part of the key, by which its row is found.
func (k Presented) LookupID() string { return k.lookupID }

// Hash returns the hash under which the key is remembered.
func (k Presented) Hash() Hash { return k.hash }

// Matches reports whether the key is the one that was hashed by bcrypt. It takes
// tens of milliseconds of a processor.
func (k Presented) Matches(bcryptHash string) bool {
	return bcrypt.CompareHashAndPassword([]byte(bcryptHash), []byte(k.text)) == nil
}

// HintLength is how many of a key's last characters name it.
const HintLength = 4

// Hint returns the last characters of the key.
func (k Presented) Hint() string { return k.text[len(k.text)-HintLength:] }

// HintIn returns the last characters of the whole key in a text, if there is one, as in
// "X-API-Key: dispo_…".
func HintIn(text string) (hint string, ok bool) {
	notInKey := func(c rune) bool { return !strings.ContainsRune(base62+"_", c) }
	for word := range strings.FieldsFuncSeq(text, notInKey) {
		if wellFormed(word) {
			return strings.Clone(word[len(word)-HintLength:]), true
		}
	}
	return "", false
}

func wellFormed(text string) bool {
	prefix := prefixOf(text)
	if prefix == "" || text[len(prefix)+models.LookupIDLength] != '_' {
		return false
	}
	lookupID, rest := text[len(prefix):][:models.LookupIDLength], text[len(prefix)+models.LookupIDLength+1:]
	body := text[:len(text)-checksumLength]
	return strings.Trim(lookupID, base62) == "" && strings.Trim(rest, base62) == "" && checksum(body) == text[len(body):]
}

// Generate returns a new random key of a real organization, or of a sandbox.
func Generate(sandbox bool) Presented {
	body := Prefix(sandbox) + randomBase62(models.LookupIDLength) + "_" + randomBase62(models.KeySecretLength)
	key, err := Parse(body + checksum(body))
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
