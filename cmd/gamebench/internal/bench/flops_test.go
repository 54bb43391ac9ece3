package bench

import "testing"

// More iterations leave less to win.
func TestFlops(t *testing.T) {
	t.Chdir("../../../..")
	w := fullFlops
	w.flops, w.algorithms, w.iterations = []flopCase{{"r300r900c/", "Ks9d7h"}}, []string{"linear"}, []uint64{10, 50}
	w.timed = 2
	var exploitability []float64
	iteration := 0.0
	if err := w.run(t.Context(), func(r Row) {
		if r.Metric == "iteration" {
			iteration = r.Value
		} else {
			exploitability = append(exploitability, r.Value)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if e := exploitability; len(e) != 2 || !(e[1] > 0 && e[1] < e[0]) || !(iteration > 0) {
		t.Errorf("exploitability %v, %g ms", e, iteration)
	}
}
