//go:build !linux

package main

import "time"

// sleepUntil sleeps.
func sleepUntil(at time.Time) { time.Sleep(time.Until(at)) }
