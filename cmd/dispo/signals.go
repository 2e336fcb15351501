package main

import (
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// heedHangUps makes SIGHUP end a command as SIGTERM does, unless it goes on without its
// terminal: then the log says that the signal has no effect. Where it is ignored at the start,
// as under nohup, it stays ignored.
func heedHangUps(goesOn bool) {
	if signal.Ignored(syscall.SIGHUP) {
		return
	}
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	go func() {
		for range hangUps {
			if !goesOn {
				_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
				return // a terminal that closes sends two; a second SIGTERM would end at once
			}
			slog.Info("SIGHUP has no effect: restart the program to apply changed settings")
		}
	}()
}
