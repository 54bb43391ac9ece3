package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gamebots/internal/parallel"

	"github.com/gorilla/websocket"
)

// A connection with too much to read is reset: nothing is left to the system, which
// would go on sending for minutes.
func TestFullQueueResets(t *testing.T) {
	for name, serve := range map[string]func(http.Handler) *httptest.Server{
		"plain": httptest.NewServer, "TLS": httptest.NewTLSServer,
	} {
		t.Run(name, func(t *testing.T) {
			web := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				ws, err := upgrader.Upgrade(w, r, nil)
				if err != nil {
					t.Error(err)
					return
				}
				c := &conn{
					s: &Server{
						core: &core{limits: Limits{Queue: 2}}, journal: newJournal(slog.New(slog.DiscardHandler)),
					},
					ws: ws, wake: make(chan struct{}, 1),
				}
				for range 3 { // each counts for a byte
					c.enqueue(&frame{text: []byte("{}")})
				}
			}))
			defer web.Close()
			dialer := websocket.Dialer{
				TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, HandshakeTimeout: 2 * time.Minute,
			}
			ws, _, err := dialer.Dial("ws"+strings.TrimPrefix(web.URL, "http"), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer ws.Close()
			ws.SetReadDeadline(time.Now().Add(2 * time.Minute))
			_, _, err = ws.ReadMessage()
			if said := (*websocket.CloseError)(nil); err == nil || errors.As(err, &said) {
				t.Errorf("it ends with %v, not with a reset", err)
			}
		})
	}
}

// A client that says goodbye while there is more to write is not reset: it hears the
// answer.
func TestGoodbyeIsAnswered(t *testing.T) {
	written := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(written)
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		// More than the client takes unread, so that the answer waits behind it.
		if err := errors.Join(ws.NetConn().(*net.TCPConn).SetWriteBuffer(1<<20),
			ws.WriteMessage(websocket.TextMessage, make([]byte, 300<<10))); err != nil {
			t.Error(err)
		}
		if _, _, err := ws.ReadMessage(); err == nil {
			t.Error("no goodbye is heard")
		}
		c := &conn{
			s: &Server{core: &core{limits: Limits{Queue: 1 << 10, Idle: time.Minute}}}, ws: ws,
			wake: make(chan struct{}, 1),
		}
		c.enqueue(&frame{text: []byte("{}")})
		c.writeAll()
	}))
	defer web.Close()
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(web.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	if err := ws.WriteMessage(websocket.CloseMessage,
		websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-written:
	case <-time.After(2 * time.Minute):
		t.Fatal("the server goes on writing")
	}
	ws.SetReadDeadline(time.Now().Add(2 * time.Minute))
	_, frame, _ := ws.ReadMessage()
	if _, _, err := ws.ReadMessage(); len(frame) != 300<<10 ||
		!websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("after %d bytes the goodbye is answered with %v", len(frame), err)
	}
}

// A frame that many have to read is counted once, until the last one has it or is gone.
func TestFramesAreCounted(t *testing.T) {
	s := &Server{core: &core{limits: Limits{Queue: 1 << 10, QueueAll: 1 << 10}}}
	a, b := &conn{s: s, wake: make(chan struct{}, 1)}, &conn{s: s, wake: make(chan struct{}, 1)}
	counts := func(want int64) {
		t.Helper()
		if got := s.queues.size.Load(); got != want {
			t.Errorf("%d bytes are counted, want %d", got, want)
		}
	}
	shared, own := &frame{text: make([]byte, 100)}, &frame{text: make([]byte, 10)}
	a.enqueue(shared)
	b.enqueue(shared)
	a.enqueue(own)
	counts(110)
	f, _ := a.next()
	counts(110) // until it is written
	s.queues.drop(f)
	counts(110)
	b.queue.With(func(q *queue) { b.discard(q, []byte{}) })
	counts(10)
	b.enqueue(own)
	f, _ = a.next()
	s.queues.drop(f)
	counts(0)
	if a.size.Load() != 0 || b.size.Load() != 0 {
		t.Errorf("the queues have %d and %d bytes", a.size.Load(), b.size.Load())
	}
}

// What the connections of an account have not read is bounded together, and the one that has most
// makes room, not that of another account.
func TestQueuesOfAnAccount(t *testing.T) {
	s := &Server{
		core:   &core{limits: Limits{Queue: 1 << 10, QueueAll: 1 << 10}},
		queues: queues{conns: parallel.Guard(map[*conn]bool{})},
	}
	ada, bob := newAccount("ada", false, 0, newStrength()), newAccount("bob", false, 0, newStrength())
	var conns []*conn
	for _, a := range []*account{ada, ada, bob} {
		c := &conn{s: s, wake: make(chan struct{}, 1)}
		c.enqueue(&frame{text: make([]byte, 10)})
		s.queues.add(c)
		c.joinQueues(a)
		conns = append(conns, c)
	}
	for i, size := range []int{100, 50, 300} {
		conns[i].enqueue(&frame{text: make([]byte, size)})
	}
	if n, m := ada.unread.Load(), bob.unread.Load(); n != 170 || m != 310 {
		t.Errorf("the accounts have %d and %d bytes unread", n, m)
	}
	if c := s.queues.longest(&ada.unread); c != conns[0] {
		t.Error("not the longest queue of the account makes room")
	}
	if c := s.queues.longest(nil); c != conns[2] {
		t.Error("not the longest queue of all makes room")
	}
	conns[0].queue.With(func(q *queue) { conns[0].discard(q, []byte{}) })
	conns[1].next()
	if n := ada.unread.Load(); n != 50 {
		t.Errorf("the account has %d bytes unread", n)
	}
}

// What a connection asks for while the server ends is not answered as a failure, nor counted as one.
func TestNoAnswerAtTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := &conn{ctx: ctx, wake: make(chan struct{}, 1)} // without a server that counts
	c.reply(1, errFailed(""))
	if n := c.size.Load(); n != 0 {
		t.Errorf("an answer of %d bytes", n)
	}
}
