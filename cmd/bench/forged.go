package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	goodRate   = 300
	forgedRate = 10_000
	forgedKeys = 200_000
)

// measureForged measures legitimate requests alone, then during a flood of requests
// with well-formed keys that do not exist. The same flood sent to the bare baseline
// shows how much of the slowdown comes from sharing the machine.
func (b *bench) measureForged(ctx context.Context) error {
	service, baseline, err := b.serveBoth(ctx, append([]string{"DISPO_TRUSTED_PROXIES=127.0.0.1"}, unlimited...)...)
	if err != nil {
		return err
	}
	defer service.stop()
	defer baseline.stop()
	calls := make([]call, organizationCount)
	for i := range calls {
		calls[i] = b.call(service, i, "/companies/"+companyCVR(i, 0))
		if _, err := fetch(calls[i]); err != nil {
			return err
		}
	}
	good := openLoop{address: service.address, rate: goodRate, workers: 64, warmUp: time.Second, prepare: func(n int, request *fasthttp.Request) {
		calls[n%len(calls)].fill(request)
	}}
	quiet, err := good.runFor(ctx, b.openLoopLength())
	if err != nil {
		return err
	}
	if err := quiet.requireStatus(200); err != nil {
		return err
	}
	fmt.Printf("%d good requests a second, beside up to %d a second with forged keys:\n", goodRate, forgedRate)
	fmt.Printf("  without forged keys: p50 %s, p99 %s\n", ms(quiet.percentile(0.5)), ms(quiet.percentile(0.99)))
	for _, attack := range []struct{ name, url, addresses, aim string }{
		{"sent to the bare baseline instead", bareBytesCall(baseline, 100).url, "one", "for comparison"},
		{"sent from one address, the same as the good requests", calls[0].url, "one", "aim <= 2"},
		{"sent from many addresses", calls[0].url, "many", "aim <= 2"},
	} {
		beside, forged, err := b.runBesideForged(ctx, good, attack.url, attack.addresses)
		if err != nil {
			return fmt.Errorf("%s: %w", attack.name, err)
		}
		fmt.Printf("  %s: p50 %s, p99 %s, ratio of p99 %.2f (%s); answers: %v\n", attack.name, ms(beside.percentile(0.5)), ms(beside.percentile(0.99)),
			ratio(beside.percentile(0.99), quiet.percentile(0.99)), attack.aim, beside)
		fmt.Printf("    forged: %.0f answers a second: %v\n", forged.rate(), forged)
	}
	return nil
}

// runBesideForged runs the good loop while a separate process sends forged keys.
func (b *bench) runBesideForged(ctx context.Context, good openLoop, url, addresses string) (beside tally, forged forgedTally, err error) {
	self, err := os.Executable()
	if err != nil {
		return tally{}, forgedTally{}, err
	}
	command := exec.CommandContext(ctx, self, "forge", url, addresses, strconv.Itoa(forgedRate))
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return tally{}, forgedTally{}, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return tally{}, forgedTally{}, err
	}
	if err := command.Start(); err != nil {
		return tally{}, forgedTally{}, err
	}
	lines := bufio.NewReader(out)
	_, err = lines.ReadString('\n') // printed once its keys are generated
	if err == nil {
		_, err = in.Write([]byte("\n"))
	}
	if err == nil {
		beside, err = good.runFor(ctx, b.openLoopLength())
	}
	err = errors.Join(err, in.Close())
	if err == nil {
		err = json.NewDecoder(lines).Decode(&forged)
	}
	return beside, forged, errors.Join(err, command.Wait())
}

// forgedTally is the result that the forging process prints.
type forgedTally struct {
	Statuses map[int]int
	Errors   int
	Seconds  float64
}

func (f forgedTally) String() string {
	return tally{statuses: f.Statuses, errors: f.Errors}.String()
}

func (f forgedTally) rate() float64 {
	count := 0
	for _, n := range f.Statuses {
		count += n
	}
	return float64(count) / f.Seconds
}

// forge sends requests with well-formed keys that do not exist, a different one each
// time. The arguments are the URL, "one" or "many" for the number of addresses that
// the requests appear to come from, and the rate. It prints a line when it is
// ready, begins when it reads a line from standard input, and runs until that ends.
func forge(args []string) error {
	url, many := args[0], args[1] == "many"
	rate, err := strconv.ParseFloat(args[2], 64)
	if err != nil {
		return err
	}
	keys, err := generateKeys(forgedKeys)
	if err != nil {
		return err
	}
	request := fasthttp.AcquireRequest()
	request.SetRequestURI(url)
	loop := openLoop{address: string(request.URI().Host()), rate: rate, workers: 128, drop: true, prepare: func(n int, request *fasthttp.Request) {
		call{url: url, key: keys[n%len(keys)]}.fill(request)
		if many {
			address := uint32(n) * 2654435761 // scattered, rarely repeated
			request.Header.Set("X-Forwarded-For", fmt.Sprintf("11.%d.%d.%d", byte(address>>24), byte(address>>16), byte(address>>8)))
		}
	}}
	fmt.Println("ready")
	in := bufio.NewReader(os.Stdin)
	if _, err := in.ReadString('\n'); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	total := loop.run(ctx)
	return json.NewEncoder(os.Stdout).Encode(forgedTally{total.statuses, total.errors, total.elapsed.Seconds()})
}
