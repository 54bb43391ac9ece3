package client

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// freeAddr returns an address without a listener.
func freeAddr(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestDialRefused(t *testing.T) {
	if _, err := Dial(t.Context(), freeAddr(t), 0); err == nil {
		t.Error("no error without a listener")
	}
}

// TestDialRetry has a dealer that listens after the first attempt failed.
func TestDialRetry(t *testing.T) {
	addr := freeAddr(t)
	accepted := make(chan error, 1)
	go func() {
		time.Sleep(2 * redial)
		l, err := net.Listen("tcp", addr)
		if err != nil {
			accepted <- err
			return
		}
		defer l.Close()
		conn, err := l.Accept()
		if err == nil {
			conn.Close()
		}
		accepted <- err
	}()
	conn, err := Dial(t.Context(), addr, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if err := <-accepted; err != nil {
		t.Fatal(err)
	}
}

func TestDialCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*redial)
	defer cancel()
	if _, err := Dial(ctx, freeAddr(t), time.Hour); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}
