package server_test

import (
	"errors"
	"net"
	"testing"

	"gamebots/hexproto/server"
)

// A server that lets anybody in does not begin to serve elsewhere than on
// loopback.
func TestOpenElsewhere(t *testing.T) {
	h := start(t, nil)
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := h.Serve(t.Context(), l, "", ""); !errors.Is(err, server.ErrOpen) {
		t.Errorf("%v", err)
	}
}
