package format

import (
	"bytes"
	"fmt"
)

// osSpan is where a figure stands in a record, in characters from zero on; to
// is excluded.
type osSpan struct{ from, to int }

// of returns the figure of a line that has its width.
func (s osSpan) of(l *line) []byte {
	text, _ := part(l.text, l.ascii, s.from, s.to-s.from)
	return text
}

// osShape is the shape of one type of record.
type osShape struct {
	name    string
	width   int
	follows osState // where it may stand
	leadsTo osState
	checks  []osCheck
	shared  []osShared // with the section's OS2
}

type osCheck struct {
	span   osSpan
	name   string
	reason func([]byte) string
}

// osShared is a figure that must be the same as in the section's OS2.
type osShared struct {
	span osSpan
	name string
	bank bool // a bank number, which no reason shows
}

// Where figures stand that are at the same place in several types, or that are
// read and not only checked.
var (
	osType        = osSpan{3, 5}
	osCount       = osSpan{9, 19}  // OS8, OS9
	osOre         = osSpan{19, 31} // OS8, OS9
	osDay         = osSpan{31, 37} // OS2, OS8; in OS5 too
	osReg         = osSpan{37, 41} // OS2, OS8: the payer's; in OS5 too
	osAccount     = osSpan{41, 51} // OS2, OS8: the payer's; in OS5 too
	osSupplier    = osSpan{51, 59} // OS1, OS2, OS8; in OS9 "CVR"
	osPayer       = osSpan{59, 67} // OS2, OS8
	osTransferOre = osSpan{19, 31} // OS5
	osDeliveryID  = osSpan{28, 48} // OS1
)

var (
	os1 = &osShape{
		name: "OS1", width: 80, follows: osOutside, leadsTo: osInDelivery,
		checks: []osCheck{
			{osType, "type", mustBe("21")},
			{osSupplier, "supplierCvr", checkCVR},
		},
	}
	os2 = &osShape{
		name: "OS2", width: 80, follows: osInDelivery, leadsTo: osInSection,
		checks: []osCheck{
			{osDay, "dispositionDate", mustBeDigits},
			{osReg, "regNumber", checkRegNumber},
			{osAccount, "accountNumber", checkPaddedAccount},
			{osSupplier, "supplierCvr", checkCVR},
			{osPayer, "cvr", checkCVR},
		},
	}
	os5 = &osShape{
		name: "OS5", width: 128, follows: osInSection, leadsTo: osInSection,
		checks: []osCheck{
			{osSpan{5, 9}, "payeeRegNumber", checkRegNumber},
			{osSpan{9, 19}, "payeeAccountNumber", checkPaddedAccount},
			{osTransferOre, "amount", mustBeDigits},
			{osDay, "date", mustBeDigits},
			{osReg, "regNumber", checkRegNumber},
			{osAccount, "accountNumber", checkPaddedAccount},
		},
		shared: []osShared{
			{span: osType, name: "type"},
			{span: osDay, name: "date"},
			{span: osReg, name: "regNumber", bank: true},
			{span: osAccount, name: "accountNumber", bank: true},
		},
	}
	// The figures that become a record's are checked as these.
	os8 = &osShape{
		name: "OS8", width: 80, follows: osInSection, leadsTo: osInDelivery,
		checks: []osCheck{
			{osSupplier, "supplierCvr", checkCVR},
		},
		shared: []osShared{
			{span: osType, name: "transferType"},
			{span: osDay, name: "dispositionDate"},
			{span: osReg, name: "regNumber", bank: true},
			{span: osAccount, name: "accountNumber", bank: true},
			{span: osSupplier, name: "supplierCvr"},
			{span: osPayer, name: "cvr"},
		},
	}
	os9 = &osShape{
		name: "OS9", width: 80, follows: osInDelivery, leadsTo: osOutside,
		checks: []osCheck{
			{osCount, "count", mustBeDigits},
			{osOre, "amount", mustBeDigits},
			{osSpan{37, 51}, "nines", mustBe("99999999999999")},
			{osSupplier, "cvr", checkCVR},
		},
	}
)

// osUnreadable are records whose fields are not described publicly.
var osUnreadable = map[byte]*osShape{
	'6': {name: "OS6, a transfer to a NemKonto,"},
	'A': {name: "OSA, the start of an information section,"},
	'I': {name: "OSI, an information record,"},
	'T': {name: "OST, the end of an information section,"},
}

// osShapeOf returns the shape of a line by its first three characters, or nil.
func osShapeOf(text []byte) *osShape {
	if len(text) < 3 || text[0] != 'O' || text[1] != 'S' {
		return nil
	}
	switch text[2] {
	case '1':
		return os1
	case '2':
		return os2
	case '5':
		return os5
	case '8':
		return os8
	case '9':
		return os9
	}
	return osUnreadable[text[2]]
}

// unreadable says why a record of this shape cannot be read, whatever its width: its
// fields are not described publicly. Of the OS9, only the type 29 is.
func (s *osShape) unreadable(l *line) (reason string) {
	name := s.name
	switch {
	case s == os9 && l.width() >= osType.to && !bytes.Equal(osType.of(l), []byte("29")):
		name = fmt.Sprintf("OS9 of the type %q", osType.of(l))
	case s.checks != nil:
		return ""
	}
	return name + " is not described publicly, so this layout cannot read it; ask for deliveries without it, or describe yours in a layout of your own (docs/layouts.md)"
}

// check returns the first figure of a line that is bad.
func (s *osShape) check(l *line) (field, reason string) {
	for i := range s.checks {
		c := &s.checks[i]
		if reason := c.reason(c.span.of(l)); reason != "" {
			return c.name, reason
		}
	}
	return "", ""
}

// differs returns the first figure of a line that is not the same in the section's
// OS2.
func (s *osShape) differs(l, opening *line) (field, reason string) {
	for i := range s.shared {
		f := &s.shared[i]
		want, found := bytes.Trim(f.span.of(opening), " "), bytes.Trim(f.span.of(l), " ")
		switch {
		case bytes.Equal(want, found):
		case !f.bank:
			return f.name, fmt.Sprintf("the section's OS2 on line %d has %s, found %s", opening.index+1, quoted(want), quoted(found))
		case !bytes.Equal(bytes.TrimLeft(want, "0"), bytes.TrimLeft(found, "0")):
			return f.name, fmt.Sprintf("it differs from the section's OS2 on line %d", opening.index+1)
		}
	}
	return "", ""
}

// misplaced says why a record of this shape can't stand here.
func (s *osShape) misplaced(before osState) string {
	switch {
	case s == os1:
		return "OS1 inside a delivery: the previous delivery has no OS9"
	case s == os5 || s == os8:
		return fmt.Sprintf("%s outside a section: there is no OS2 before it", s.name)
	case before == osOutside:
		return fmt.Sprintf("%s outside a delivery: there is no OS1 before it", s.name)
	}
	return fmt.Sprintf("%s inside a section: the section has no OS8", s.name)
}

func mustBe(want string) func([]byte) string {
	return func(text []byte) string {
		if string(text) == want {
			return ""
		}
		return fmt.Sprintf("expected %q, found %s", want, quoted(text))
	}
}

func mustBeDigits(text []byte) string {
	if isDigits(text, len(text), len(text)) {
		return ""
	}
	return fmt.Sprintf("expected %d digits, found %q", len(text), text)
}

func checkPaddedAccount(text []byte) string {
	return checkAccountNumber(bytes.Trim(text, " "))
}
