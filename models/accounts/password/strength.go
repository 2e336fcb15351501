package password

import (
	"embed"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed words
var wordFiles embed.FS // with their licence

var comments = regexp.MustCompile(`(?m)^#.*`)

// words returns the guesses that a word takes, as a power of ten: its rank in the list
// where it stands first. The lists are read when the first password is checked.
var words = sync.OnceValue(func() map[string]float64 {
	all := map[string]float64{}
	names, _ := fs.Glob(wordFiles, "words/*.txt")
	for _, name := range names {
		text, err := wordFiles.ReadFile(name)
		if err != nil {
			panic(err) // impossible: the file is part of the program
		}
		rank := 0.0
		for _, word := range strings.Fields(comments.ReplaceAllString(string(text), "")) {
			rank++
			for _, spelled := range []string{word, twoLetters.Replace(word), oneLetter.Replace(word)} {
				if known, ok := all[spelled]; !ok || math.Log10(rank) < known {
					all[spelled] = math.Log10(rank)
				}
			}
		}
	}
	return all
})

// People spell Danish letters, and replace others, in these ways.
var (
	twoLetters = strings.NewReplacer("æ", "ae", "ø", "oe", "å", "aa")
	oneLetter  = strings.NewReplacer("æ", "a", "ø", "o", "å", "a")
	leet       = []*strings.Replacer{
		strings.NewReplacer(
			"0", "o", "1", "i", "!", "i", "3", "e", "4", "a", "@", "a", "5", "s", "$", "s", "7", "t", "+", "t"),
		strings.NewReplacer(
			"0", "ø", "1", "l", "!", "l", "3", "e", "4", "å", "@", "å", "5", "s", "$", "s", "7", "t", "+", "t"),
	}
)

// separators are what people write between the words of a sentence.
const separators = " -_.,"

// dates are days of the year, without a year.
var dates = regexp.MustCompile(`^[0-3]?\d[. -]*(jan|feb|mar|apr|ma[jy]|jun|jul|aug|sep|o[kc]t|nov|de[cs])[a-z]{0,6}$`)

// guesses estimates how many guesses a password takes, as a power of ten: the least over
// all ways to cut it into words, years, dates, sequences, walks over the keyboard,
// repetitions and other text. own are words that are guessed first.
func guesses(password string, own []string) float64 {
	const anotherPiece = 0.4 // pieces come in any order and number
	text := []rune(strings.ToLower(password))
	least := make([]float64, len(text)+1)
	for end := 1; end <= len(text); end++ {
		least[end] = pieceGuesses(text[:end], own)
		for start := 1; start < end; start++ {
			piece := pieceGuesses(text[start:end], own)
			if end-start > 2 && strings.Contains(string(text[:start]), string(text[start:end])) {
				piece = min(piece, 1) // again
			}
			least[end] = min(least[end], least[start]+anotherPiece+piece)
		}
	}
	return least[len(text)]
}

// pieceGuesses estimates how many guesses a piece takes that is not cut.
func pieceGuesses(piece []rune, own []string) float64 {
	least := float64(len(piece)) // ten for each character
	text := string(piece)
	if len(text) == 4 && (strings.HasPrefix(text, "19") || strings.HasPrefix(text, "20")) &&
		!strings.ContainsFunc(text, isNoDigit) {
		least = 2 // a year
	}
	if len(piece) < 3 {
		return least
	}
	if turns, ok := walk(piece); ok {
		least = min(least, 1.5+0.6*float64(turns))
	}
	for length := 1; length <= len(piece)/2; length++ {
		if unit := string(piece[:length]); len(piece)%length == 0 && strings.Repeat(unit, len(piece)/length) == text {
			least = min(least, guesses(unit, own)+math.Log10(float64(len(piece)/length)))
			break
		}
	}
	if dates.MatchString(text) {
		least = min(least, 2.6)
	}
	backwards := slices.Clone(piece)
	slices.Reverse(backwards)
	spellings := []string{text, string(backwards), leet[0].Replace(text), leet[1].Replace(text)}
	if strings.ContainsAny(text, separators) && strings.Trim(text, separators) == text {
		spellings = append(spellings,
			strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(separators, r) }), ""))
	}
	for i, spelled := range spellings {
		disguise := 0.5 * min(1, float64(i))
		if rank, ok := words()[spelled]; ok {
			least = min(least, rank+disguise)
		}
		if slices.Contains(own, spelled) {
			least = min(least, disguise)
		}
	}
	return least
}

func isNoDigit(r rune) bool { return !unicode.IsDigit(r) }

// keyboard has the rows of a Danish keyboard, whose letters and digits are where
// others have them.
var keyboard = []string{"1234567890+", "qwertyuiopå", "asdfghjklæø", "zxcvbnm,.-"}

// walk reports whether each character follows the one before in the alphabet, among the
// digits or on the keyboard, and how often the direction changes.
func walk(piece []rune) (turns int, ok bool) {
	type step struct{ down, right int }
	var last step
	for i := 1; i < len(piece); i++ {
		next := step{0, int(piece[i] - piece[i-1])}
		if next.right*next.right != 1 {
			row, column := key(piece[i-1])
			toRow, toColumn := key(piece[i])
			next = step{2 * (toRow - row), toColumn - column}
			if row < 0 || toRow < 0 || next.down*next.down > 4 || next.right*next.right > 1 {
				return 0, false
			}
		}
		if i > 1 && next != last {
			turns++
		}
		last = next
	}
	return turns, true
}

// key returns the row and column of a character's key, or a row of -1.
func key(char rune) (row, column int) {
	for row, keys := range keyboard {
		if i := slices.Index([]rune(keys), char); i >= 0 {
			return row, i
		}
	}
	return -1, 0
}
