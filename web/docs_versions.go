package web

// docsChange is what changed in the API on a day.
type docsChange struct {
	date    string // YYYY-MM-DD
	changes []string
}

// docsChanges returns the API's changes, the newest first. Add to it what programs that
// call the API can notice.
func docsChanges() []docsChange {
	return []docsChange{
		{"2026-11-22", []string{
			"Sandboxes: organizations with made-up data, whose keys begin with `dispo_test_` and get any error by `Prefer: example=CODE`.",
			"`Prefer: wait=N` beside `If-None-Match` lets the answer wait for a change, for up to 50 seconds. `Preference-Applied` names the seconds.",
			"Lists have a `Link` header beside `_links`.",
			"Answers are compressed with `br`, `zstd` or `gzip` for clients that accept it.",
			"`X-API-Key-Expires` says when the key expires, and `X-API-Key-Notice` that it is replaced or expires soon.",
			"`X-Total-Amount-Dkk` has the sum of a company’s transactions.",
			"A key can be paused, and then gets 401.",
			"The messages of 401 and 404 link to this documentation.",
			"Requests that HTTP programs could read differently get 400, and so do two `X-API-Key` headers.",
			"Percent-encoding in a path is equal to what it encodes, and every line of `If-None-Match` counts.",
			"`/api/openapi.yaml` and `/api/openapi.json` can be read by tools that run on another site’s page.",
			"The OpenAPI document has one `Error` schema, and bounds and examples for every field. `/api/postman.json` is a Postman collection.",
		}},
		{"2026-11-20", []string{
			"Version 1: companies and their transactions, in pages, with limits by organization and errors with codes.",
			"`ETag` and `If-None-Match`: 304 if nothing has changed.",
		}},
	}
}
