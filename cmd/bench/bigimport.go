package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
)

// bigOrganization has one company with very many transactions and one with few.
type bigOrganization struct {
	id       uuid.UUID
	key      string
	imported bool // the big company's records
}

const (
	bigCVR       = "20000000"
	smallCVR     = "20000001"
	smallRecords = 1000
)

// ensureBigOrganization creates the organization and imports the small company's
// records.
func (b *bench) ensureBigOrganization(ctx context.Context) error {
	if b.big != nil {
		return nil
	}
	store, err := b.openStore(ctx)
	if err != nil {
		return err
	}
	defer store.DB().Close()
	big := &bigOrganization{}
	if big.id, big.key, err = b.createOrganization(ctx, store, "big", []string{bigCVR, smallCVR}); err != nil {
		return err
	}
	delivery, err := b.writeDelivery("small.csv", smallRecords, func(int) string { return smallCVR })
	if err != nil {
		return err
	}
	if _, err := b.importDelivery(ctx, delivery, smallRecords); err != nil {
		return err
	}
	b.big = big
	return b.psql(ctx, "dispo", "VACUUM ANALYZE")
}

// ensureBig imports the big company's records.
func (b *bench) ensureBig(ctx context.Context) error {
	if err := b.ensureBigOrganization(ctx); err != nil {
		return err
	}
	if b.big.imported {
		return nil
	}
	delivery, err := b.writeBigDelivery()
	if err != nil {
		return err
	}
	if _, err := b.importDelivery(ctx, delivery, b.bigRecords); err != nil {
		return err
	}
	b.big.imported = true
	return b.psql(ctx, "dispo", "VACUUM ANALYZE")
}

func (b *bench) writeBigDelivery() (string, error) {
	return b.writeDelivery("big.csv", b.bigRecords, func(int) string { return bigCVR })
}

// measureBigImport imports the big company's records while the same organization
// reads, then loads the same rows with psql's \copy under the same reads.
func (b *bench) measureBigImport(ctx context.Context) error {
	if err := b.ensureRecords(ctx); err != nil { // a smaller import, to compare memory use with
		return err
	}
	if err := b.ensureBigOrganization(ctx); err != nil {
		return err
	}
	if err := b.copyDatabase(ctx); err != nil {
		return err
	}
	service, err := b.serve(ctx, uncached...)
	if err != nil {
		return err
	}
	defer service.stop()
	readers, err := b.bigReaders(ctx, service)
	if err != nil {
		return err
	}
	delivery, err := b.writeBigDelivery()
	if err != nil {
		return err
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	quiet, err := readers.runFor(ctx, b.openLoopLength())
	if err != nil {
		return err
	}
	var result importResult
	importing, err := readers.runDuring(ctx, func() (err error) {
		result, err = b.runImport(ctx, delivery, b.bigRecords)
		return err
	})
	if err != nil {
		return err
	}
	b.big.imported = true
	rows, err := b.exportDelivery(ctx, "big.csv")
	if err != nil {
		return err
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	var copyElapsed time.Duration
	copying, err := readers.runDuring(ctx, func() (err error) {
		copyElapsed, err = b.runCopy(ctx, rows)
		return err
	})
	if err != nil {
		return err
	}
	for _, tally := range []tally{quiet, importing, copying} {
		if err := tally.requireStatus(200); err != nil {
			return err
		}
	}
	fmt.Printf("import of %d csv records of one company, while its organization reads: %v\n", result.records, result)
	fmt.Printf("  psql \\copy of the same rows, same tables, same reads: %.1f s, ratio of speeds %.2f (aim >= 0.5)\n",
		copyElapsed.Seconds(), copyElapsed.Seconds()/result.elapsed.Seconds())
	fmt.Printf("  peak memory: %d MB, and %d MB when importing %d records (aim: the same)\n", result.memory, b.baseImport.memory, b.baseImport.records)
	fmt.Printf("  reads, %.0f a second: p99 %s before the import, %s during it, ratio %.2f (aim <= 3); during \\copy %s\n",
		readers.rate, ms(quiet.percentile(0.99)), ms(importing.percentile(0.99)), ratio(importing.percentile(0.99), quiet.percentile(0.99)), ms(copying.percentile(0.99)))
	service.stop()
	if err := b.psql(ctx, "postgres", "DROP DATABASE baseline WITH (FORCE)"); err != nil {
		return err
	}
	return b.psql(ctx, "dispo", "VACUUM ANALYZE")
}

// bigReaders returns a loop that alternates between pages of the small company's
// transactions, the small company, and the list that is being imported.
func (b *bench) bigReaders(ctx context.Context, service *process) (openLoop, error) {
	ids, err := b.transactionIDs(ctx, smallCVR, 0, smallRecords-50)
	if err != nil {
		return openLoop{}, err
	}
	return openLoop{address: service.address, rate: 200, workers: 64, warmUp: time.Second, prepare: func(n int, request *fasthttp.Request) {
		path := "/companies/" + smallCVR
		switch n % 4 {
		case 0, 2:
			path += "/transactions?limit=50&after=" + ids[n/2%len(ids)]
		case 1:
			path = "/companies/" + bigCVR + "/transactions"
		}
		call{url: service.url(path), key: b.big.key}.fill(request)
	}}, nil
}

// transactionIDs returns the ids of limit transactions of a company of the big
// organization, in order, starting at offset.
func (b *bench) transactionIDs(ctx context.Context, cvr string, offset, limit int) ([]string, error) {
	conn, err := b.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	var ids []string
	err = conn.QueryRow(ctx, `SELECT array_agg(id::text ORDER BY id) FROM
		(SELECT id FROM transactions WHERE organization_id = $1 AND cvr = $2 ORDER BY id OFFSET $3 LIMIT $4) t`,
		b.big.id, cvr, offset, limit).Scan(&ids)
	return ids, err
}
