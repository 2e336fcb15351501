//go:build !unix

package server

func peerClosed(uintptr) bool { return false }
