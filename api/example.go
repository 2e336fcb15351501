package api

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/keys"
)

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
