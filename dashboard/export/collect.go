package export

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// collectPercent is how much garbage, in percent of what is live, may gather while a
// workbook is written. excelize keeps up to 48 MB and leaves 4 KB of garbage a row; the
// service, which usually has little memory in use, otherwise collects less often.
const collectPercent = 100

// collector makes the program collect garbage more often while it is in use.
type collector struct {
	mu    sync.Mutex
	users int
	usual int
}

func (c *collector) use() (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users++; c.users == 1 {
		c.usual = debug.SetGCPercent(collectPercent)
		if c.usual >= 0 && c.usual < collectPercent {
			debug.SetGCPercent(c.usual)
		}
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.users--; c.users == 0 {
			runtime.GC() // what was live counts for how much garbage gathers next
			debug.SetGCPercent(c.usual)
		}
	}
}

// garbage is the program's.
var garbage collector
