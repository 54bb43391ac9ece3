// Package freeport gives tests addresses of this machine on which nobody listens.
//
// A system gives ports from a range of its own to whoever asks for any, as tests that run at the same time do. A port
// of that range may be gone when its first owner wants it, or wants it back after a restart. The ports here are below
// that range.
package freeport

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// Address returns an address of loopback.
func Address(t testing.TB) string {
	t.Helper()
	var err error
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))
		var l net.Listener
		if l, err = net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
	t.Fatal(err)
	return ""
}

// Port returns the port of an address.
func Port(t testing.TB) string {
	t.Helper()
	_, port, err := net.SplitHostPort(Address(t))
	if err != nil {
		t.Fatal(err)
	}
	return port
}
