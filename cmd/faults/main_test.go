// Package faults proves that Dispo keeps its promises through faults: `make faults`. It runs
// the real program on a PostgreSQL, a Redis and a mail server of its own, under load, and in
// each round kills, cuts, fills or slows one of them. After each round everything that was
// acknowledged must be there, nothing may be half done, and no promise may have been broken
// meanwhile. `make test` runs a short form.
package faults_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	rounds = flag.Int("rounds", 2, "`number` of rounds of faults")
	pace   = flag.Int("pace", 16, "how many `times` longer than under full load everybody pauses")
	only   = flag.String("only", "", "run faults whose name contains the `text`")
	seed   = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the random choices, to repeat them")
	clock  = flag.Bool("clock", false,
		"move the service's clock too, which takes a build of everything with another package time")
	length = flag.Duration("soak", 2*time.Second, "how long the service is under a steady load")
)

// dispo and copier are the paths of the program under test, and of one that keeps a copy with
// the Go client, which proves it.
var dispo, copier string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		folder, err := os.MkdirTemp("/tmp", "dispo-faults-")
		if err == nil {
			defer os.RemoveAll(folder)
			err = build(folder)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// build builds the program. With -clock, the environment variable FAULTS_CLOCK moves its clock
// by so many seconds.
func build(folder string) error {
	if err := os.Chmod(folder, 0o755); err != nil {
		return err
	}
	dispo, copier = filepath.Join(folder, "dispo"), filepath.Join(folder, "sync")
	arguments := []string{
		"build",
		"-buildvcs=false",
		"-ldflags=-s -w",
		"-o",
		dispo,
	} // linking what only debuggers read takes long
	if *clock {
		overlay, err := writeOverlay(folder)
		if err != nil {
			return err
		}
		arguments = append(arguments, "-overlay", overlay)
	}
	for _, arguments := range [][]string{
		append(arguments, "dispo/cmd/dispo"),
		{"-C", "../../api/client", "build", "-ldflags=-s -w", "-o", copier, "../../web/samples/sync.go"},
	} {
		if output, err := exec.Command("go", arguments...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, output)
		}
	}
	return nil
}

// writeOverlay writes a package time with another Now, and the file that tells the compiler
// of it.
func writeOverlay(folder string) (string, error) {
	const read = "sec, nsec, mono := runtimeNow()\n"
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	original := filepath.Join(strings.TrimSpace(string(root)), "src/time/time.go")
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	head, tail, found := strings.Cut(string(text), "func Now() Time {\n\t"+read)
	if !found {
		return "", fmt.Errorf("%s has another Now than expected", original)
	}
	changed := filepath.Join(folder, "time.go")
	text = []byte(head + "func Now() Time {\n\t" + read + "\tsec += clockOffset\n" + tail + `
var clockOffset = func() (offset int64) {
	text, _ := syscall.Getenv("FAULTS_CLOCK")
	sign := int64(1)
	for _, c := range text {
		if c == '-' {
			sign = -1
		} else {
			offset = 10*offset + int64(c-'0')
		}
	}
	return sign * offset
}()
`)
	text = []byte(strings.Replace(string(text), "import (\n", "import (\n\t\"syscall\"\n", 1))
	overlay := filepath.Join(folder, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err == nil {
		err = os.WriteFile(changed, text, 0o644)
	}
	if err == nil {
		err = os.WriteFile(overlay, replace, 0o644)
	}
	return overlay, err
}
