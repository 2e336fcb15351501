package format

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// spelling is how a layout says that amounts are written.
type spelling struct {
	point, thousands             string
	decimals                     int // -1 for up to two
	at                           []string
	negative, positive, currency []string
	required                     bool
	apart                        bool   // the sign has a column of its own
	columns                      string // which of debit and credit is negative, where both have a column
}

// spellings are chosen by the bits of a number.
func spellingOf(choice uint32) spelling {
	pick := func(n uint32) uint32 { had := choice % n; choice /= n; return had }
	s := spelling{decimals: int(pick(5)) - 1}
	s.point = []string{",", ".", "", "·"}[pick(4)]
	s.thousands = []string{"", ".", "'", "\u00a0", ","}[pick(5)]
	s.at = [][]string{
		nil, {"leading"}, {"trailing"}, {"brackets"}, {"none"}, {"overpunch"}, {"leading", "trailing"},
		{"leading", "trailing", "brackets"}, {"trailing", "brackets"},
	}[pick(9)]
	s.negative = [][]string{nil, {"-"}, {"D", "RC"}, {"-", "−"}, {"pqrstuvwxy"}, {"DR", "K"}}[pick(6)]
	s.positive = [][]string{nil, {"+"}, {"C", "RD"}, {"CR"}, {"D"}}[pick(5)]
	if slices.Contains(s.at, "overpunch") {
		s.negative = [][]string{nil, {"pqrstuvwxy"}, {"pqrstuvwxy", "}JKLMNOPQR"}}[pick(3)]
		s.positive = [][]string{nil, nil, {"{ABCDEFGHI"}}[pick(3)]
	}
	s.currency = [][]string{nil, {"DKK"}, {"kr.", "€"}, {"R", "K"}, {"D"}}[pick(5)]
	s.required = pick(4) == 0
	switch pick(6) {
	case 0:
		s.apart, s.at = true, nil
	case 1:
		s.columns = "debit"
	case 2:
		s.columns = "credit"
	}
	return s
}

func (s spelling) layout() (*Layout, error) {
	list := func(key string, texts []string) string {
		if texts == nil {
			return ""
		}
		return fmt.Sprintf("%s: [%s], ", key, strings.Join(quotedAll(texts), ", "))
	}
	amount := "column: 1"
	if s.columns != "" {
		amount = "debit: {column: 1}, credit: {column: 2}, negative: " + s.columns
	}
	if s.decimals >= 0 {
		amount += fmt.Sprint(", decimals: ", s.decimals)
	}
	if s.point != "" {
		amount += fmt.Sprintf(", decimal_separator: %q", s.point)
	}
	if s.thousands != "" {
		amount += fmt.Sprintf(", thousands_separator: %q", s.thousands)
	}
	sign := list("at", s.at) + list("negative", s.negative) + list("positive", s.positive)
	if s.apart {
		sign += "column: 2, "
	}
	if s.required {
		sign += "required: true, "
	}
	if sign != "" {
		amount += ", sign: {" + sign + "}"
	}
	return ParseLayout([]byte(`
format: delimited
delimiter: "|"
quote: false
columns: 2
fields:
  cvr: {value: 10150817}
  regNumber: {value: "0001"}
  accountNumber: {value: 1}
  transferType: {value: Visa}
  dispositionDate: {value: 2026-01-31}
  count: {value: 1}
  amountDkk: {` + amount + ", " + strings.TrimSuffix(list("currency", s.currency), ", ") + "}\n"))
}

func quotedAll(texts []string) (quoted []string) {
	for _, text := range texts {
		quoted = append(quoted, fmt.Sprintf("%q", text))
	}
	return quoted
}

// readings returns all that an amount can mean, slowly: it tries every order of a sign, a
// currency and the digits.
func (s spelling) readings(text string) map[string]bool {
	at, negative, positive := s.at, s.negative, s.positive
	switch {
	case s.apart, s.columns != "" && at == nil && negative == nil && positive == nil && !s.required:
		at = []string{"none"}
	case at == nil:
		at = []string{"leading"}
	}
	if negative == nil {
		negative = []string{"-"}
	}
	found := map[string]bool{}
	try := func(pattern string, negative bool) {
		if s.point != "" && regexp.MustCompile(`\pL`+regexp.QuoteMeta(s.point)+`[0-9]`).MatchString(text) {
			return // kr.50 may be 50 or 0.50
		}
		pattern = strings.ReplaceAll(pattern, " ", `\p{Zs}*`)
		if match := regexp.MustCompile("^(?:" + pattern + ")$").FindStringSubmatch(text); match != nil {
			if value, ok := s.value(match[1], negative); ok {
				found[value] = true
			}
		}
	}
	choice := func(texts []string) string {
		for i := range texts {
			texts[i] = regexp.QuoteMeta(texts[i])
		}
		return "(?:" + strings.Join(texts, "|") + ")"
	}
	number := "([0-9](?:.*[0-9])?)"
	around := []string{"%s"}
	if s.currency != nil {
		currency := choice(slices.Clone(s.currency))
		around = append(around, currency+" %s", "%s "+currency)
	}
	for _, outer := range around {
		bare := fmt.Sprintf(outer, number)
		if slices.Contains(at, "overpunch") {
			s.overpunched(text, outer, found)
			continue
		}
		if !s.required || s.apart {
			try(bare, false)
		}
		for _, inner := range around {
			if outer != "%s" && inner != "%s" {
				continue
			}
			for _, place := range at {
				for i, codes := range [][]string{negative, positive} {
					if codes == nil {
						continue
					}
					switch code := choice(slices.Clone(codes)); place {
					case "leading":
						try(fmt.Sprintf(outer, code+" "+fmt.Sprintf(inner, number)), i == 0)
					case "trailing":
						try(fmt.Sprintf(outer, fmt.Sprintf(inner, number)+" "+code), i == 0)
					case "brackets":
						try(fmt.Sprintf(outer, `\( `+fmt.Sprintf(inner, number)+` \)`), true)
					}
				}
			}
		}
	}
	return found
}

func (s spelling) overpunched(text, outer string, found map[string]bool) {
	last, size := utf8.DecodeLastRuneInString(text)
	negative, positive := s.negative, s.positive
	if negative == nil && positive == nil {
		negative, positive = []string{"}JKLMNOPQR"}, []string{"{ABCDEFGHI"}
	}
	if !s.required {
		positive = append(slices.Clone(positive), "0123456789")
	}
	for i, lists := range [][]string{negative, positive} {
		for _, characters := range lists {
			if digit := slices.Index([]rune(characters), last); digit >= 0 && size > 0 {
				plain := spelling{point: s.point, thousands: s.thousands, decimals: s.decimals, currency: s.currency}
				for value := range plain.unsigned(text[:len(text)-size]+fmt.Sprint(digit), outer) {
					if i == 0 && value != "0.00" {
						value = "-" + value
					}
					found[value] = true
				}
			}
		}
	}
}

func (s spelling) unsigned(text, outer string) map[string]bool {
	s.at = []string{"none"}
	return s.readings(text)
}

// value returns the canonical form of digits and their separators.
func (s spelling) value(text string, negative bool) (string, bool) {
	whole, decimals, cut := text, "", false
	if s.point != "" {
		whole, decimals, cut = strings.Cut(text, s.point)
	}
	if s.point == "" && s.decimals > 0 {
		whole = strings.Repeat("0", s.decimals) + whole
		whole, decimals = whole[:len(whole)-s.decimals], whole[len(whole)-s.decimals:]
	}
	switch {
	case s.point != "" && s.decimals < 0 && cut && len(decimals) != 1 && len(decimals) != 2,
		s.point != "" && s.decimals >= 0 && len(decimals) != s.decimals:
		return "", false
	}
	if s.thousands != "" && strings.Contains(whole, s.thousands) {
		groups := strings.Split(whole, s.thousands)
		if half := len(groups) == 2 && !cut && len(groups[0]) < 3 && strings.HasPrefix(whole, "0"); half {
			return "", false
		}
		for i, group := range groups {
			if len(group) > 3 || i > 0 && len(group) != 3 || group == "" {
				return "", false
			}
		}
		whole = strings.Join(groups, "")
	}
	all := whole + decimals
	if all == "" || strings.Trim(all, "0123456789") != "" {
		return "", false
	}
	amount, _ := new(big.Rat).SetString(all)
	amount.Quo(amount, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(decimals))), nil)))
	hundred := new(big.Rat).Mul(amount, big.NewRat(100, 1))
	if !hundred.IsInt() || amount.Cmp(big.NewRat(1_000_000_000_000, 1)) >= 0 {
		return "", false
	}
	if negative {
		amount.Neg(amount)
	}
	return amount.FloatString(2), true
}

// meanings returns all that a record can mean, of an amount and of what stands beside it.
func (s spelling) meanings(amount, other string) map[string]bool {
	switch {
	case s.apart:
		negative, positive := s.negative, s.positive
		if negative == nil {
			negative = []string{"-"}
		}
		if positive == nil && !s.required {
			positive = []string{""}
		}
		found := map[string]bool{}
		for value := range s.readings(amount) {
			for i, codes := range [][]string{negative, positive} {
				if slices.Contains(codes, other) {
					found[flipped(value, i == 0)] = true
				}
			}
		}
		return found
	case s.columns == "":
		return s.readings(amount)
	}
	debits, credits := s.side(amount), s.side(other)
	found := map[string]bool{}
	for debit := range debits {
		for credit := range credits {
			switch {
			case debit != "0.00" && credit == "0.00":
				found[flipped(debit, s.columns == "debit")] = true
			case debit == "0.00" && credit != "0.00":
				found[flipped(credit, s.columns == "credit")] = true
			}
		}
	}
	return found
}

func (s spelling) side(text string) map[string]bool {
	if text == "" {
		return map[string]bool{"0.00": true}
	}
	return s.readings(text)
}

func flipped(value string, flip bool) string {
	switch negative := strings.HasPrefix(value, "-"); {
	case !flip || value == "0.00":
		return value
	case negative:
		return value[1:]
	}
	return "-" + value
}

// spell returns an amount that is likely to be written as it must be.
func (s spelling) spell(random *rand.Rand) string {
	text := oneOf(random, []string{"0", "5", "70", "123", "1234", "1234567", "999999999999", "1000000000000"})
	if s.thousands != "" && random.IntN(2) == 0 {
		text = oneOf(random, []string{"1_234", "12_345", "1_234_567", "1_23", "1_23", "1234_567", "_123"})
		text = strings.ReplaceAll(text, "_", s.thousands)
	}
	if s.point != "" {
		decimals := []string{"", "5", "50", "500", "5000", "001", ""}
		if digits := oneOf(random, append(decimals, decimals[max(s.decimals, 0)], "")); digits != "" {
			text += s.point + digits
		}
	}
	if slices.Contains(s.at, "overpunch") && random.IntN(4) > 0 {
		text = text[:len(text)-1] + oneOf(random, strings.Split("{ABCDEFGHI}JKLMNOPQRpqrstuvwxy", ""))
	}
	blank := func() string { return oneOf(random, []string{"", " ", "  ", "\u00a0"}) }
	around := func() {
		if random.IntN(2) == 0 {
			text = oneOf(random, append(s.currency, "", "")) + blank() + text
		} else {
			text += blank() + oneOf(random, append(s.currency, "", ""))
		}
	}
	around()
	code := oneOf(random, append(slices.Concat(s.negative, s.positive), "-", ""))
	switch oneOf(random, append(s.at, "")) {
	case "leading":
		text = code + blank() + text
	case "trailing":
		text += blank() + code
	case "brackets":
		text = "(" + blank() + text + blank() + ")"
	}
	around()
	return text
}

func oneOf(random *rand.Rand, texts []string) string { return texts[random.IntN(len(texts))] }

// No amount ever changes its sign or its size: whatever forms a layout allows, an amount is
// read as the one thing that it can mean, or is bad where it can mean nothing.
func FuzzAmountForms(f *testing.F) {
	random, layouts := rand.New(rand.NewPCG(1, 2)), map[uint32]*Layout{}
	for range 3000 {
		choice := random.Uint32()
		s := spellingOf(choice)
		layout, err := s.layout()
		for range 2 {
			amount, other := s.spell(random), ""
			switch {
			case err != nil:
				continue
			case s.apart:
				other = oneOf(random, append(slices.Concat(s.negative, s.positive), "-", ""))
			case s.columns != "":
				other = oneOf(random, []string{"", "", "0", "0,00", s.spell(random)})
			}
			layouts[choice] = layout
			if random.IntN(2) == 0 {
				f.Add(amount, other, choice)
			} else {
				f.Add(other, amount, choice)
			}
		}
	}
	f.Fuzz(func(t *testing.T, amount, other string, choice uint32) {
		if len(amount)+len(other) > 60 || !utf8.ValidString(amount+other) ||
			strings.ContainsFunc(amount+other, func(r rune) bool { return r == '|' || unicode.IsControl(r) || r == '\ufeff' }) ||
			strings.TrimSpace(amount+other) == "" {
			return
		}
		s := spellingOf(choice)
		layout := layouts[choice]
		if layout == nil {
			var err error
			if layout, err = s.layout(); err != nil {
				return
			}
		}
		rows, bad, _ := readText(t, layout, amount+"|"+other+"\n")
		want := s.meanings(strings.TrimSpace(amount), strings.TrimSpace(other))
		switch {
		case len(rows) == 1 && len(want) == 1 && want[rows[0].Amount]:
		case len(rows) == 0 && len(want) == 0 && len(bad) == 1:
		default:
			t.Errorf("%q beside %q under %+v is read as %v %v, but can be %v",
				amount, other, s, rows, bad, slices.Collect(maps.Keys(want)))
		}
	})
}
