// Command bench compares the service with plain baselines, and with itself under
// different conditions, in one run on one machine: `make bench`. Ratios carry over to
// other machines; requests a second do not. Missing an aim is not an error, but a wrong
// answer is.
//
// It starts its own PostgreSQL and sends requests to the real program over loopback HTTP.
// The data is 100 organizations with 10,000 companies and 1,000,000 transactions, half of
// them of one company, brought in by the real imports.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// sections are in the order they run. Those that measure the data come before those that
// add to it.
var sections = []struct {
	name    string
	measure func(*bench)
}{
	{"import", (*bench).measureImport},
	{"reads", (*bench).measureReads},
	{"304", (*bench).measureRepeated},
	{"depth", (*bench).measureDepth},
	{"bulk", (*bench).measureBulk},
	{"cold", (*bench).measureCold},
	{"forged", (*bench).measureForged},
	{"start", (*bench).measureStart},
	{"noisy", (*bench).measureNoisy},
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "serve-baseline" {
		must(0, serveBaseline(os.Args[3], os.Args[2]))
	}
	var names []string
	for _, section := range sections {
		names = append(names, section.name)
	}
	b := &bench{}
	flag.IntVar(&b.records, "records", 1_000_000, "`number` of transactions, at least 10,000")
	flag.IntVar(&b.rounds, "rounds", 5, "`number` of rounds; each row shows their median")
	flag.DurationVar(&b.length, "length", 2*time.Second, "how long each server is measured in a round; steady rates run five times as long")
	only := flag.String("only", strings.Join(names, ","), "comma-separated `sections` to run")
	flag.Parse()
	selected := strings.Split(*only, ",")
	unknown := slices.ContainsFunc(selected, func(name string) bool { return !slices.Contains(names, name) })
	if unknown || b.records < 10_000 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b.ctx = ctx
	defer func() {
		b.close()
		if err := recover(); err != nil {
			progress("bench: %v", err)
			os.Exit(1)
		}
	}()
	b.prepare()
	for _, section := range sections {
		if slices.Contains(selected, section.name) {
			progress("measuring %s", section.name)
			section.measure(b)
			fmt.Println()
			must(0, ctx.Err())
		}
	}
}

// must returns a value, and ends the run if there is an error. Only the main goroutine may
// call it.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// progress reports on standard error what bench is doing.
func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// newTable returns a table with these column heads after the row's name.
func newTable(heads ...string) *tabwriter.Writer {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\t%s\t\n", strings.Join(heads, "\t"))
	return table
}
