package mcts

import "testing"

// TestLeafStats keeps counts until newer entries have taken all slots.
func TestLeafStats(t *testing.T) {
	s := newLeafStats(lanes, 130, 4)
	if s.slots != 8 {
		t.Fatalf("%d slots", s.slots)
	}
	load := func(edge uint32) (visits, score float32) {
		var amaf [lanes]uint32
		if !s.load(edge, amaf[:]) {
			return 0, 0
		}
		return float32(amaf[2]&0xffff) / storedPlayouts, float32(amaf[2]>>16) / 2 / storedPlayouts
	}
	store := func(count uint32) (edge uint32) {
		edge = s.store(s.next, []uint32{2: count | 2*5<<16, 7: 0}, 10)
		s.next++
		return edge
	}
	s.next = leafBit - 3 // the lower bits of the numbers wrap around
	first := store(10)
	if visits, score := load(first); visits != 1 || score < 0.49 || score > 0.51 {
		t.Errorf("%v visits and %v points a playout, where half were won", visits, score)
	}
	if visits, _ := load(0); visits != 0 {
		t.Errorf("%v visits of an edge with no leaf", visits)
	}
	var last uint32
	for range 7 {
		last = store(5)
	}
	if visits, _ := load(first); visits != 1 {
		t.Errorf("%v visits of the oldest entry", visits)
	}
	if visits, _ := load(last); visits < 0.49 || visits > 0.51 {
		t.Errorf("%v visits of the newest entry", visits)
	}
	store(5)
	if visits, _ := load(first); visits != 0 {
		t.Errorf("%v visits of an entry that was replaced", visits)
	}
}
