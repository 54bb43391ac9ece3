package spot

import (
	"errors"
	"testing"

	"gamebots/solvers/resolve/spot/internal/layout"
)

// A tree with too many nodes is refused before it has more.
func TestTooManyNodes(t *testing.T) {
	s := testSpot(t, "Qs7h2h5c5d", "QQ", "77", 100, 1000, "20,40,60", "50,a")
	streets, _, err := newTree(s, layout.River, MaxNodes)
	if err != nil {
		t.Fatal(err)
	}
	whole := len(streets[layout.River].Nodes)
	if _, _, err := newTree(s, layout.River, whole); err != nil {
		t.Errorf("%d nodes of %d: %v", whole, whole, err)
	}
	for _, most := range []int{0, 1, 3, 10, whole / 2, whole - 1} {
		streets, _, err := newTree(s, layout.River, most)
		if n := len(streets[layout.River].Nodes); !errors.Is(err, ErrTooManyNodes) || n > most {
			t.Fatalf("%d nodes of at most %d: %v", n, most, err)
		}
	}
}
