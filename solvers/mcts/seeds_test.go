package mcts

import "testing"

// TestSeeds keeps what games said until a newer seed has the place or edges move.
func TestSeeds(t *testing.T) {
	s := newSeeds(3, 100) // eight places
	if len(s.owners) != 8 {
		t.Fatalf("%d places", len(s.owners))
	}
	sown := func(after uint32) (visits, score float32) {
		edges := []edge{{move: 2, raveVisits: 1, raveScore: 1}, {move: 0, raveVisits: 1, raveScore: 1}}
		s.sow(after, edges, 4)
		return edges[0].raveVisits - 1, edges[0].raveScore - 1
	}
	s.keep(5, []float32{1, 2, 10}, []float32{0, 0, 5}, 10)
	if visits, score := sown(5); visits != 4 || score < 1.99 || score > 2.01 {
		t.Errorf("%v visits and %v points of every game, half of them won, with weight 4", visits, score)
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
