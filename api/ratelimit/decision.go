package ratelimit

import "strconv"

// Header names of a decision's figures.
const (
	HeaderLimit      = "X-RateLimit-Limit"
	HeaderRemaining  = "X-RateLimit-Remaining"
	HeaderReset      = "X-RateLimit-Reset"
	HeaderPolicy     = "RateLimit-Policy"
	HeaderRateLimit  = "RateLimit"
	HeaderRetryAfter = "Retry-After"
)

// Decision is the answer to one request: whether it is let through, and the
// figures of the window with the fewest requests left, or of the one that
// resets later where both have as few.
type Decision struct {
	// Allowed tells whether the request is let through. It was counted then,
	// and else was not.
	Allowed bool
	// Limit is the requests that the window holds, Remaining those left in it
	// after this one.
	Limit, Remaining int64
	// Reset is when the window ends, in Unix seconds, rounded up.
	Reset int64
	// RetryAfter is the whole seconds after which a client that was refused is
	// let in, if it waits exactly that long; 0 where it was not refused. It is
	// rounded up, and never longer than the window.
	RetryAfter int64

	window string
	wait   int64 // whole seconds until the window ends, rounded up
}

// AppendLimit appends the value of X-RateLimit-Limit to dst.
func (d Decision) AppendLimit(dst []byte) []byte { return strconv.AppendInt(dst, d.Limit, 10) }

// AppendRemaining appends the value of X-RateLimit-Remaining to dst.
func (d Decision) AppendRemaining(dst []byte) []byte { return strconv.AppendInt(dst, d.Remaining, 10) }

// AppendReset appends the value of X-RateLimit-Reset, in Unix seconds, to dst.
func (d Decision) AppendReset(dst []byte) []byte { return strconv.AppendInt(dst, d.Reset, 10) }

// AppendRetryAfter appends the value of Retry-After, in seconds (RFC 9110,
// section 10.2.3), to dst.
func (d Decision) AppendRetryAfter(dst []byte) []byte {
	return strconv.AppendInt(dst, d.RetryAfter, 10)
}

// AppendRateLimit appends the value of RateLimit to dst, `"minute";r=59;t=42`:
// the window, the requests left in it, and the seconds until it ends, rounded
// up (draft-ietf-httpapi-ratelimit-headers-11).
func (d Decision) AppendRateLimit(dst []byte) []byte {
	dst = appendName(dst, d.window)
	dst = append(dst, ";r="...)
	dst = strconv.AppendInt(dst, d.Remaining, 10)
	dst = append(dst, ";t="...)
	return strconv.AppendInt(dst, d.wait, 10)
}

// appendName appends a window's name as a structured field's string. Our names
// hold nothing that would have to be escaped.
func appendName(dst []byte, name string) []byte {
	dst = append(dst, '"')
	dst = append(dst, name...)
	return append(dst, '"')
}
