package api

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"dispo/api/ratelimit"
	"dispo/models"
	"dispo/models/keys"
)

// exampleKey is the key, in the request's locals, of whether the answer is an example.
type exampleKey struct{}

// isExample reports whether the caller asked for the error that it gets.
func isExample(c *fiber.Ctx) bool { return c.Locals(exampleKey{}) != nil }

const exampleUnmodified = "304"

// exampleCVR is in the message of a company that does not exist, if the path has none.
const exampleCVR = "12345678"

// example answers a sandbox's caller with the error that it prefers: Prefer: example=CODE,
// where CODE is one of the contract's codes, or 304. Another CODE is ignored, as RFC 7240
// demands. The request has been counted.
func example(c *fiber.Ctx, decision ratelimit.Decision) error {
	code := preference(c, "example")
	if code == exampleUnmodified {
		c.Request().Header.Set(fiber.HeaderIfNoneMatch, "*") // whatever the caller has is current
		err := c.Next()
		if err == nil && c.Response().StatusCode() == fiber.StatusNotModified {
			c.Set(headerPreferenced, "example="+code)
		}
		return err
	}
	err := exampleError(c, code, decision)
	if err == nil {
		return c.Next()
	}
	c.Locals(exampleKey{}, true)
	c.Set(headerPreferenced, "example="+code)
	return err
}

// exampleError returns the error with a code, nil for none, and prepares its headers.
func exampleError(c *fiber.Ctx, code string, decision ratelimit.Decision) error {
	switch code {
	case codeUnauthorized, codeNotFound, codeMethod, codeHeaders: // these arise before a key is accepted
		forgetCaller(c)
		c.Response().Header.Del(headerKeyExpires)
	}
	switch code {
	case codeBadRequest:
		return errLimit
	case codeUnauthorized:
		return keys.ErrInvalid
	case codeCompanyNotFound:
		cvr, err := cvrParameter(c)
		if err != nil {
			cvr = exampleCVR
		}
		return models.CompanyNotFound(cvr)
	case codeNotFound:
		return errNotFound
	case codeMethod:
		return errMethod
	case codeValidation:
		return errBothCursors
	case codeRateLimit:
		decision = decision.UsedUp()
		decision.SetHeaders(c.Set)
		return errTooMany(decision)
	case codeHeaders:
		return fiber.ErrRequestHeaderFieldsTooLarge
	case codeInternal:
		return errors.New("an example that the caller asked for")
	case codeUnavailable:
		return models.NewError(models.KindUnavailable, "an example that the caller asked for")
	}
	return nil
}
