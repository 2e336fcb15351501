// Command bench compares the service with plain baselines, and with itself under
// different conditions, in one run on one machine: `make bench`. It prints ratios
// and counts. Ratios carry over to other machines; requests a second do not. Each
// line shows the aim. Missing an aim is not an error, but a wrong answer is.
//
// It starts its own PostgreSQL and sends requests to the real program over
// loopback HTTP. The base data is 200 organizations with 10,000 companies and
// 1,000,000 transactions, a tenth of them of one company, loaded by the real
// imports. Some sections also need one company with 10,000,000 transactions, or a
// fleet of 10,000 organizations, and create them. A full run takes about 15
// minutes; -only selects sections.
//
// It runs on Linux only: it sends from many loopback addresses and reads memory
// use from /proc.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// sections are in the order they run. Those that measure the base data come
// before those that add to it.
var sections = []struct {
	name    string
	measure func(*bench, context.Context) error
}{
	{"import", (*bench).measureImport},
	{"reads", (*bench).measureReads},
	{"remembered", (*bench).measureRemembered},
	{"import-big", (*bench).measureBigImport},
	{"depth", (*bench).measureDepth},
	{"fleet", (*bench).measureFleet},
	{"cold", (*bench).measureCold},
	{"new-secret", (*bench).measureNewSecret},
	{"forged", (*bench).measureForged},
	{"start", (*bench).measureStart},
	{"noisy", (*bench).measureNoisy},
}

type options struct {
	records    int
	bigRecords int
	fleetSize  int
	rounds     int
	length     time.Duration
	duration   time.Duration
	clients    int
}

// openLoopLength is how long an open loop sends, except the fleet's.
func (o options) openLoopLength() time.Duration { return 5 * o.length }

func main() {
	if len(os.Args) > 1 {
		if helper, ok := helpers[os.Args[1]]; ok {
			exit(helper(os.Args[2:]))
		}
	}
	var names []string
	for _, section := range sections {
		names = append(names, section.name)
	}
	var options options
	flag.IntVar(&options.records, "records", 1_000_000, "`number` of transactions in the base data")
	flag.IntVar(&options.bigRecords, "big", 10_000_000, "`number` of transactions of the one big company, at least 1,000")
	flag.IntVar(&options.fleetSize, "organizations", 10_000, "`number` of organizations in the fleet")
	flag.IntVar(&options.rounds, "rounds", 5, "`number` of rounds; each row shows their median")
	flag.DurationVar(&options.length, "length", 2*time.Second, "how long each server is measured in a round; open loops run five times as long")
	flag.DurationVar(&options.duration, "duration", time.Minute, "how long the fleet sends requests")
	flag.IntVar(&options.clients, "clients", 16, "`number` of concurrent connections in the sections reads and remembered")
	only := flag.String("only", "", "comma-separated `sections` to run: "+strings.Join(names, ", ")+" (default all)")
	flag.Parse()
	selected := names
	if *only != "" {
		selected = strings.Split(*only, ",")
	}
	for _, name := range selected {
		if !slices.Contains(names, name) {
			fmt.Fprintf(os.Stderr, "bench: unknown section %q: the sections are %s\n", name, strings.Join(names, ", "))
			os.Exit(2)
		}
	}
	if options.bigRecords < 1000 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exit(run(ctx, options, selected))
}

// helpers are subcommands that bench runs as separate processes, so that they and
// the measurement do not slow each other down.
var helpers = map[string]func(args []string) error{
	"serve-baseline": serveBaseline,
	"forge":          forge,
}

func run(ctx context.Context, options options, selected []string) error {
	bench, err := newBench(ctx, options)
	if bench != nil {
		defer bench.close()
	}
	if err != nil {
		return err
	}
	for _, section := range sections {
		if !slices.Contains(selected, section.name) {
			continue
		}
		progress("measuring %s", section.name)
		if err := section.measure(bench, ctx); err != nil {
			progress("%s", bench.logTail())
			return fmt.Errorf("%s: %w", section.name, err)
		}
		fmt.Println()
	}
	return nil
}

// progress reports on standard error what bench is doing.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
