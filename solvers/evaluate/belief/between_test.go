package belief

import (
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// A match from a round on is worth the mean over all pairs of hands that share no card, and over
// all boards.
func TestBetween(t *testing.T) {
	g := game(t, "leduc")
	tree := betting.NewTree(g, betting.Actions{}.ShapeOf(g, 1<<20))
	index := policy.NewIndex(tree, abstraction.New(g, abstraction.Lossless))
	var players [2]Player
	for p := range players {
		players[p] = NewStrategy(index, func(dst []float64, node int32, bucket int) ([]float64, error) {
			n := &tree.Nodes[node]
			sum := 0.0
			for a := range int(n.NumActions) {
				sum += 1 + float64((a+bucket+3*p+int(node))%5)
			}
			for a := range int(n.NumActions) {
				dst = append(dst, (1+float64((a+bucket+3*p+int(node))%5))/sum)
			}
			return dst, nil
		})
	}
	holes := Holes(g)
	var reach [2][]float64
	for i := range holes {
		reach[0] = append(reach[0], float64(1+i))
		reach[1] = append(reach[1], float64(i%3))
	}
	for round := range 2 {
		s := g.NewState(0)
		for s.Round() < round {
			s.Apply(call)
		}
		boards := g.Deck()
		if round == 1 {
			boards = boards[1:2]
		}
		got, sum, weight := 0.0, 0.0, 0.0
		for _, c := range boards {
			s.Board[0] = c
			x, err := Between(t.Context(), players, &s, reach)
			if err != nil {
				t.Fatal(err)
			}
			got += x / float64(len(boards))
			for i, x := range holes {
				for j, y := range holes {
					if x&y != 0 || (x | y).Has(c) {
						continue
					}
					for c := range x.All() {
						s.Holes[0][0] = c
					}
					for c := range y.All() {
						s.Holes[1][0] = c
					}
					w := reach[0][i] * reach[1][j]
					weight += w
					sum += w * dealt(t, players, &s, [2]int{i, j})
				}
			}
		}
		if want := sum / weight; math.Abs(got-want) > 1e-12 || want == 0 {
			t.Errorf("from round %d: %g, want %g", round, got, want)
		}
	}
}

// dealt returns what the first player wins on average after a state with the cards that are dealt.
func dealt(t *testing.T, players [2]Player, s *acpc.State, hands [2]int) (won float64) {
	t.Helper()
	if s.Finished() {
		return s.Value(0)
	}
	own := s.Actor()
	c, err := players[own].Choices(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	play := c.Of(hands[own])
	for a, action := range slices.Clone(c.Actions) {
		won += play[a] * dealt(t, players, After(s, action), hands)
	}
	return won
}
