package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// version and commit are set by the linker in a release.
var version, commit string

type versionCommand struct{}

func (c *versionCommand) Run(e *environment) error {
	fmt.Fprintf(e.streams.out, "dispo %s (%s)\n", versionText(), runtime.Version())
	return nil
}

// versionText returns the release, or "development", and the commit if it is known.
func versionText() string {
	text, revision := cmp.Or(version, "development"), commit
	if info, ok := debug.ReadBuildInfo(); ok && revision == "" {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				revision = setting.Value
			}
		}
	}
	return strings.TrimSpace(text + " " + revision)
}
