package folder

import (
	"errors"
	"os"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// events reports changes of a folder.
type events struct {
	folder  os.FileInfo
	changes chan struct{} // has a value after a change
	watcher *fsnotify.Watcher
	writers *writers
	done    sync.WaitGroup
}

// watch watches a folder. It calls renamed, from another goroutine, with the name of each
// file that is renamed into the folder or within it.
func watch(folder string, info os.FileInfo, renamed func(name string)) (*events, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	e := &events{folder: info, changes: make(chan struct{}, 1), watcher: watcher}
	err = watcher.Add(folder)
	if err == nil {
		e.writers, err = watchWriters(folder, renamed, e.changed)
	}
	if err != nil {
		return nil, errors.Join(err, watcher.Close())
	}
	e.done.Go(func() {
		for range watcher.Events {
			e.changed()
		}
	})
	e.done.Go(func() {
		for range watcher.Errors { // events were lost
			e.changed()
		}
	})
	return e, nil
}

func (e *events) changed() {
	select {
	case e.changes <- struct{}{}:
	default:
	}
}

// wake returns a channel with a value after a change, or nil if nothing is watched.
func (e *events) wake() <-chan struct{} {
	if e == nil {
		return nil
	}
	return e.changes
}

// watches reports whether it still watches this folder.
func (e *events) watches(folder os.FileInfo) bool {
	return e != nil && os.SameFile(e.folder, folder) && !e.writers.ended()
}

// writing reports whether a file is known to be open for writing.
func (e *events) writing(name string) bool { return e != nil && e.writers.writing(name) }

func (e *events) close() {
	if e == nil {
		return
	}
	_ = e.watcher.Close()
	e.writers.close()
	e.done.Wait()
}
