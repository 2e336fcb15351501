package models

import (
	"bytes"
	"hash/crc32"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

var keyForm = regexp.MustCompile(`\Adispo_(test_)?[0-9A-Za-z]{12}_[0-9A-Za-z]{32}[0-9A-Za-z]{6}\z`)

// crcOf computes the checksum in another way than the code does: CRC-32 in base62
// with the digits 0-9, A-Z, a-z.
func crcOf(body string) string {
	text := new(big.Int).SetUint64(uint64(crc32.ChecksumIEEE([]byte(body)))).Text(62) // digits 0-9, a-z, A-Z
	text = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, text)
	return strings.Repeat("0", 6-len(text)) + text
}

func signed(body string) string { return body + crcOf(body) }

// A key is dispo_, or dispo_test_ for a sandbox, 12 characters, _, 32 characters and the
// checksum of all of these in 6 characters. These 57 or 62 characters are under bcrypt's
// 72 bytes, and no two keys are alike.
func TestKeyFormat(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	used := map[rune]bool{}
	for i := range 2000 {
		prefix := "dispo_"
		if i%2 > 0 {
			prefix = "dispo_test_"
		}
		key := GenerateKey(i%2 > 0)
		rest, ok := strings.CutPrefix(key.text, prefix)
		require.True(t, ok)
		require.Len(t, rest, 51)
		require.Less(t, len(key.text), 72)
		require.Regexp(t, keyForm, key.text)
		require.Equal(t, crcOf(prefix+rest[:45]), rest[45:])
		require.Equal(t, rest[:12], key.LookupID())
		require.Equal(t, rest[47:], key.Hint())
		require.Equal(t, i%2 > 0, key.Sandbox())
		for _, part := range []string{key.lookupID, rest[13:45]} {
			require.False(t, seen[part])
			seen[part] = true
		}
		for _, r := range rest[13:45] {
			used[r] = true
		}
	}
	require.Len(t, used, 62)
}

// ParseKey reads back a key. The error for a missing or malformed key says which it
// is, and does not repeat the text.
func TestParseKey(t *testing.T) {
	t.Parallel()
	key := GenerateKey(false)
	for _, made := range []PresentedKey{key, GenerateKey(true)} {
		parsed, err := ParseKey(made.text)
		require.NoError(t, err)
		require.Equal(t, made, parsed)
	}

	_, err := ParseKey("")
	require.Equal(t, KindUnauthorized, ErrorKind(err))
	require.Contains(t, err.Error(), "missing")
	for _, text := range []string{
		" ", "x", "dispo_", key.text + "0", key.text[1:], key.text[:56], " " + key.text, key.text + "\n", "Bearer " + key.text,
		strings.ToUpper(key.text), strings.Replace(key.text, "dispo_", "dispo-", 1), key.text[:18] + "-" + key.text[19:],
		key.text[:51] + "      ", strings.Repeat("x", 57), strings.Repeat("\x00", 57), "dispo_" + strings.Repeat("é", 51)[:51], strings.Repeat("a", 1<<20),
		// Of another form, with a checksum that fits.
		signed("disposals0aZ9bY8cX7d_abcdefghijklmnopqrstuvwxyz012345"[:51]), signed("dispo-0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345"),
		signed("dispo_0aZ9bY8cX7dW0abcdefghijklmnopqrstuvwxyz012345"), signed("dispo_0aZ9bY8cX-dW_abcdefghijklmnopqrstuvwxyz012345"),
		signed("dispo_0aZ9bY8cX7dW_abcdefghijklm opqrstuvwxyz012345"), signed("dispo_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz0123456"),
		signed("dispo_test_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz01234"), signed("dispo_test_0aZ9bY8cX7dW0abcdefghijklmnopqrstuvwxyz012345"),
		signed("dispo_TEST_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345"), signed("dispo_live_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345"),
	} {
		_, err := ParseKey(text)
		require.Error(t, err, "%.80q", text)
		require.Equal(t, KindUnauthorized, ErrorKind(err))
		require.Contains(t, err.Error(), "malformed")
		require.NotContains(t, err.Error(), key.text[19:])
	}
}

// The checksum finds every typo of one character, and every two neighbours that
// changed places.
func TestKeyChecksumFindsTypos(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"dispo_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345", "dispo_test_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345"} {
		key := body + crcOf(body)
		_, err := ParseKey(key)
		require.NoError(t, err)
		requireTyposFound(t, key)
	}
}

func requireTyposFound(t *testing.T, key string) {
	t.Helper()
	for i := range key {
		for _, c := range []byte(base62 + "_- ") {
			typo := key[:i] + string(c) + key[i+1:]
			if _, err := ParseKey(typo); typo != key && err == nil {
				require.Fail(t, "accepted", typo)
			}
		}
		if i > 0 && key[i] != key[i-1] {
			swapped := key[:i-1] + string(key[i]) + string(key[i-1]) + key[i+1:]
			if _, err := ParseKey(swapped); err == nil {
				require.Fail(t, "accepted", swapped)
			}
		}
	}
}

// A parsed key does not share memory with the text that it was read from, which may
// be in a buffer that the next request overwrites.
func TestParseKeyCopies(t *testing.T) {
	t.Parallel()
	key := GenerateKey(false)
	buffer := []byte(key.text)
	parsed, err := ParseKey(unsafe.String(&buffer[0], len(buffer)))
	require.NoError(t, err)
	copy(buffer, bytes.Repeat([]byte("x"), len(buffer)))
	require.Equal(t, key, parsed)
}

// A key's fingerprint depends on the key and on the server's secret, and reveals
// neither. Without a secret there is none.
func TestKeyFingerprint(t *testing.T) {
	t.Parallel()
	one, two := GenerateKey(false), GenerateKey(true)
	secret, other := Secret{[]byte("a secret of thirty-two bytes long")}, Secret{[]byte("another one of thirty-two bytes..")}
	require.Nil(t, one.Fingerprint(nil))
	require.Len(t, one.Fingerprint(secret), 36)
	require.Equal(t, one.Fingerprint(secret), one.Fingerprint(secret))
	require.Equal(t, one.Fingerprint(secret)[:4], two.Fingerprint(secret)[:4], "the part that identifies the secret")
	require.NotEqual(t, one.Fingerprint(secret)[4:], two.Fingerprint(secret)[4:])
	require.NotEqual(t, one.Fingerprint(secret)[:4], one.Fingerprint(other)[:4])
	require.NotEqual(t, one.Fingerprint(secret)[4:], one.Fingerprint(other)[4:])
	require.False(t, bytes.Contains(one.Fingerprint(secret), secret[0][:4]))
}

// ParseKey never panics, and accepts exactly the texts that have the form of a key
// and the right checksum.
func FuzzParseKey(f *testing.F) {
	f.Add("")
	f.Add("dispo_")
	f.Add(GenerateKey(false).text)
	f.Add(GenerateKey(true).text)
	body := "dispo_000000000000_00000000000000000000000000000000"
	f.Add(body + crcOf(body))
	f.Add(body + "000000")
	f.Add(strings.Repeat("é", 28) + "x")
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParseKey(text)
		good := keyForm.MatchString(text) && crcOf(text[:len(text)-6]) == text[len(text)-6:]
		if good != (err == nil) {
			t.Fatalf("well formed: %v, error: %v: %q", good, err, text)
		}
		if good && key.text != text {
			t.Fatalf("%q became %q", text, key.text)
		}
	})
}
