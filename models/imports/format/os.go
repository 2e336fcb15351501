package format

import (
	"bytes"
	"fmt"
	"math"
)

// OS reads fixed-width deliveries of the Danish transfer service
// (overførselsservice), as they are publicly described; no specification
// stands behind it.
//
// A delivery is an OS1, sections, and an OS9; a section is an OS2, any number
// of OS5, and an OS8. A file may hold several deliveries, one after the other,
// and blank lines after the last one. Deliveries may stand between the
// transport's own first and last line (see [osTransport]). OS5 has 128
// characters, the others have 80. The encoding is Windows-1252; lines end with
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
// the sections with the OS9; a disagreement is told with the field "count" or
// "amount", but not where a bad line before it explains it. The figures that
// an OS5 or OS8 shares with the section's OS2 must agree with it.
func OS() *Layout { return osLayout }

var osLayout = &Layout{
	name:    "os",
	charset: windows1252Charset,
	ending:  ending{end: '\n', before: '\r'},
	proves:  true,
	parser: func(out *sink) parser {
		return &osParser{out: out, recorder: recorder{date: osDate, amount: osAmount}}
	},
}

var (
	osDate   = mustDateFormat("ddMMyy")
	osAmount = &amountFormat{decimals: 2, sign: signElsewhere, padded: true, expected: "12 digits, the last 2 being øre"}
)

type osParser struct {
	out      *sink
	recorder recorder
	state    osState
	opening  line     // a copy of the section's OS2; without text if that is bad or unknown
	section  osTotals // of the OS5 since the OS2
	delivery osTotals // of the OS8 since the OS1
	last     int64    // 1-based number of the last line that is not blank
	blank    int64    // that of the first blank line after it; 0 for none

	transport osTransport
}

// osState is what the line before leads to.
type osState int

const (
	osOutside    osState = iota // an OS1, or the end of the file
	osInDelivery                // an OS2 or the OS9
	osInSection                 // an OS5 or the OS8
	osLost                      // anything: nobody knows what the line before was
)

// osTotals adds up what a line further on must agree with.
type osTotals struct {
	count, amount int64
	doubtful      bool // a line that should have been added is bad
}

func (t *osTotals) add(count, amount int64) {
	t.count = saturated(t.count + count)
	t.amount = saturated(t.amount + amount)
}

// saturated stops a sum of nonnegative figures that ran over at the greatest
// figure, which no record can have.
func saturated(sum int64) int64 {
	if sum < 0 {
		return math.MaxInt64
	}
	return sum
}

func (p *osParser) parse(l *line) error {
	number := l.index + 1
	if isBlank(l.text) {
		return p.parseBlank(number)
	}
	if p.blank > 0 {
		if err := p.rejectBlank(p.blank); err != nil {
			return err
		}
		p.blank = 0
	}
	p.last = number
	if bytes.HasPrefix(l.text, osTransportPrefix) {
		return p.parseTransport(l)
	}
	shape := osShapeOf(l.text)
	if shape == nil {
		p.lose()
		return p.out.reject(number, "", "expected the line to start with OS1, OS2, OS5, OS8 or OS9")
	}
	if reason := shape.unreadable(l); reason != "" {
		p.lose()
		return p.out.reject(number, "", reason)
	}
	// Whatever is wrong with the line, what follows is judged by its type.
	reason := p.enter(shape)
	field := ""
	if reason == "" && l.width() != shape.width {
		reason = fmt.Sprintf("%s: %s", shape.name, widthReason(l, shape.width))
	}
	if reason == "" {
		field, reason = shape.check(l)
	}
	if reason == "" && shape == os8 {
		field, reason = p.fill(l)
	}
	if reason == "" && len(p.opening.text) > 0 {
		field, reason = shape.differs(l, &p.opening)
	}
	if reason != "" {
		p.doubt(shape)
		return p.out.reject(number, field, reason)
	}
	return p.add(l, shape)
}

func (p *osParser) parseBlank(number int64) error {
	if p.state != osOutside && p.state != osLost || p.last == 0 {
		return p.rejectBlank(number)
	}
	if p.blank == 0 {
		p.blank = number
	}
	return nil
}

func (p *osParser) rejectBlank(number int64) error {
	return p.out.reject(number, "", "blank line; blank lines are allowed only at the end of the file")
}

func (p *osParser) unreadable() error {
	p.lose()
	return nil
}

// lose forgets what must come next and what the totals are.
func (p *osParser) lose() {
	p.state = osLost
	p.blank = 0
	p.opening.text = p.opening.text[:0]
	p.section.doubtful = true
	p.delivery.doubtful = true
	p.transport.doubtful = true
}

// enter moves on to the state that a line leads to, and says why it must not
// stand here.
func (p *osParser) enter(shape *osShape) (reason string) {
	before := p.state
	p.state = shape.leadsTo
	switch shape {
	case os1:
		p.delivery = osTotals{}
	case os2:
		p.section = osTotals{}
		p.opening.text = p.opening.text[:0]
	}
	if before == shape.follows || before == osLost {
		return ""
	}
	if shape != os1 {
		p.delivery.doubtful = true
	}
	return shape.misplaced(before)
}

// doubt remembers that a bad line's figures are missing in the totals.
func (p *osParser) doubt(shape *osShape) {
	switch shape {
	case os5:
		p.section.doubtful = true
	case os8:
		p.delivery.doubtful = true
	}
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
		if reason := p.recorder.put(field(f), text, false); reason != "" {
			return fieldNames[f], reason
		}
	}
	p.recorder.record.Index = l.index
	p.recorder.record.RawLine = l.text
	return "", ""
}

// add adds a good line's figures to the totals, compares them where the line
// ends a section or a delivery, and passes on the record that it makes.
func (p *osParser) add(l *line, shape *osShape) error {
	switch shape {
	case os1:
		return p.identify(l)
	case os2:
		p.opening = line{index: l.index, text: append(p.opening.text, l.text...), ascii: l.ascii}
	case os5:
		p.section.add(1, int64(number(osTransferOre.of(l))))
	case os8:
		count, amount := int64(number(osCount.of(l))), int64(number(osOre.of(l)))
		p.delivery.add(count, amount)
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

// compare tells where the figures of an OS8 or OS9 are not those of what it
// ends.
func (p *osParser) compare(l *line, totals *osTotals, name, what string) (agrees bool, err error) {
	if totals.doubtful {
		return true, nil
	}
	count, amount := int64(number(osCount.of(l))), int64(number(osOre.of(l)))
	agrees = true
	if count != totals.count {
		agrees = false
		err = p.out.reject(l.index+1, "count", fmt.Sprintf("the %s count is %d, but %s add up to %d", name, count, what, totals.count))
	}
	if amount != totals.amount && err == nil {
		agrees = false
		err = p.out.reject(l.index+1, "amount", fmt.Sprintf("the %s amount is %s, but %s add up to %s", name, kroner(amount), what, kroner(totals.amount)))
	}
	return agrees, err
}

func kroner(ore int64) string { return fmt.Sprintf("%d.%02d", ore/100, ore%100) }

func (p *osParser) finish() error {
	switch p.state {
	case osInDelivery:
		return p.out.reject(p.last, "", "the delivery has no OS9; the file may be truncated")
	case osInSection:
		return p.out.reject(p.last, "", "the section has no OS8 and the delivery no OS9; the file may be truncated")
	case osOutside:
		return p.finishTransport()
	}
	return nil
}
