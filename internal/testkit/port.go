package testkit

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreeAddress returns an address of loopback on which nobody listens.
//
// A system gives ports from a range of its own to whoever asks for any, as tests that run at the same time do. A port
// of that range may be gone when its first owner wants it, or wants it back after a restart. The ports here are below
// that range, and above 10080, to which browsers do not connect.
func FreeAddress(t testing.TB) string {
	t.Helper()
	var err error
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 11_000+rand.IntN(19_000))
		var l net.Listener
		if l, err = net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
	t.Fatal(err)
	return ""
}

// FreePort returns the port of a free address.
func FreePort(t testing.TB) string {
	t.Helper()
	_, port, err := net.SplitHostPort(FreeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	return port
}
