package format

// totals reads where a file says how much there must be. The fields must have been
// read, because an amount is written like theirs unless the total says otherwise.
func (s section) totals(format *tableFormat) {
	if !s.has("totals") {
		return
	}
	both := s.section("totals", scopeNames[:]...)
	if !both.has("section") && !both.has("file") {
		both.fail("file", "missing; expected file, section or both")
	}
	for scope, name := range scopeNames {
		if both.has(name) {
			format.totals[scope] = both.total(format, totalScope(scope))
		}
	}
}

func (s section) total(format *tableFormat, scope totalScope) total {
	name := scopeNames[scope]
	keys := []string{"prefix", "required", "records", "amountDkk"}
	if scope == scopeFile {
		keys = append(keys, "lines")
	}
	one := s.section(name, keys...)
	if !one.has("prefix") {
		one.fail("prefix", "missing; expected the text that the total's line starts with")
	}
	result := total{prefix: []byte(one.text("prefix")), required: one.flag("required", true)}
	// The line of a total may be longer than a record, and have more fields.
	free := *format
	free.width, free.columns, free.sign = 0, 0, nil
	told := false
	for figure, key := range figureNames {
		if !one.has(key) {
			continue
		}
		told = true
		keys := free.placeKeys()
		if key == figureNames[figureAmount] {
			keys = append(append(keys, fieldKeys[fieldAmount]...), "absolute")
		}
		at := one.section(key, keys...)
		place := at.place(&free)
		result.figures[figure] = &place
		if key == figureNames[figureAmount] {
			result.absolute = at.flag("absolute", false)
			at.totalAmount(format, &free)
			result.amount, result.sign = free.amount, free.sign
		}
	}
	if !told {
		one.fail("records", "missing; expected records, amountDkk or both")
	}
	return result
}

// totalAmount reads how a sum is written: as the records' amounts, unless it says.
func (s section) totalAmount(format, free *tableFormat) {
	switch {
	case s.has("decimals") || s.has("decimal_separator"):
		s.amount(free)
	case format.places[fieldAmount].constant || format.sign != nil:
		s.fail("decimals", "missing; expected the number of implied decimals, or decimal_separator")
		return
	default:
		s.refuse("requires decimals or decimal_separator", "thousands_separator", "sign")
	}
	wide := *free.amount
	wide.digits = totalDigits
	wide.describe()
	free.amount = &wide
}
