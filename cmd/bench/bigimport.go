package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
)

// bigWorld is an organization with one company that has very many transactions,
// and one that has few.
type bigWorld struct {
	organization uuid.UUID
	key          string
	imported     *imported // the big company's records; nil: not yet
}

const (
	bigCVR       = "20000000"
	smallCVR     = "20000001"
	smallRecords = 1000
)

// ensureBigOrganization makes the organization, and the small company's records.
func (w *world) ensureBigOrganization(ctx context.Context) error {
	if w.big != nil {
		return nil
	}
	store, err := w.store(ctx)
	if err != nil {
		return err
	}
	defer store.Close()
	big := &bigWorld{}
	if big.organization, big.key, err = w.makeOrganization(ctx, store, "big", []string{bigCVR, smallCVR}); err != nil {
		return err
	}
	delivery, err := w.writeDelivery("small.csv", smallRecords, func(int) string { return smallCVR })
	if err != nil {
		return err
	}
	if _, err := w.importDelivery(ctx, delivery, smallRecords); err != nil {
		return err
	}
	w.big = big
	return w.psql(ctx, "dispo", "VACUUM ANALYZE")
}

// ensureBig imports the big company's records.
func (w *world) ensureBig(ctx context.Context) error {
	if err := w.ensureBigOrganization(ctx); err != nil {
		return err
	}
	if w.big.imported != nil {
		return nil
	}
	delivery, err := w.writeBig()
	if err != nil {
		return err
	}
	done, err := w.importDelivery(ctx, delivery, w.bigRecords)
	if err != nil {
		return err
	}
	w.big.imported = &done
	return w.psql(ctx, "dispo", "VACUUM ANALYZE")
}

func (w *world) writeBig() (string, error) {
	return w.writeDelivery("big.csv", w.bigRecords, func(int) string { return bigCVR })
}

// measureBigImport imports the big company's records while the same organization
// reads, and the same rows by psql's \copy beside the same readers.
func (w *world) measureBigImport(ctx context.Context) error {
	if err := w.ensureRecords(ctx); err != nil { // the smaller import, to compare memory with
		return err
	}
	if err := w.ensureBigOrganization(ctx); err != nil {
		return err
	}
	if err := w.copyDatabase(ctx); err != nil {
		return err
	}
	service, err := w.serve(ctx, forgetful...)
	if err != nil {
		return err
	}
	defer service.stop()
	readers, err := w.bigReaders(ctx, service)
	if err != nil {
		return err
	}
	delivery, err := w.writeBig()
	if err != nil {
		return err
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	quiet, err := readers.runFor(ctx, w.phase())
	if err != nil {
		return err
	}
	var done imported
	importing, err := readers.during(ctx, func() (err error) {
		done, err = w.runImport(ctx, delivery, w.bigRecords)
		return err
	})
	if err != nil {
		return err
	}
	w.big.imported = &done
	rows, err := w.exportDelivery(ctx, "big.csv")
	if err != nil {
		return err
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	var copyTook time.Duration
	copying, err := readers.during(ctx, func() (err error) {
		copyTook, err = w.runCopy(ctx, rows)
		return err
	})
	if err != nil {
		return err
	}
	for _, phase := range []tally{quiet, importing, copying} {
		if err := phase.all(200); err != nil {
			return err
		}
	}
	fmt.Printf("import of %d csv records of one company, while its organization reads: %v\n", done.records, done)
	fmt.Printf("  psql \\copy of the same rows, same tables, same readers: %.1f s, ratio of speeds %.2f (aim >= 0.5)\n", copyTook.Seconds(), copyTook.Seconds()/done.took.Seconds())
	fmt.Printf("  memory against the import of %d records: %d MB against %d MB (aim: as much)\n", w.imported.records, done.memory, w.imported.memory)
	fmt.Printf("  reads, %.0f a second: p99 %s quiet, %s during the import, ratio %.2f (aim <= 3); during \\copy %s\n",
		readers.rate, ms(quiet.p(0.99)), ms(importing.p(0.99)), ratio(importing.p(0.99), quiet.p(0.99)), ms(copying.p(0.99)))
	service.stop()
	if err := w.psql(ctx, "postgres", "DROP DATABASE baseline WITH (FORCE)"); err != nil {
		return err
	}
	return w.psql(ctx, "dispo", "VACUUM ANALYZE")
}

// bigReaders read, in turn, pages of the small company's transactions, a company,
// and the list that is being imported.
func (w *world) bigReaders(ctx context.Context, service *process) (openLoop, error) {
	ids, err := w.transactionIDs(ctx, smallCVR, 0, smallRecords-50)
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
		call{url: service.url(path), key: w.big.key}.fill(request)
	}}, nil
}

// transactionIDs gives ids of the big organization's transactions of a company
// in order, from an offset on.
func (w *world) transactionIDs(ctx context.Context, cvr string, offset, limit int) ([]string, error) {
	conn, err := w.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	var ids []string
	err = conn.QueryRow(ctx, `SELECT array_agg(id::text ORDER BY id) FROM
		(SELECT id FROM transactions WHERE organization_id = $1 AND cvr = $2 ORDER BY id OFFSET $3 LIMIT $4) t`,
		w.big.organization, cvr, offset, limit).Scan(&ids)
	return ids, err
}
