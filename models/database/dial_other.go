//go:build !linux

package database

func limitSilence(int) {}
