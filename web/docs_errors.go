package web

// docsError is an error code with its cause and what to do.
type docsError struct {
	code, status, cause string
	cures               []docsCure
}

// docsCure is something to do, with a link to a page about it or without.
type docsCure struct{ text, link, path string }

// docsErrors returns the error codes. Messages of the API link to each.
func docsErrors() []docsError {
	return []docsError{
		{"BAD_REQUEST", "400", "A parameter is not valid or was given twice, the key was sent twice, or the request is not valid HTTP.", []docsCure{
			{text: "Read the message. It names the parameter and what is expected."},
			{text: "Write the CVR number with exactly 8 digits, without `DK` and without spaces."},
			{text: "Send an item’s `id` as `after` or `before`, and a `limit` from 1 to 100:", link: "Pagination", path: "/docs/pagination#parameters"},
			{text: "If the message says that the request is malformed, something between your program and the service changes it. HTTP libraries don’t send such requests."},
		}},
		{"UNAUTHORIZED", "401", "The key is missing, malformed, invalid, revoked, expired or paused. The message says which.", []docsCure{
			{text: "Don’t repeat the request with the same key."},
			{text: "See what to do in each case:", link: "When a key is refused", path: "/docs/authentication#refused"},
		}},
		{"COMPANY_NOT_FOUND", "404", "Your organization has no company with this CVR number.", []docsCure{
			{text: "Check the number against `/v1/companies`, which lists all companies that your key can read."},
			{text: "If the company should be there, ask your organization whether it has been added, and whether this is the right organization’s key."},
		}},
		{"NOT_FOUND", "404", "There is nothing at this path.", []docsCure{
			{text: "Check the path. It starts with `/api/v1`, is case-sensitive, and has no slash at its end."},
			{text: "Compare it with the paths in the", link: "API reference", path: "/docs/reference"},
		}},
		{"METHOD_NOT_ALLOWED", "405", "The API is read-only, and the request’s method is neither GET nor HEAD.", []docsCure{
			{text: "Use GET. The header `Allow` says so too."},
			{text: "Browsers send `OPTIONS` before a request from another site. Call the API from a server instead."},
		}},
		{"VALIDATION_ERROR", "422", "Each parameter is valid, but they can’t be combined: `after` and `before` were both sent.", []docsCure{
			{text: "Send only one of them."},
		}},
		{"RATE_LIMIT_EXCEEDED", "429", "You have made more requests than a limit allows, or too many bad keys came from your network address.", []docsCure{
			{text: "Wait for `error.retryAfter` seconds, which is also in the header `Retry-After`, then repeat the request:", link: "How to wait", path: "/docs/rate-limits#wait"},
			{text: "If it happens often, see", link: "How to need fewer requests", path: "/docs/rate-limits#save"},
			{text: "If the message speaks of a bad key, find the program that sends it."},
		}},
		{"HEADERS_TOO_LARGE", "431", "The request’s headers are too large.", []docsCure{
			{text: "Send fewer or shorter headers. Cookies are not needed."},
		}},
		{"INTERNAL_ERROR", "500", "Something went wrong in the service. It has been logged.", []docsCure{
			{text: "Repeat the request after a while."},
			{text: "If it keeps happening, send the `X-Request-Id` to", link: "support", path: "/docs/support"},
		}},
		{"SERVICE_UNAVAILABLE", "503", "The service can’t reach its database at the moment, or is too busy to check a key.", []docsCure{
			{text: "Wait for the seconds in the header `Retry-After`, then repeat the request."},
			{text: "If it lasts for more than a few minutes, write to", link: "support", path: "/docs/support"},
		}},
	}
}
