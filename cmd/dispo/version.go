package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
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
	if commit != "" {
		return version + " " + commit
	}
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
