// Command server runs another command, such as go test, with a PostgreSQL server that
// all tests share, and with a directory for temporary files. It deletes both afterwards.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"golang.org/x/sys/unix"

	"dispo/models/modelstest"
)

func main() { os.Exit(run()) }

func run() int {
	// Ctrl-C also reaches the command, which then ends.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	url, stop, err := modelstest.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests need PostgreSQL:", err)
		return 1
	}
	defer stop()
	directory, err := modelstest.MakeDirectory()
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests need a directory for temporary files:", err)
		return 1
	}
	defer os.RemoveAll(directory)
	programs, err := keepClusters(url, directory)
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests need PostgreSQL's programs:", err)
		return 1
	}
	command := exec.Command(os.Args[1], os.Args[2:]...)
	command.Env = append(os.Environ(), modelstest.ServerVariable+"="+url, "PATH="+programs+":"+os.Getenv("PATH"),
		"GOGC=400") // the linker and the tests are over before their garbage matters
	// What the go command builds for the tests goes there, too: 2 GB in all.
	var free unix.Statfs_t
	if unix.Statfs(directory, &free) == nil && free.Bavail*uint64(free.Bsize) >= 8<<30 {
		command.Env = append(command.Env, "TMPDIR="+directory)
	}
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
