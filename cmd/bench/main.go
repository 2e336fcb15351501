// Command bench measures the service against plain baselines, all in one run on
// one machine, and prints ratios: `make bench`. Figures in requests a second mean
// little elsewhere; ratios do.
//
// It starts its own PostgreSQL, loads 200 organizations with 10,000 companies and
// 1,000,000 transactions (one company has 100,000 of them) by the real imports,
// and asks the real program over loopback HTTP.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	// The baselines are servers of this program's own, in processes of their own.
	if len(os.Args) == 4 && os.Args[1] == "serve-baseline" {
		if err := serveBaseline(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	options := options{}
	flag.IntVar(&options.records, "records", 1_000_000, "transactions to load")
	flag.IntVar(&options.rounds, "rounds", 5, "rounds; each row shows their median")
	flag.DurationVar(&options.length, "length", 2*time.Second, "how long each round asks each server")
	flag.IntVar(&options.clients, "clients", 16, "connections that ask at once")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, options); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	records int
	rounds  int
	length  time.Duration
	clients int
}

func run(ctx context.Context, options options) error {
	world, err := newWorld(ctx, options.records)
	if world != nil {
		defer world.close()
	}
	if err != nil {
		return err
	}
	if err := world.measureImport(ctx); err != nil {
		return err
	}
	return world.measureReads(ctx, options)
}
