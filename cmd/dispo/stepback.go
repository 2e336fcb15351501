package main

import (
	"os"
	"strconv"
	"syscall"
)

// importNice is how far an import steps back behind the service, which may share
// its machine: from 1 to 19, as nice(1) has it.
const importNice = 10

// stepBack lets others run first. What can't be set is left as it is: it only
// makes the import a harder neighbour.
func stepBack() {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, importNice)
	threads, _ := os.ReadDir("/proc/self/task") // on Linux each has a priority of its own
	for _, thread := range threads {
		if id, err := strconv.Atoi(thread.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, importNice)
		}
	}
}
