package format

import (
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// codePages are encodings of mainframes that golang.org/x/text lacks, or does not know by
// these names. Each is code page 037 with other characters at some bytes.
var codePages = []struct{ names, bytes, characters string }{
	{"ibm1140 cp1140", "\x9f", "€"},
	{"cp1047", "\x5f\xad\xb0\xba\xbb\xbd", "^[¬Ý¨]"},
	{"ibm277 cp277 csibm277 ebcdic-cp-dk ebcdic-cp-no", bytes277, "}#!¤Å^$ø¦ÆØ@{[]ü¢¬|æå~"},
	{"ibm1142 cp1142 csibm1142 ebcdic-dk-277+euro ebcdic-no-277+euro", bytes277, "}#!€Å^$ø¦ÆØ@{[]ü¢¬|æå~"},
	{"ibm500 cp500 csibm500 ebcdic-cp-be ebcdic-cp-ch", bytes500, "[!]^¤¢¬|"},
	{"ibm1148 cp1148 csibm1148 ebcdic-international-500+euro", bytes500, "[!]^€¢¬|"},
}

const (
	bytes277 = "\x47\x4a\x4f\x5a\x5b\x5f\x67\x6a\x70\x7b\x7c\x80\x9c\x9e\x9f\xa1\xb0\xba\xbb\xc0\xd0\xdc"
	bytes500 = "\x4a\x4f\x5a\x5f\x9f\xb0\xba\xbb"
)

// codePage returns how a code page of codePages decodes a byte, and whether it has the name.
func codePage(name string) (decode func(byte) rune, known bool) {
	name = strings.NewReplacer("ibm01", "ibm1", "ccsid01", "cp1", "cp01", "cp1").Replace(strings.ToLower(name))
	for _, page := range codePages {
		if slices.Contains(strings.Fields(page.names), name) {
			characters := []rune(page.characters)
			return func(b byte) rune {
				if i := strings.IndexByte(page.bytes, b); i >= 0 {
					return characters[i]
				}
				return charmap.CodePage037.DecodeByte(b)
			}, true
		}
	}
	return nil, false
}
