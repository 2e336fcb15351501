package models

import (
	"context"
	"log/slog"
)

// Security events, as the log names them for alerts. docs/operating.md lists them
// with their attributes.
const (
	EventKeyRefused   = "key_refused"
	EventSignInFailed = "sign_in_failed"
	EventFormRefused  = "form_refused"
	EventRoleChanged  = "role_changed"
)

// The attributes that every security event has.
const (
	EventKey        = "event"
	EventAddressKey = "address"
)

// LogEvent logs a security event. Changes that somebody was allowed to make are
// logged as information, and the rest as warnings, which the program's log samples by
// event and address. The attributes must have no secrets.
func LogEvent(log *slog.Logger, event, address string, attributes ...any) {
	level, message := slog.LevelWarn, ""
	switch event {
	case EventKeyRefused:
		message = "an API key was refused"
	case EventSignInFailed:
		message = "a sign-in failed"
	case EventFormRefused:
		message = "a form was refused that did not come from our page"
	case EventRoleChanged:
		level, message = slog.LevelInfo, "a member's role was changed"
	}
	log.Log(
		context.Background(),
		level,
		message,
		append([]any{EventKey, event, EventAddressKey, address}, attributes...)...)
}
