package dealer

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"
)

// pair returns the two ends of a connection over loopback, both eager.
func pair(t *testing.T) (net.Conn, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	b, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	a, b = Eager(a), Eager(b)
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// TestTurns sends messages to and fro, at once and after more than a patience.
func TestTurns(t *testing.T) {
	a, b := pair(t)
	for _, pause := range []time.Duration{0, 5 * time.Millisecond} {
		var ping sync.WaitGroup
		ping.Go(func() {
			time.Sleep(pause)
			b.Write([]byte("ping"))
		})
		buf := make([]byte, 16)
		if n, err := a.Read(buf); err != nil || string(buf[:n]) != "ping" {
			t.Fatalf("after %v: read %q, %v", pause, buf[:n], err)
		}
		ping.Wait()
	}
}

// TestLargeWrite writes more than the system takes at once.
func TestLargeWrite(t *testing.T) {
	a, b := pair(t)
	sent := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	go func() {
		if n, err := a.Write(sent); n != len(sent) || err != nil {
			t.Errorf("wrote %d bytes, %v", n, err)
		}
		a.Close()
	}()
	received, err := io.ReadAll(b)
	if err != nil || !bytes.Equal(received, sent) {
		t.Errorf("%d bytes of %d arrived, %v", len(received), len(sent), err)
	}
}

// TestDeadlines has a peer that neither writes nor reads.
func TestDeadlines(t *testing.T) {
	a, _ := pair(t)
	for _, limit := range []time.Duration{-time.Second, 20 * time.Millisecond} {
		a.SetReadDeadline(time.Now().Add(limit))
		if _, err := a.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read with a limit of %v: %v", limit, err)
		}
	}
	a.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
	if _, err := a.Write(make([]byte, 64<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("write: %v", err)
	}
}

// TestEnds closes either end while the other waits, and then uses them.
func TestEnds(t *testing.T) {
	a, b := pair(t)
	time.AfterFunc(10*time.Millisecond, func() { a.Close() })
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("read from a connection closed here: %v", err)
	}
	if _, err := b.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("read from a connection closed there: %v", err)
	}
	if _, err := a.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("write to a connection closed here: %v", err)
	}
	var err error
	for range 100 { // the first ones are before the reset
		if _, err = b.Write([]byte("x")); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err == nil {
		t.Error("writes to a connection closed there succeed")
	}
}
