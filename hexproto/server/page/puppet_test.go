package page_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// puppet is a player without a page that a test controls.
type puppet struct {
	*testing.T
	ws    *websocket.Conn
	token string // token of a new account
	last  uint64 // id
}

func newPuppet(t *testing.T, h *testServer, hello wire.Hello) *puppet {
	t.Helper()
	ws, reply, err := websocket.DefaultDialer.Dial("ws://"+h.address+"/ws", http.Header{})
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	t.Cleanup(func() { ws.Close() })
	p := &puppet{T: t, ws: ws}
	hello.Version = wire.Version
	p.token = ask[wire.Welcome](p, hello).Token
	return p
}

// ask sends a message and waits for the answer to it; what else comes is passed
// over.
func ask[R any](p *puppet, m wire.Message) R {
	p.Helper()
	p.last++
	frame, err := wire.Encode(p.last, m)
	if err != nil {
		p.Fatal(err)
	}
	if err := p.ws.WriteMessage(websocket.TextMessage, frame); err != nil {
		p.Fatal(err)
	}
	for {
		var answer struct {
			ID uint64 `json:"id"`
			wire.Error
		}
		frame := p.next()
		if err := json.Unmarshal(frame, &answer); err != nil {
			p.Fatal(err)
		}
		if answer.ID != p.last {
			continue
		}
		if answer.Code != "" {
			p.Fatalf("%s: %v", wire.Type(m), &answer.Error)
		}
		var r R
		if err := json.Unmarshal(frame, &r); err != nil {
			p.Fatal(err)
		}
		return r
	}
}

// next waits for a message of a type.
func next[M any](p *puppet, kind string) M {
	p.Helper()
	for {
		frame := p.next()
		var m struct{ Type string }
		if err := json.Unmarshal(frame, &m); err != nil {
			p.Fatal(err)
		}
		if m.Type == kind {
			var message M
			if err := json.Unmarshal(frame, &message); err != nil {
				p.Fatal(err)
			}
			return message
		}
	}
}

func (p *puppet) next() []byte {
	p.Helper()
	if err := p.ws.SetReadDeadline(time.Now().Add(patience)); err != nil {
		p.Fatal(err)
	}
	_, frame, err := p.ws.ReadMessage()
	if err != nil {
		p.Fatal(err)
	}
	return frame
}

// playGame has two puppets play a game, the first from seat 0, and returns its id.
func playGame(first, second *puppet, c wire.Challenge, moves []string) string {
	first.Helper()
	c.Seat = "first"
	challenge := ask[wire.Ack](first, c).Challenge
	game := ask[wire.Ack](second, wire.Accept{Challenge: challenge}).Game
	for turn, move := range moves {
		mover := [2]*puppet{first, second}[turn%2]
		ask[wire.Ack](mover, wire.Play{Game: game, Turn: turn, Move: move})
	}
	return game
}
