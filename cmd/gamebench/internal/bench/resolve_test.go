package bench

import (
	"strings"
	"testing"

	"gamebots/solvers/resolve"
)

// In a small no-limit game, rivers that are solved safely, as in play, are no easier to exploit
// than those of the strategy that they replace, whatever the kind of the offers; without any they
// are easier. So it is from the turn on.
func TestResolveNoLimit(t *testing.T) {
	w := fullResolve
	w.cases = []resolveCase{{game: "holdem-limit-12", buckets: 5, stack: 20,
		from: []int{resolve.River, resolve.Turn}}}
	w.trained, w.iterations = 50_000, 6
	value := map[string]float64{}
	if err := w.run(t.Context(), func(r Row) {
		if r.Metric != "exploitability" {
			return
		}
		_, how, _ := strings.Cut(r.Case, "buckets, ")
		value[how] = r.Value
	}); err != nil {
		t.Fatal(err)
	}
	t.Log(value)
	for round, ways := range map[string][]resolver{"river": resolvers, "turn": resolvers} {
		for _, r := range ways {
			if r.played && r.known == 0 {
				continue // these offers do not bound anything by themselves
			}
			how := round + " solved " + r.name
			if x, ok := value[how]; !ok || (x <= value["as trained"]) != r.safe {
				t.Errorf("%s: %g mb, and %g as trained", how, x, value["as trained"])
			}
		}
	}
}
