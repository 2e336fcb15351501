package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// get sends a GET request for a path with its query, and again after a pause if a limit is
// reached, the service is unavailable, or the network fails. It decodes the body into value.
// With an ETag, it waits until the response has another one, for up to maxWait; else the
// response is its header alone.
func (c *Client) get(ctx context.Context, path, etag string, value any) (http.Header, error) {
	for try := 1; ; try++ {
		header, err := c.try(ctx, path, etag, value)
		pause, again := pauseAfter(err, try)
		ended := etag != "" && waitEnded(err)
		if ended {
			pause = max(pause, pauseAfterWait)
		}
		switch {
		case !again || ctx.Err() != nil || pause > c.config.MaxPause:
			return header, err
		case try == c.config.Tries && !ended:
			return header, fmt.Errorf("%w (gave up after %d tries)", err, try)
		}
		if c.config.Paused != nil {
			c.config.Paused(err, pause)
		}
		if stopped := sleep(ctx, pause); stopped != nil {
			return header, fmt.Errorf("%w while waiting after: %w", stopped, err)
		}
		if ended {
			return http.Header{"Etag": {etag}}, nil
		}
	}
}

// maxWait is the longest wait that the API allows. Many proxies end a request after 60
// seconds.
const maxWait = 50 * time.Second

// pauseAfterWait is the shortest pause after a wait that was ended early.
const pauseAfterWait = 2 * time.Second

// waitEnded reports whether err ended a wait early, without telling whether anything has
// changed: many proxies send these statuses when they, or the service, give up.
func waitEnded(err error) bool {
	var problem *Error
	return errors.As(err, &problem) && slices.Contains([]int{
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	}, problem.Status)
}

// sleep waits, unless ctx ends before that.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// networkError is a failure to get a response.
type networkError struct{ error }

func (e networkError) Unwrap() error { return e.error }

// pauseAfter returns the pause after a failed try, and whether another one may help.
func pauseAfter(err error, try int) (pause time.Duration, again bool) {
	pause = time.Second << (try - 1)
	var problem *Error
	if errors.As(err, &problem) {
		if problem.RetryAfter > 0 {
			pause = problem.RetryAfter
		}
		return pause, problem.Status == http.StatusTooManyRequests || problem.Status >= 500
	}
	var failure networkError
	return pause, errors.As(err, &failure)
}

func (c *Client) try(ctx context.Context, path, etag string, value any) (http.Header, error) {
	timeout := c.config.Timeout
	if etag != "" {
		timeout += maxWait
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	sent, err := http.NewRequestWithContext(ctx, http.MethodGet, c.config.BaseURL+path, nil)
	if err != nil {
		return nil, err
	}
	sent.Header.Set("X-API-Key", c.config.Key)
	if etag != "" {
		sent.Header.Set("If-None-Match", etag)
		sent.Header.Set("Prefer", "wait="+strconv.Itoa(int(maxWait/time.Second)))
	}
	response, err := c.config.HTTP.Do(sent)
	if err != nil {
		return nil, networkError{err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, networkError{err}
	}
	switch response.StatusCode {
	case http.StatusNotModified:
		return response.Header, nil
	case http.StatusOK:
		if err := json.Unmarshal(body, value); err != nil {
			return nil, fmt.Errorf("the response to %s is not from the API: %w", path, err)
		}
		return response.Header, nil
	}
	return nil, newError(response, body)
}
