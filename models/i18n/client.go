package i18n

import "strings"

// Client shortens a user agent to its browser and system, or to the product that a
// program names first, in the program's own form, such as bookkeeper/2.1.
func (l Language) Client(userAgent string) string {
	if userAgent == "" {
		return l.T("an unnamed client")
	}
	product, rest, _ := strings.Cut(userAgent, " ")
	if !strings.HasPrefix(product+"/", "Mozilla/") { // which stands for a browser also without a version
		if rest != "" && rest[0] >= '0' && rest[0] <= '9' && !strings.Contains(product, "/") {
			version, _, _ := strings.Cut(rest, " ")
			return product + " " + version
		}
		return product
	}
	// Programs that call themselves compatible give their own name after that.
	if _, program, ok := strings.Cut(userAgent, "(compatible; "); ok {
		if end := strings.IndexAny(program, ";) "); end > 0 {
			return program[:end]
		}
	}
	browser := firstMatch(userAgent, l.T("a browser"),
		"Edg", "Edge", "OPR", "Opera", "Firefox", "Firefox", "Chrome", "Chrome", "Safari", "Safari")
	system := firstMatch(userAgent, "",
		"iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Mac OS X", "macOS", "Linux", "Linux")
	if system == "" {
		return browser
	}
	return l.T("{browser} on {system}", "browser", browser, "system", system)
}

// firstMatch takes pairs of a substring and a name. It returns the name of the
// first substring in text, or fallback if text contains none.
func firstMatch(text, fallback string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if strings.Contains(text, pairs[i]) {
			return pairs[i+1]
		}
	}
	return fallback
}
