package server_test

import (
	"encoding/json"
	"sync"
	"testing"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"
)

// Two players who challenge each other on the same terms get one game, whoever is first, and
// at the same moment, too.
func TestCrossedChallenges(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	clock := wire.Clock{Main: 60_000}
	challenge := func(to *peer, seat string) *wire.Challenge {
		return &wire.Challenge{Rules: boards.HavannahName, Clock: clock, Seat: seat, To: to.name}
	}
	one := func(seats ...string) {
		t.Helper()
		var begun [2]string
		for i, p := range []*peer{ada, bob} {
			g := want[wire.Game](p)
			if begun[i] = g.Game; seats[i] != "" && g.You != map[string]int{"first": 0, "second": 1}[seats[i]] {
				t.Errorf("%s has seat %d", p.name, g.You)
			}
			if c := want[wire.Closed](p); c.Why != "accepted" || c.Game != g.Game {
				t.Errorf("%s hears %+v", p.name, c)
			}
		}
		if begun[0] != begun[1] {
			t.Fatalf("games %v", begun)
		}
		ada.must(&wire.Abort{Game: begun[0]})
		want[wire.Over](ada)
		want[wire.Over](bob)
	}
	first := ada.must(challenge(bob, "first")).Challenge
	if ack := bob.must(challenge(ada, "second")); ack.Game == "" || ack.Challenge != first {
		t.Errorf("%+v", ack)
	}
	one("first", "second")
	first = bob.must(challenge(ada, "random")).Challenge
	if ack := ada.must(challenge(bob, "")); ack.Game == "" || ack.Challenge != first {
		t.Errorf("%+v", ack)
	}
	one("", "")
	for range 20 {
		var both sync.WaitGroup
		both.Go(func() { ada.send(challenge(bob, "second")) })
		both.Go(func() { bob.send(challenge(ada, "first")) })
		both.Wait()
		one("second", "first")
	}
}

// A challenge on other terms than the one that waits is a challenge of its own.
func TestChallengesThatDoNotCross(t *testing.T) {
	h := start(t, nil)
	ada, bob, eve := join(t, h, "ada"), join(t, h, "bob"), join(t, h, "eve")
	minute := wire.Clock{Main: 60_000}
	waiting := wire.Challenge{Rules: boards.HavannahName, Clock: minute, Seat: "first", To: "bob", Tag: "t-1"}
	for name, change := range map[string]func(*wire.Challenge){
		"options":    func(c *wire.Challenge) { c.Options = json.RawMessage(`{"side":5}`) },
		"clock":      func(c *wire.Challenge) { c.Clock.Increment = 1 },
		"rated":      func(c *wire.Challenge) { c.Rated = true },
		"same seat":  func(c *wire.Challenge) { c.Seat = "first" },
		"any seat":   func(c *wire.Challenge) { c.Seat = "" },
		"tag":        func(c *wire.Challenge) { c.Tag = "t-2" },
		"another":    func(c *wire.Challenge) { c.To = "eve" },
		"to anybody": func(c *wire.Challenge) { c.To = "" },
	} {
		id := ada.must(&waiting).Challenge
		c := waiting
		c.To, c.Seat, c.Tag = "ada", "second", ""
		change(&c)
		ack := bob.must(&c)
		if ack.Game != "" || ack.Challenge == id {
			t.Fatalf("%s: %+v", name, ack)
		}
		bob.must(&wire.Cancel{Challenge: ack.Challenge})
		ada.must(&wire.Cancel{Challenge: id})
	}
	// Written otherwise, it is the same.
	id := ada.must(&waiting).Challenge
	same := wire.Challenge{Rules: boards.HavannahName, Options: json.RawMessage(` {"side" : 8} `), Clock: minute,
		Seat: "second", To: "ADA", Tag: "t-1"}
	eve.must(&same)
	if ack := bob.must(&same); ack.Game == "" || ack.Challenge != id {
		t.Errorf("%+v", ack)
	}
}
