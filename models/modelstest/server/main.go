// Command server runs another command, such as go test, with a PostgreSQL server that
// all tests share, and deletes the server afterwards.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"

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
	command := exec.Command(os.Args[1], os.Args[2:]...)
	command.Env = append(os.Environ(), modelstest.ServerVariable+"="+url)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
