package keys_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

const real, sandbox = false, true

var keyForm = regexp.MustCompile(`\Adispo_(test_)?[0-9A-Za-z]{12}_[0-9A-Za-z]{32}[0-9A-Za-z]{6}\z`)

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
		key := keys.Generate(i%2 > 0)
		rest, ok := strings.CutPrefix(key.Text(), prefix)
		require.True(t, ok)
		require.Len(t, rest, 51)
		require.Less(t, len(key.Text()), 72)
		require.Regexp(t, keyForm, key.Text())
		require.Equal(t, key.Text(), modelstest.WithChecksum(prefix+rest[:45]))
		require.Equal(t, rest[:12], key.LookupID())
		require.Equal(t, rest[47:], key.Hint())
		require.Equal(t, i%2 > 0, key.Sandbox())
		for _, part := range []string{key.LookupID(), rest[13:45]} {
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
	key := keys.Generate(real)
	for _, made := range []keys.Presented{key, keys.Generate(sandbox)} {
		parsed, err := keys.Parse(made.Text())
		require.NoError(t, err)
		require.Equal(t, made, parsed)
	}

	_, err := keys.Parse("")
	require.Equal(t, models.KindUnauthorized, models.ErrorKind(err))
	require.Contains(t, err.Error(), "missing")
	for _, text := range []string{
		" ", "x", "dispo_", key.Text() + "0", key.Text()[1:], key.Text()[:56], " " + key.Text(), key.Text() + "\n", "Bearer " + key.Text(),
		strings.ToUpper(key.Text()), strings.Replace(key.Text(), "dispo_", "dispo-", 1), key.Text()[:18] + "-" + key.Text()[19:],
		key.Text()[:51] + "      ", strings.Repeat("x", 57), strings.Repeat("\x00", 57), "dispo_" + strings.Repeat("é", 51)[:51], strings.Repeat("a", 1<<20),
		// Of another form, with a checksum that fits.
		modelstest.WithChecksum("disposals0aZ9bY8cX7d_abcdefghijklmnopqrstuvwxyz012345"[:51]), modelstest.WithChecksum("dispo-0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345"),
		modelstest.WithChecksum("dispo_0aZ9bY8cX7dW0abcdefghijklmnopqrstuvwxyz012345"), modelstest.WithChecksum("dispo_0aZ9bY8cX-dW_abcdefghijklmnopqrstuvwxyz012345"),
		modelstest.WithChecksum("dispo_0aZ9bY8cX7dW_abcdefghijklm opqrstuvwxyz012345"), modelstest.WithChecksum("dispo_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz0123456"),
		modelstest.WithChecksum("dispo_test_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz01234"), modelstest.WithChecksum("dispo_test_0aZ9bY8cX7dW0abcdefghijklmnopqrstuvwxyz012345"),
		modelstest.WithChecksum("dispo_TEST_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345"), modelstest.WithChecksum("dispo_live_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345"),
	} {
		_, err := keys.Parse(text)
		require.Error(t, err, "%.80q", text)
		require.Equal(t, models.KindUnauthorized, models.ErrorKind(err))
		require.Contains(t, err.Error(), "malformed")
		require.NotContains(t, err.Error(), key.Text()[19:])
	}
}

// The checksum finds every typo of one character, and every two neighbours that
// changed places.
func TestKeyChecksumFindsTypos(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"dispo_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345", "dispo_test_0aZ9bY8cX7dW_abcdefghijklmnopqrstuvwxyz012345"} {
		key := modelstest.WithChecksum(body)
		require.NoError(t, modelstest.ErrorOf(keys.Parse(key)))
		for i := range key {
			typos := []string{key[:max(i-1, 0)] + key[i:i+1] + key[max(i-1, 0):i] + key[i+1:]} // neighbours
			for _, c := range "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- " {
				typos = append(typos, key[:i]+string(c)+key[i+1:])
			}
			for _, typo := range typos {
				if _, err := keys.Parse(typo); typo != key && err == nil {
					require.Fail(t, "accepted", typo)
				}
			}
		}
	}
}

// A parsed key does not share memory with the text that it was read from, which may
// be in a buffer that the next request overwrites.
func TestParseKeyCopies(t *testing.T) {
	t.Parallel()
	key := keys.Generate(real)
	buffer := []byte(key.Text())
	parsed, err := keys.Parse(unsafe.String(&buffer[0], len(buffer)))
	require.NoError(t, err)
	copy(buffer, bytes.Repeat([]byte("x"), len(buffer)))
	require.Equal(t, key, parsed)
}

// Parse never panics, and accepts exactly the texts that have the form of a key
// and the right checksum.
func FuzzParse(f *testing.F) {
	f.Add("")
	f.Add("dispo_")
	f.Add(keys.Generate(real).Text())
	f.Add(keys.Generate(sandbox).Text())
	const body = "dispo_000000000000_00000000000000000000000000000000"
	f.Add(modelstest.WithChecksum(body))
	f.Add(body + "000000")
	f.Add(strings.Repeat("é", 28) + "x")
	f.Fuzz(func(t *testing.T, text string) {
		key, err := keys.Parse(text)
		good := keyForm.MatchString(text) && modelstest.WithChecksum(text[:len(text)-6]) == text
		if good != (err == nil) {
			t.Fatalf("well formed: %v, error: %v: %q", good, err, text)
		}
		if good && key.Text() != text {
			t.Fatalf("%q became %q", text, key.Text())
		}
	})
}
