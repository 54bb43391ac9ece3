package ratings

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Two hands of a deal are one observation, a deal that was not played is none.
func TestWinnings(t *testing.T) {
	var c Winnings
	c.Add(3, 5)
	c.Add(0, 2)
	c.Add(0, 4)
	c.Add(1, -3)
	// Observations 3, -3, 5: variances 18 and 52/3.
	want := []Point{{1, 3, 0}, {2, 0, 12.706205 * 6}, {3, 5, 4.302653 * 7.211102550927978}}
	if d := cmp.Diff(want, c.Points(9), cmpopts.EquateApprox(0, 1e-4)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want[2:], c.Points(1), cmpopts.EquateApprox(0, 1e-4)); d != "" {
		t.Error(d)
	}
	for range 997 {
		c.Add(len(c.sums), 1)
	}
	if points := c.Points(100); len(points) != 100 || points[0].Deals != 10 ||
		points[99].Deals != 1000 || points[99].Won != 1002 {
		t.Errorf("%d points, %+v to %+v", len(points), points[0], points[len(points)-1])
	}
	if points := (&Winnings{}).Points(5); points != nil {
		t.Errorf("nothing played: %v", points)
	}
}
