package tournament

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/configs"
	"gamebots/internal/stats"
)

// Openings that all went one way have Wilson's interval, others that of their
// means; hands of poker that all came to the same are certain.
func TestUncertainty(t *testing.T) {
	score := func(observations ...float64) *arena.Score {
		var s arena.Score
		for _, x := range observations {
			s.Observe(x)
		}
		return &s
	}
	board, poker := &arena.Plan{Kind: arena.Board}, &arena.Plan{Kind: arena.Poker}
	low, _ := stats.Score95(1, 6)
	drawn, _ := stats.Score95(0.5, 4)
	for _, test := range []struct {
		name  string
		plan  *arena.Plan
		score *arena.Score
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

// Of no games and of one opening no interval is known, which is null in JSON.
func TestUnknownIntervals(t *testing.T) {
	run := &arena.Run{Plan: &arena.Plan{Kind: arena.Board, Tables: [][]int{{0, 1}},
		Players: []configs.Entry{{Name: "a"}, {Name: "b"}}}}
	for units, score := range []arena.Score{{}, {Sum: 1, Square: 1, Wins: 2}} {
		sums := []arena.Tally{{Units: units, Games: 2 * units, Scores: []arena.Score{score, score}}}
		text, err := json.Marshal(NewCrossTable(run, sums, money.Format{}))
		if n := strings.Count(string(text), `"interval95":null`); err != nil || n != 4 {
			t.Errorf("%d openings: %s, %v", units, text, err)
		}
	}
}
