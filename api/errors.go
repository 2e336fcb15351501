package api

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
)

// Error codes of the contract.
const (
	codeBadRequest      = "BAD_REQUEST"
	codeUnauthorized    = "UNAUTHORIZED"
	codeCompanyNotFound = "COMPANY_NOT_FOUND"
	codeNotFound        = "NOT_FOUND"
	codeMethod          = "METHOD_NOT_ALLOWED"
	codeValidation      = "VALIDATION_ERROR"
	codeRateLimit       = "RATE_LIMIT_EXCEEDED"
	codeHeaders         = "HEADERS_TOO_LARGE"
	codeInternal        = "INTERNAL_ERROR"
	codeUnavailable     = "SERVICE_UNAVAILABLE"
)

// failure is an error as the caller sees it.
type failure struct {
	status     int
	code       string
	message    string
	retryAfter int64 // whole seconds, for codeRateLimit only
}

func (f *failure) Error() string { return f.message }

// unavailableRetryAfter is the Retry-After in seconds while the database is away or
// the key waits to be checked.
const unavailableRetryAfter = "5"

// kinds maps the kinds of domain errors to statuses and codes.
var kinds = map[models.Kind]failure{
	models.KindInvalid:         {status: fiber.StatusBadRequest, code: codeBadRequest},
	models.KindUnprocessable:   {status: fiber.StatusUnprocessableEntity, code: codeValidation},
	models.KindUnauthorized:    {status: fiber.StatusUnauthorized, code: codeUnauthorized},
	models.KindCompanyNotFound: {status: fiber.StatusNotFound, code: codeCompanyNotFound},
	models.KindNotFound:        {status: fiber.StatusNotFound, code: codeNotFound},
	models.KindBusy:            {status: fiber.StatusServiceUnavailable, code: codeUnavailable},
}

// asFailure decides what the caller sees of an error: the message of a domain error,
// and nothing of any other.
func asFailure(err error) *failure {
	var known *failure
	if errors.As(err, &known) {
		return known
	}
	var domain *models.Error
	if errors.As(models.Wrap(err), &domain) {
		if domain.Kind == models.KindUnavailable {
			return &failure{status: fiber.StatusServiceUnavailable, code: codeUnavailable,
				message: "The service cannot reach its database at the moment: try again in a few seconds."}
		}
		if f, ok := kinds[domain.Kind]; ok {
			f.message = domain.Message
			return &f
		}
	}
	var protocol *fiber.Error
	if errors.As(err, &protocol) {
		switch protocol.Code {
		case fiber.StatusNotFound:
			return errNotFound
		case fiber.StatusMethodNotAllowed:
			return errMethod
		case fiber.StatusRequestHeaderFieldsTooLarge:
			return &failure{status: protocol.Code, code: codeHeaders, message: "The request's headers are too large."}
		}
	}
	return &failure{status: fiber.StatusInternalServerError, code: codeInternal,
		message: "Something went wrong on our side. If it happens again, contact support with the X-Request-Id of this response."}
}

// respond writes the error envelope. Nothing else does. docs is the address of the
// documentation.
func (f *failure) respond(c *fiber.Ctx, docs string) error {
	message := f.message
	switch f.status {
	case fiber.StatusUnauthorized, fiber.StatusNotFound:
		message += " See " + docs + "/errors#" + f.code
	}
	switch f.code {
	case codeUnauthorized:
		c.Set(fiber.HeaderWWWAuthenticate, `ApiKey realm="dispo"`)
	case codeUnavailable:
		c.Set(fiber.HeaderRetryAfter, unavailableRetryAfter)
	case codeMethod:
		c.Set(fiber.HeaderAllow, "GET, HEAD")
	case codeRateLimit:
		c.Set(fiber.HeaderRetryAfter, strconv.FormatInt(f.retryAfter, 10))
	}
	var view errorJSON
	view.Error.Code, view.Error.Message, view.Error.RetryAfter = f.code, message, f.retryAfter
	return c.Status(f.status).JSON(view)
}

// errorJSON is an error in responses.
type errorJSON struct {
	Error struct {
		Code       string `json:"code"`
		Message    string `json:"message"`
		RetryAfter int64  `json:"retryAfter,omitempty"` // seconds, for codeRateLimit only
	} `json:"error"`
}

// refuse answers a request that did not reach the API's routes, such as one with
// malformed headers.
func (h *handler) refuse(c *fiber.Ctx, err error) error {
	setCommonHeaders(c)
	return asFailure(err).respond(c, h.DocsURL)
}

var (
	errNotFound = &failure{status: fiber.StatusNotFound, code: codeNotFound, message: "There is nothing at this path. /api/openapi.yaml lists all paths."}
	errMethod   = &failure{status: fiber.StatusMethodNotAllowed, code: codeMethod, message: "The API is read-only: use GET."}
)

// NotFound answers a path under Prefix that does not exist.
func NotFound(*fiber.Ctx) error { return errNotFound }

func methodNotAllowed(*fiber.Ctx) error { return errMethod }
