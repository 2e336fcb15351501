//go:build ignore

// Copies your companies and transactions into a SQLite file, and proves that the copy is
// complete. Each run reads only what is new. With --follow it keeps waiting for changes:
//
//	DISPO_KEY=dispo_… go run sync.go [--follow] [FILE]
//
// The service's page /docs/clients says how to get the client.
package main

import (
	"cmp"
	"context"
	"flag"
	"log"
	"os"
	"time"

	"dispo/api/client"
)

func main() {
	log.SetFlags(0)
	follow := flag.Bool("follow", false, "wait for changes")
	flag.Parse()
	if err := sync(cmp.Or(flag.Arg(0), "dispo.sqlite"), *follow); err != nil {
		log.Fatal("The copy is not complete: ", err)
	}
}

func sync(path string, follow bool) error {
	c, err := client.New(client.Config{
		BaseURL: cmp.Or(os.Getenv("DISPO_URL"), "https://dispo.example/api"),
		Key:     os.Getenv("DISPO_KEY"),
		Paused:  func(cause error, pause time.Duration) { log.Printf("%v; trying again in %s", cause, pause) },
	})
	if err != nil {
		return err
	}
	return c.Follow(context.Background(), path, func(r client.Report) bool {
		log.Printf(
			"The copy is complete: %d new transactions, %d withdrawn deliveries, %d new or changed companies.",
			r.New,
			r.Withdrawn,
			r.Companies,
		)
		return follow
	})
}
