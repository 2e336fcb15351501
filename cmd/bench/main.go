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
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"dispo/models/database/embedded"
)

var sections = map[string]func(*bench){
	"import": (*bench).measureImport,
	"reads":  (*bench).measureReads,
	"304":    (*bench).measureRepeated,
	"depth":  (*bench).measureDepth,
	"bulk":   (*bench).measureBulk,
	"cold":   (*bench).measureCold,
	"forged": (*bench).measureForged,
	"start":  (*bench).measureStart,
	"noisy":  (*bench).measureNoisy,
}

// bench is one run: its PostgreSQL server, its data, and how long importing that took.
type bench struct {
	records, rounds int
	length          time.Duration

	ctx       context.Context
	directory string
	server    *embedded.Server
	dispo     string // path of the dispo binary

	ended *os.ProcessState // of the last program that run ran

	organizations []string // their ids
	keys          []string // one per organization
	importing     float64  // records a second
	importMemory  int64    // its peak, in MB
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "serve-baseline" {
		must(0, serveBaseline(os.Args[3], os.Args[2]))
	}
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := &bench{ctx: ctx}
	flag.IntVar(&b.records, "records", 1_000_000, "`number` of transactions, at least 10,000")
	flag.IntVar(&b.rounds, "rounds", 5, "`number` of rounds; each row shows their median")
	flag.DurationVar(&b.length, "length", 2*time.Second,
		"how long each server is measured in a round; steady rates run for all rounds at once")
	// Sections that measure the data come before those that add to it.
	only := flag.String("only", "import,reads,304,depth,bulk,cold,forged,start,noisy",
		"comma-separated `sections` to run, in this order")
	flag.Parse()
	selected := strings.Split(*only, ",")
	if slices.ContainsFunc(selected, func(name string) bool { return sections[name] == nil }) || b.records < 10_000 ||
		flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	defer func() {
		err := recover()
		if b.server != nil {
			_ = b.server.Stop()
		}
		_ = os.RemoveAll(b.directory)
		if err != nil {
			log.Printf("bench: %v", err)
			os.Exit(1)
		}
	}()
	b.prepare()
	for _, name := range selected {
		log.Printf("measuring %s", name)
		sections[name](b)
		fmt.Println()
		must(0, ctx.Err())
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

// newTable returns a table with these column heads after the row's name.
func newTable(heads ...string) *tabwriter.Writer {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\t%s\t\n", strings.Join(heads, "\t"))
	return table
}
