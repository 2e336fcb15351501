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
		{"key", "The key"},
		{"companies", "Companies"},
		{"transactions", "Transactions"},
		{"lists", "Lists"},
		{"sync", "Keeping up to date"},
		{"limits", "Limits"},
		{"errors", "Errors"},
		{"samples", "Programs"},
		{"openapi", "Exact description"},
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
		{"id", "string", "Also the cursor for after and before."},
		{"cvr", "string", "8 digits."},
		{"name", "string", "As it was brought in."},
		{"address", "string or null", "On one line."},
		{"startDate", "string", "Start of the registration, YYYY-MM-DD."},
		{"endDate", "string", "Its end; 9999-12-31 where it is open-ended."},
		{"status", "string", "CREATED (pending), REGISTERED (active with the card network), MODIFIED (details changed), TERMINATED or REJECTED."},
		{"senderRegNumber, senderAccountNumber", "string or null", "The sender’s bank registration number, 4 digits, and account number, up to 10."},
		{"receiverRegNumber, receiverAccountNumber", "string or null", "The receiver’s."},
		{"defaultAmountCents", "number or null", "A whole number of cents."},
		{"createdAt, updatedAt", "string", "2026-01-31T12:00:00.000Z, always in UTC."},
	}
}

func transactionFields() []docsField {
	return []docsField{
		{"id", "string", "Also the cursor for after and before."},
		{"cardNetworkDeliveryFileId", "string", "The delivery file that it came from."},
		{"recordIndex", "number", "Where it stands in that file, from 0."},
		{"cvr", "string", "The company’s."},
		{"regNumber, accountNumber", "string", "Bank registration number and account number."},
		{"transferType", "string", "As the file has it; not a closed list."},
		{"dispositionDate", "string", "YYYY-MM-DD."},
		{"count", "number", "A whole number."},
		{"amountDkk", "string", "Decimal text with two decimals: \"1234.50\", \"-1234.50\"."},
		{"rawLine", "string", "The record as delivered."},
		{"createdAt, updatedAt", "string or null", "2026-01-31T12:00:00.000Z, always in UTC."},
		{"filename", "string", "The delivery file’s name."},
		{"processedAt", "string or null", "When that file had been read."},
	}
}

type docsError struct{ code, status, remedy string }

func docsErrors() []docsError {
	return []docsError{
		{"BAD_REQUEST", "400", "A CVR, cursor or limit is malformed: the message names it. Correct the request."},
		{"UNAUTHORIZED", "401", "The key is missing, malformed, invalid, expired, revoked or paused. Don’t repeat the request with the same key."},
		{"COMPANY_NOT_FOUND", "404", "Your organization has no company with that CVR."},
		{"NOT_FOUND", "404", "There is no such path."},
		{"METHOD_NOT_ALLOWED", "405", "Use GET or HEAD."},
		{"VALIDATION_ERROR", "422", "after and before were sent together. Send one."},
		{"RATE_LIMIT_EXCEEDED", "429", "Wait as many seconds as error.retryAfter says, then repeat."},
		{"HEADERS_TOO_LARGE", "431", "Send fewer or shorter headers."},
		{"INTERNAL_ERROR", "500", "Repeat later. If it stays so, tell us X-Request-Id."},
		{"SERVICE_UNAVAILABLE", "503", "Repeat after as many seconds as Retry-After says."},
	}
}
