package format

import "slices"

// kinds reads which lines are records. The fields must have been read, because
// some may stand on other lines.
func (s section) kinds(format *tableFormat) {
	keys := []string{"prefix", "start"}
	if !format.fixed {
		keys = append(keys, "column")
	}
	records := s.section("records", keys...)
	k := &format.kinds
	k.column = -1
	if records.has("column") {
		most := maxColumns
		if format.columns > 0 {
			most = format.columns
		}
		k.column = records.number("column", 1, most) - 1
	}
	if records.has("start") {
		k.start = records.number("start", 1, maxLine) - 1
	}
	if s.has("records") && !records.has("prefix") {
		records.fail("prefix", "missing; expected the text that records start with")
	}
	for _, prefix := range records.texts("prefix") {
		records.addKind(k, "prefix", prefix, kindRecord)
		k.others = kindIgnored
	}
	for _, prefix := range s.texts("ignore") {
		s.addKind(k, "ignore", prefix, kindIgnored)
		if k.others == kindIgnored {
			k.others = kindNone
		}
	}
	var carriers []string
	for f := range fieldTotal {
		if prefix := string(format.places[f].carrier); prefix != "" && !slices.Contains(carriers, prefix) {
			carriers = append(carriers, prefix)
			s.addKind(k, "fields."+fieldNames[f]+".from_line", prefix, kindCarrier)
		}
	}
	for i := range format.identity {
		field := &format.identity[i]
		if prefix := string(field.place.carrier); prefix != "" && !slices.Contains(carriers, prefix) {
			carriers = append(carriers, prefix)
			s.addKind(k, "identity."+field.name+".from_line", prefix, kindCarrier)
		}
	}
	for scope, kind := range [scopeTotal]kind{kindSectionTotal, kindFileTotal} {
		if prefix := format.totals[scope].prefix; prefix != nil {
			s.addKind(k, "totals."+scopeNames[scope]+".prefix", string(prefix), kind)
		}
	}
}

func (s section) addKind(k *kinds, key, prefix string, kind kind) {
	for _, p := range k.prefixes {
		if string(p.prefix) == prefix {
			s.fail(key, "%s is already used as a prefix", quoted([]byte(prefix)))
		}
	}
	k.prefixes = append(k.prefixes, kindPrefix{prefix: []byte(prefix), kind: kind})
}
