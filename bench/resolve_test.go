package bench

import (
	"strings"
	"testing"
)

// In a small no-limit game, rivers that are solved safely, as in play, are no easier to exploit
// than those of the strategy that they replace.
func TestResolveNoLimit(t *testing.T) {
	w := fullResolve
	w.cases = []resolveCase{{game: "holdem-limit-12", buckets: 5, stack: 20}}
	w.trained.iterations, w.iterations = 50_000, 10
	value := map[string]float64{}
	if err := w.run(t.Context(), func(r Row) error {
		_, how, _ := strings.Cut(r.Case, "river ")
		value[how] = r.Value
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	t.Log(value)
	for _, how := range []string{"solved with offers", "solved with offers, half known"} {
		if x, ok := value[how]; !ok || x > value["as trained"] {
			t.Errorf("%s: %g mb, and %g as trained", how, x, value["as trained"])
		}
	}
}
