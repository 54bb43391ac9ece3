package client

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// recorder is a handler that keeps what it is sent.
type recorder struct {
	welcomed chan bool
	messages chan wire.Message
}

func (r *recorder) Welcome(*wire.Welcome)  { r.welcomed <- true }
func (r *recorder) Message(m wire.Message) { r.messages <- m }
func (r *recorder) Lost(error)             {}

// A call whose context ends leaves nothing behind. If its answer comes after all, nobody gets
// it; a state, and what answers no call, goes to the handler.
func TestCallsThatEnd(t *testing.T) {
	const calls = 20
	answers := make(chan bool) // the server answers all calls
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if agent := r.UserAgent(); agent != "x 1.0" {
			t.Errorf("the agent of the handshake is %q", agent)
		}
		ws, err := new(websocket.Upgrader).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer ws.Close()
		send := func(id uint64, m wire.Message) {
			frame, err := wire.Encode(id, m)
			if err == nil {
				err = ws.WriteMessage(websocket.TextMessage, frame)
			}
			if err != nil {
				t.Error(err)
			}
		}
		var ids []uint64
		for len(ids) < calls {
			_, frame, err := ws.ReadMessage()
			if err != nil {
				t.Error(err)
				return
			}
			id, m, err := wire.FromClient.Decode(frame)
			switch m.(type) {
			case *wire.Hello:
				send(id, &wire.Welcome{Version: wire.Version})
			case *wire.Ping:
			default:
				ids = append(ids, id)
			}
			if err != nil {
				t.Error(err)
			}
		}
		<-answers
		for _, id := range ids[1:] {
			send(id, &wire.Ack{})
		}
		send(ids[0], &wire.Game{Game: "g1", Seats: make([]wire.Player, 2)})
		send(0, &wire.Said{})
		<-answers
	}))
	defer web.Close()
	r := &recorder{make(chan bool), make(chan wire.Message, calls)}
	c := &Client{
		URL: "ws" + strings.TrimPrefix(web.URL, "http"), Hello: wire.Hello{Token: "x", Agent: "x 1.0"},
		Handler: r, Timeout: time.Minute,
	}
	running, end := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.Run(running) }()
	<-r.welcomed
	short, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	for range calls {
		go func() {
			_, err := c.Call(short, &wire.Resign{Game: "g1"})
			failed <- err
		}()
	}
	left := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.link.calls)
	}
	for left() < calls {
		time.Sleep(time.Millisecond)
	}
	cancel()
	for range calls {
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("a call ends with %v", err)
		}
	}
	if n := left(); n > 0 {
		t.Errorf("%d calls are left", n)
	}
	answers <- true
	if m, ok := (<-r.messages).(*wire.Game); !ok {
		t.Errorf("the handler is sent %+v", m)
	}
	if m, ok := (<-r.messages).(*wire.Said); !ok {
		t.Errorf("the handler is sent %+v", m)
	}
	answers <- true
	end()
	if err := <-ended; err != nil || len(r.messages) > 0 {
		t.Errorf("%v, and %d more messages", err, len(r.messages))
	}
}
