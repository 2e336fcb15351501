package api

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"dispo/api/server"
	"dispo/models"
	"dispo/models/keys"
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
	Code       string `json:"code"`
	Message    string `json:"message"`
	RetryAfter int64  `json:"retryAfter,omitempty"` // whole seconds, for codeRateLimit only
	status     int
	allow      string // for codeMethod: the methods that the path has; empty for those of the API
}

func (f *failure) Error() string { return f.Message }

// unavailableRetryAfter is the Retry-After in seconds while the database is away or
// the key waits to be checked.
const unavailableRetryAfter = "5"

// kinds maps the kinds of domain errors to statuses and codes. Without a message, the
// error's own is shown.
var kinds = map[models.Kind]failure{
	models.KindInvalid:         {status: fiber.StatusBadRequest, Code: codeBadRequest},
	models.KindUnprocessable:   {status: fiber.StatusUnprocessableEntity, Code: codeValidation},
	models.KindUnauthorized:    {status: fiber.StatusUnauthorized, Code: codeUnauthorized},
	models.KindCompanyNotFound: {status: fiber.StatusNotFound, Code: codeCompanyNotFound},
	models.KindNotFound:        {status: fiber.StatusNotFound, Code: codeNotFound},
	models.KindBusy:            {status: fiber.StatusServiceUnavailable, Code: codeUnavailable},
	models.KindUnavailable: {status: fiber.StatusServiceUnavailable, Code: codeUnavailable,
		Message: "The service cannot reach its database at the moment: try again in a few seconds."},
}

// protocolErrors are fiber's errors by their status.
var protocolErrors = map[int]*failure{
	fiber.StatusNotFound:         errNotFound,
	fiber.StatusMethodNotAllowed: errMethod,
	fiber.StatusRequestHeaderFieldsTooLarge: {
		status:  fiber.StatusRequestHeaderFieldsTooLarge,
		Code:    codeHeaders,
		Message: "The request's headers are too large.",
	},
	fiber.StatusRequestEntityTooLarge: {
		status:  fiber.StatusRequestEntityTooLarge,
		Code:    codeBadRequest,
		Message: "The request is malformed: its body is too large.",
	},
}

// asFailure decides what the caller sees of an error: the message of a domain error,
// and nothing of any other.
func asFailure(err error) *failure {
	if known, ok := errors.AsType[*failure](err); ok {
		return known
	}
	if domain, ok := errors.AsType[*models.Error](models.Wrap(err)); ok {
		if f, ok := kinds[domain.Kind]; ok {
			f.Message = cmp.Or(f.Message, domain.Message)
			return &f
		}
	}
	if protocol, ok := errors.AsType[*fiber.Error](err); ok && protocolErrors[protocol.Code] != nil {
		return protocolErrors[protocol.Code]
	}
	return &failure{
		status:  fiber.StatusInternalServerError,
		Code:    codeInternal,
		Message: "Something went wrong on our side. If it happens again, contact support with the X-Request-Id of this response.",
	}
}

// respond writes the error envelope. Nothing else does. docs is the address of the
// documentation.
func (f failure) respond(c *fiber.Ctx, docs string) error {
	if f.status == fiber.StatusUnauthorized || f.status == fiber.StatusNotFound {
		f.Message += " See " + docs + "/errors#" + f.Code
	}
	switch f.Code {
	case codeUnauthorized:
		c.Set(fiber.HeaderWWWAuthenticate, `ApiKey realm="dispo"`)
	case codeUnavailable:
		if c.GetRespHeader(fiber.HeaderRetryAfter) == "" {
			c.Set(fiber.HeaderRetryAfter, unavailableRetryAfter)
		}
	case codeMethod:
		c.Set(fiber.HeaderAllow, cmp.Or(f.allow, "GET, HEAD"))
	case codeRateLimit:
		c.Set(fiber.HeaderRetryAfter, strconv.FormatInt(f.RetryAfter, 10))
	}
	return c.Status(f.status).JSON(map[string]failure{"error": f})
}

// refuse answers a request that did not reach the API's routes, such as one with
// malformed headers.
func (h *handler) refuse(c *fiber.Ctx, err error) error {
	x := h.begin(c)
	x.Route = server.NoRoute
	defer x.End(c)
	f := *asFailure(err)
	if f.status == fiber.StatusRequestEntityTooLarge && strings.HasPrefix(c.Path(), Prefix+"/") {
		f.status = fiber.StatusBadRequest // no operation of the API has a body
	}
	return f.respond(c, h.DocsURL)
}

var (
	errNotFound = &failure{
		status:  fiber.StatusNotFound,
		Code:    codeNotFound,
		Message: "There is nothing at this path. /api/openapi.yaml lists all paths.",
	}
	errMethod = &failure{
		status:  fiber.StatusMethodNotAllowed,
		Code:    codeMethod,
		Message: "The API is read-only: use GET.",
	}
)

// notFound answers a path under Prefix that does not exist.
func notFound(c *fiber.Ctx) error {
	requestOf(c).Route = server.NoRoute
	return errNotFound
}

func methodNotAllowed(*fiber.Ctx) error { return errMethod }

// exampleNotModified is the example that is no error.
const exampleNotModified = "304"

// exampleCVR is in the message of a company that does not exist, if the path has none.
const exampleCVR = "12345678"

// examples are errors with the contract's codes. Two more depend on the request.
var examples = map[string]error{
	codeBadRequest:   badLimit(limitMaximum),
	codeUnauthorized: keys.ErrInvalid,
	codeNotFound:     errNotFound,
	codeMethod:       errMethod,
	codeValidation:   errBothCursors,
	codeHeaders:      fiber.ErrRequestHeaderFieldsTooLarge,
	codeInternal:     errors.New("an example that the caller asked for"),
	codeUnavailable:  models.NewError(models.KindUnavailable, "an example that the caller asked for"),
}

// example answers a sandbox's caller with the error that it prefers: Prefer: example=CODE,
// where CODE is one of the contract's codes, or 304. Another CODE is ignored, as RFC 7240
// demands. The request has been counted.
func (h *handler) example(c *fiber.Ctx) error {
	r := requestOf(c)
	if !r.caller.Sandbox {
		return c.Next()
	}
	code := preference(c, "example")
	if code == exampleNotModified {
		return unchanged(c)
	}
	example := examples[code]
	switch code {
	case codeUnauthorized, codeNotFound, codeMethod, codeHeaders: // these arise before a key is accepted
		dropCallerHeaders(c)
		c.Response().Header.Del(headerKeyExpires)
	case codeCompanyNotFound:
		cvr, err := cvrParameter(c)
		if err != nil {
			cvr = exampleCVR
		}
		example = models.CompanyNotFound(cvr)
	case codeRateLimit:
		usedUp := r.decision.UsedUp()
		usedUp.SetHeaders(c.Set)
		example = errTooMany(usedUp)
	}
	if example == nil {
		return c.Next()
	}
	r.example = true
	c.Set(headerPreferenced, "example="+code)
	return example
}

// unchanged answers as if the caller had the current data already.
func unchanged(c *fiber.Ctx) error {
	c.Request().Header.Set(fiber.HeaderIfNoneMatch, "*")
	err := c.Next()
	if err == nil && c.Response().StatusCode() == fiber.StatusNotModified {
		c.Set(headerPreferenced, "example="+exampleNotModified)
	}
	return err
}
