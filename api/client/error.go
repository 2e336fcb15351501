package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Error is an error that the API returned.
type Error struct {
	Status int // of HTTP
	// Code says what happened. It is empty if a proxy answered instead of the API.
	Code ErrorCode
	// Message explains it to people. Its wording may change.
	Message string
	// RequestID identifies the request to support.
	RequestID string
	// RetryAfter is how long to wait before the next request; 0 is unknown.
	RetryAfter time.Duration
}

// Error returns the status, the code, the message and the request's id.
func (e *Error) Error() string {
	text := "this response is not from the API"
	if e.Code != "" {
		text = string(e.Code) + ": " + e.Message
	}
	return fmt.Sprintf("%d %s (X-Request-Id %s)", e.Status, text, e.RequestID)
}

func newError(response *http.Response, body []byte) *Error {
	e := &Error{Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id")}
	var answer struct {
		Error struct {
			Code    ErrorCode
			Message string
		}
	}
	if json.Unmarshal(body, &answer) == nil {
		e.Code, e.Message = answer.Error.Code, answer.Error.Message
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}
