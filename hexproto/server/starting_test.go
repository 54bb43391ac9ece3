package server_test

import (
	"encoding/json"
	"testing"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// slowRules start a game of Havannah when it is released. Each sends its release.
type slowRules struct {
	game.Rules
	starts chan chan bool
}

func (r slowRules) New(options json.RawMessage) (game.Game, error) {
	release := make(chan bool)
	r.starts <- release
	<-release
	return r.Rules.New(options)
}

// While the rules start a game, others go on: whoever challenges a player or a bot, or accepts.
func TestGamesStartWithoutTheLock(t *testing.T) {
	slow := slowRules{havannahbot.Rules{}, make(chan chan bool)}
	h := start(t, func(c *server.Config) { c.Rules = []game.Rules{slow} })
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	begins := func(p *peer, m wire.Message) *wire.Ack {
		t.Helper()
		id := p.send(m)
		release := <-slow.starts
		eve.must(&wire.EnterLobby{})
		close(release)
		ack, e := p.answer(id)
		if e != nil {
			t.Fatal(e)
		}
		return ack
	}
	options := json.RawMessage(`{"side":3}`)
	c := begins(ada, &wire.Challenge{Rules: boards.HavannahName, Options: options, To: "bob"}).Challenge
	if g := begins(bob, &wire.Accept{Challenge: c}); g.Game == "" || want[wire.Game](ada).Game != g.Game {
		t.Errorf("%+v", g)
	}
	if g := begins(ada, &wire.Challenge{Rules: boards.HavannahName, Options: options, To: "random"}); g.Game == "" {
		t.Errorf("%+v", g)
	}
}

// The server reads so many bytes of options for an account, and then some a second: of challenges, of
// those that it accepts, and of games in which it takes moves back.
func TestLargeOptionsHaveAPrice(t *testing.T) {
	now := time.Now() // a clock that stands: no bytes come back
	t.Cleanup(server.SetClock(func() time.Time { return now }))
	h := start(t, withMatrix)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	options := largeGame(t, "chicken", 60)
	large := wire.Challenge{Rules: boards.MatrixName, Options: options}
	last := ""
	for range 64 << 10 / len(options) {
		last = ada.must(&large).Challenge
	}
	if e := ada.refused(&large, wire.TooFast); e.Retry < 1 || e.Retry > 5000 {
		t.Fatalf("%+v", e)
	}
	ada.refused(&wire.Challenge{Rules: boards.MatrixName, Options: options, To: "dice"}, wire.TooFast)
	id := bob.must(&wire.Accept{Challenge: last}).Game // it costs bob
	move := func(turn int) {
		t.Helper()
		for _, p := range []*peer{ada, bob} {
			p.must(&wire.Play{Game: id, Turn: turn, Move: "1"})
		}
	}
	move(0)
	ada.refused(&wire.Offer{Game: id, Offer: wire.OfferTakeback}, wire.TooFast)
	bob.must(&wire.Offer{Game: id, Offer: wire.OfferTakeback})
	ada.must(&wire.Offer{Game: id, Offer: wire.OfferTakeback})
	move(0)
	// Other accounts, and messages that have no options, are not concerned.
	eve.must(&large)
	ada.must(&wire.Resign{Game: id})
}

// Options have whole numbers however they are written.
func TestWholeOptions(t *testing.T) {
	h := start(t, func(c *server.Config) { withPoker(t, "leduc")(c); withMatrix(c) })
	ada := join(t, h, "ada")
	for _, c := range []struct{ rules, options, want string }{
		{"havannah", `{"side":8.0}`, `{"side":8}`},
		{"havannah", `{"side":1e1}`, `{"side":10}`},
		{"leduc", `{"hands":2.4e1}`, `{"hands":24}`},
		{boards.MatrixName, `{"rounds":700.00e-2}`, `{"game":"rock-paper-scissors","rounds":7}`},
		{"havannah", `{"side":8.5}`, ""},
		{"havannah", `{"side":1e400}`, ""},
		{"havannah", `{"side":"8"}`, ""},
	} {
		m := &wire.Challenge{Rules: c.rules, Options: json.RawMessage(c.options)}
		if c.want == "" {
			ada.refused(m, wire.Illegal)
			continue
		}
		ada.send(&wire.ViewChallenge{Challenge: ada.must(m).Challenge})
		if got := want[wire.Challenged](ada); string(got.Options) != c.want {
			t.Errorf("%s: %s, want %s", c.options, got.Options, c.want)
		}
	}
}
