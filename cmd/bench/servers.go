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

// process is a server of ours in a process of its own.
type process struct {
	address string
	command *exec.Cmd
	stopped bool
}

// Settings of a service that is to be measured.
var (
	unlimited = []string{"DISPO_LIMIT_MINUTE=1000000000", "DISPO_LIMIT_HOUR=1000000000"}
	// forgetful: every answer is read from the database.
	forgetful = append([]string{"DISPO_ANSWERS_MB=0"}, unlimited...)
)

// serve starts the service with these settings.
func (w *world) serve(ctx context.Context, settings ...string) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, w.dispo, "serve", "--listen", address, "--log-level", "error")
	command.Env = w.environment(settings...)
	return w.start(ctx, address, command)
}

// serveBaselines starts the baselines' server: see serveBaseline.
func (w *world) serveBaselines(ctx context.Context) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return w.start(ctx, address, exec.CommandContext(ctx, self, "serve-baseline", address, w.server.URL()))
}

// serveBoth starts the service with these settings, and the baselines' server. Who
// asks stops both; where one fails, the world's end stops the other.
func (w *world) serveBoth(ctx context.Context, settings ...string) (service, baseline *process, err error) {
	if service, err = w.serve(ctx, settings...); err == nil {
		baseline, err = w.serveBaselines(ctx)
	}
	return service, baseline, err
}

// start starts a server, and waits until it takes connections.
func (w *world) start(ctx context.Context, address string, command *exec.Cmd) (*process, error) {
	command.Stderr = w.log
	if err := command.Start(); err != nil {
		return nil, err
	}
	p := &process{address: address, command: command}
	w.started = append(w.started, p)
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

// stop ends the server, if that was not done yet.
func (p *process) stop() {
	if p.stopped {
		return
	}
	p.stopped = true
	_ = p.command.Process.Signal(os.Interrupt)
	_ = p.command.Wait()
}

// url gives the address of a path of the API.
func (p *process) url(path string) string { return "http://" + p.address + "/api/v1" + path }

// memory gives a figure of /proc/PID/status in MB: VmRSS is what the process
// holds now, VmHWM the most it ever held.
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
	return 0, fmt.Errorf("/proc tells no %s", field)
}

// metric reads one figure of a service that serves metrics at this address.
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
	return 0, fmt.Errorf("there is no metric %s", name)
}

// freeAddress is a loopback address that nobody listens on.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// environment is that of our program's commands. Of a variable that is there
// twice, the last counts.
func (w *world) environment(settings ...string) []string {
	return append(append(os.Environ(), "DATABASE_URL="+w.server.URL(), secretSetting(benchSecret)), settings...)
}

func secretSetting(secret string) string {
	return "DISPO_SECRET=" + base64.StdEncoding.EncodeToString([]byte(secret))
}
