// Command bench measures the service against plain baselines and against itself,
// all in one run on one machine, and prints ratios and counts: `make bench`.
// Figures in requests a second mean little elsewhere; ratios do. Each line says
// what it aims at; a missed aim fails nothing, a wrong answer does.
//
// It starts its own PostgreSQL, and asks the real program over loopback HTTP. The
// base is 200 organizations with 10,000 companies and 1,000,000 transactions (one
// company has 100,000 of them), made by the real imports. Beside it some sections
// need one company with 10,000,000 transactions, or a fleet of 10,000
// organizations: these are made where a section needs them. All of it takes some
// 15 minutes; -only picks sections.
//
// It needs Linux: callers come from many loopback addresses, and memory is read
// from /proc.
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

// sections in their order. What measures the base data comes before what adds to
// it.
var sections = []struct {
	name    string
	measure func(*world, context.Context) error
}{
	{"import", (*world).measureImport},
	{"reads", (*world).measureReads},
	{"remembered", (*world).measureRemembered},
	{"import-big", (*world).measureBigImport},
	{"depth", (*world).measureDepth},
	{"fleet", (*world).measureFleet},
	{"cold", (*world).measureCold},
	{"new-secret", (*world).measureNewSecret},
	{"forged", (*world).measureForged},
	{"start", (*world).measureStart},
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

// phase is how long an open loop goes on, but for the fleet's.
func (o options) phase() time.Duration { return 5 * o.length }

func main() {
	if run, ok := helpers[first(os.Args[1:])]; ok {
		exit(run(os.Args[2:]))
	}
	var names []string
	for _, section := range sections {
		names = append(names, section.name)
	}
	var options options
	flag.IntVar(&options.records, "records", 1_000_000, "transactions of the base data")
	flag.IntVar(&options.bigRecords, "big", 10_000_000, "transactions of the one big company, 1,000 or more")
	flag.IntVar(&options.fleetSize, "organizations", 10_000, "organizations of the fleet")
	flag.IntVar(&options.rounds, "rounds", 5, "rounds; each row shows their median")
	flag.DurationVar(&options.length, "length", 2*time.Second, "how long each round asks each server; an open loop goes on five times as long")
	flag.DurationVar(&options.duration, "duration", time.Minute, "how long the fleet asks")
	flag.IntVar(&options.clients, "clients", 16, "connections that ask at once in the sections reads and remembered")
	only := flag.String("only", "", "sections to run, separated by commas: "+strings.Join(names, ", ")+" (default all)")
	flag.Parse()
	wanted := names
	if *only != "" {
		wanted = strings.Split(*only, ",")
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			fmt.Fprintf(os.Stderr, "bench: there is no section %q: expected some of %s\n", name, strings.Join(names, ", "))
			os.Exit(2)
		}
	}
	if options.bigRecords < 1000 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exit(run(ctx, options, wanted))
}

// helpers are what this program does in processes of their own, so that the
// measuring one is not slowed by them, nor they by it.
var helpers = map[string]func(args []string) error{
	"serve-baseline": serveBaseline,
	"forge":          forge,
}

func run(ctx context.Context, options options, wanted []string) error {
	world, err := newWorld(ctx, options)
	if world != nil {
		defer world.close()
	}
	if err != nil {
		return err
	}
	for _, section := range sections {
		if !slices.Contains(wanted, section.name) {
			continue
		}
		say("measuring %s", section.name)
		if err := section.measure(world, ctx); err != nil {
			say("%s", world.lastLog())
			return fmt.Errorf("%s: %w", section.name, err)
		}
		fmt.Println()
	}
	return nil
}

// say tells on standard error what is under way.
func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
