// Copies your companies and transactions into a folder, and proves that the copy is
// complete. Each run reads only what is new. With --follow it keeps waiting for changes:
//
//	DISPO_KEY=dispo_… go run sync.go [--follow] [FOLDER]
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
	if err := sync(cmp.Or(flag.Arg(0), "dispo-copy"), *follow); err != nil {
		log.Fatal("The copy is not complete: ", err)
	}
}

func sync(folder string, follow bool) error {
	c, err := client.New(client.Config{
		BaseURL: cmp.Or(os.Getenv("DISPO_URL"), "https://dispo.example/api"),
		Key:     os.Getenv("DISPO_KEY"),
		Paused:  func(cause error, pause time.Duration) { log.Printf("%v; trying again in %s", cause, pause) },
	})
	if err != nil {
		return err
	}
	store, err := client.NewFileStore(folder)
	for err == nil {
		var report client.Report
		if report, err = c.Sync(context.Background(), store); err != nil {
			break
		}
		log.Printf("The copy is complete: %d companies, %d new transactions.", report.Companies, report.New)
		if !follow {
			break
		}
		_, _, err = c.Changed(context.Background(), report.ETag, 50*time.Second)
	}
	return err
}
