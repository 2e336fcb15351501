// Package password checks, hashes and compares people's passwords. bcrypt keeps a
// processor busy for tens of milliseconds, so all of it runs here, by a queue in which
// networks take turns. Nothing else in the service runs bcrypt on a person's password.
package password

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"runtime"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/bcrypt"
	"golang.org/x/text/unicode/norm"

	"dispo/models"
	"dispo/models/fairqueue"
	"dispo/models/secrets"
)

const (
	minimum = 12    // characters
	maximum = 1_000 // characters
	judged  = 72    // characters of a long password whose guesses are estimated, because that takes the square of their number

	guessesNeeded = 8 // as a power of ten

	// scheme begins a stored hash and says what digest does. bcrypt's own version and cost follow.
	scheme = "sha384-nfc"
)

// Check reports what is wrong with a new password. Names are those of its user and of
// their organizations, which others would guess. Errors: KindInvalid.
func Check(password, email string, names []string) error {
	local, _, _ := strings.Cut(email, "@")
	lower := strings.ToLower(password)
	own := []string{email}
	for _, name := range append(names, email) {
		words := strings.FieldsFunc(strings.ToLower(name),
			func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for _, word := range append(words, strings.Join(words, "")) {
			own = append(own, word, twoLetters.Replace(word), oneLetter.Replace(word))
		}
	}
	text := []rune(norm.NFC.String(password))
	switch {
	case !utf8.ValidString(password):
		return models.NewError(models.KindInvalid, "The password is not text in UTF-8. Type it again.")
	case len(text) < minimum:
		return models.NewError(models.KindInvalid, "The password needs at least {least} characters.", "least", minimum)
	case len(text) > maximum:
		return models.NewError(
			models.KindInvalid, "The password is too long. It can have at most {most} characters.", "most", maximum)
	case email != "" && (lower == email || lower == local):
		return models.NewError(models.KindInvalid, "The password cannot be the e-mail address.")
	case guesses(string(text[:min(len(text), judged)]), own) < guessesNeeded:
		return models.NewError(models.KindInvalid, "This password is too common. Choose another one.")
	}
	return nil
}

// Origin is where a password comes from. Those who are known wait as their account, and
// get every second place. The others wait as the link that they use, or as their network.
type Origin struct {
	Account string // that is signed in, or signs in on a known device; otherwise empty
	Link    string // that sets the password; otherwise empty
	Network string
}

// Hasher runs bcrypt. It is safe for concurrent use.
type Hasher struct{ queue *fairqueue.Queue[Origin] }

// NewHasher returns a hasher that leaves one processor, if there are two, to the rest of
// the service. Many may wait, because a caller that is refused comes back at once, and
// costs more than one that waits.
func NewHasher() *Hasher {
	return &Hasher{fairqueue.New(fairqueue.Limits[Origin]{
		AtOnce: max(1, runtime.GOMAXPROCS(0)-1), Waiting: 200, Subjects: 500,
		Preferred: func(o Origin) bool { return o.Account != "" },
	})}
}

var errCrowded = models.NewError(models.KindLimited, "Many people are signing in right now. Try again in a minute.")

// ErrSame means that a new password is the present one.
var ErrSame = models.NewError(models.KindInvalid, "This is already your password. Choose another one.")

// Matches compares a password with a hash. It takes as long if there is none. Errors:
// KindLimited if too many wait, or ctx ends first.
func (h *Hasher) Matches(ctx context.Context, from Origin, hash *string, password string) (bool, error) {
	leave, ok := h.queue.Enter(ctx, from)
	if !ok {
		return false, errCrowded
	}
	defer leave()
	return matches(hash, password), nil
}

// Hash returns the hash of a new password. When its turn has come, it calls present for
// the hash of the user's present password, nil if there is none. Errors: KindLimited as
// for Matches, those of present, and ErrSame.
func (h *Hasher) Hash(
	ctx context.Context, from Origin, password string, present func() (*string, error),
) (string, error) {
	leave, ok := h.queue.Enter(ctx, from)
	if !ok {
		return "", errCrowded
	}
	defer leave()
	old, err := present()
	if err != nil {
		return "", err
	}
	if old != nil && matches(old, password) {
		return "", ErrSame
	}
	return HashAt(secrets.BcryptCost, password)
}

// HashAt returns the hash of a password at a cost of bcrypt, without a turn.
func HashAt(cost int, password string) (string, error) {
	hash, err := bcrypt.GenerateFromPassword(digest(password), cost)
	return scheme + string(hash), err
}

// matches compares a password with a hash, or, as long, with nobody's if there is none or it
// has another scheme.
func matches(hash *string, password string) bool {
	stored, known := "", false
	if hash != nil {
		stored, known = strings.CutPrefix(*hash, scheme)
	}
	if !known {
		stored = nobodysHash()
	}
	return bcrypt.CompareHashAndPassword([]byte(stored), digest(password)) == nil && known
}

// digest returns what bcrypt hashes, 64 characters of base64 for any password: bcrypt takes 72
// bytes at most, and some implementations end at a NUL. NFC is one form for what keyboards
// send in different ones, such as å.
func digest(password string) []byte {
	sum := sha512.Sum384(norm.NFC.AppendString(nil, password))
	return base64.StdEncoding.AppendEncode(nil, sum[:])
}

var nobodysHash = sync.OnceValue(func() string {
	hash, _ := bcrypt.GenerateFromPassword(nil, secrets.BcryptCost) // fails only for a long password
	return string(hash)
})
