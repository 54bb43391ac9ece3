package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

// raw opens a plain connection and sends a text.
func raw(t *testing.T, address, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// A request with a body is refused at once, and its connection is closed. Nobody waits
// for the rest of the body.
func TestBodies(t *testing.T) {
	h := start(t, nil)
	address := strings.TrimPrefix(h.web.URL, "http://")
	for _, head := range []string{"POST /healthz", "GET /records/", "PUT /"} {
		for _, body := range []string{
			"Content-Length: 100\r\n\r\nx", "Content-Length: 10000000000\r\n\r\nx",
			"Transfer-Encoding: chunked\r\n\r\n5\r\nab",
		} {
			c := raw(t, address, head+" HTTP/1.1\r\nHost: "+address+"\r\n"+body)
			from := bufio.NewReader(c)
			r, err := http.ReadResponse(from, nil)
			if err != nil || r.StatusCode != http.StatusRequestEntityTooLarge {
				t.Fatalf("%s %q: %v, %v", head, body, r, err)
			}
			r.Body.Close()
			if _, err := io.Copy(io.Discard, from); err != nil && strings.Contains(err.Error(), "timeout") {
				t.Errorf("%s %q: the connection stays", head, body)
			}
		}
	}
}

// countingListener counts the connections that are open.
type countingListener struct {
	net.Listener
	open, most atomic.Int64
}

func (l *countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.most.Store(max(l.most.Load(), l.open.Add(1))) // nobody else accepts
	return &countedConn{c, sync.OnceFunc(func() { l.open.Add(-1) })}, nil
}

type countedConn struct {
	net.Conn
	closed func()
}

func (c *countedConn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// Requests that never end do not keep others from being answered: only so many of them
// are kept.
func TestSlowRequests(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Connections = 1 })
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &countingListener{Listener: inner}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- h.Serve(ctx, l, "", "") }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	address := l.Addr().String()
	for range 1500 { // more than the server keeps
		raw(t, address, "GET / HTTP/1.1\r\nX-")
	}
	c := raw(t, address, "GET /healthz HTTP/1.1\r\nHost: "+address+"\r\n\r\n")
	if r, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%v, %v", r, err)
	}
	if most := l.most.Load(); most > 1100 {
		t.Errorf("%d connections are open", most)
	}
}

// slowReader is a client that sees the time limits of what it is sent.
type slowReader struct {
	*httptest.ResponseRecorder
	t       *testing.T
	limited bool
}

func (r *slowReader) SetWriteDeadline(time.Time) error {
	r.limited = true
	return nil
}

func (r *slowReader) Write(text []byte) (int, error) {
	if !r.limited || len(text) > 64<<10 {
		r.t.Errorf("%d bytes are written at once, with a time limit of their own: %v", len(text), r.limited)
	}
	r.limited = false
	return r.ResponseRecorder.Write(text)
}

// A response has a time limit for each part, not for the whole, so that slow clients can
// download many games.
func TestSlowDownload(t *testing.T) {
	h := start(t, nil)
	played(t, h)
	for _, path := range []string{"/records/games.jsonl", "/records/", "/players/ada"} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", path, nil)
		r.Host = "127.0.0.1"
		w := &slowReader{ResponseRecorder: httptest.NewRecorder(), t: t}
		if h.Handler().ServeHTTP(w, r); w.Code != http.StatusOK || w.Body.Len() == 0 {
			t.Errorf("%s: %d, %s", path, w.Code, w.Body)
		}
	}
}

// Wrong tokens become rarer and rarer; right ones are not delayed. They are counted,
// and logged once.
func TestWrongTokens(t *testing.T) {
	var log bytes.Buffer
	var mu sync.Mutex
	h := start(t, func(c *server.Config) {
		c.Open, c.MetricsReaders = false, []string{"ada"}
		c.Log = slog.New(slog.NewTextHandler(locked{&mu, &log}, nil))
	})
	token, err := server.AddAccount(h.Config.Database, "ada", false)
	if err != nil {
		t.Fatal(err)
	}
	greet(t, h, token) // the server has to look it up
	var peers []*peer
	for i := range 100 {
		p := dial(t, h)
		p.send(&wire.Hello{Version: wire.Version, Token: fmt.Sprint("gb_", i)})
		peers = append(peers, p)
	}
	codes := map[string]int{}
	for _, p := range peers[60:] {
		if _, m, err := p.next(); err == nil {
			e, ok := m.(*wire.Error)
			if !ok {
				t.Fatalf("answered by %+v", m)
			}
			if codes[e.Code]++; e.Code == wire.TooFast && e.Retry <= 0 {
				t.Errorf("%+v", e)
			}
		}
		if codes[wire.TooFast] > 0 {
			break
		}
	}
	if codes[wire.TooFast] == 0 {
		t.Errorf("answered by %v", codes)
	}
	greet(t, h, token)
	if got := get(t, h, "/records/", "gb_no"); got != "429" {
		t.Errorf("records are answered by %s", got)
	}
	if m := get(t, h, "/metrics", token); !strings.Contains(m, "hexproto_wrong_tokens_total") ||
		strings.Contains(m, "hexproto_wrong_tokens_total 0") {
		t.Errorf("metrics: %s", m)
	}
	h.end()
	mu.Lock()
	defer mu.Unlock()
	const line = "msg=refused address=127.0.0.1 code=token" // another line at the end counts the others
	if n := strings.Count(log.String(), line); n != 2 || !strings.Contains(log.String(), line+" more=") {
		t.Errorf("%d lines in the log: %s", n, &log)
	}
}

func greet(t *testing.T, h *testServer, token string) {
	t.Helper()
	p := dial(t, h)
	p.greet(&wire.Hello{Version: wire.Version, Token: token})
}

// locked is a writer for many goroutines.
type locked struct {
	mu *sync.Mutex
	io.Writer
}

func (l locked) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Writer.Write(text)
}

// slowAnalyst are rules whose analyses end when the test lets one go, or their client goes.
type slowAnalyst struct {
	brittle
	next chan bool
}

func (r slowAnalyst) Analyse(ctx context.Context, _ game.Game, _ string) ([]wire.Rated, error) {
	select {
	case <-r.next:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) { // the machine is busy
			<-r.next
		}
	}
	return []wire.Rated{}, nil
}

// An account that asks for many analyses has one at a time. Others come next, however
// many connections it has.
func TestAnalysesInTurn(t *testing.T) {
	rules := slowAnalyst{newBrittle(), make(chan bool)}
	defer close(rules.next)
	h := start(t, func(c *server.Config) {
		c.Rules = append(c.Rules, rules)
		c.Bots = append(c.Bots, engines.Bot{Name: "waiting", Rules: []string{"brittle"}, Bot: resigner{}})
	})
	eve, ada := join(t, h, "eve"), join(t, h, "ada")
	id := ada.must(&wire.Challenge{Rules: "brittle", To: "waiting", Seat: "first"}).Game
	floods := []*peer{eve, eve.again(h), eve.again(h), eve.again(h)}
	for _, p := range floods {
		p.send(&wire.Analyse{Game: id})
		for range 20 { // while that one waits
			if e := p.refused(&wire.Analyse{Game: id}, wire.TooFast); e.Retry <= 0 {
				t.Errorf("%+v", e)
			}
		}
	}
	late := join(t, h, "late")
	late.send(&wire.Analyse{Game: id})
	late.refused(&wire.Analyse{Game: id}, wire.TooFast)
	for !strings.Contains(get(t, h, "/metrics", late.token), "\nhexproto_analysing_accounts 2\n") {
		time.Sleep(time.Millisecond)
	}
	for range 3 { // the one of eve, which runs, another if it came first by a hair, and the late one
		rules.next <- true
	}
	want[wire.Analysis](late)
	floods[3].ws.Close() // what it waits for ends with it
	rules.next <- true
}
