package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// get sends a GET request for a path with its query, and again after a pause if a limit is
// reached, the service is unavailable, or the network fails. It decodes the body into value.
// With an ETag, it waits until the response has another one, for up to maxWait; else the
// response is its header alone.
func (c *Client) get(ctx context.Context, path, etag string, value any) (http.Header, error) {
	return c.again(ctx, func() (http.Header, error) { return c.try(ctx, path, etag, value) })
}

// again tries a request as get does. While it follows changes, it never gives up.
func (c *Client) again(ctx context.Context, send func() (http.Header, error)) (http.Header, error) {
	for try := 1; ; try++ {
		header, err := send()
		pause, again := c.pauseAfter(err, try)
		switch {
		case !again || ctx.Err() != nil:
			return header, err
		case c.following != nil:
			pause = min(pause, c.config.MaxPause)
		case pause > c.config.MaxPause:
			return header, err
		case try == c.config.Tries:
			return header, fmt.Errorf("%w (gave up after %d tries)", err, try)
		}
		c.paused(err, pause)
		if stopped := sleep(ctx, pause); stopped != nil {
			return header, fmt.Errorf("%w while waiting after: %w", stopped, err)
		}
	}
}

func (c *Client) paused(cause error, pause time.Duration) {
	if c.config.Paused != nil {
		c.config.Paused(cause, pause)
	}
}

// maxWait is the longest wait that the API allows. Many proxies end a request after 60
// seconds.
const maxWait = 50 * time.Second

// step returns the pause after so many failures: 1, 2, 4 … 60 seconds.
func step(failures int) time.Duration {
	return min(time.Second<<min(failures-1, 6), time.Minute)
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

// foreignError is of a response with status 200 that is not from the API.
type foreignError struct{ error }

func (e foreignError) Unwrap() error { return e.error }

// pauseAfter returns the pause after a failed try, and whether another one may help. A
// program that follows changes outlives whatever answers instead of the API.
func (c *Client) pauseAfter(err error, try int) (pause time.Duration, again bool) {
	pause = step(try)
	var problem *Error
	if errors.As(err, &problem) {
		if problem.RetryAfter > 0 && problem.Status == http.StatusTooManyRequests {
			return problem.RetryAfter, true
		}
		again = problem.Status == http.StatusTooManyRequests || problem.Status >= 500 ||
			c.following != nil && problem.Code == ""
		return max(pause, problem.RetryAfter), again
	}
	var failure networkError
	var foreign foreignError
	return pause, errors.As(err, &failure) || c.following != nil && errors.As(err, &foreign)
}

func (c *Client) try(ctx context.Context, path, etag string, value any) (http.Header, error) {
	timeout, header := c.config.Timeout, http.Header{}
	if etag != "" {
		timeout += maxWait
		header.Set("If-None-Match", etag)
		header.Set("Prefer", "wait="+strconv.Itoa(int(maxWait/time.Second)))
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	response, err := c.send(ctx, path, header)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotModified {
		response.Header.Set("ETag", etag) // proxies change it, or leave it out
		return response.Header, nil
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, networkError{err}
	}
	if err := json.Unmarshal(body, value); err != nil {
		return nil, foreignError{fmt.Errorf("the response to %s is not from the API: %w", path, err)}
	}
	return response.Header, nil
}

// send returns a response with status 200 or 304, or an error.
func (c *Client) send(ctx context.Context, path string, header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.config.BaseURL+path, nil)
	if err != nil {
		return nil, err
	}
	header.Set("X-API-Key", c.config.Key)
	header.Set("User-Agent", "dispo-client-go/"+Version)
	request.Header = header
	response, err := c.config.HTTP.Do(request)
	if err != nil {
		return nil, networkError{err}
	}
	if c.following != nil {
		c.following.count(response)
	}
	if response.StatusCode == http.StatusOK || response.StatusCode == http.StatusNotModified {
		return response, nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, networkError{err}
	}
	return nil, newError(response, body)
}

const bulkBatch = 5000 // transactions that are stored at once

// bulk reads the transactions after the one with the id that after returns in one request,
// and calls store with so many at a time. If the response is cut after some have been
// stored, that is no error: the next request continues after them.
func (c *Client) bulk(
	ctx context.Context,
	after func() (string, error),
	store func([]Transaction) error,
) (http.Header, error) {
	return c.again(ctx, func() (http.Header, error) {
		last, err := after()
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		silent := time.AfterFunc(c.config.Timeout, func() { cancel(context.DeadlineExceeded) })
		defer silent.Stop()
		response, err := c.send(ctx, "/v1/transactions?after="+last, http.Header{"Accept": {"application/x-ndjson"}})
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		read := 0
		batch := make([]Transaction, 0, bulkBatch)
		flush := func() error {
			err := store(batch)
			read += len(batch)
			batch = batch[:0]
			return err
		}
		for lines := bufio.NewReaderSize(response.Body, 64<<10); ; {
			text, err := lines.ReadBytes('\n')
			silent.Reset(c.config.Timeout)
			var line struct {
				Transaction
				Meta *struct{ Count int } `json:"meta"` // of the last line
			}
			if err == nil {
				err = json.Unmarshal(text, &line)
			}
			switch {
			case err != nil:
				if stored := flush(); stored != nil || read > 0 {
					return response.Header, stored
				}
				return nil, networkError{fmt.Errorf("the bulk read was cut: %w", err)}
			case line.Meta != nil:
				if err := flush(); err != nil {
					return nil, err
				}
				if line.Meta.Count != read {
					return nil, fmt.Errorf("the bulk read has %d transactions, and says that it has %d", read, line.Meta.Count)
				}
				return response.Header, nil
			}
			if batch = append(batch, line.Transaction); len(batch) == bulkBatch {
				if err := flush(); err != nil {
					return nil, err
				}
			}
		}
	})
}
