package web

// DocsView is the view of GET /docs, for people who write clients. Anyone may read
// it.
type DocsView struct {
	Frame
	BaseURL     string // ends in /api
	LimitMinute int64  // requests per minute
	LimitHour   int64  // requests per hour
	PerKey      bool   // whether limits count per key instead of per organization
}

type docsSection struct{ id, title string }

// docsSections returns the sections of the docs page, in order.
func docsSections() []docsSection {
	return []docsSection{
		{"start", "Quick start"},
		{"key", "Authentication"},
		{"companies", "Companies"},
		{"transactions", "Transactions"},
		{"lists", "Pagination"},
		{"sync", "Keeping up to date"},
		{"limits", "Limits"},
		{"errors", "Errors"},
		{"samples", "Sample code"},
		{"openapi", "API reference"},
	}
}

func docsTitle(id string) string {
	for _, section := range docsSections() {
		if section.id == id {
			return section.title
		}
	}
	return id
}

const exampleList = `{
  "data": [
    {
      "id": "0192f0c1-5d0e-7cc3-8a51-6f3f0e3b8f0a",
      "cvr": "12345674",
      "name": "Nordlys Handel ApS",
      "status": "REGISTERED",
      …
    }
  ],
  "meta": { "total": 214, "limit": 2, "hasMore": true },
  …
}`

const exampleEnvelope = `{
  "data": [ … ],
  "meta": { "total": 214, "limit": 50, "hasMore": true },
  "_links": {
    "self": "/api/v1/companies?limit=50",
    "next": "/api/v1/companies?limit=50&after=0192f0c1-5d0e-7cc3-8a51-6f3f0e3b8f0a",
    "prev": null
  }
}`

const exampleError = `{
  "error": {
    "code": "RATE_LIMIT_EXCEEDED",
    "message": "…",
    "retryAfter": 17
  }
}`

type docsField struct{ name, kind, meaning string }

func companyFields() []docsField {
	return []docsField{
		{"id", "string", "Also used as the cursor in after and before."},
		{"cvr", "string", "8 digits."},
		{"name", "string", "The company’s name."},
		{"address", "string or null", "One line."},
		{"startDate", "string", "Start of the registration, YYYY-MM-DD."},
		{"endDate", "string", "End of the registration, or 9999-12-31 if it is open-ended."},
		{"status", "string", "CREATED (pending), REGISTERED (active with the card network), MODIFIED (details changed), TERMINATED or REJECTED."},
		{"senderRegNumber, senderAccountNumber", "string or null", "The sender’s bank registration number, 4 digits, and account number, up to 10."},
		{"receiverRegNumber, receiverAccountNumber", "string or null", "The same for the receiver."},
		{"defaultAmountCents", "number or null", "An integer, in øre (1/100 DKK)."},
		{"createdAt, updatedAt", "string", "Such as 2026-01-31T12:00:00.000Z, always in UTC."},
	}
}

func transactionFields() []docsField {
	return []docsField{
		{"id", "string", "Also used as the cursor in after and before."},
		{"cardNetworkDeliveryFileId", "string", "The delivery file it came from."},
		{"recordIndex", "number", "Its position in that file, starting at 0."},
		{"cvr", "string", "The company’s CVR."},
		{"regNumber, accountNumber", "string", "Bank registration number and account number."},
		{"transferType", "string", "As in the delivery file. New values may appear."},
		{"dispositionDate", "string", "YYYY-MM-DD."},
		{"count", "number", "An integer."},
		{"amountDkk", "string", "A decimal string with two decimals, such as \"1234.50\" or \"-1234.50\"."},
		{"rawLine", "string", "The record as delivered."},
		{"createdAt, updatedAt", "string or null", "Such as 2026-01-31T12:00:00.000Z, always in UTC."},
		{"filename", "string", "The delivery file’s name."},
		{"processedAt", "string or null", "When the file’s import completed."},
	}
}

type docsError struct{ code, status, remedy string }

func docsErrors() []docsError {
	return []docsError{
		{"BAD_REQUEST", "400", "A CVR, cursor or limit is malformed. The message says which one."},
		{"UNAUTHORIZED", "401", "The key is missing, malformed, invalid, expired, revoked or paused. Don’t retry with the same key."},
		{"COMPANY_NOT_FOUND", "404", "Your organization has no company with that CVR."},
		{"NOT_FOUND", "404", "The path doesn’t exist."},
		{"METHOD_NOT_ALLOWED", "405", "Use GET or HEAD."},
		{"VALIDATION_ERROR", "422", "after and before were both sent. Send only one."},
		{"RATE_LIMIT_EXCEEDED", "429", "Wait for error.retryAfter seconds, then retry."},
		{"HEADERS_TOO_LARGE", "431", "Send fewer or shorter headers."},
		{"INTERNAL_ERROR", "500", "Retry later. If it keeps happening, contact your Dispo administrator with the X-Request-Id."},
		{"SERVICE_UNAVAILABLE", "503", "Retry after Retry-After seconds."},
	}
}
