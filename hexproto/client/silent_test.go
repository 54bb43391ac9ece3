package client_test

import (
	"context"
	"net"
	"testing"
	"time"

	"gamebots/hexproto/client"
)

// A client that waits for a server which accepts connections and says nothing ends with its context.
func TestSilentServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	c := &client.Client{URL: "ws://" + l.Addr().String(), Handler: player{}, Timeout: time.Hour}
	ended := make(chan error)
	go func() { ended <- c.Run(ctx) }()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Read(make([]byte, 1)); err != nil { // its request has come
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
