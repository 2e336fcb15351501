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

// measureCold lets every key of the fleet make its first request to a service
// that has just started, all at once, each over a connection of its own.
func (w *world) measureCold(ctx context.Context) error {
	if err := w.ensureFleet(ctx); err != nil {
		return err
	}
	if err := raiseFileLimit(uint64(w.fleetSize) + 1000); err != nil { // before the service starts: it inherits it
		return err
	}
	service, err := w.serve(ctx)
	if err != nil {
		return err
	}
	defer service.stop()
	all := tally{statuses: map[int]int{}}
	var mu sync.Mutex
	var asking sync.WaitGroup
	begin := make(chan struct{})
	for i, key := range w.fleet {
		asking.Go(func() {
			<-begin
			status, err := askOnce(ctx, i, call{url: service.url("/companies/" + fleetCVR(i, 0)), key: key})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				all.errors, all.err = all.errors+1, err
				return
			}
			all.statuses[status]++
		})
	}
	start := time.Now()
	close(begin)
	asking.Wait()
	took := time.Since(start)
	most, err := service.memory("VmHWM")
	if err != nil {
		return err
	}
	fmt.Printf("first requests of %d keys at once, to a service just started: %.2f s until the last answer (aim: all 200 within 5)\n", len(w.fleet), took.Seconds())
	fmt.Printf("  answers: %s; the service held %d MB at most\n", all.answers(), most)
	if all.err != nil {
		fmt.Printf("  the last error: %v\n", all.err)
	}
	return ctx.Err()
}

// askOnce asks over a connection of its own. The n-th caller's address is one of
// many, since one alone might run out of ports.
func askOnce(ctx context.Context, n int, c call) (status int, err error) {
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	c.fill(request)
	dialer := net.Dialer{Timeout: answerTimeout, LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+n/1000%250))}}
	conn, err := dialer.DialContext(ctx, "tcp", string(request.URI().Host()))
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(answerTimeout)); err != nil {
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

// raiseFileLimit lets this process, and those that it starts, have so many
// connections.
func raiseFileLimit(wanted uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	if limit.Max < wanted {
		limit.Max = wanted // root may
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("%d files can't be open at once: raise the limit (ulimit -Hn %d): %w", wanted, wanted, err)
	}
	return nil
}
