package mcts

import "testing"

// TestSeeds keeps what games said until a newer seed has the place or edges move.
func TestSeeds(t *testing.T) {
	s := newSeeds(3, 100) // eight places
	if len(s.owners) != 8 {
		t.Fatalf("%d places", len(s.owners))
	}
	sown := func(edge uint32) (visits, score float32) {
		var played, won [3]float32
		if !s.sow(edge, played[:], won[:]) {
			return 0, 0
		}
		return played[2], won[2]
	}
	s.keep(5, []float32{1, 2, 10}, []float32{0, 0, 5}, 10)
	if visits, score := sown(5); visits != 1 || score < 0.49 || score > 0.51 {
		t.Errorf("%v visits and %v points of every game, half of them won", visits, score)
	}
	if visits, _ := sown(6); visits != 0 {
		t.Errorf("%v visits of another edge", visits)
	}
	other := uint32(6)
	for s.place(other) != s.place(5) {
		other++
	}
	s.keep(other, make([]float32, 3), make([]float32, 3), 1)
	if visits, _ := sown(5); visits != 0 {
		t.Errorf("%v visits of a seed whose place was taken", visits)
	}
	s.keep(5, []float32{1, 2, 10}, []float32{0, 0, 5}, 10)
	s.forget()
	if visits, _ := sown(5); visits != 0 {
		t.Errorf("%v visits of what was forgotten", visits)
	}
}
