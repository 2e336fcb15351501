package export

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

const (
	timeLimit   = 15 * time.Minute // from the start until all is sent
	workbooks   = 2                // that are written at once; each takes a processor
	firstRows   = 64 << 10         // bytes of rows after which a file starts to grow; also what is read at once
	flushPeriod = 200 * time.Millisecond
)

// ErrStopped is the cause of a file that was given up because the program stops.
var ErrStopped = errors.New("the export was stopped because the service stops")

// ErrBusy means that too many others are reading rows.
var ErrBusy = errors.New("too many exports are reading rows")

// Maker makes files, until it is closed.
type Maker struct {
	ctx       context.Context
	stop      context.CancelCauseFunc
	readers   chan struct{} // one for each file whose rows are being read
	workbooks chan struct{}
	mu        sync.Mutex // held to start, and to close
	running   sync.WaitGroup
}

// NewMaker returns a maker that reads the rows of so many files at once. Close it before
// the database.
func NewMaker(readers int) *Maker {
	ctx, stop := context.WithCancelCause(context.Background())
	return &Maker{ctx: ctx, stop: stop, readers: make(chan struct{}, readers), workbooks: make(chan struct{}, workbooks)}
}

// Close gives up the files that are not whole yet, and waits until nothing reads rows.
func (m *Maker) Close() {
	m.mu.Lock()
	m.stop(ErrStopped)
	m.mu.Unlock()
	m.running.Wait()
}

// File is a file that is being made.
type File struct {
	ctx      context.Context
	give     context.CancelFunc // gives up
	spool    *spool
	begun    chan struct{} // closed when there are rows, or none will come
	finished chan struct{} // closed when nothing is written any more
}

// Source calls each with all rows of one moment, until it returns an error.
type Source[T any] func(ctx context.Context, each func(row *T) error) error

// Start begins to make a file. Close it. Times are those of the zone. If it is not the
// file's turn before patience ends, the error is ErrBusy.
func Start[T any](patience context.Context, m *Maker, format Format, zone *time.Location, table Table[T], rows Source[T]) (*File, error) {
	select {
	case m.readers <- struct{}{}:
	case <-patience.Done():
		return nil, ErrBusy
	}
	leave := func() { <-m.readers }
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := context.Cause(m.ctx); err != nil {
		leave()
		return nil, err
	}
	spool, err := newSpool()
	if err != nil {
		leave()
		return nil, err
	}
	read := func(ctx context.Context, each func(*T) error) error {
		defer leave()
		return rows(ctx, each)
	}
	f := &File{spool: spool, begun: make(chan struct{}), finished: make(chan struct{})}
	f.ctx, f.give = context.WithTimeout(m.ctx, timeLimit)
	m.running.Go(func() {
		defer close(f.finished)
		var err error
		if format == XLSX {
			err = makeWorkbook(f, m.workbooks, zone, table, read)
		} else {
			var lines lines = apiLines{}
			if format == Danish {
				lines = danishLines{table.kinds(), zone}
			}
			err = writeRows(f, spool, lines, table, read)
		}
		if err != nil && f.ctx.Err() != nil {
			err = errors.Join(context.Cause(f.ctx), err)
		}
		spool.finish(err)
		f.begin()
	})
	return f, nil
}

// makeWorkbook first reads all rows, and then writes the workbook, which takes longer.
func makeWorkbook[T any](f *File, turn chan struct{}, zone *time.Location, table Table[T], rows Source[T]) error {
	read, err := newSpool()
	if err != nil {
		return err
	}
	defer read.close()
	if err := writeRows(f, read, recordLines{}, table, rows); err != nil {
		return err
	}
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-f.ctx.Done():
		return f.ctx.Err()
	}
	defer garbage.use()()
	w := workbook{name: table.Name, titles: table.titles(), kinds: table.kinds(), zone: zone, sheetRows: sheetRows}
	return w.write(f.ctx, f.spool, io.NewSectionReader(read.file, 0, read.length()))
}

// writeRows writes all rows. What there is after a moment is written too, so that it
// can be sent.
func writeRows[T any](f *File, to io.Writer, lines lines, table Table[T], rows Source[T]) error {
	text := lines.begin(nil, table.titles())
	values := make([]string, len(table.Columns))
	flushed := time.Now()
	flush := func() error {
		_, err := to.Write(text)
		text, flushed = text[:0], time.Now()
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	err := rows(f.ctx, func(row *T) error {
		f.begin()
		for i, column := range table.Columns {
			values[i] = column.Value(row)
		}
		text = lines.row(text, values)
		if len(text) < firstRows && time.Since(flushed) < flushPeriod {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}
