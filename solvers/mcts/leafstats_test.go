package mcts

import "testing"

// TestSeeds keeps what games said until newer seeds have all places.
func TestSeeds(t *testing.T) {
	s := newSeeds(lanes, 130, 4)
	if s.places != 8 {
		t.Fatalf("%d places", s.places)
	}
	sown := func(child uint32) (visits, score float32) {
		var taken [lanes]uint32
		if !s.sow(child, taken[:]) {
			return 0, 0
		}
		return float32(taken[2]&0xffff) / seedGames, float32(taken[2]>>16) / 2 / seedGames
	}
	keep := func(count uint32) (child uint32) {
		child = s.keep(s.next, []uint32{2: count | 2*5<<16, 7: 0}, 10)
		s.next++
		return child
	}
	s.next = seedBit - 3 // numbers go on where their lower bits begin anew
	first := keep(10)
	if visits, score := sown(first); visits != 1 || score < 0.49 || score > 0.51 {
		t.Errorf("%v visits and %v points of every game, half of them won", visits, score)
	}
	if visits, _ := sown(0); visits != 0 {
		t.Errorf("%v visits of an edge with no seed", visits)
	}
	var last uint32
	for range 7 {
		last = keep(5)
	}
	if visits, _ := sown(first); visits != 1 {
		t.Errorf("%v visits of the oldest seed", visits)
	}
	if visits, _ := sown(last); visits < 0.49 || visits > 0.51 {
		t.Errorf("%v visits of the newest seed", visits)
	}
	keep(5)
	if visits, _ := sown(first); visits != 0 {
		t.Errorf("%v visits of a seed whose place was taken", visits)
	}
}
