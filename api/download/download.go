// Package download sends what is read from the database while it is read. It goes to a
// temporary file as fast as the database returns it, and from there to the client, so that
// a slow client never keeps a connection to the database.
package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"dispo/models"
)

const (
	timeLimit   = 15 * time.Minute       // from the start until all is sent
	checkPeriod = 500 * time.Millisecond // how often a file looks whether its client is still there
)

// Why a file is not made, or not to its end.
var (
	ErrBusy    = models.NewError(models.KindBusy, "Others are downloading at the moment. Try again in a minute.")
	ErrStopped = models.NewError(models.KindBusy, "The service is being restarted. Try again in a minute.")
	ErrTooLong = models.NewError(models.KindBusy,
		"This took longer than 15 minutes and was stopped. Choose a shorter period.")
	ErrNoRoom = models.NewError(models.KindBusy,
		"The server has no room for this file at the moment. Try again later, or choose a shorter period.")
	ErrGone = models.NewError(models.KindInvalid,
		"The client closed the connection.") // 4xx, because it is the client's doing
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
	open     [kinds]atomic.Int64 // that are being made or sent
	sent     [kinds]atomic.Int64 // bytes
}

// Kind says for whom a file is made.
type Kind int

const (
	Bulk      Kind = iota // a bulk read of the API
	Dashboard             // a download from the dashboard
	kinds
)

func (k Kind) String() string { return [kinds]string{"bulk", "dashboard"}[k] }

// Each calls f for each kind of files, with how many are being made or sent, and how many bytes
// were sent.
func (m *Maker) Each(f func(kind Kind, open, sent float64)) {
	for kind := range kinds {
		f(kind, float64(m.open[kind].Load()), float64(m.sent[kind].Load()))
	}
}

// NewMaker returns a maker that reads at most readers files at once. Close it before
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

// Job says how to make a file.
type Job struct {
	Kind  Kind
	Write func(ctx context.Context, to io.Writer) error
	Check func() error // its error ends the file, also while it is sent; called twice a second; may be nil
	Ended func()       // called once nothing is made or sent any more, or the service stops; may be nil
}

// Start begins to make a file for a client. Close it. If it is not the file's turn before
// wait ends, the error is ErrBusy.
func (m *Maker) Start(wait context.Context, client net.Conn, job Job) (*File, error) {
	if job.Ended == nil {
		job.Ended = func() {}
	}
	select {
	case m.readers <- struct{}{}:
	case <-wait.Done():
		job.Ended()
		return nil, ErrBusy
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	temporary, err := temporaryFile()
	if m.ctx.Err() != nil {
		err = errors.Join(context.Cause(m.ctx), err)
	}
	if err != nil {
		<-m.readers
		job.Ended()
		return nil, err
	}
	m.open[job.Kind].Add(1)
	f := &File{
		maker:     m,
		kind:      job.Kind,
		temporary: temporary,
		client:    client,
		patience:  m.Patience,
		end:       time.Now().Add(timeLimit),
		finished:  make(chan struct{}),
		watched:   make(chan struct{}),
		closed:    make(chan struct{}),
		sendError: ErrGone,
	}
	f.grew = sync.NewCond(&f.mu)
	f.ctx, f.giveUp = context.WithCancelCause(m.ctx)
	m.running.Go(func() {
		// A panic would end the program, so it is an error.
		err := models.Recovered(func() error { return job.Write(f.ctx, f) })
		if err != nil && f.ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", context.Cause(f.ctx), err)
		}
		f.finish(err)
		<-m.readers
	})
	f.ended = sync.OnceFunc(job.Ended)
	m.running.Go(func() {
		select {
		case <-m.ctx.Done():
		case <-f.closed:
		}
		f.ended()
	})
	go f.watch(job)
	return f, nil
}

// File is a file that is being made, and is sent meanwhile. It is a temporary file that
// one goroutine writes while another reads it. If making it fails, reading it fails, so
// that the client does not take a part for all.
type File struct {
	// Closed is called by Close with what was sent, and with the error if that was not
	// all. It may be nil.
	Closed func(sent int64, err error)

	maker     *Maker
	kind      Kind
	ctx       context.Context
	giveUp    context.CancelCauseFunc
	ended     func()
	end       time.Time // when it is given up
	client    net.Conn
	patience  time.Duration
	temporary *os.File
	finished  chan struct{} // closed when nothing is written any more
	watched   chan struct{} // closed when the client is not watched any more
	closed    chan struct{} // closed by Close

	mu   sync.Mutex
	grew *sync.Cond
	size int64
	done bool
	err  error // why the file is not whole
	cut  error // why nothing more is sent

	sent      int64
	sendError error
}

// temporaryFile creates a file without a name. The system deletes it when it is closed,
// also if the program is killed.
func temporaryFile() (*os.File, error) {
	file, err := os.CreateTemp("", "dispo-download-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoRoom, err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// watch ends the file while it is made, when that takes too long or its client is gone:
// while nothing is sent, nothing else would notice that. It also ends it when the job's
// Check fails, for whatever reason: a key that cannot be checked counts as one that is not
// accepted.
func (f *File) watch(job Job) {
	defer close(f.watched)
	client, checkable := f.client.(interface{ Gone() bool })
	tick := time.NewTicker(checkPeriod)
	defer tick.Stop()
	finished := f.finished
	for {
		select {
		case <-f.closed:
			return
		case <-finished:
			finished = nil
		case now := <-tick.C:
			if finished != nil && checkable && client.Gone() {
				f.stop(ErrGone)
			}
			if finished != nil && now.After(f.end) {
				f.stop(ErrTooLong)
			}
			if job.Check != nil {
				if err := job.Check(); err != nil {
					f.stop(err)
				}
			}
		}
	}
}

// stop ends the making and the sending. After Close the connection is another request's.
func (f *File) stop(err error) {
	f.giveUp(err)
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.closed:
	default:
		f.cut = context.Cause(f.ctx)
		f.grew.Broadcast()
		_ = f.client.SetWriteDeadline(time.Now())
	}
}

// Write appends to the file.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.temporary.Write(p)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.size += int64(n)
	f.grew.Broadcast()
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrNoRoom, err)
	}
	return n, err
}

// finish says that the file is whole, or why it is not.
func (f *File) finish(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done, f.err = true, err
	f.grew.Broadcast()
	close(f.finished)
}

// Ready waits until there is something to send, or, if the file is to be sent whole, for
// all of it. It returns the file's size in bytes, or -1 while that is not known. An error
// before that is returned, so nothing needs to be sent.
func (f *File) Ready(whole bool) (size int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.done && (whole || f.size == 0) {
		f.grew.Wait()
	}
	if !f.done || f.err != nil && !whole && f.size > 0 { // Read returns the error
		return -1, nil
	}
	return int(f.size), f.err
}

// Read reads the file, and gives the client time to receive it. It waits until there is
// something to read.
func (f *File) Read(p []byte) (n int, err error) {
	f.mu.Lock()
	for f.sent == f.size && !f.done && f.cut == nil {
		f.grew.Wait()
	}
	left, err := f.size-f.sent, f.err
	switch {
	case f.cut != nil:
		left, err = 0, f.cut
	case left > 0:
		deadline := time.Now().Add(f.patience)
		if f.end.Before(deadline) {
			deadline = f.end
		}
		err = f.client.SetWriteDeadline(deadline)
	case err == nil:
		err = io.EOF
	}
	f.mu.Unlock()
	if left > 0 && err == nil {
		n, err = f.temporary.ReadAt(p[:min(int64(len(p)), left)], f.sent)
	}
	f.sent += int64(n)
	if err != nil {
		f.sendError = err
	}
	return n, err
}

// Close stops making the file and deletes it.
func (f *File) Close() error {
	f.giveUp(ErrGone)
	<-f.finished
	f.mu.Lock()
	close(f.closed)
	f.mu.Unlock()
	<-f.watched // the connection's next request is read after this
	f.ended()
	f.maker.open[f.kind].Add(-1)
	f.maker.sent[f.kind].Add(f.sent)
	err := f.temporary.Close()
	if errors.Is(f.sendError, io.EOF) {
		f.sendError = nil
	} else if f.cut != nil {
		f.sendError = f.cut
	}
	if f.Closed != nil {
		f.Closed(f.sent, f.sendError)
	}
	return err
}
