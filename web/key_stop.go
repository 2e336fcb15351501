package web

// KeyStopView is the view of GET /settings/api-keys/{id}/pause and
// /settings/api-keys/{id}/revoke, which ask before a key stops working.
//
// Form: POST to the same path without further fields.
type KeyStopView struct {
	Frame
	Key KeyRow
	// RequestsLastDay counts the requests made with the key in the last 24 hours,
	// approximately, because usage is counted by the hour.
	RequestsLastDay int64
	// IdleTime is how long the key must be unused before revoking it is safe. Callers are
	// those that used it in the last 30 days, the latest first; if the key has a
	// successor, they say whether they have moved to it.
	IdleTime IdleTime
	Callers  []RotationCaller
	Unknown  bool // IdleTime says too little about Callers
	Safe     bool // nothing seems to work with the key any more
	// LastActive reports whether the organization has no other active key.
	LastActive bool
}

// callersShown is how many callers the pages list.
const callersShown = 5
