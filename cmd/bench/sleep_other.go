//go:build !linux

package main

import "time"

// sleepUntil sleeps until a time.
func sleepUntil(at time.Time) { time.Sleep(time.Until(at)) }
