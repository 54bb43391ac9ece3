package bench

import (
	"slices"
	"testing"

	"gamebots/solvers/cfr/train"
)

// Every algorithm that trains a game has its points, with itself as the variant.
func TestAlgorithms(t *testing.T) {
	points := map[string][]float64{}
	w := algorithmsWork{games: []string{"kuhn-3p", "leduc"}, whole: []uint64{1, 2}, sampled: []uint64{4096, 8192}}
	err := w.run(t.Context(), func(r Row) {
		if r.Case == "leduc, iterations" {
			points[r.Variant] = append(points[r.Variant], r.X)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	whole, sampling := train.Names()
	for _, name := range slices.Concat(whole, sampling) {
		if p := points[name]; len(p) != 2 || p[0] >= p[1] {
			t.Errorf("%s is measured after %v iterations", name, p)
		}
	}
	for _, name := range whole {
		if p := points[name]; !slices.Equal(p, []float64{1, 2}) {
			t.Errorf("%s is measured after %v iterations, want 1 and 2", name, p)
		}
	}
}
