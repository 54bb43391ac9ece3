package belief

import (
	"errors"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// A hand that another player has begun with a raise that the strategy does not have goes on as after
// the nearest one.
func TestNewRest(t *testing.T) {
	g := game(t, "leduc-nolimit")
	tree := betting.NewTree(g, betting.FCPA.ShapeOf(g, 1<<20))
	index := policy.NewIndex(tree, abstraction.New(g, abstraction.Lossless))
	plays := func(dst []float64, node int32, bucket int) ([]float64, error) {
		n := int(tree.Nodes[node].NumActions)
		for a := range n {
			dst = append(dst, float64(1+(a+bucket+int(node))%3))
		}
		total := 0.0
		for _, x := range dst {
			total += x
		}
		for a := range dst {
			dst[a] /= total
		}
		return dst, nil
	}
	after := func(size int32) *acpc.State {
		s := g.NewState(0)
		s.Apply(acpc.Action{Type: acpc.Raise, Size: size})
		return After(&s, call)
	}
	s := g.NewState(0)
	var raises []acpc.Action
	for a := range betting.FCPA.Legal(&s) {
		if a.Type == acpc.Raise {
			raises = append(raises, a)
		}
	}
	near := after(raises[0].Size + 1)
	if _, err := NewStrategy(index, plays).Choices(t.Context(), near); !errors.Is(err, policy.ErrOffTree) {
		t.Errorf("error %v", err)
	}
	got, err := NewRest(index, plays).Choices(t.Context(), near)
	if err != nil {
		t.Fatal(err)
	}
	want, err := NewStrategy(index, plays).Choices(t.Context(), after(raises[0].Size))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Actions) != len(want.Actions) {
		t.Fatalf("actions %v, want %v", got.Actions, want.Actions)
	}
	for a, row := range got.Probability {
		for i, x := range row {
			if x != want.Probability[a][i] {
				t.Errorf("%v with hand %d: %g, want %g", got.Actions[a], i, x, want.Probability[a][i])
			}
		}
	}
}
