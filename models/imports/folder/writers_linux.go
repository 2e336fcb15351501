package folder

import (
	"bytes"
	"encoding/binary"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// writers follows who writes to a folder's files, by inotify itself. fsnotify reports
// IN_CREATE and IN_MOVED_TO alike, as Create, and does not report IN_CLOSE_WRITE (as of
// 1.10.1). So it cannot tell a file that was renamed from one that is being written.
type writers struct {
	file *os.File
	read sync.WaitGroup

	mutex sync.Mutex
	open  map[string]bool // files that were written to and have not been closed since
	gone  bool            // the folder was deleted or unmounted
}

// watchWriters calls renamed for each file that is renamed into the folder or within it,
// and closed after a file was closed or the folder is gone.
func watchWriters(folder string, renamed func(name string), closed func()) (*writers, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	w := &writers{file: os.NewFile(uintptr(fd), "inotify"), open: map[string]bool{}}
	const mask = unix.IN_MOVED_TO | unix.IN_MOVED_FROM | unix.IN_CREATE | unix.IN_MODIFY | unix.IN_CLOSE_WRITE | unix.IN_DELETE | unix.IN_ONLYDIR
	if _, err := unix.InotifyAddWatch(fd, folder, mask); err != nil {
		_ = w.file.Close()
		return nil, os.NewSyscallError("inotify_add_watch", err)
	}
	w.read.Go(func() {
		buffer := make([]byte, 64<<10)
		for {
			n, err := w.file.Read(buffer)
			if err != nil {
				return
			}
			for rest := buffer[:n]; len(rest) >= unix.SizeofInotifyEvent; {
				event := rest[:unix.SizeofInotifyEvent]
				mask, length := binary.NativeEndian.Uint32(event[4:]), binary.NativeEndian.Uint32(event[12:])
				name, _, _ := bytes.Cut(rest[len(event):len(event)+int(length)], []byte{0})
				rest = rest[len(event)+int(length):]
				w.note(mask, string(name))
				if mask&unix.IN_MOVED_TO != 0 {
					renamed(string(name))
				}
				if mask&(unix.IN_CLOSE_WRITE|unix.IN_IGNORED) != 0 {
					closed()
				}
			}
		}
	})
	return w, nil
}

func (w *writers) note(mask uint32, name string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	switch {
	case mask&unix.IN_Q_OVERFLOW != 0:
		clear(w.open) // a close may be among the events that were lost
	case mask&(unix.IN_IGNORED|unix.IN_UNMOUNT) != 0:
		w.gone = true
	case mask&unix.IN_MODIFY != 0:
		w.open[name] = true
	default:
		delete(w.open, name)
	}
}

func (w *writers) writing(name string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.open[name]
}

func (w *writers) ended() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.gone
}

func (w *writers) close() {
	_ = w.file.Close()
	w.read.Wait()
}
