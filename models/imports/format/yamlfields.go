package format

import "bytes"

func (s section) fields(format *tableFormat) {
	if !s.has("fields") {
		s.fail("fields", "missing; expected cvr, regNumber, accountNumber, transferType, dispositionDate, count and amountDkk")
		return
	}
	fields := s.section("fields", fieldNames[:]...)
	constants := recorder{date: isoDate, amount: csvAmount}
	for f := range fieldTotal {
		if !fields.has(fieldNames[f]) {
			fields.fail(fieldNames[f], "missing")
			return
		}
		keys := append(format.placeKeys(), "value", "from_line")
		one := fields.section(fieldNames[f], append(keys, fieldKeys[f]...)...)
		format.places[f] = one.place(format)
		switch {
		case one.has("value"):
			one.constant(f, &constants)
		case f == fieldDispositionDate:
			format.date = one.date()
		case f == fieldAmount:
			one.amount(format)
		case one.flag("zero_padded", false):
			format.places[f].mostZero = mostZero[f]
		}
	}
	format.constants = constants.record
}

// fieldKeys are the keys that a field has besides its place.
var fieldKeys = [fieldTotal][]string{
	fieldCVR:             {"zero_padded"},
	fieldRegNumber:       {"zero_padded"},
	fieldAccountNumber:   {"zero_padded"},
	fieldDispositionDate: {"date_format"},
	fieldAmount:          {"decimals", "decimal_separator", "thousands_separator", "sign"},
}

var mostZero = [fieldTotal]int{
	fieldCVR:           cvrDigits,
	fieldRegNumber:     regDigits,
	fieldAccountNumber: accountDigits,
}

func (f *tableFormat) placeKeys() []string {
	if f.fixed {
		return []string{"start", "length"}
	}
	return []string{"column", "start", "length"}
}

// place reads where a field stands, or that it is the same in every record.
func (s section) place(format *tableFormat) place {
	p := place{trim: true}
	if s.has("value") {
		p.constant = true
		for key := range s.values {
			if key != "value" {
				s.fail(key, "not allowed with value")
			}
		}
		return p
	}
	if s.has("from_line") {
		p.carrier = []byte(s.text("from_line"))
	}
	if s.has("start") {
		p.start = s.number("start", 1, maxLine) - 1
	}
	p.length = s.number("length", 1, maxLine)
	if !format.fixed {
		s.column(format, &p)
		return p
	}
	for _, key := range format.placeKeys() {
		if !s.has(key) {
			s.fail(key, "missing; expected start and length")
		}
	}
	if p.carrier == nil && format.width > 0 && p.start+p.length > format.width {
		s.fail("length", "the field extends beyond the width of %d characters", format.width)
	}
	return p
}

func (s section) column(format *tableFormat, p *place) {
	node := s.values["column"]
	switch {
	case node == nil:
		s.fail("column", "missing; expected the column's number, or its name in the header")
	case node.ShortTag() == "!!int":
		most := maxColumns
		if format.columns > 0 && p.carrier == nil {
			most = format.columns
		}
		p.column = s.number("column", 1, most) - 1
	case format.header == headerNone || p.carrier != nil:
		s.fail("column", "expected a column number; a name requires header: true and no from_line")
	default:
		p.name = s.text("column")
	}
}

func (s section) constant(f field, constants *recorder) {
	text := bytes.TrimSpace([]byte(s.text("value")))
	for _, c := range string(text) {
		if !allowed(c) {
			s.fail("value", "must not contain control characters")
			return
		}
	}
	if reason := constants.put(f, text, false); reason != "" {
		s.fail("value", "%s", reason)
	}
}

func (s section) date() *dateFormat {
	if !s.has("date_format") {
		return isoDate
	}
	format, ok := newDateFormat(s.text("date_format"))
	if !ok {
		s.fail("date_format", "expected YYYY or YY, MM and DD, each once, such as YYYYMMDD, DDMMYY or DD-MM-YYYY")
		return isoDate
	}
	return format
}
