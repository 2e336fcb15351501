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
		c.Request().Header.Set(fiber.HeaderIfNoneMatch, "*") // whatever the caller has is current
		err := c.Next()
		if err == nil && c.Response().StatusCode() == fiber.StatusNotModified {
			c.Set(headerPreferenced, "example="+code)
		}
		return err
	}
	err := exampleError(c, code)
	if err == nil {
		return c.Next()
	}
	r.example = true
	c.Set(headerPreferenced, "example="+code)
	return err
}

// exampleError returns the error with a code, nil for none, and prepares its headers.
func exampleError(c *fiber.Ctx, code string) error {
	switch code {
	case codeUnauthorized, codeNotFound, codeMethod, codeHeaders: // these arise before a key is accepted
		dropCallerHeaders(c)
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
		usedUp := requestOf(c).decision.UsedUp()
		usedUp.SetHeaders(c.Set)
		return errTooMany(usedUp)
	case codeHeaders:
		return fiber.ErrRequestHeaderFieldsTooLarge
	case codeInternal:
		return errors.New("an example that the caller asked for")
	case codeUnavailable:
		return models.NewError(models.KindUnavailable, "an example that the caller asked for")
	}
	return nil
}
