package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// An error repeats a part of a wrong message only.
func TestErrorsAreShort(t *testing.T) {
	h := start(t, withMatrix)
	ada := join(t, h, "ada")
	id := ada.must(&wire.Challenge{Rules: "havannah", To: "random", Seat: "first"}).Game
	long := strings.Repeat("<\x01", 1200)
	longest := 0
	ada.tap = func(frame []byte) {
		if strings.HasPrefix(string(frame), `{"type":"error"`) {
			longest = max(longest, len(frame))
		}
	}
	options, _ := json.Marshal(boards.MatrixOptions{Game: long})
	for _, m := range []wire.Message{
		&wire.Challenge{Rules: long}, &wire.Challenge{Rules: "havannah", To: long},
		&wire.Challenge{Rules: boards.MatrixName, Options: options}, &wire.Ignore{Name: long},
		&wire.Challenge{Rules: "havannah", Seat: long}, &wire.Play{Game: id, Move: long},
		&wire.Analyse{Game: id, By: long}, &wire.Explore{Game: id, Line: []string{long}},
		&wire.Offer{Game: id, Offer: long}, &wire.Decline{Challenge: long},
	} {
		if _, e := ada.ask(m); e == nil {
			t.Errorf("%T is carried out", m)
		}
	}
	frame, _ := json.Marshal(map[string]string{"type": strings.Repeat("<", 2500)})
	ada.raw(websocket.TextMessage, frame)
	if e := want[wire.Error](ada); e.Code != wire.UnknownType {
		t.Errorf("%+v", e)
	}
	if longest < 1000 || longest > 2000 { // 300 characters, of which JSON writes one as six
		t.Errorf("an error has %d bytes", longest)
	}
}
