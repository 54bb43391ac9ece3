package dealer

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"gamebots/acpc/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func listen(t *testing.T) *Lobby {
	t.Helper()
	l, err := Listen("127.0.0.1", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestTCP plays a match over loopback; the seats connect in reverse order.
func TestTCP(t *testing.T) {
	m := newMatch(leduc(), 100)
	lobby := listen(t)
	var wg sync.WaitGroup
	addrs := lobby.Addrs()
	for i := len(addrs) - 1; i >= 0; i-- {
		conn, err := client.Dial(t.Context(), addrs[i], 0)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			c := client.Client{Game: m.Game, Player: bot(mixed)}
			if err := c.Play(t.Context(), conn); err != nil {
				t.Errorf("seat %d: %v", i, err)
			}
		})
	}
	conns, err := lobby.Accept(t.Context(), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := net.Dial("tcp", addrs[0]); err == nil {
		t.Error("a seat can be taken twice")
	}
	var log bytes.Buffer
	if _, err := m.Serve(t.Context(), conns, Record{Log: &log}); err != nil {
		t.Error(err)
	}
	wg.Wait()
	compareLines(t, log.String(), string(record(t, m, bot(mixed), bot(mixed))))
}

func TestAcceptTimesOut(t *testing.T) {
	lobby := listen(t)
	conn, err := client.Dial(t.Context(), lobby.Addrs()[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := lobby.Accept(t.Context(), 50*time.Millisecond); err == nil ||
		err.Error() != "timed out waiting for seat 2 to connect" {
		t.Errorf("error %v", err)
	}
}

func TestAcceptCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(10*time.Millisecond, func() { cancel(cause) })
	if _, err := listen(t).Accept(ctx, -1); err != cause {
		t.Errorf("error %v, want the cause", err)
	}
}

func TestPortTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if lobby, err := Listen("127.0.0.1", 0, uint16(l.Addr().(*net.TCPAddr).Port)); err == nil {
		lobby.Close()
		t.Error("no error for a port that is taken")
	}
}
