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

// measureForged lets good callers be, and then be beside very many who bring keys
// that are nobody's. The same many sent to the bare baseline show what of the
// harm is the machine's, which they share.
func (w *world) measureForged(ctx context.Context) error {
	service, baseline, err := w.serveBoth(ctx, append([]string{"DISPO_TRUSTED_PROXIES=127.0.0.1"}, unlimited...)...)
	if err != nil {
		return err
	}
	defer service.stop()
	defer baseline.stop()
	calls := make([]call, organizationCount)
	for i := range calls {
		calls[i] = call{url: service.url("/companies/" + cvrOf(i, 0)), key: w.keys[i]}
		if _, err := fetch(calls[i]); err != nil {
			return err
		}
	}
	good := openLoop{address: service.address, rate: goodRate, workers: 64, warmUp: time.Second, prepare: func(n int, request *fasthttp.Request) {
		calls[n%len(calls)].fill(request)
	}}
	quiet, err := good.runFor(ctx, w.phase())
	if err != nil {
		return err
	}
	if err := quiet.all(200); err != nil {
		return err
	}
	fmt.Printf("%d good requests a second beside keys that are nobody's, %d a second wanted:\n", goodRate, forgedRate)
	fmt.Printf("  quiet: p50 %s, p99 %s\n", ms(quiet.p(0.5)), ms(quiet.p(0.99)))
	for _, attack := range []struct{ name, url, addresses, aim string }{
		{"sent to the bare baseline instead", bareBytes(baseline, 100).url, "one", "for comparison"},
		{"sent from one address, the good ones' own", calls[0].url, "one", "aim <= 2"},
		{"sent from many addresses", calls[0].url, "many", "aim <= 2"},
	} {
		beside, forged, err := w.besideForged(ctx, good, attack.url, attack.addresses)
		if err != nil {
			return fmt.Errorf("%s: %w", attack.name, err)
		}
		fmt.Printf("  %s: p50 %s, p99 %s, ratio of p99 %.2f (%s); answers: %s\n", attack.name, ms(beside.p(0.5)), ms(beside.p(0.99)),
			ratio(beside.p(0.99), quiet.p(0.99)), attack.aim, beside.answers())
		fmt.Printf("    forged: %.0f a second were answered: %s\n", forged.rate(), forged.answers())
	}
	return nil
}

// besideForged asks for good answers while a process beside sends forged keys.
func (w *world) besideForged(ctx context.Context, good openLoop, url, addresses string) (beside tally, forged forgedTally, err error) {
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
	_, err = lines.ReadString('\n') // it has made its keys
	if err == nil {
		_, err = in.Write([]byte("\n"))
	}
	if err == nil {
		beside, err = good.runFor(ctx, w.phase())
	}
	err = errors.Join(err, in.Close())
	if err == nil {
		err = json.NewDecoder(lines).Decode(&forged)
	}
	return beside, forged, errors.Join(err, command.Wait())
}

// forgedTally is what the process that forges has to tell at its end.
type forgedTally struct {
	Statuses map[int]int
	Errors   int
	Seconds  float64
}

func (f forgedTally) answers() string {
	return tally{statuses: f.Statuses, errors: f.Errors}.answers()
}

func (f forgedTally) rate() float64 {
	count := 0
	for _, n := range f.Statuses {
		count += n
	}
	return float64(count) / f.Seconds
}

// forge sends well-formed keys that are nobody's, a new one each time, to an
// address at a rate, as coming from one address or from many. It says that it is
// ready, begins at a line on standard input, and goes on to that input's end.
func forge(args []string) error {
	url, many := args[0], args[1] == "many"
	rate, err := strconv.ParseFloat(args[2], 64)
	if err != nil {
		return err
	}
	keys, err := makeKeys(forgedKeys)
	if err != nil {
		return err
	}
	request := fasthttp.AcquireRequest()
	request.SetRequestURI(url)
	loop := openLoop{address: string(request.URI().Host()), rate: rate, workers: 128, drop: true, prepare: func(n int, request *fasthttp.Request) {
		call{url: url, key: keys[n%len(keys)]}.fill(request)
		if many {
			address := uint32(n) * 2654435761 // scattered, and hardly ever the same
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
	all := loop.run(ctx)
	return json.NewEncoder(os.Stdout).Encode(forgedTally{all.statuses, all.errors, all.took.Seconds()})
}
