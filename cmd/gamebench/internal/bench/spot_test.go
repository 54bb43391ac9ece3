package bench

import (
	"context"
	"math"
	"testing"
)

// The figures of a spot say how long it took, and what theory says of its value.
func TestSpotWork(t *testing.T) {
	found := map[string]float64{}
	work := spotWork{spots: []string{"river-bluffs"}, target: .1}
	err := work.run(context.Background(), func(r Row) { found[r.Metric] = r.Value })
	if err != nil {
		t.Fatal(err)
	}
	if x := found["value out of position"]; math.Abs(x-81.82) > .1 {
		t.Errorf("value %g", x)
	}
	if x := found["exploitability"]; !(x > 0 && x <= .1) {
		t.Errorf("exploitability %g%%", x)
	}
	if found["time to 0.1% of the pot"] <= 0 {
		t.Errorf("%v", found)
	}
}
