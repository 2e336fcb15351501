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

// measureStart measures the time from starting the service to its first answer.
func (b *bench) measureStart(ctx context.Context) error {
	var times []time.Duration
	for range starts {
		elapsed, err := b.startOnce(ctx)
		if err != nil {
			return err
		}
		times = append(times, elapsed)
	}
	fmt.Printf("from starting the program to the first 200 from /api/health, %d times: median %s (aim < 100), max %s\n",
		starts, ms(median(times)), ms(percentile(times, 1)))
	return nil
}

func (b *bench) startOnce(ctx context.Context) (time.Duration, error) {
	address, err := freeAddress()
	if err != nil {
		return 0, err
	}
	command := exec.CommandContext(ctx, b.dispo, "serve", "--listen", address, "--log-level", "error")
	command.Env, command.Stderr = b.environment(), b.log
	start := time.Now()
	if err := command.Start(); err != nil {
		return 0, err
	}
	p := &process{address: address, command: command}
	b.started = append(b.started, p)
	defer p.stop()
	for time.Since(start) < requestTimeout && ctx.Err() == nil {
		if healthy(address) {
			return time.Since(start), nil
		}
		sleepUntil(time.Now().Add(time.Millisecond))
	}
	return 0, errors.Join(errors.New("the service did not start"), ctx.Err())
}

// healthy reports whether /api/health answers 200. It uses its own connection. The
// service accepts connections before it can answer, and answers them once it can.
func healthy(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(requestTimeout))
	if _, err := io.WriteString(conn, "GET /api/health HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n"); err != nil {
		return false
	}
	answer, err := io.ReadAll(conn)
	return err == nil && strings.HasPrefix(string(answer), "HTTP/1.1 200 ")
}
