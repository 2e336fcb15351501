package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"time"

	"github.com/valyala/fasthttp"
)

// process is a server that bench started.
type process struct {
	address string
	command *exec.Cmd
	stopped bool
}

// Settings of the measured service.
var (
	unlimited = []string{"DISPO_LIMIT_MINUTE=1000000000", "DISPO_LIMIT_HOUR=1000000000"}
	uncached  = append([]string{"DISPO_CACHE_MB=0"}, unlimited...) // reads every answer from the database
)

// serve starts the service with these settings, and waits until it is healthy.
func (b *bench) serve(settings ...string) *process {
	address := freeAddress()
	command := exec.CommandContext(b.ctx, b.dispo, "serve", "--listen", address, "--log-level", "error")
	command.Env = b.environment(settings...)
	return b.start(address, "/api/health", command)
}

// serveBaseline starts the server of the baselines.
func (b *bench) serveBaseline() *process {
	address := freeAddress()
	return b.start(address, "/bytes/1", exec.CommandContext(b.ctx, must(os.Executable()), "serve-baseline", address, b.server.URL()))
}

// start starts a server and waits until it answers a path with 200.
func (b *bench) start(address, path string, command *exec.Cmd) *process {
	command.Stderr = b.log
	must(0, command.Start())
	p := &process{address: address, command: command}
	b.started = append(b.started, p)
	for began := time.Now(); time.Since(began) < requestTimeout && b.ctx.Err() == nil; time.Sleep(time.Millisecond) {
		if status, _, err := fasthttp.GetTimeout(nil, "http://"+address+path, requestTimeout); err == nil && status == fasthttp.StatusOK {
			return p
		}
	}
	return must(p, errors.New(command.Path+" did not start"))
}

// freeAddress returns a loopback address with a free port.
func freeAddress() string {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	defer listener.Close()
	return listener.Addr().String()
}

// stop stops the server, unless it is stopped already.
func (p *process) stop() {
	if !p.stopped {
		p.stopped = true
		_ = p.command.Process.Signal(os.Interrupt)
		_ = p.command.Wait()
	}
}

// url returns the URL of a path of the API.
func (p *process) url(path string) string { return "http://" + p.address + "/api/v1" + path }

// measureStart measures the time from starting the service to its first answer.
func (b *bench) measureStart() {
	const starts = 10
	var times []time.Duration
	for range starts {
		start := time.Now()
		service := b.serve()
		times = append(times, time.Since(start))
		service.stop()
	}
	fmt.Printf("from starting the program to the first 200 from /api/health, %d times: median %s (aim <= 80), max %s\n", starts, ms(median(times)), ms(percentile(times, 1)))
}
