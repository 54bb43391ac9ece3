package bench

import (
	"context"
	"fmt"
	"math"
	"testing"
)

// The figures of a spot say how long it took, and what theory says of its value.
func TestSpotWork(t *testing.T) {
	found := map[string]float64{}
	work := spotWork{spots: []string{"river-bluffs"}, target: .1,
		rounded: []string{"texas-river"}, iterations: []uint64{20, 600}}
	err := work.run(context.Background(), func(r Row) {
		found[r.Metric] = r.Value
		found[r.Case+", "+r.Metric] = r.Value
	})
	if err != nil {
		t.Fatal(err)
	}
	if x := found["value out of position"]; math.Abs(x-81.82) > .1 {
		t.Errorf("value %g", x)
	}
	if x := found["exploitability"]; !(x > 0 && x <= .1) {
		t.Errorf("exploitability %g%%", x)
	}
	for _, n := range work.iterations {
		metric := fmt.Sprintf("exploitability after %d iterations", n)
		x, y := found["texas-river, 32 bits, "+metric], found["texas-river, 16 bits, "+metric]
		if !(x > 0 && y > .8*x && y < 1.2*x) {
			t.Errorf("%s: %g%%, in 16 bits %g%%", metric, x, y)
		}
	}
	if found["time to 0.1% of the pot"] <= 0 || found["entries updated"] <= 0 {
		t.Errorf("%v", found)
	}
}
