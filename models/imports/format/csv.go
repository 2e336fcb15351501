package format

// CSV reads delimited deliveries with a header line.
//
// The header has exactly the names cvr, regNumber, accountNumber,
// transferType, dispositionDate, count and amountDkk in any order, parted by
// commas or by semicolons; the lines after it are parted alike. Fields may
// stand in double quotes as RFC 4180 has it, but without line breaks. Dates
// are YYYY-MM-DD; amounts have a decimal point, no decimals or one or two, and
// no thousands separators. The encoding is UTF-8; a byte-order mark is
// accepted. Lines end with LF or CRLF; blank lines are passed over.
//
// A last line without a line end is bad, because the file may have been cut
// off in it, unless amountDkk is the last column and has two decimals there.
func CSV() *Layout { return csvLayout }

var csvLayout = &Layout{name: "csv", charset: utf8Charset, ending: ending{end: '\n', before: '\r'}, parser: csvFormat().parser}

func csvFormat() *tableFormat {
	f := &tableFormat{quotes: true, header: headerExact, date: isoDate, amount: csvAmount}
	for field, name := range fieldNames {
		f.places = append(f.places, place{key: name, name: name, trim: field == int(fieldTransferType)})
	}
	return f
}
