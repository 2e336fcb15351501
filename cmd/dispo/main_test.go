package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"dispo/models/modelstest"
)

// binary is the path of the program under test, which is built once.
var binary string

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	folder, err := os.MkdirTemp("", "dispo-program-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	binary = filepath.Join(folder, "dispo")
	if err := build(folder); err != nil {
		fmt.Fprintln(os.Stderr, "cannot build the program:", err)
		return 1
	}
	return modelstest.Main(m)
}

// build builds the program so that every user can run it. Requests have a minute, because
// a machine may be slow.
func build(folder string) error {
	compiler := exec.Command("go", "build", "-ldflags=-X main.requestTimeout=1m", "-o", binary, "dispo/cmd/dispo")
	compiler.Stdout, compiler.Stderr = os.Stdout, os.Stderr
	if err := compiler.Run(); err != nil {
		return err
	}
	for _, path := range []string{folder, binary} {
		if err := os.Chmod(path, 0o755); err != nil {
			return err
		}
	}
	return nil
}
