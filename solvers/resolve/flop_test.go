package resolve

import (
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/resolve/spot"
)

const flopBoard = "|/Ks9d7h"

// Flops follow from what is public, too, and bets outside of the tree are put into it.
func TestPublicFlop(t *testing.T) {
	o := Options{From: Flop, Iterations: 3, Threads: 2}
	want := answer(t, newPlayer(t, o, higher), state(t, "r300c/cr456", "AsAc"+flopBoard))
	if !want.Solved || want.Added != 1 {
		t.Fatalf("solved %v with %d bets added", want.Solved, want.Added)
	}
	o.Threads = 1
	p := newPlayer(t, o, higher)
	for _, considered := range []string{"r300c/", "r300c/cr700", "cc/"} {
		answer(t, p, state(t, considered, "QhJd"+flopBoard))
	}
	if got := answer(t, p, state(t, "r300c/cr456", "7c7d"+flopBoard)); !sameChoices(got.Choices, want.Choices) {
		t.Error("other questions, cards and threads changed the decision")
	}
}

// The leaves of a flop are where the blueprint has most probably mapped the hand: here it bets
// nothing but the pot and all-in.
func TestMappedAfter(t *testing.T) {
	p := newPlayer(t, Options{From: Flop, Iterations: 1}, higher)
	answer(t, p, state(t, "r300c/", "AsAc"+flopBoard))
	r := p.rounds[Flop]
	check, called := spot.Action{Kind: spot.Check}, spot.Action{Kind: spot.Call}
	bet := func(to int) spot.Action { return spot.Action{Kind: spot.Bet, To: to} }
	for _, tt := range []struct {
		line  []spot.Action
		stake int
	}{
		{nil, 300}, {[]spot.Action{check, check}, 300}, {[]spot.Action{bet(300), called}, 900},
		{[]spot.Action{check, bet(600), called}, 900},
		{[]spot.Action{check, bet(900), called}, 900}, {[]spot.Action{check, bet(19000), called}, 0},
	} {
		at := r.point(r.mappedAfter(tt.line))
		if at.Stake != tt.stake || (at.Segment < 0) != (tt.stake == 0) {
			t.Errorf("%s is mapped to %+v, want a stake of %d", spot.LineOf(tt.line), at, tt.stake)
		}
	}
}

// After a solved flop the turn has the ranges of that solution, and the offers of the blueprint,
// although this does not have the bet of the flop.
func TestTurnAfterFlop(t *testing.T) {
	p := newPlayer(t, Options{From: Flop, Iterations: 3, Memory: 64 << 20}, higher)
	before := answer(t, p, state(t, "r300c/", "AsAc"+flopBoard))
	k := slices.IndexFunc(before.Actions, func(a acpc.Action) bool { return a.Size == 600 })
	if k < 0 {
		t.Fatalf("no bet of half of the pot in %v", before.Actions)
	}
	answer(t, p, state(t, "r300c/r600c/", "AsAc"+flopBoard+"/2c"))
	flop, turn := p.rounds[Flop], p.rounds[Turn]
	for i, hole := range p.holes {
		if want := flop.reach[0][i] * before.Probability[k][i]; turn.reach[0][i] != want {
			t.Fatalf("%v comes to the turn with %g, want %g", hole, turn.reach[0][i], want)
		}
	}
	if o := turn.spot.Offer; o == nil || o.Player != 1 || len(o.Values) == 0 {
		t.Errorf("offer %+v", o)
	}
}

// A flop that is late, or that the blueprint has lost, is the blueprint's, and the turn goes on from
// its ranges.
func TestFlopOfBlueprint(t *testing.T) {
	plain := newPlayer(t, Options{From: Turn, Iterations: 2}, higher)
	p := newPlayer(t, Options{From: Flop, Iterations: 2}, higher)
	a, err := p.Answer(&countdown{t.Context(), 20}, state(t, "r300c/", "AsAc"+flopBoard))
	if err != nil || !a.Late || a.Iterations != 0 {
		t.Fatalf("late %v after %d iterations, error %v", a.Late, a.Iterations, err)
	}
	s := state(t, "r300c/cc/", "AsAc"+flopBoard+"/2c")
	if got, want := answer(t, p, s), answer(t, plain, s); !sameChoices(got.Choices, want.Choices) {
		t.Error("the turn after a late flop is not that of a player who solves no flop")
	}
	lost := "cr300r19000c/" // is mapped to all-in
	s = state(t, lost, "AsAc"+flopBoard)
	if got, want := answer(t, p, s), answer(t, plain, s); got.Solved || !sameChoices(got.Choices, want.Choices) {
		t.Error("a lost flop is not played by the blueprint")
	}
	s = state(t, lost+"cc/", "AsAc"+flopBoard+"/2c")
	if got, want := answer(t, p, s), answer(t, plain, s); !got.Solved || !sameChoices(got.Choices, want.Choices) {
		t.Error("the turn after a lost flop is not that of a player who solves no flop")
	}
}
