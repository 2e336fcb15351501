package password

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/text/unicode/norm"

	"dispo/models"
)

// Passwords that take fewer than 10^8 guesses are refused: words, of the service, its
// languages and its customers, with years, dates, digits, disguises or each other; known
// sentences; keyboard walks; sequences; and repetitions. Others pass.
func TestCheck(t *testing.T) {
	t.Parallel()
	check := func(password string) error {
		return Check(password, "kari.nordmann@fjordbank.example", []string{"Nordlys A/S", "Ærø Færgeri"})
	}
	for _, weak := range []string{
		"password1234", "Password2026!", "passwordpassword", "P@ssw0rd2026", "drowssap2026", "letmein12345", "iloveyou2026", "administrator1",
		"københavn2026", "koebenhavn2026", "kobenhavn2026", "K0benhavn!2026", "adgangskode1", "Adgangskode123!", "velkommen1234", "Sommer2026!!", "brøndby19641964",
		"sommerfugl123", "jordbær202526", "kartoffel1234", "hemmelighed12", "fodbold123456", "september2026", "4dg4ngsk0de!", "2026danmark26",
		"Nordlys123456", "nordlysnordlys", "n0rdlys-2026", "nordlysas2026", "fjordbank2026", "nordmann12345", "KariNordmann1", "aeroefaergeri", "dispo123456789", "dispodispo2026",
		"qwertyuiop123", "1qaz2wsx3edc", "asdfghjklæø1", "zaq12wsxcde3", "poiuytrewq12",
		"correct horse battery staple", "Correct-Horse-Battery-Staple", "rødgrødmedfløde", "Odense5000Odense", "Fredag13.november", "cvrnummer2026", "hejmeddig123", "Bankoverforsel1", "Roskilde4000roskilde", "24.december2026", "hej med dig 2026",
		"123456789012", "abcdefghijkl", "987654321098", "aaaaaaaaaaaa", "abcabcabcabc", "xyxyxyxyxyxy", "111122223333", "202420252026",
	} {
		require.Error(t, check(weak), weak)
		require.ErrorContains(t, check(weak), "too common")
	}
	for _, strong := range []string{
		"korrekt hest batteri", "another long password", "my newest long password", "a third good password", "paraplyer sover i horsens", "11. november regnede kameler",
		"Tz7-kkW9pQ2x", "gulerodsmaskinen", "vfpqkzrwtnbd", "blå hunde spiser sne", "8352917460482", "æøåæøåæøåæø x7Kq", "jeg cykler 14 km hver dag", strings.Repeat("æ7Kq-2mP9z", 100),
	} {
		require.NoError(t, check(strong), strong)
	}
	for password, problem := range map[string]string{
		"kari.nordmann@fjordbank.example": "e-mail address", "x7Kq-2mP9z!": "at least 12", "ååååååååååå": "at least 12",
		strings.Repeat("x7Kq-2mP9z", 100) + "!": "at most 1,000 characters", strings.Repeat("correct horse battery staple ", 30): "too common",
		"paraplyer sover i k\xf8ge": "UTF-8", strings.Repeat("a\u030a", 11): "at least 12",
	} {
		err := check(password)
		require.ErrorContains(t, err, problem)
		require.Equal(t, models.KindInvalid, models.ErrorKind(err))
	}
}

// Passwords of 64 and 256 characters of any script are accepted. Every character
// counts, also those after bcrypt's 72 bytes or a NUL. The two forms that Unicode has for a letter are
// the same password. The hash says how it was made.
func TestLongPasswords(t *testing.T) {
	t.Parallel()
	for _, alphabet := range []string{"x7Kq-2mP9z", "blå ørn æder", "пароль и ключ", "密码和钥匙以及雨伞", "كلمة المرور", "비밀번호 열쇠", "🔑🦊☂️🐪🚲🌧🧊🥐🛶", "a\x00b\x00\x00c9"} {
		for _, length := range []int{64, 256} {
			text := []rune(strings.Repeat(alphabet, length))[:length]
			password := string(text)
			require.NoError(t, Check(password, "kari@fjordbank.example", nil), "%d of %s", length, alphabet)
			hash, err := HashAt(bcrypt.MinCost, password)
			require.NoError(t, err)
			require.True(t, matches(&hash, password), password)
			require.True(t, matches(&hash, norm.NFD.String(password)), password)
			require.False(t, matches(&hash, string(text[:length-1])+"?"), password)
			require.False(t, matches(&hash, password+"?"), password)
			require.Regexp(t, `^sha384-nfc\$2a\$04\$`, hash)
		}
	}
}

// A hash that was made in another way matches nothing.
func TestHashesOfAnotherKind(t *testing.T) {
	t.Parallel()
	const password = "a third good password"
	hash, err := HashAt(bcrypt.MinCost, password)
	require.NoError(t, err)
	for _, other := range []string{strings.TrimPrefix(hash, scheme), "sha512" + strings.TrimPrefix(hash, "sha384"), ""} {
		require.False(t, matches(&other, password), other)
	}
}

// Nothing else runs bcrypt on a person's password, so none bypasses the queue.
func TestBcryptIsPrivate(t *testing.T) {
	t.Parallel()
	root, files := os.DirFS("../../.."), 0
	for _, folder := range []string{"models/accounts", "dashboard", "cmd/dispo"} {
		require.NoError(t, fs.WalkDir(root, folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				path == "models/accounts/password/password.go" {
				return err
			}
			text, err := fs.ReadFile(root, path)
			require.NoError(t, err)
			file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
			require.NoError(t, err)
			for _, imported := range file.Imports {
				require.NotEqual(t, `"golang.org/x/crypto/bcrypt"`, imported.Path.Value, path)
			}
			files++
			return nil
		}))
	}
	require.Greater(t, files, 50)
}
