package models

import (
	"cmp"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"dispo/models/database"
)

// Kind is the kind of failure that an Error is. The API and the dashboard each map
// kinds to statuses in one place.
type Kind int

const (
	KindInternal        Kind = iota // a fault in the service
	KindInvalid                     // a malformed value
	KindUnprocessable               // values that are valid alone but not together
	KindUnauthorized                // no credentials, or credentials that are not accepted
	KindCompanyNotFound             // the organization has no company with that CVR
	KindNotFound                    // anything else that does not exist for the caller
	KindConflict                    // something with that name or id already exists
	KindUnavailable                 // the database does not answer
	KindForbidden                   // the caller is known but not allowed
	KindLimited                     // too many attempts
	KindBusy                        // the work takes longer than the caller may wait
)

// Error is a failure that is shown to the caller. Message is for the caller and
// reveals nothing of the inside. The cause is for the log.
type Error struct {
	Kind    Kind
	Message string
	cause   error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// NewError returns an error of that kind with a message for the caller.
func NewError(kind Kind, message string) *Error { return &Error{Kind: kind, Message: message} }

// ErrorKind returns the kind of any error: KindInternal if it has none.
func ErrorKind(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return KindInternal
}

// Wrap gives an error of GORM or pgx its kind. Nothing else knows their errors.
// Other errors pass through.
func Wrap(err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, gorm.ErrRecordNotFound), errors.Is(err, pgx.ErrNoRows), errors.Is(err, sql.ErrNoRows):
		return &Error{Kind: KindNotFound, Message: "not found", cause: err}
	case errors.Is(err, gorm.ErrDuplicatedKey):
		return &Error{Kind: KindConflict, Message: "it already exists", cause: err}
	case errors.Is(err, database.ErrNoOrganization):
		return &Error{Kind: KindNotFound, Message: "the organization no longer exists"}
	case database.CutOff(err):
		return &Error{Kind: KindBusy, Message: "This took too long and was stopped. Try again in a few seconds.", cause: err}
	case database.Unavailable(err):
		return &Error{Kind: KindUnavailable, Message: "the database does not answer", cause: cmp.Or(database.Pooled(err), err)}
	}
	return err
}
