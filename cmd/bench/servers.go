package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
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
	uncached  = append([]string{"DISPO_ANSWERS_MB=0"}, unlimited...) // reads every answer from the database
)

// serve starts the service with these settings.
func (b *bench) serve(ctx context.Context, settings ...string) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, b.dispo, "serve", "--listen", address, "--log-level", "error")
	command.Env = b.environment(settings...)
	return b.start(ctx, address, command)
}

// startBaseline starts the server of the baselines, described at serveBaseline.
func (b *bench) startBaseline(ctx context.Context) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return b.start(ctx, address, exec.CommandContext(ctx, self, "serve-baseline", address, b.server.URL()))
}

// serveBoth starts the service with these settings, and the server of the
// baselines. The caller stops both. If the second fails, close stops the first.
func (b *bench) serveBoth(ctx context.Context, settings ...string) (service, baseline *process, err error) {
	if service, err = b.serve(ctx, settings...); err == nil {
		baseline, err = b.startBaseline(ctx)
	}
	return service, baseline, err
}

// start starts a server and waits until it accepts connections.
func (b *bench) start(ctx context.Context, address string, command *exec.Cmd) (*process, error) {
	command.Stderr = b.log
	if err := command.Start(); err != nil {
		return nil, err
	}
	p := &process{address: address, command: command}
	b.started = append(b.started, p)
	for range 200 {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			return p, conn.Close()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil, fmt.Errorf("%s did not start", command.Path)
}

// stop stops the server, unless it is stopped already.
func (p *process) stop() {
	if p.stopped {
		return
	}
	p.stopped = true
	_ = p.command.Process.Signal(os.Interrupt)
	_ = p.command.Wait()
}

// url returns the URL of a path of the API.
func (p *process) url(path string) string { return "http://" + p.address + "/api/v1" + path }

// memory returns a field of /proc/PID/status in MB: VmRSS is the process's current
// resident memory, VmHWM its peak.
func (p *process) memory(field string) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, field+":"); found {
			kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
			return kilobytes >> 10, err
		}
	}
	return 0, fmt.Errorf("/proc/PID/status has no field %s", field)
}

// metric returns one metric of the service that serves them on this address.
func metric(address, name string) (float64, error) {
	_, body, err := fasthttp.GetTimeout(nil, "http://"+address+"/metrics", 10*time.Second)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(body)) {
		if rest, found := strings.CutPrefix(line, name+" "); found {
			return strconv.ParseFloat(strings.TrimSpace(rest), 64)
		}
	}
	return 0, fmt.Errorf("the service has no metric %s", name)
}

// freeAddress returns a loopback address with a free port.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// environment returns the environment for dispo's commands. If a variable occurs
// twice, the last one counts.
func (b *bench) environment(settings ...string) []string {
	return append(append(os.Environ(), "DATABASE_URL="+b.server.URL(), secretSetting(benchSecret)), settings...)
}

func secretSetting(secret string) string {
	return "DISPO_SECRET=" + base64.StdEncoding.EncodeToString([]byte(secret))
}
