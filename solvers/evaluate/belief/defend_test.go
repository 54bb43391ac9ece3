package belief

import (
	"math"
	"testing"

	"gamebots/acpc/card"
)

// A bet is called with the hands that are good enough for its size, and with every hand up to what the
// strategy was ready to put in.
func TestDefends(t *testing.T) {
	for _, test := range []struct {
		name, game, state string // state is a match state of the player to act
		ready             int32
		want              bool
	}{
		{"air, against 100 pots", "holdem-nolimit-2p", "MATCHSTATE:1:0:cc/cc/r20000:|2s3h/8sQhKs/Qd", 0, false},
		{"air, against a pot", "holdem-nolimit-2p", "MATCHSTATE:1:0:cc/cc/r300:|2s3h/8sQhKs/Qd", 0, false},
		{"air, ready to go all-in", "holdem-nolimit-2p", "MATCHSTATE:1:0:cc/cc/r20000:|2s3h/8sQhKs/Qd", 20000, true},
		{"ready for less", "holdem-nolimit-2p", "MATCHSTATE:1:0:cc/cc/r20000:|2s3h/8sQhKs/Qd", 19999, false},
		{"nothing to call", "holdem-nolimit-2p", "MATCHSTATE:0:0:cc/cc/:2s3h|/8sQhKs/Qd", 0, true},
		{"a pair, against 100 pots", "holdem-nolimit-2p", "MATCHSTATE:1:0:cc/cc/r20000:|As8h/8dQhKs/Qd", 0, false},
		{"a pair, against half a pot", "holdem-nolimit-2p", "MATCHSTATE:1:0:cc/cc/r200:|AsKh/8dQhKd/3c", 0, true},
		{"the nuts, against 100 pots", "holdem-nolimit-2p", "MATCHSTATE:1:0:cc/cc/r20000:|QsQc/8dQhKs/Qd", 0, true},
		{"the worst hand, on the river", "holdem-nolimit-2p", "MATCHSTATE:1:0:cc/cc/cc/r20000:|2s3h/8sQhKs/Qd/9c",
			0, false},
		{"aces, before the flop", "holdem-nolimit-2p", "MATCHSTATE:0:1:r300:AsAh|", 0, true},
		{"the worst hand, before the flop", "holdem-nolimit-2p", "MATCHSTATE:1:1:cr20000:|7s2h", 0, false},
		{"air, in limit", "holdem-limit-2p", "MATCHSTATE:1:0:cc/cc/r:|2s3h/8sQhKs/Qd", 0, false},
		{"a pair, in limit", "holdem-limit-2p", "MATCHSTATE:1:0:cc/cc/r:|2s3h/8s3dKs/Qd", 0, true},
		{"aces, of six", "holdem-nolimit-6p", "MATCHSTATE:4:0:r9124r10000:||||AsAh|", 0, true},
		{"air, of six", "holdem-nolimit-6p", "MATCHSTATE:0:0:r9124ccr10000:7s2h|||||", 0, false}, // two have called
		{"air, of three", "holdem-nolimit-3p", "MATCHSTATE:2:0:ccc/cr10000:||2s3h/8sQhKs", 0, false},
	} {
		m, _, err := game(t, test.game).ParseMatchState(test.state)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		hole := card.SetOf(m.Holes[m.Viewer][:2]...)
		if m.Actor() != m.Viewer {
			t.Fatalf("%s: the turn of %d", test.name, m.Actor())
		}
		if got := Defends(&m.State, test.ready, hole); got != test.want {
			t.Errorf("%s: %v calls: %v", test.name, hole, got)
		}
	}
}

// On a last board a part of the pot is the part of the hands that are beaten, and ties count half.
func TestPartOfPot(t *testing.T) {
	g := game(t, "holdem-nolimit-2p")
	m, _, err := g.ParseMatchState("MATCHSTATE:1:0:cc/cc/cc/r300:|Tc9h/8sQhKs/Qd/9c")
	if err != nil {
		t.Fatal(err)
	}
	board, hole := card.SetOf(m.Board[:5]...), card.SetOf(m.Holes[1][:2]...)
	own, won, all := g.HandRanking.Rank(board|hole), 0.0, 0.0
	for _, other := range Holes(g) {
		if other&(board|hole) != 0 {
			continue
		}
		all++
		switch rank := g.HandRanking.Rank(board | other); {
		case rank < own:
			won++
		case rank == own:
			won += .5
		}
	}
	if got, want := partOfPot(&m.State, hole), won/all; math.Abs(got-want) > .1 || want < .2 || want > .9 {
		t.Errorf("%.3f of the pot, want %.3f", got, want)
	}
}
