package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"dispo/models/modelstest"
)

// The program under test is this binary under the name dispo, which is on PATH. Requests
// have a minute, because a machine may be slow.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"dispo": func() {
		requestTimeout = "1m"
		main()
	}})
}

type tests struct{ *testing.M }

// Run runs the tests when every user can run the program.
func (t tests) Run() int {
	path, err := exec.LookPath("dispo")
	if err == nil {
		err = os.Chmod(filepath.Dir(filepath.Dir(path)), 0o755)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return modelstest.Main(t.M)
}
