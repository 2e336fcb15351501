package client

import (
	"bufio"
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
	return c.again(ctx, etag, func() (http.Header, error) { return c.try(ctx, path, etag, value) })
}

// again tries a request as get does.
func (c *Client) again(ctx context.Context, etag string, send func() (http.Header, error)) (http.Header, error) {
	for try := 1; ; try++ {
		header, err := send()
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
		return response.Header, nil
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, networkError{err}
	}
	if err := json.Unmarshal(body, value); err != nil {
		return nil, fmt.Errorf("the response to %s is not from the API: %w", path, err)
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
	request.Header = header
	response, err := c.config.HTTP.Do(request)
	if err != nil {
		return nil, networkError{err}
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
func (c *Client) bulk(ctx context.Context, after func() (string, error), store func([]Transaction) error) (http.Header, error) {
	return c.again(ctx, "", func() (http.Header, error) {
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
