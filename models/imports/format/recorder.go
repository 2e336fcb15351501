package format

// recorder puts the text of fields into a record, in memory that it uses
// again.
type recorder struct {
	record Record
	date   *dateFormat
	amount *amountFormat

	dateBuffer   [len("2006-01-02")]byte
	amountBuffer []byte
}

// put checks a field's text and sets it in the record, or says what is wrong
// with it. An amount whose sign stands elsewhere is negative where negative
// says so.
func (r *recorder) put(f field, text []byte, negative bool) (reason string) {
	switch f {
	case fieldCVR:
		r.record.CVR, reason = text, checkCVR(text)
	case fieldRegNumber:
		r.record.RegNumber, reason = text, checkRegNumber(text)
	case fieldAccountNumber:
		r.record.AccountNumber, reason = text, checkAccountNumber(text)
	case fieldTransferType:
		r.record.TransferType, reason = text, checkTransferType(text)
	case fieldDispositionDate:
		r.record.DispositionDate, reason = r.date.parse(&r.dateBuffer, text)
	case fieldCount:
		r.record.Count, reason = parseCount(text)
	case fieldAmount:
		if r.record.Amount, reason = r.amount.parse(r.amountBuffer[:0], text, negative); reason == "" {
			r.amountBuffer = r.record.Amount
		}
	}
	return reason
}
