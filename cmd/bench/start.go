package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"time"
)

const starts = 10

// measureStart starts the service again and again, and waits for its first good
// answer.
func (w *world) measureStart(ctx context.Context) error {
	var times []time.Duration
	for range starts {
		took, err := w.startOnce(ctx)
		if err != nil {
			return err
		}
		times = append(times, took)
	}
	fmt.Printf("from the start of the program to the first 200 of /api/health, %d times: median %s (aim < 100), max %s\n",
		starts, ms(median(times)), ms(percentile(times, 1)))
	return nil
}

func (w *world) startOnce(ctx context.Context) (time.Duration, error) {
	address, err := freeAddress()
	if err != nil {
		return 0, err
	}
	command := exec.CommandContext(ctx, w.dispo, "serve", "--listen", address, "--log-level", "error")
	command.Env, command.Stderr = w.environment(), w.log
	start := time.Now()
	if err := command.Start(); err != nil {
		return 0, err
	}
	p := &process{address: address, command: command}
	w.started = append(w.started, p)
	defer p.stop()
	for time.Since(start) < answerTimeout && ctx.Err() == nil {
		if healthy(address) {
			return time.Since(start), nil
		}
		sleepUntil(time.Now().Add(time.Millisecond))
	}
	return 0, errors.Join(errors.New("the service did not start"), ctx.Err())
}

// healthy asks over a connection of its own: the service listens before it
// answers, and what was asked then is answered once it does.
func healthy(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(answerTimeout))
	if _, err := io.WriteString(conn, "GET /api/health HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n"); err != nil {
		return false
	}
	answer, err := io.ReadAll(conn)
	return err == nil && strings.HasPrefix(string(answer), "HTTP/1.1 200 ")
}
