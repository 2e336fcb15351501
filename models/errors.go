package models

import (
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"dispo/models/database"
	"dispo/models/i18n"
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

// Error is a failure that is shown to the caller. Message is for the caller, in English,
// and reveals nothing of the inside. The cause is for the log.
type Error struct {
	Kind    Kind
	Message string
	message i18n.Message
	cause   error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// NewError returns an error of that kind with a message for the caller. {name} in the
// message stands for the parameter of that name.
func NewError(kind Kind, message string, parameters ...any) *Error {
	m := i18n.Message{English: message, Parameters: parameters}
	return &Error{Kind: kind, Message: m.In(i18n.English), message: m}
}

// Template returns the message with the names of its parameters in the place of their values, for
// a log, which must not have what people typed.
func (e *Error) Template() string { return e.message.English }

// In returns the message in a language.
func (e *Error) In(l i18n.Language) string { return e.message.In(l) }

func (e *Error) because(cause error) *Error {
	e.cause = cause
	return e
}

// ErrorKind returns the kind of any error: KindInternal if it has none.
func ErrorKind(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindInternal
}

// WrapFound is Wrap for a query for one row. If there is no such row, it returns notFound.
func WrapFound(err error, notFound *Error) error {
	if err = Wrap(err); ErrorKind(err) == KindNotFound {
		return notFound
	}
	return err
}

// Recovered calls do, and returns a panic in it as an error with its stack, for the log.
func Recovered(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return do()
}

// Wrap gives an error of GORM or pgx its kind. Nothing else knows their errors.
// Other errors pass through.
func Wrap(err error) error {
	_, known := errors.AsType[*Error](err)
	switch {
	case err == nil, known:
		return err
	case errors.Is(err, gorm.ErrRecordNotFound), errors.Is(err, pgx.ErrNoRows), errors.Is(err, sql.ErrNoRows):
		return NewError(KindNotFound, "not found").because(err)
	case errors.Is(err, gorm.ErrDuplicatedKey):
		return NewError(KindConflict, "it already exists").because(err)
	case errors.Is(err, database.ErrNoOrganization):
		return NewError(KindNotFound, "the organization no longer exists")
	case database.CutOff(err):
		return NewError(KindBusy, "This took too long and was stopped. Try again in a few seconds.").because(err)
	case database.Full(err):
		return NewError(KindUnavailable, "the disk of the database is full: make room there").because(err)
	case database.Unavailable(err):
		return NewError(KindUnavailable, "the database does not answer").because(err)
	}
	return err
}
