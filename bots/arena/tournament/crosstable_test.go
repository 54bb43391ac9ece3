package tournament

import (
	"math"
	"testing"

	"gamebots/bots/arena/plan"
	"gamebots/internal/stats"
)

// Openings that all went one way have Wilson's interval, others that of their
// means; hands of poker that all came to the same are certain.
func TestUncertainty(t *testing.T) {
	score := func(observations ...float64) *plan.Score {
		var s plan.Score
		for _, x := range observations {
			s.Observe(x)
		}
		return &s
	}
	board, poker := &plan.Plan{Kind: plan.Board}, &plan.Plan{Kind: plan.Poker}
	low, _ := stats.Score95(1, 6)
	drawn, _ := stats.Score95(0.5, 4)
	for _, test := range []struct {
		name  string
		plan  *plan.Plan
		score *plan.Score
		units int
		want  float64 // half an interval
	}{
		{"all won", board, score(1, 1, 1, 1, 1, 1), 6, 1 - low},
		{"all lost", board, score(0, 0, 0, 0, 0, 0), 6, 1 - low},
		{"all drawn", board, score(.5, .5, .5, .5), 4, .5 - drawn},
		{"some won", board, score(1, 0, 1, 0), 4, 3.182446 * math.Sqrt(1.0/3/4)},
		{"hands alike", poker, score(2, 2, 2), 3, 0},
	} {
		if got := uncertainty(test.plan, test.score, test.units).Interval95(); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%s: half an interval of %v, not %v", test.name, got, test.want)
		}
	}
}
