package format

import (
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

const anyMark = "DKRkr.,-+−()½1'€ "

// wild returns settings of all kinds, most of which no bank has.
func wild(random *rand.Rand) spelling {
	mark := func() (text string) {
		for range 1 + random.IntN(3) {
			characters := []rune(anyMark)
			text += string(characters[random.IntN(len(characters))])
		}
		return strings.Join(strings.Fields(text), " ")
	}
	marks := func(usual ...string) (list []string) {
		for range random.IntN(3) {
			if text := mark(); random.IntN(2) == 0 {
				list = append(list, text)
			} else {
				list = append(list, oneOf(random, usual))
			}
		}
		return list
	}
	s := spelling{
		point:     oneOf(random, []string{"", "", ",", ",", ".", ".", "·", "-", "'", "(", "e", "½", "€", ":"}),
		thousands: oneOf(random, []string{"", "", ".", ".", ",", ",", "'", " ", "-", "·"}),
		decimals:  random.IntN(5) - 1,
		currency:  marks("DKK", "kr.", "kr", "€", "(DKK)"),
		required:  random.IntN(6) == 0,
		apart:     random.IntN(8) == 0,
	}
	if !s.apart {
		s.at = [][]string{
			nil, {"leading"}, {"trailing"}, {"brackets"}, {"none"}, {"leading", "trailing"},
			{"leading", "trailing", "brackets"}, {"trailing", "brackets"},
		}[random.IntN(8)]
	}
	if len(s.at) != 1 || s.at[0] != "none" && s.at[0] != "brackets" {
		s.negative, s.positive = marks("-", "D", "RC", "−", "D."), marks("+", "C", "", "K.")
	}
	return s
}

// scrawl returns an amount that somebody may have written, right or wrong.
func (s spelling) scrawl(random *rand.Rand) (text string) {
	if random.IntN(4) > 0 {
		return s.spell(random)
	}
	tokens := append(slices.Concat(s.negative, s.positive, s.currency, s.currency), "-", "(", ")", ".", ",", " ", "½",
		s.point, s.thousands, "0", "50", "500", "1", "500", "50")
	for range 1 + random.IntN(6) {
		text += oneOf(random, tokens)
	}
	return text
}

// people returns all that somebody who knows the settings may read in an amount, and "?" if
// it is unclear: a point before or after the digits may belong to the number, a minus or
// brackets mean what they mean everywhere, and a number that begins with 0 has no thousands.
func (s spelling) people(text string) map[string]bool {
	found := map[string]bool{}
	first, last := strings.IndexAny(text, "0123456789"), strings.LastIndexAny(text, "0123456789")+1
	if first < 0 {
		return found
	}
	isSeparator := func(r rune) bool {
		return !unicode.IsSpace(r) && r != utf8.RuneError && strings.ContainsRune(".,"+s.point+s.thousands, r)
	}
	for left := first; ; {
		for right := last; ; {
			for value := range s.numbers(text[left:right]) {
				s.around(text[:left], text[right:], value, found)
			}
			r, size := utf8.DecodeRuneInString(text[right:])
			if !isSeparator(r) {
				break
			}
			right += size
		}
		r, size := utf8.DecodeLastRuneInString(text[:left])
		before, _ := utf8.DecodeLastRuneInString(text[:left-size])
		if !isSeparator(r) || string(r) != s.point && unicode.IsLetter(before) {
			return found // it ends an abbreviation
		}
		left -= size
	}
}

// numbers returns what digits with separators within, before and after them may be.
func (s spelling) numbers(text string) map[string]bool {
	found := map[string]bool{}
	if value, ok := s.value(text, false); ok {
		found[value] = true
	}
	inside := strings.TrimSuffix(text, s.point)
	if after, cut := strings.CutPrefix(inside, s.point); cut && s.point != "" {
		inside = "0" + s.point + after
	}
	if value, ok := s.value(inside, false); ok {
		found[value] = true
	} else if strings.Trim(inside, ".,"+s.point+s.thousands) != inside {
		found["?"] = true
	}
	if s.thousands != "" && text[0] == '0' && strings.Count(text, s.thousands) == 1 && len(text)-len(s.thousands) < 6 {
		found["?"] = true
	}
	return found
}

var (
	minus    = regexp.MustCompile(`[\p{Pd}−]`)
	brackets = regexp.MustCompile(`^\(\x00\)$`)
	numeric  = regexp.MustCompile(`\pN`)
)

// around adds what a number may be with the texts before and after it, from which at most one
// code and one currency are taken.
func (s spelling) around(before, after, value string, found map[string]bool) {
	for _, rest := range without(before+"\x00"+after, s.currency) {
		for i, codes := range [][]string{nil, s.negative, s.positive} {
			if s.apart && i > 0 {
				break
			}
			for _, left := range without(rest, codes)[min(i, 1):] {
				left = strings.ReplaceAll(strings.Join(strings.Fields(left), ""), "\u00a0", "")
				negative := i == 1
				switch {
				case left == "\x00":
				case brackets.MatchString(left), minus.ReplaceAllString(left, "") == "\x00":
					if minus.MatchString(left) && slices.Contains(s.positive, strings.Trim(left, "\x00")) {
						continue // the layout says that it is positive
					}
					negative = true
				case numeric.MatchString(left):
					found["?"] = true
					continue
				default:
					continue
				}
				found[flipped(value, negative)] = true
			}
		}
	}
}

// without returns a text, and what it is without one of others, each time that it has it.
func without(text string, others []string) (all []string) {
	all = []string{text}
	for _, other := range others {
		for at := 0; other != "" && at < len(text); at++ {
			if strings.HasPrefix(text[at:], other) {
				all = append(all, text[:at]+text[at+len(other):])
			}
		}
	}
	return all
}

// Whatever settings a layout has, it is refused, or reads an amount as everybody would who
// knows the settings, or refuses the amount.
func TestAmountsAreReadAsPeopleReadThem(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	accepted, read := 0, 0
	for range 1000 {
		s := wild(random)
		layout, err := s.layout()
		if err != nil {
			continue
		}
		accepted++
		for range 10 {
			amount, other := strings.TrimSpace(s.scrawl(random)), ""
			if s.apart {
				other = oneOf(random, append(slices.Concat(s.negative, s.positive), "-", ""))
			}
			rows, _, _ := readText(t, layout, amount+"|"+other+"\n")
			if len(rows) == 0 {
				continue
			}
			read++
			got := rows[0].Amount
			if s.apart {
				negative := s.negative
				if negative == nil {
					negative = []string{"-"}
				}
				got = flipped(got, slices.Contains(negative, strings.TrimSpace(other)))
			}
			want := s.people(amount)
			if !want[got] || len(want) > 1 {
				t.Fatalf("%q beside %q under %+v is %s, but people read %q", amount, other, s, rows[0].Amount,
					slices.Collect(maps.Keys(want)))
			}
		}
	}
	assert.Greater(t, accepted, 100)
	assert.Greater(t, read, 200)
	t.Log(accepted, "layouts,", read, "amounts")
}
