package limit

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"testing"
	"time"

	"gamebots/internal/parallel"
)

// serve serves with limits.
func serve(t *testing.T, limit, perClient int, exempt bool, handler http.HandlerFunc) *Listener {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &http.Server{Handler: handler}
	l := Listen(inner, limit, perClient, func(string) bool { return exempt })
	l.Serve(h)
	ended := make(chan error)
	go func() { ended <- h.Serve(l) }()
	t.Cleanup(func() {
		h.Close()
		<-ended
		l.sockets.With(func(l *sockets) {
			if l.open != 0 || len(l.clients) != 0 || l.waiting.Len() != 0 {
				t.Errorf("in the end %d are open, of %d clients, and %d wait", l.open, len(l.clients), l.waiting.Len())
			}
		})
	})
	return l
}

func dial(t *testing.T, l *Listener, head string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := fmt.Fprint(c, head); err != nil {
		t.Fatal(err)
	}
	return c
}

// answer reads the answer to a request; it returns 0 if the connection ends.
func answer(t *testing.T, c net.Conn) int {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(20 * time.Second))
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	defer r.Body.Close()
	io.Copy(io.Discard, r.Body)
	return r.StatusCode
}

// awaitIdle waits until a connection waits for a request.
func (l *Listener) awaitIdle() {
	for idle := false; !idle; time.Sleep(time.Millisecond) {
		idle = parallel.Get(&l.sockets, func(l *sockets) bool { return l.waiting.Len() > 0 })
	}
}

const (
	slow  = "GET / HTTP/1.1\r\nHost: a\r\nX-"
	whole = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
)

// However many connections wait with half a request, a whole one is answered.
func TestSlowHeads(t *testing.T) {
	for _, exempt := range []bool{false, true} {
		l := serve(t, 8, 5, exempt, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
		keeps := dial(t, l, whole)
		answer(t, keeps)
		l.awaitIdle() // the server may note it after it has answered
		for range 50 {
			dial(t, l, slow)
		}
		if got := answer(t, dial(t, l, whole)); got != http.StatusOK {
			t.Errorf("behind slow requests the answer is %d", got)
		}
		// A connection that is kept for later had to give way, too.
		fmt.Fprint(keeps, whole)
		if got := answer(t, keeps); got != 0 {
			t.Errorf("the oldest is still answered: %d", got)
		}
	}
}

// A request that is served keeps its connection, and so does what is hijacked. Where
// all are in use a new connection is closed.
func TestConnectionsInUse(t *testing.T) {
	arrived, proceed := make(chan bool, 10), make(chan bool)
	l := serve(t, 3, 100, false, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
			}
			arrived <- true
			<-proceed
			fmt.Fprint(c, "HTTP/1.1 204 No Content\r\n\r\n")
			c.Close()
			return
		}
		arrived <- true
		<-proceed
	})
	hijacked := dial(t, l, "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\n\r\n")
	served := []net.Conn{dial(t, l, whole), dial(t, l, whole)}
	for range 3 {
		<-arrived
	}
	if got := answer(t, dial(t, l, whole)); got != 0 {
		t.Errorf("one too many is answered with %d", got)
	}
	close(proceed)
	for _, c := range append(served, hijacked) {
		if got := answer(t, c); got/100 != 2 {
			t.Errorf("a request in progress is answered with %d", got)
		}
	}
	io.Copy(io.Discard, hijacked) // until the handler has closed it
}

// However few files a process may open, some are left for other things than connections.
func TestRoom(t *testing.T) {
	for files, want := range map[int]int{40: 20, 128: 64, 1024: 960, 65536: 65472} {
		if got := room(files); got != want {
			t.Errorf("of %d files %d are for connections, want %d", files, got, want)
		}
	}
}

func TestClient(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.7:80": "203.0.113.7", "203.0.113.7": "203.0.113.7", "[::1]:80": "::1",
		"[::ffff:203.0.113.7]:80": "203.0.113.7",
		"[2001:db8:1:2:3::7]:80":  "2001:db8:1:2::/64", "2001:db8:1:2:9::9": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:80": "fe80::/64", "@": "@",
	} {
		if got := Client(address); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
}

// The networks around an IPv6 client have limits of their own, of which a proxy has none.
func TestCrowdedNetworks(t *testing.T) {
	l := &sockets{perClient: 2, exempt: func(client string) bool { return client == "::1" }, clients: map[string]int{}}
	networks := Networks("2001:db8:1:2345::/64")
	for _, c := range []struct{ client, wide, widest, want int }{
		{1, 3, 7, -1}, {2, 3, 7, 0}, {1, 4, 7, 1}, {1, 3, 8, 2}, {2, 4, 8, 0},
	} {
		l.clients[networks[0]], l.clients[networks[1]], l.clients[networks[2]] = c.client, c.wide, c.widest
		want := ""
		if c.want >= 0 {
			want = networks[c.want]
		}
		if got := l.crowded(networks); got != want {
			t.Errorf("%+v: %q is crowded, want %q", c, got, want)
		}
	}
	l.clients["::1"] = 100
	if got := l.crowded(Networks("::1")); got != "" {
		t.Errorf("%s is crowded", got)
	}
}

func TestNetworks(t *testing.T) {
	for client, want := range map[string][]string{
		"203.0.113.7": {"203.0.113.7"}, "::1": {"::1"}, "@": {"@"},
		"2001:db8:1:2345::/64": {"2001:db8:1:2345::/64", "2001:db8:1:2300::/56", "2001:db8:1::/48"},
	} {
		if got := Networks(client); !slices.Equal(got, want) {
			t.Errorf("%s is in %v, want %v", client, got, want)
		}
	}
}
