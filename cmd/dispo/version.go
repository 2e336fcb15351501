package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the linker in a release.
var version = ""

type versionCommand struct{}

func (c *versionCommand) Run(e *environment) error {
	fmt.Fprintf(e.streams.out, "dispo %s (%s)\n", versionText(), runtime.Version())
	return nil
}

// versionText returns the release, or "development" and the commit if this is not a
// release.
func versionText() string {
	if version != "" {
		return version
	}
	text := "development"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				text += " " + setting.Value
			}
		}
	}
	return text
}
