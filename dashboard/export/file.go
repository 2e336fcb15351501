package export

import (
	"context"
	"errors"
	"io"
	"time"
)

// writePatience is how long a client may take for what is sent at once. A slower one is
// gone, or as good as gone.
const writePatience = 30 * time.Second

// begin says that there are rows, or that none will come.
func (f *File) begin() {
	select {
	case <-f.begun:
	default:
		close(f.begun)
	}
}

// Begun waits until the file has rows or is whole, but at most as long as patience. It
// returns an error if the file has failed by then.
func (f *File) Begun(patience time.Duration) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-f.begun:
	case <-timer.C:
	}
	return f.failure()
}

// Whole waits until the file is whole, and returns its size in bytes.
func (f *File) Whole() (size int64, err error) {
	<-f.finished
	return f.spool.length(), f.failure()
}

// Finished returns a channel that is closed when nothing is written any more.
func (f *File) Finished() <-chan struct{} { return f.finished }

func (f *File) failure() error {
	f.spool.mu.Lock()
	defer f.spool.mu.Unlock()
	return f.spool.err
}

// GiveUp stops making the file.
func (f *File) GiveUp() { f.give() }

// Close stops making the file and deletes it.
func (f *File) Close() {
	f.give()
	<-f.finished
	f.spool.close()
}

// connection is a client's.
type connection interface{ SetWriteDeadline(at time.Time) error }

// Body sends a file while it grows. If the file fails, reading the body fails, so that
// the client does not take a part for all.
type Body struct {
	file   *File
	client connection
	closed func(sent int64, err error)
	offset int64
	err    error
}

// Body returns the file as the body of an answer to a client. Closing it closes the
// file, and then calls closed with what was sent, and with the error if that was not all.
func (f *File) Body(client connection, closed func(sent int64, err error)) *Body {
	return &Body{file: f, client: client, closed: closed, err: errClosed}
}

// errClosed is the failure of a body that nobody has read to its end.
var errClosed = errors.New("the client is gone")

// Read reads the file, and gives the client time to receive it.
func (b *Body) Read(p []byte) (int, error) {
	n, err := b.file.spool.read(p, b.offset)
	if err == nil {
		deadline := time.Now().Add(writePatience)
		if end, _ := b.file.ctx.Deadline(); end.Before(deadline) {
			deadline = end
		}
		err = b.client.SetWriteDeadline(deadline)
	}
	b.offset += int64(n)
	if err != nil {
		b.err = err
	}
	return n, err
}

// WriteTo sends more at once than a reader of the body would.
func (b *Body) WriteTo(w io.Writer) (int64, error) {
	buffer := make([]byte, firstRows)
	for {
		n, err := b.Read(buffer)
		if errors.Is(err, io.EOF) {
			return b.offset, nil
		}
		if err == nil {
			_, err = w.Write(buffer[:n])
		}
		if err != nil {
			b.err = err
			return b.offset, err
		}
	}
}

// SupportsBodyWriteTo tells fasthttp that it may use WriteTo.
func (b *Body) SupportsBodyWriteTo() bool { return true }

// Close ends the answer, whether all was sent or not.
func (b *Body) Close() error {
	b.file.Close()
	if errors.Is(b.err, io.EOF) {
		b.err = nil
	}
	b.closed(b.offset, b.err)
	return nil
}

// TimedOut reports whether a file failed because it took too long.
func TimedOut(err error) bool { return errors.Is(err, context.DeadlineExceeded) }
