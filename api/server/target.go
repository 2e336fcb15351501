package server

import (
	"bytes"
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// checkTarget checks a request's target: a path, or an http URL with a path. It
// refuses a path that begins with //, because some programs take what follows for a
// host, and the targets that only proxies serve.
func checkTarget(header *fasthttp.RequestHeader) error {
	target := header.RequestURI()
	switch {
	case header.IsConnect(), header.IsOptions() && string(target) == "*":
		return fiber.ErrMethodNotAllowed
	case target[0] != '/':
		scheme, rest, _ := bytes.Cut(target, []byte("://"))
		path := bytes.IndexByte(rest, '/')
		if path < 0 || !is(scheme, "http") && !is(scheme, "https") || !validHost(rest[:path]) {
			return errTarget
		}
		target = rest[path:]
	}
	if len(target) > 1 && target[1] == '/' {
		return fiber.ErrNotFound
	}
	return nil
}

// validHost reports whether text is a host name or an IP address, perhaps with a port.
func validHost(text []byte) bool {
	name, port, _ := bytes.Cut(text, []byte{':'})
	if len(text) > 0 && text[0] == '[' {
		end := bytes.IndexByte(text, ']') + 1
		address, err := netip.ParseAddrPort(string(text[:end]) + ":0")
		if err != nil || address.Addr().Zone() != "" {
			return false
		}
		name, port, _ = bytes.Cut(text[end:], []byte{':'})
		if len(name) > 0 {
			return false
		}
	} else if len(name) == 0 || slices.ContainsFunc(name, notInName) {
		return false
	}
	return len(port) <= len("65535") && !slices.ContainsFunc(port, notDigit)
}

func notInName(b byte) bool { return !letterOrDigit(b) && b != '-' && b != '.' && b != '_' }

func notDigit(b byte) bool { return b < '0' || b > '9' }

func letterOrDigit(b byte) bool {
	return !notDigit(b) || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
}

// unescapePath replaces the percent-encoding of every character that a path may also
// have without it. An encoded slash stays encoded, because it separates nothing.
func unescapePath(uri *fasthttp.URI) {
	path := uri.PathOriginal()
	if bytes.IndexByte(path, '%') < 0 {
		return
	}
	plain := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		b := path[i : i+1]
		if path[i] == '%' && i+2 < len(path) {
			var encoded [1]byte
			if _, err := hex.Decode(encoded[:], path[i+1:i+3]); err == nil && plainInPath(encoded[0]) {
				b = encoded[:]
				i += 2
			}
		}
		plain = append(plain, b...)
	}
	uri.SetPathBytes(plain)
}

func plainInPath(b byte) bool {
	return letterOrDigit(b) || strings.IndexByte("-._~!$&'()*+,;=:@", b) >= 0
}
