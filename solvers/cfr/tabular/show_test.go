package tabular

import (
	"math"
	"strings"
	"testing"
)

// Reach and values of rows are those of Kuhn's equilibria, and values agree with what players win.
func TestRows(t *testing.T) {
	q, _ := poker(t, "kuhn")
	s, other := trained(t, q, "pcfr+", 1000).Profile(), trained(t, q, "cfr", 3).Profile()
	rows := Rows(q, s, other)
	values, _ := Evaluate(q, s)
	for p := range 2 {
		won := 0.0 // each card comes with probability 1/3, and at each card the first player acts first
		for _, r := range rows {
			if r.Player == q.Game.PlayerName(p) && r.Reach == 1 && r.Value != nil && p == 0 {
				won += r.Probabilities[0] * *r.Value / 3
			}
		}
		if p == 0 && math.Abs(won-values[0]) > 1e-12 {
			t.Errorf("actions win %v, the strategies %v", won, values[0])
		}
	}
	for format, want := range map[string]string{"csv": "player,set,reach,action,probability,second,value\n",
		"json": `{"player":`, "text": "player "} {
		var out strings.Builder
		if err := WriteRows(&out, rows, format); err != nil || !strings.HasPrefix(out.String(), want) ||
			strings.Count(out.String(), "\n") < len(rows) {
			t.Errorf("%s: %s, %v", format, out.String(), err)
		}
	}
}
