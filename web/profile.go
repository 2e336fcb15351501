package web

import (
	"strconv"
	"strings"
	"time"
)

// ProfileView is the view of GET /profile, and of a rejected POST /profile/password.
//
// Forms: POST to /profile/password with current_password and new_password, /profile/mail
// with the names of the wanted MailTopics, /profile/sessions/{id}/end,
// /profile/sessions/end-others, and /profile/language with language.
type ProfileView struct {
	Frame
	CurrentPassword   Field        // Value is never set
	NewPassword       Field        // Value is never set
	SecondFactor      bool         // whether it is on
	FactorStays       string       // why it cannot be turned off; empty if it can
	RecoveryCodesLeft int          // unused ones
	Sessions          []SessionRow // most recently seen first
	Language          Locale       // that the user chose; empty means the browser's
	MailTopics        []MailTopic  // that the user can switch off; none if no e-mails are sent
}

// MailTopic is a kind of e-mails that a user can switch off.
type MailTopic struct {
	Name   string // of the form's field: keys, expiry, arrivals, late or deliveries
	Wanted bool
}

func (t MailTopic) label(f Frame) string {
	switch t.Name {
	case "keys":
		return f.T("API keys that are paused, or scheduled to be revoked")
	case "expiry":
		return f.T("API keys that expire in 30, 7 and 1 days")
	case "arrivals":
		return f.T("Deliveries that arrived: an hour after the first one of the day, and after midnight if more came later")
	case "late":
		return f.T("Late deliveries")
	case "deliveries":
		return f.T("Withdrawn deliveries")
	}
	return t.Name
}

// SessionRow is a session of the user.
type SessionRow struct {
	ID        string // part of the form's path
	Current   bool   // whether this request belongs to it
	Address   string // the client's IP address
	UserAgent string // as sent; empty if the client sent none
	StartedAt time.Time
	SeenAt    time.Time // when it was last used
}

// TOTPSetupView is the view of GET and POST /profile/second-factor, which turns the
// second factor on. If it is already on, redirect with 303 to /profile.
//
// Form: POST /profile/second-factor with setup and code. Success answers 200 with
// RecoveryCodesPage instead of redirecting, because the codes are shown once.
type TOTPSetupView struct {
	Frame
	Secret string   // base32 without padding, for typing into an app that cannot scan
	URI    string   // the otpauth:// address in the QR code, which opens the app on a phone
	QR     [][]bool // the rows of the QR code without the quiet zone; true is dark; may be empty
	Setup  string   // the hidden field setup: the secret, sealed by the handler
	Code   Field    // Value is never set
}

// otpURI returns the URI if it is an otpauth:// address, and nothing otherwise.
func (v TOTPSetupView) otpURI() string {
	if strings.HasPrefix(v.URI, "otpauth://") {
		return v.URI
	}
	return ""
}

// groupedSecret is the secret in groups of four characters.
func (v TOTPSetupView) groupedSecret() string {
	var groups []string
	rest := v.Secret
	for len(rest) > 4 {
		groups, rest = append(groups, rest[:4]), rest[4:]
	}
	return strings.Join(append(groups, rest), " ")
}

// quietZone is the width, in modules, of the margin that scanners need.
const quietZone = 4

func qrViewBox(modules [][]bool) string {
	side := strconv.Itoa(len(modules) + 2*quietZone)
	return "0 0 " + side + " " + side
}

func qrPath(modules [][]bool) string {
	var path strings.Builder
	for y, row := range modules {
		for x := 0; x < len(row); x++ {
			start := x
			for x < len(row) && row[x] {
				x++
			}
			if width := strconv.Itoa(x - start); x > start {
				path.WriteString(
					"M" + strconv.Itoa(start+quietZone) + " " + strconv.Itoa(y+quietZone) + "h" + width + "v1h-" + width + "z")
			}
		}
	}
	return path.String()
}

// RecoveryCodesNewView is the view of GET /profile/second-factor/recovery-codes, which
// asks before replacing the codes.
//
// Form: POST to that path. Success answers 200 with RecoveryCodesPage.
type RecoveryCodesNewView struct {
	Frame
	Left int // unused current codes
}

// RecoveryCodesView is the view of an answer that shows new recovery codes, once.
//
// Form: POST /profile/second-factor/recovery-codes/file with codes answers 200 with a
// text file. The codes travel in the body, because addresses are logged and kept.
type RecoveryCodesView struct {
	Frame
	Codes    []string
	TurnedOn bool // the same form turned the second factor on
}
