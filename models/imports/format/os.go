package format

import (
	"bytes"
	"fmt"
)

// OS reads fixed-width deliveries of the Danish transfer service
// (overførselsservice), as they are publicly described; no specification
// stands behind it.
//
// A delivery is an OS1, sections, and an OS9; a section is an OS2, any number
// of OS5, and an OS8. A file may hold several deliveries, one after the other.
// Blank lines are passed over, and so are the lines that a file transfer puts
// around deliveries, which start with PBCNET. OS5 has 128 characters, the
// others have 80. The encoding is Windows-1252; lines end with
// LF or CRLF, and the last one may lack its end; amounts are in øre, dates are
// ddMMyy with the years 1980 to 2079.
//
//	OS1  "21", name 14, control 9, delivery id 20, filler 3, supplier CVR 8, flag 1, filler 20
//	OS2  type 2, filler 26, disposition date 6, registration number 4, account 10,
//	     supplier CVR 8, payer CVR 8, filler 13
//	OS5  type 2, payee registration number 4, account 10, amount 12, date 6,
//	     payer registration number 4, account 10, text 20, reference 13, filler 44
//	OS8  type 2, filler 4, count 10, amount 12, date 6, registration number 4, account 10,
//	     supplier CVR 8, payer CVR 8, filler 13
//	OS9  "29", filler 4, count 10, amount 12, filler 6, nines 14, CVR 8, filler 21
//
// Each OS8 makes a record: its type is the transferType, the payer is the
// company. The section's transfers must agree with it in count and amount, and
// the sections with the OS9; a disagreement is reported with the field "count" or
// "amount", but not where a bad line of the section or delivery may explain it. The
// figures that an OS5 or OS8 shares with the section's OS2 must agree with it.
func OS() *Layout { return osLayout }

var osLayout = &Layout{
	name:    "os",
	charset: windows1252Charset,
	ending:  ending{end: '\n', before: []byte("\r")},
	parser: func(out *sink) parser {
		return &osParser{out: out, recorder: recorder{date: osDate, amount: osAmount}}
	},
}

var (
	osDate, _ = newDateFormat("ddMMyy")
	osAmount  = &amountFormat{
		decimals: 2,
		digits:   amountDigits,
		forms:    map[string]bool{"0": false},
		padded:   true,
		expected: "12 digits, the last 2 being øre",
	}
)

// osState says which records may follow the previous line.
type osState int

const (
	osOutside    osState = iota // an OS1, or the end of the file
	osInDelivery                // an OS2 or the OS9
	osInSection                 // an OS5 or the OS8
	osLost                      // anything: nobody knows what the line before was
)

type osRecord struct {
	name             string
	width            int
	follows, leadsTo osState
	figures          []osFigure
}

type osFigure struct {
	span   osSpan
	name   string
	check  func([]byte) string // nil for an OS8's, which are checked as fields of a record
	shared bool                // it must be the same as in the section's OS2
}

// osSpan is where a figure stands, in characters from zero on; to is excluded.
type osSpan struct{ from, to int }

// of returns the figure of a line, or nil if the line is too short.
func (s osSpan) of(l *line) []byte {
	text, _ := part(l.text, l.ascii, s.from, s.to-s.from)
	return text
}

// Where figures stand that are at the same place in several types, or that are
// read and not only checked.
var (
	osType       = osSpan{3, 5}
	osCount      = osSpan{9, 19}  // OS8, OS9
	osOre        = osSpan{19, 31} // OS5, OS8, OS9
	osDeliveryID = osSpan{28, 48} // OS1
	osDay        = osSpan{31, 37} // OS2, OS5, OS8
	osReg        = osSpan{37, 41} // OS2, OS5, OS8: the payer's
	osAccount    = osSpan{41, 51} // OS2, OS5, OS8: the payer's
	osSupplier   = osSpan{51, 59} // OS1, OS2, OS8; in OS9 "CVR"
	osPayer      = osSpan{59, 67} // OS2, OS8
)

var (
	os1 = &osRecord{"OS1", 80, osOutside, osInDelivery, []osFigure{
		{osType, "type", mustBe("21"), false},
		{osSupplier, "supplierCvr", checkCVR, false},
	}}
	os2 = &osRecord{"OS2", 80, osInDelivery, osInSection, []osFigure{
		{osDay, "dispositionDate", mustBeDigits, false},
		{osReg, "regNumber", checkRegNumber, false},
		{osAccount, "accountNumber", checkPaddedAccount, false},
		{osSupplier, "supplierCvr", checkCVR, false},
		{osPayer, "cvr", checkCVR, false},
	}}
	os5 = &osRecord{"OS5", 128, osInSection, osInSection, []osFigure{
		{osType, "type", nil, true},
		{osSpan{5, 9}, "payeeRegNumber", checkRegNumber, false},
		{osSpan{9, 19}, "payeeAccountNumber", checkPaddedAccount, false},
		{osOre, "amount", mustBeDigits, false},
		{osDay, "date", mustBeDigits, true},
		{osReg, "regNumber", checkRegNumber, true},
		{osAccount, "accountNumber", checkPaddedAccount, true},
	}}
	os8 = &osRecord{"OS8", 80, osInSection, osInDelivery, []osFigure{
		{osType, "transferType", nil, true},
		{osDay, "dispositionDate", nil, true},
		{osReg, "regNumber", nil, true},
		{osAccount, "accountNumber", nil, true},
		{osSupplier, "supplierCvr", checkCVR, true},
		{osPayer, "cvr", nil, true},
	}}
	os9 = &osRecord{"OS9", 80, osInDelivery, osOutside, []osFigure{
		{osType, "type", mustBe("29"), false},
		{osCount, "count", mustBeDigits, false},
		{osOre, "amount", mustBeDigits, false},
		{osSpan{37, 51}, "nines", mustBe("99999999999999"), false},
		{osSupplier, "cvr", checkCVR, false},
	}}
)

var osRecords = map[string]*osRecord{
	"OS1": os1, "OS2": os2, "OS5": os5, "OS8": os8, "OS9": os9,
}

var osTransportPrefix = []byte("PBCNET")

func mustBe(want string) func([]byte) string {
	return func(text []byte) string {
		if string(text) == want {
			return ""
		}
		return fmt.Sprintf("expected %q, found %s", want, quoted(text))
	}
}

func mustBeDigits(text []byte) string {
	if IsDigits(text, len(text), len(text)) {
		return ""
	}
	return fmt.Sprintf("expected %d digits, found %q", len(text), text)
}

func checkPaddedAccount(text []byte) string {
	return checkAccountNumber(bytes.Trim(text, " "))
}

type osParser struct {
	out      *sink
	recorder recorder
	state    osState
	opening  line     // a copy of the section's OS2; without text if that is bad or unknown
	section  osTotals // of the OS5 since the OS2
	delivery osTotals // of the OS8 since the OS1
	last     int64    // 1-based number of the last line that was read
}

// osTotals adds up what a line further on must agree with.
type osTotals struct {
	count, amount int64
	bad           int64 // bad lines of the file before it
}

func (p *osParser) parse(l *line) error {
	transport := bytes.HasPrefix(l.text, osTransportPrefix) && (p.state == osOutside || p.state == osLost)
	if transport || isBlank(l.text) {
		return nil
	}
	p.last = l.index + 1
	record := osRecords[string(l.text[:min(3, len(l.text))])]
	if field, reason := p.read(l, record); reason != "" {
		return p.out.reject(p.last, field, reason)
	}
	return p.add(l, record)
}

// unreadable forgets what must come next.
func (p *osParser) unreadable() error {
	p.state = osLost
	p.opening.text = p.opening.text[:0]
	return nil
}

// read returns what is wrong with a line. Whatever it is, what follows is judged by the
// line's type.
func (p *osParser) read(l *line, r *osRecord) (field, reason string) {
	if r == nil {
		_ = p.unreadable()
		return "", "expected the line to start with OS1, OS2, OS5, OS8 or OS9; other records are not described publicly: " +
			"ask for deliveries without them, or describe yours in a layout of your own (docs/layouts.md)"
	}
	if reason = p.enter(r); reason != "" {
		return "", reason
	}
	if l.width() != r.width {
		return "", r.name + ": " + widthReason(l, r.width)
	}
	if r == os8 {
		if field, reason = p.fill(l); reason != "" {
			return field, reason
		}
	}
	return r.check(l, &p.opening)
}

// enter moves on to the state that a line leads to, and says why the line must not
// stand here.
func (p *osParser) enter(r *osRecord) (reason string) {
	before := p.state
	p.state = r.leadsTo
	switch r {
	case os1:
		p.delivery = osTotals{bad: p.out.summary.Bad}
	case os2:
		p.section = osTotals{bad: p.out.summary.Bad}
		p.opening.text = p.opening.text[:0]
	}
	switch {
	case before == r.follows || before == osLost:
		return ""
	case r == os1:
		return "OS1 inside a delivery: the previous delivery has no OS9"
	case r == os5 || r == os8:
		return r.name + " outside a section: there is no OS2 before it"
	case before == osInSection:
		return r.name + " inside a section: the section has no OS8"
	}
	return r.name + " outside a delivery: there is no OS1 before it"
}

// check returns the first figure of a line that is bad, or not the same in the
// section's OS2.
func (r *osRecord) check(l, opening *line) (field, reason string) {
	for _, f := range r.figures {
		found := f.span.of(l)
		if f.check != nil {
			if reason := f.check(found); reason != "" {
				return f.name, reason
			}
		}
		if !f.shared || len(opening.text) == 0 {
			continue
		}
		want, found := bytes.Trim(f.span.of(opening), " "), bytes.Trim(found, " ")
		switch {
		case bytes.Equal(want, found):
		case f.span != osReg && f.span != osAccount:
			return f.name, fmt.Sprintf("the section's OS2 on line %d has %s, found %s",
				opening.index+1, quoted(want), quoted(found))
		case !bytes.Equal(bytes.TrimLeft(want, "0"), bytes.TrimLeft(found, "0")):
			return f.name, fmt.Sprintf("it differs from the section's OS2 on line %d", opening.index+1)
		}
	}
	return "", ""
}

// fill sets the record's fields from an OS8.
func (p *osParser) fill(l *line) (name, reason string) {
	for f, text := range [fieldTotal][]byte{
		fieldCVR:             osPayer.of(l),
		fieldRegNumber:       osReg.of(l),
		fieldAccountNumber:   bytes.Trim(osAccount.of(l), " "),
		fieldTransferType:    bytes.TrimSpace(osType.of(l)),
		fieldDispositionDate: osDay.of(l),
		fieldCount:           osCount.of(l),
		fieldAmount:          osOre.of(l),
	} {
		if reason := p.recorder.put(field(f), text); reason != "" {
			return fieldNames[f], reason
		}
	}
	p.recorder.record.Index = l.index
	p.recorder.record.RawLine = l.text
	return "", ""
}

// add adds a good line's figures to the totals, compares them where the line
// ends a section or a delivery, and passes on the record that it makes.
func (p *osParser) add(l *line, r *osRecord) error {
	switch r {
	case os1:
		return p.identify(l)
	case os2:
		p.opening = line{index: l.index, text: append(p.opening.text, l.text...), ascii: l.ascii}
	case os5:
		p.section.count++
		p.section.amount += number(osOre.of(l))
	case os8:
		p.delivery.count += number(osCount.of(l))
		p.delivery.amount += number(osOre.of(l))
		agrees, err := p.compare(l, &p.section, "OS8", "the section's transfers")
		if agrees && err == nil {
			return p.out.accept(&p.recorder.record)
		}
		return err
	case os9:
		_, err := p.compare(l, &p.delivery, "OS9", "the delivery's sections")
		return err
	}
	return nil
}

// number reads digits that are known to be digits, and few.
func number(digits []byte) (n int64) {
	for _, c := range digits {
		n = n*10 + int64(c-'0')
	}
	return n
}

// identify notes the delivery that an OS1 starts, by its supplier and its id. A blank
// id identifies nothing.
func (p *osParser) identify(l *line) error {
	text := ""
	if id := bytes.TrimSpace(osDeliveryID.of(l)); len(id) > 0 {
		text = fmt.Sprintf("supplierCvr=%s, deliveryId=%s", osSupplier.of(l), id)
	}
	if reason := p.out.identities.identify(text); reason != "" {
		return p.out.reject(l.index+1, "", reason)
	}
	return nil
}

// compare reports where the figures of an OS8 or OS9 are not those of what it ends,
// unless a bad line may be the reason.
func (p *osParser) compare(l *line, totals *osTotals, name, what string) (agrees bool, err error) {
	count, amount := number(osCount.of(l)), number(osOre.of(l))
	if p.out.summary.Bad > totals.bad || count == totals.count && amount == totals.amount {
		return true, nil
	}
	if count != totals.count {
		reason := fmt.Sprintf("the %s count is %d, but %s add up to %d", name, count, what, totals.count)
		err = p.out.reject(l.index+1, "count", reason)
	}
	if amount != totals.amount && err == nil {
		reason := fmt.Sprintf("the %s amount is %s, but %s add up to %s", name, kroner(amount), what, kroner(totals.amount))
		err = p.out.reject(l.index+1, "amount", reason)
	}
	return false, err
}

func kroner(ore int64) string { return fmt.Sprintf("%d.%02d", ore/100, ore%100) }

func (p *osParser) finish() error {
	switch {
	case p.last == 0 && p.state == osOutside:
		return p.out.reject(1, "", "the file has no delivery; it may be truncated")
	case p.state == osInDelivery:
		return p.out.reject(p.last, "", "the delivery has no OS9; the file may be truncated")
	case p.state == osInSection:
		return p.out.reject(p.last, "", "the section has no OS8 and the delivery no OS9; the file may be truncated")
	}
	return nil
}
