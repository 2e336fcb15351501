package dashboard

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"dispo/dashboard/site"
	"dispo/models/i18n"
	"dispo/models/ledger"
	"dispo/web"
)

// transactionFilter reads the filter of transactions from the parameters of an address,
// which value returns. The form has the text of each field and its error; the filter leaves
// out fields with errors.
func transactionFilter(f web.Frame, value func(name string) string) (ledger.TransactionFilter, web.TransactionFilter) {
	typed := func(name string) web.Field { return web.Field{Value: strings.TrimSpace(site.Clean(value(name)))} }
	form := web.TransactionFilter{
		From:   typed("from"),
		To:     typed("to"),
		Type:   typed("type"),
		Amount: typed("amount"),
		CVR:    typed("cvr"),
	}
	var filter ledger.TransactionFilter
	filter.From, filter.To = readDay(f, &form.From), readDay(f, &form.To)
	if filter.From != nil && filter.To != nil && filter.To.Before(*filter.From) {
		form.To.Error = f.T("The last day is before the first day. Change one of them.")
		filter.To = nil
	}
	if form.Type.Value != "" {
		if utf8.RuneCountInString(form.Type.Value) > longestType {
			form.Type.Error = f.T("No transfer type is that long. Choose one from the list.")
		} else {
			filter.Type = form.Type.Value
		}
	}
	if form.CVR.Value != "" {
		if cvr, ok := ledger.ParseCVR(form.CVR.Value); ok {
			filter.CVR, form.CVR.Value = cvr, cvr
		} else {
			form.CVR.Error = f.T("Enter a CVR with 8 digits, such as 12345678.")
		}
	}
	readAmounts(f, &filter, &form.Amount)
	return filter, form
}

const longestType = 200

// readDay returns the day in a field, and writes it as in the API.
func readDay(f web.Frame, field *web.Field) *time.Time {
	if field.Value == "" {
		return nil
	}
	for _, layout := range []string{time.DateOnly, "2-1-2006", "2.1.2006", "2/1/2006"} {
		if day, err := time.Parse(layout, field.Value); err == nil && day.Year() >= 1 {
			field.Value = day.Format(time.DateOnly)
			return &day
		}
	}
	if day, ok := i18n.ReadDay(field.Value, f.Now.AddDate(0, 1, 0)); ok {
		field.Value = day.Format(time.DateOnly)
		return &day
	}
	field.Error = f.T("Enter a day as year-month-day, such as 2026-10-31.")
	return nil
}

// readAmounts sets the filter's amounts to those in a field: an amount or a range. After a
// ±, they count with either sign. Whole kroner are all amounts from .00 to .99.
func readAmounts(f web.Frame, filter *ledger.TransactionFilter, field *web.Field) {
	if field.Value == "" {
		return
	}
	text, unsigned := strings.CutPrefix(currency.ReplaceAllString(field.Value, ""), "±")
	from, to := text, text
	found := amountRange.FindStringSubmatch(text)
	if found != nil {
		from, to = found[1]+found[3], found[2]+found[4]
	}
	least, ok := readBound(from)
	greatest, okTo := readBound(to)
	if found == nil && ledger.IsWhole(currency.ReplaceAllString(strings.TrimSpace(text), "")) {
		greatest = strings.Replace(greatest, ".00", ".99", 1)
	}
	switch {
	case !ok || !okTo || least == "" && greatest == "":
		field.Error = f.T("Enter an amount such as 1234.50, or a range such as 100-200, 100.. or ..200.")
	case least != "" && greatest != "" && ledger.CompareAmounts(least, greatest) > 0:
		field.Error = f.T("The range ends below its start. Put the smaller amount first.")
	default:
		filter.AmountFrom, filter.AmountTo, filter.Unsigned = least, greatest, unsigned
	}
}

// fromInstead returns the range that may have been meant by a negative amount: 200.. for -200.
func fromInstead(filter ledger.TransactionFilter) string {
	amount, negative := strings.CutPrefix(filter.AmountFrom, "-")
	if !negative || filter.Unsigned || filter.AmountFrom != filter.AmountTo {
		return ""
	}
	return strings.TrimSuffix(amount, ".00") + ".."
}

var (
	// amountRange is two amounts. A hyphen stands between them only after a digit: before
	// one or at the end, it is a sign.
	amountRange = regexp.MustCompile(
		`(?i)^(.*?)\s*\.\.\s*(.*)$|^(.*[0-9][^0-9]*?)\s*(?:[-\x{2013}\x{2014}]|\bto\b|\btil\b)\s*(.+)$`)
	currency = regexp.MustCompile(`(?i)\s*(?:kr\.?|dkk)$|^(?:kr\.?|dkk)\s*`)
)

// readBound returns an end of a range, which may be open.
func readBound(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", true
	}
	return ledger.ParseAmount(currency.ReplaceAllString(text, ""))
}
