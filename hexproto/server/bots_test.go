package server_test

import (
	"encoding/json"
	"testing"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// Offers that come in the moment in which a bot of the server is to move do not
// stop it: one wake can stand for both.
func TestBotGoesOnAfterOffers(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Rate, c.Limits.Burst = 1e6, 1e6 })
	ada := join(t, h, "ada")
	for range 40 {
		id := ada.must(&wire.Challenge{Rules: "havannah", To: "random", Seat: "first", Options: json.RawMessage(`{"side":6}`)}).Game
		turn := 0
		for range 4 {
			g := ada.state(id)
			ada.send(&wire.Play{Game: id, Turn: turn, Move: g.View.Legal[0]})
			ada.send(&wire.Offer{Game: id, Offer: wire.OfferDraw})
			for moved := want[wire.Moved](ada); moved.Turn != turn+1; {
				moved = want[wire.Moved](ada)
			}
			turn += 2
		}
	}
}

// A player that has not moved has nothing to take back, and the bot plays on.
func TestBotAndNothingToTakeBack(t *testing.T) {
	h := start(t, nil)
	ada := join(t, h, "ada")
	id := ada.must(&wire.Challenge{Rules: "havannah", To: "random", Seat: "second"}).Game
	want[wire.Moved](ada)
	ada.refused(&wire.Offer{Game: id, Offer: wire.OfferTakeback}, wire.Refused)
	ada.must(&wire.Play{Game: id, Turn: 1, Move: "swap"})
	for moved := want[wire.Moved](ada); moved.Turn != 2; {
		moved = want[wire.Moved](ada)
	}
	ada.must(&wire.Offer{Game: id, Offer: wire.OfferTakeback})
	for g := ada.state(id); g.Turn != 1; { // the bots of the server allow it
		g = ada.state(id)
	}
}

// A lobby with more than it lists shows the same ones each time.
func TestLobbyIsSteady(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Challenges, c.Limits.Rate, c.Limits.Burst = 1e6, 1e6, 1e6 })
	ada := join(t, h, "ada")
	for range 250 {
		ada.must(&wire.Challenge{Rules: "havannah"})
	}
	lobby := func() []wire.Challenged {
		ada.send(&wire.EnterLobby{On: true})
		return want[wire.Lobby](ada).Challenges
	}
	first := lobby()
	if len(first) != 200 {
		t.Fatalf("%d are listed", len(first))
	}
	for i, c := range lobby() {
		if c.Challenge != first[i].Challenge {
			t.Fatalf("the %d-th is %s, and was %s", i, c.Challenge, first[i].Challenge)
		}
	}
}
