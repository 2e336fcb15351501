package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"dispo/models"
)

const timeLimit = 15 * time.Minute // from the start until all is sent

// Why a file is not made, or not to its end.
var (
	ErrBusy    = models.NewError(models.KindBusy, "Others are downloading at the moment. Try again in a minute.")
	ErrStopped = models.NewError(models.KindBusy, "The service is being restarted. Try again in a minute.")
	errTooLong = models.NewError(models.KindBusy, "This took longer than 15 minutes and was stopped. Choose a shorter period.")
	errNoRoom  = models.NewError(models.KindBusy, "The server has no room for this file at the moment. Try again later, or choose a shorter period.")
)

// Maker makes files, until it is closed.
type Maker struct {
	// Patience is how long a client may take for what is sent at once. One that takes
	// longer is gone, or as good as gone. NewMaker sets it to 30 seconds.
	Patience time.Duration
	ctx      context.Context
	stop     context.CancelCauseFunc
	readers  chan struct{} // one for each file whose rows are being read
	mu       sync.Mutex    // held to start, and to close
	running  sync.WaitGroup
}

// NewMaker returns a maker that reads the rows of so many files at once. Close it before
// the database.
func NewMaker(readers int) *Maker {
	ctx, stop := context.WithCancelCause(context.Background())
	return &Maker{Patience: 30 * time.Second, ctx: ctx, stop: stop, readers: make(chan struct{}, readers)}
}

// Close gives up the files that are not whole yet, and waits until nothing reads rows.
func (m *Maker) Close() {
	m.mu.Lock()
	m.stop(ErrStopped)
	m.mu.Unlock()
	m.running.Wait()
}

// Source calls each with all rows of one moment, until it returns an error.
type Source[T any] func(ctx context.Context, each func(row *T) error) error

// Start begins to make a file. Close it. Times are those of the zone. If it is not the
// file's turn before wait ends, the error is ErrBusy.
func Start[T any](wait context.Context, m *Maker, format Format, zone *time.Location, table Table[T], rows Source[T]) (*File, error) {
	select {
	case m.readers <- struct{}{}:
	case <-wait.Done():
		return nil, ErrBusy
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	f := &File{patience: m.Patience, finished: make(chan struct{})}
	err := context.Cause(m.ctx)
	if err == nil {
		f.spool, err = newSpool()
	}
	if err != nil {
		<-m.readers
		return nil, err
	}
	f.ctx, f.giveUp = context.WithTimeoutCause(m.ctx, timeLimit, errTooLong)
	m.running.Go(func() {
		err := writeRows(f, format, zone, table, rows)
		if err != nil && f.ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", context.Cause(f.ctx), err)
		}
		f.spool.finish(err)
		close(f.finished)
		<-m.readers
	})
	return f, nil
}

func writeRows[T any](f *File, format Format, zone *time.Location, table Table[T], rows Source[T]) (err error) {
	titles, kinds := table.heading()
	var to writer
	if format == XLSX {
		book, err := newWorkbook(f.spool, table.Name, titles, kinds, zone)
		if err != nil {
			return err
		}
		defer book.discard()
		to = book
	} else if to, err = newTextWriter(f.spool, format, titles, kinds, zone); err != nil {
		return err
	}
	values := make([]string, len(table.Columns))
	err = rows(f.ctx, func(row *T) error {
		for i, column := range table.Columns {
			values[i] = column.Value(row)
		}
		return to.row(values)
	})
	if err != nil {
		return err
	}
	return to.close()
}

// File is a file that is being made, and is sent meanwhile. If making it fails, reading it
// fails, so that the client does not take a part for all.
type File struct {
	ctx      context.Context
	giveUp   context.CancelFunc
	patience time.Duration
	spool    *spool
	finished chan struct{} // closed when nothing is written any more
	client   net.Conn
	offset   int64
	err      error
	closed   func(sent int64, err error)
}

// Whole waits until the file is whole, and returns its size in bytes.
func (f *File) Whole() (size int64, err error) {
	<-f.finished
	return f.spool.size, f.spool.err
}

// To returns the file as the body of an answer to a client. Closing it then calls closed
// with what was sent, and with the error if that was not all.
func (f *File) To(client net.Conn, closed func(sent int64, err error)) *File {
	f.client, f.closed, f.err = client, closed, net.ErrClosed
	return f
}

// Read reads the file, and gives the client time to receive it.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.spool.read(p, f.offset)
	if err == nil {
		deadline := time.Now().Add(f.patience)
		if end, _ := f.ctx.Deadline(); end.Before(deadline) {
			deadline = end
		}
		err = f.client.SetWriteDeadline(deadline)
	}
	f.offset += int64(n)
	if err != nil {
		f.err = err
	}
	return n, err
}

// Close stops making the file and deletes it.
func (f *File) Close() error {
	f.giveUp()
	<-f.finished
	err := f.spool.file.Close()
	if errors.Is(f.err, io.EOF) {
		f.err = nil
	}
	if f.closed != nil {
		f.closed(f.offset, f.err)
	}
	return err
}
