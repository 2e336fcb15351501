package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

// measureCold sends the first request of every key of the fleet at once, each over
// its own connection, to a service that has just started.
func (b *bench) measureCold(ctx context.Context) error {
	if err := b.ensureFleet(ctx); err != nil {
		return err
	}
	if err := raiseFileLimit(uint64(b.fleetSize) + 1000); err != nil { // before the service starts, because it inherits the limit
		return err
	}
	service, err := b.serve(ctx)
	if err != nil {
		return err
	}
	defer service.stop()
	total := newTally()
	var mu sync.Mutex
	var sending sync.WaitGroup
	begin := make(chan struct{})
	for i, key := range b.fleetKeys {
		sending.Go(func() {
			<-begin
			status, err := fetchStatus(ctx, i, call{url: service.url("/companies/" + fleetCVR(i, 0)), key: key})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				total.errors, total.err = total.errors+1, err
				return
			}
			total.statuses[status]++
		})
	}
	start := time.Now()
	close(begin)
	sending.Wait()
	elapsed := time.Since(start)
	peak, err := service.memory("VmHWM")
	if err != nil {
		return err
	}
	fmt.Printf("first requests of %d keys at once, to a service just started: %.2f s until the last answer (aim: all 200 within 5)\n", len(b.fleetKeys), elapsed.Seconds())
	fmt.Printf("  answers: %v; peak memory of the service: %d MB\n", total, peak)
	if total.err != nil {
		fmt.Printf("  one of the errors: %v\n", total.err)
	}
	return ctx.Err()
}

// fetchStatus makes the n-th call over its own connection and returns the status.
// It sends from one of many addresses, since a single one might run out of ports.
func fetchStatus(ctx context.Context, n int, c call) (status int, err error) {
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	c.fill(request)
	dialer := net.Dialer{Timeout: requestTimeout, LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+n/1000%250))}}
	conn, err := dialer.DialContext(ctx, "tcp", string(request.URI().Host()))
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(requestTimeout)); err != nil {
		return 0, err
	}
	out := bufio.NewWriter(conn)
	if err := request.Write(out); err != nil {
		return 0, err
	}
	if err := out.Flush(); err != nil {
		return 0, err
	}
	if err := answer.Read(bufio.NewReader(conn)); err != nil {
		return 0, err
	}
	return answer.StatusCode(), nil
}

// raiseFileLimit lets this process and its children open that many files.
func raiseFileLimit(files uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	if limit.Max < files {
		limit.Max = files // succeeds as root
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("cannot open %d files at once, raise the limit with ulimit -Hn %d: %w", files, files, err)
	}
	return nil
}
