package server_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// The page for hosts has a row for each message that a client can send, and for no other.
func TestPageHasEachMessage(t *testing.T) {
	page, err := os.ReadFile("../../docs/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	const head = "| message | bytes in | readers | bytes out | budget | ban, mute, block | checked against the game |"
	_, table, ok := strings.Cut(string(page), head+"\n|---|---|---|---|---|---|---|\n")
	if !ok {
		t.Fatalf("no table %s", head)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	got := map[string]int{}
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 7 || slices.ContainsFunc(cells, func(s string) bool { return strings.TrimSpace(s) == "" }) {
			t.Errorf("%d cells, or an empty one: %s", len(cells), line)
		}
		for name := range strings.SplitSeq(cells[0], ",") {
			got[strings.Trim(name, " `")]++
		}
	}
	for kind := range wire.FromClient {
		if got[kind] != 1 {
			t.Errorf("%s has %d rows", kind, got[kind])
		}
		delete(got, kind)
	}
	if len(got) > 0 {
		t.Errorf("rows of no message: %v", got)
	}
}

// flood is a test of what one account has others sent: eve, who plays with bob, while ada and cy watch and read the
// lobby. Nobody's time passes.
type flood struct {
	*testing.T
	h             *testServer
	eve, bob, ada *peer
	cy            *peer
	game          string // the one that eve and bob play
	table         string // a challenge of bob for three
}

// attacks are, for each message of a client, what eve does the nth time to have others sent as much as she can.
var attacks = map[string]func(f *flood, n int){
	"hello": func(f *flood, _ int) {
		f.eve.ws.Close()
		again := dial(f.T, f.h)
		again.send(&wire.Hello{Version: wire.Version, Token: f.eve.token, Views: true})
		if _, m, _ := again.next(); wire.Type(m) == "welcome" {
			again.name, again.token, f.eve = "eve", f.eve.token, again
		}
	},
	"ping": func(f *flood, n int) {
		f.eve.send(&wire.Ping{At: int64(n)})
		want[wire.Pong](f.eve)
	},
	"enter_lobby": func(f *flood, _ int) { f.try(&wire.EnterLobby{On: true}) },
	"challenge": func(f *flood, n int) {
		m := &wire.Challenge{Rules: "havannah", Tag: fmt.Sprint(n, strings.Repeat("<", 50))}
		if n%2 == 1 {
			m.To = "ada"
		}
		if ack := f.try(m); ack != nil {
			f.try(&wire.Cancel{Challenge: ack.Challenge})
		}
	},
	"view_challenge": func(f *flood, _ int) { f.try(&wire.ViewChallenge{Challenge: f.table}) },
	"accept": func(f *flood, _ int) {
		f.try(&wire.Accept{Challenge: f.table})
		f.try(&wire.Cancel{Challenge: f.table})
	},
	"cancel": func(f *flood, n int) {
		if ack := f.try(&wire.Challenge{Rules: "havannah"}); ack != nil {
			f.try(&wire.Cancel{Challenge: ack.Challenge})
		}
	},
	"decline": func(f *flood, _ int) {
		if ack, e := f.bob.ask(&wire.Challenge{Rules: "havannah", To: "eve"}); e == nil {
			f.try(&wire.Decline{Challenge: ack.Challenge, Reason: "generic", Text: strings.Repeat("<", 300)})
		}
	},
	"watch":   func(f *flood, _ int) { f.try(&wire.Watch{Game: f.game}) },
	"unwatch": func(f *flood, _ int) { f.try(&wire.Unwatch{Game: f.game}) },
	"play":    (*flood).move,
	"resign": func(f *flood, _ int) {
		if ack := f.try(&wire.Challenge{Rules: "havannah", To: "random"}); ack != nil {
			f.try(&wire.Resign{Game: ack.Game})
		}
	},
	"abort": func(f *flood, _ int) {
		if ack := f.try(&wire.Challenge{Rules: "havannah", To: "random"}); ack != nil {
			f.try(&wire.Abort{Game: ack.Game})
		}
	},
	"offer": func(f *flood, _ int) {
		f.try(&wire.Play{Game: f.game, Move: "a1"})
		for _, offer := range []string{wire.OfferDraw, wire.OfferTakeback} {
			f.try(&wire.Offer{Game: f.game, Offer: offer})
			f.try(&wire.Offer{Game: f.game, Offer: offer, No: true})
		}
		f.bob.ask(&wire.Play{Game: f.game, Turn: 1, Move: "b2"})
		if f.try(&wire.Offer{Game: f.game, Offer: wire.OfferTakeback}) != nil {
			f.bob.ask(&wire.Offer{Game: f.game, Offer: wire.OfferTakeback})
		}
	},
	"here": func(f *flood, n int) { f.try(&wire.Here{Game: f.game, Hand: n}) },
	"chat": func(f *flood, n int) {
		f.try(&wire.Chat{Game: []string{"", f.game}[n%2], Text: strings.Repeat("<", 300)})
	},
	"ignore":  func(f *flood, n int) { f.try(&wire.Ignore{Name: "ada", How: []string{"mute", ""}[n%2]}) },
	"analyse": func(f *flood, _ int) { f.try(&wire.Analyse{Game: f.game}) },
	"explore": func(f *flood, _ int) { f.try(&wire.Explore{Game: f.game}) },
	"import":  func(f *flood, _ int) { f.try(&wire.Import{Text: "side=8 : h8"}) },
	"analysis": func(f *flood, n int) {
		m := &wire.Analysis{Game: f.game, Turn: n}
		legal := f.legal()
		for _, move := range legal[n+1:] {
			m.Moves = append(m.Moves, wire.Rated{Move: move, Value: 0.5, Line: []string{move, move}})
		}
		f.try(m)
		f.move(n)
	},
}

// try sends a message of eve's and waits for the answer, whatever it is. It returns an ack, or nil.
func (f *flood) try(m wire.Message) *wire.Ack {
	id := f.eve.send(m)
	for {
		of, m, err := f.eve.next()
		if err != nil {
			f.Fatal(err)
		}
		if of == id {
			ack, _ := m.(*wire.Ack)
			return ack
		}
	}
}

// move makes the nth move of the game.
func (f *flood) move(n int) {
	if legal := f.legal(); n < len(legal)-1 {
		[]*peer{f.eve, f.bob}[n%2].ask(&wire.Play{Game: f.game, Turn: n, Move: legal[n]})
	}
}

// legal returns the moves of the empty board of f.game.
func (f *flood) legal() (moves []string) {
	for row := 1; row <= 15; row++ {
		for _, column := range "abcdefgh" {
			moves = append(moves, fmt.Sprintf("%c%d", column, row))
		}
	}
	return moves[:64]
}

// Whatever one account does, and however often, others are sent no more of it at once than its budget, and of the
// games that they watch no more than theirs; an opponent is sent all moves. Everybody may go on playing.
func TestFloodsOfOthers(t *testing.T) {
	const sent, rounds = 400, 60
	if missing := len(wire.FromClient) - len(attacks); missing != 0 {
		t.Errorf("%d messages, and the attacks are %v", len(wire.FromClient), slices.Sorted(maps.Keys(attacks)))
	}
	for kind := range wire.FromClient {
		t.Run(kind, func(t *testing.T) {
			passed := passTime(t)
			h := start(t, func(c *server.Config) {
				withPoker(t, sixMax)(c)
				c.Limits.Sent, c.Limits.Rate, c.Limits.Burst = sent, 1e6, 1e6
			})
			f := &flood{T: t, h: h, eve: join(t, h, "eve"), bob: join(t, h, "bob"), ada: join(t, h, "ada")}
			f.cy = join(t, h, "cy")
			f.game = sit(t, f.eve, f.bob, wire.Challenge{Options: json.RawMessage(`{"side":8}`)})
			three := &wire.Challenge{Rules: sixMax, Players: 3, Fill: wire.Names{"caller-" + sixMax}}
			f.table = f.bob.must(three).Challenge
			passed.Add(int64(time.Hour)) // nobody has been sent anything of late
			others := []*peer{f.bob, f.ada, f.cy}
			bytes := map[*peer]int{}
			for _, p := range others[1:] {
				p.state(f.game)
				p.send(&wire.EnterLobby{On: true, Changes: true})
				want[wire.Lobby](p)
			}
			for _, p := range others {
				p.tap = func(frame []byte) {
					if p != f.bob || !strings.HasPrefix(string(frame), `{"type":"moved"`) {
						bytes[p] += len(frame)
					}
				}
			}
			for n := range rounds {
				attacks[kind](f, n)
			}
			all := 0
			for _, p := range others {
				p.must(&wire.EnterLobby{}) // all that was sent before has come by then
				p.heard = nil
				all += bytes[p]
				if bytes[p] > 2*33*sent {
					t.Errorf("%s is sent %d bytes", p.name, bytes[p])
				}
			}
			reach := []string{"accept", "analysis", "challenge", "chat", "decline", "hello", "offer", "play"}
			if reaches := all > 1000; reaches != slices.Contains(reach, kind) {
				t.Errorf("%s sends others %d bytes", kind, all)
			}
			id := sit(t, f.ada, f.cy, wire.Challenge{})
			f.ada.must(&wire.Play{Game: id, Turn: 0, Move: "a1"})
		})
	}
}

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

// An honest bot with a crowd of spectators publishes each analysis of a game at a move a second, and takes a move
// back.
func TestCrowd(t *testing.T) {
	passed := passTime(t)
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{Options: json.RawMessage(`{"side":13}`)})
	for i := range 150 {
		p := join(t, h, fmt.Sprint("cy", i))
		p.send(&wire.Watch{Game: id})
		go func() {
			for {
				if _, _, err := p.ws.ReadMessage(); err != nil {
					return
				}
			}
		}()
	}
	legal := ada.state(id).View.Legal
	line := legal[200:210]
	for turn := range 60 {
		mover := []*peer{ada, bob}[turn%2]
		if mover == ada {
			m := &wire.Analysis{Game: id, Turn: turn}
			for _, move := range legal[100:120] {
				m.Moves = append(m.Moves, wire.Rated{Move: move, Value: 0.123456789, Work: 123456, Line: line})
			}
			ada.must(m)
		}
		mover.must(&wire.Play{Game: id, Turn: turn, Move: legal[turn]})
		passed.Add(1e9)
	}
	ada.must(&wire.Offer{Game: id, Offer: wire.OfferTakeback})
	bob.must(&wire.Offer{Game: id, Offer: wire.OfferTakeback})
}

// A spectator who does not read is not cut off by the play of others, and is sent the state in the end. Who has
// left the game is not.
func TestSlowSpectator(t *testing.T) {
	passed := passTime(t)
	h := start(t, func(c *server.Config) {
		c.Limits.Queue, c.Limits.Sent, c.Limits.Rate, c.Limits.Burst = 200_000, 1<<30, 1e6, 1e6
	})
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	id := sit(t, ada, bob, wire.Challenge{Options: json.RawMessage(`{"side":13}`)})
	eve.state(id)
	for range 150 { // each is 30 kB, and the system does not hold so much
		ada.must(&wire.Play{Game: id, Move: "a1"})
		ada.must(&wire.Offer{Game: id, Offer: wire.OfferTakeback})
		bob.must(&wire.Offer{Game: id, Offer: wire.OfferTakeback})
		passed.Add(1e9)
	}
	ada.must(&wire.Play{Game: id, Move: "a1"})
	bob.must(&wire.Play{Game: id, Turn: 1, Move: "b2"})
	for last, frames := 0, 0; last < 2; frames++ {
		_, m, err := eve.next()
		if err != nil {
			t.Fatalf("after %d messages: %v", frames, err)
		}
		switch m := m.(type) {
		case *wire.Moved:
			last = m.Turn + 1
		case *wire.Game:
			last = m.Turn
		}
	}
	eve.must(&wire.Unwatch{Game: id})
	ada.must(&wire.Play{Game: id, Turn: 2, Move: "c3"})
	eve.must(&wire.EnterLobby{})
	if n := len(eve.heard); n > 0 {
		t.Errorf("%d messages after unwatch: %+v", n, eve.heard[0])
	}
}
