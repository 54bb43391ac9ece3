package resolve

import "testing"

const flopBoard = "|/Ks9d7h"

// A flop that no device solves is the blueprint's, also one that it has lost, and the turn goes on from its ranges.
func TestFlopOfBlueprint(t *testing.T) {
	plain := newPlayer(t, Options{From: Turn, Iterations: 2}, higher)
	p := newPlayer(t, Options{From: Flop, Iterations: 2}, higher)
	for _, betting := range []string{"r300c/", "cr300r19000c/"} { // the second one is mapped to all-in
		s := state(t, betting, "AsAc"+flopBoard)
		if got, want := answer(t, p, s), answer(t, plain, s); got.Solved || !sameChoices(got.Choices, want.Choices) {
			t.Errorf("%s: a flop is not played by the blueprint", betting)
		}
		s = state(t, betting+"cc/", "AsAc"+flopBoard+"/2c")
		if got, want := answer(t, p, s), answer(t, plain, s); !got.Solved || !sameChoices(got.Choices, want.Choices) {
			t.Errorf("%s: the turn is not that of a player who solves no flop", betting)
		}
	}
}
