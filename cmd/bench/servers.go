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
	site    string // its address, http://…
	command *exec.Cmd
}

// Settings of the measured service.
var (
	trusted   = "DISPO_TRUSTED_PROXIES=127.0.0.1" // calls may say where they come from
	unlimited = []string{"DISPO_LIMIT_MINUTE=1000000000", "DISPO_LIMIT_HOUR=1000000000"}
	uncached  = append([]string{"DISPO_CACHE_MB=0"}, unlimited...) // reads every answer from the database
)

// serve starts the service with these settings.
func (b *bench) serve(settings ...string) *process {
	return b.start("/api/health", settings, b.dispo, "serve", "--log-level", "error", "--listen")
}

// serveBaseline starts the server of the baselines.
func (b *bench) serveBaseline() *process {
	return b.start("/not-modified", nil, must(os.Executable()), "serve-baseline", b.superuser())
}

// start starts a server, whose last argument is its address, and waits until it answers a
// path.
func (b *bench) start(path string, settings []string, program string, arguments ...string) *process {
	listener := must(net.Listen("tcp", "127.0.0.1:0")) // finds a free port
	address := listener.Addr().String()
	must(0, listener.Close())
	p := &process{"http://" + address, exec.CommandContext(b.ctx, program, append(arguments, address)...)}
	p.command.Env, p.command.Stderr = append(os.Environ(), settings...), os.Stderr
	must(0, p.command.Start())
	for began := time.Now(); time.Since(began) < requestTimeout && b.ctx.Err() == nil; time.Sleep(time.Millisecond) {
		if status, _, err := fasthttp.GetTimeout(nil, p.site+path, requestTimeout); err == nil && status < 400 {
			return p
		}
	}
	p.stop()
	return must(p, errors.New(program+" did not start"))
}

// stop stops the server, and returns how it ended. A second call does nothing.
func (p *process) stop() *os.ProcessState {
	_ = p.command.Process.Signal(os.Interrupt)
	_ = p.command.Wait()
	return p.command.ProcessState
}

// call returns a call to the service's API.
func (p *process) call(key, path string) call {
	return call{url: p.site + "/api/v1" + path, headers: map[string]string{"X-API-Key": key}}
}

// measureStart measures the time from starting the service to its first answer.
func (b *bench) measureStart() {
	var times []float64
	for range 10 {
		start := time.Now()
		service := b.serve()
		times = append(times, time.Since(start).Seconds()*1000)
		service.stop()
	}
	fmt.Printf(
		"from starting the program to the first 200 from /api/health, 10 times: median %.2f ms (aim <= 80), max %.2f ms\n",
		median(times),
		percentile(times, 1),
	)
}
