package bench

import (
	"strings"
	"testing"
)

// In a small no-limit game, rivers that are solved safely, as in play, are no easier to exploit
// than those of the strategy that they replace, whatever the kind of the offers; without any they
// are easier.
func TestResolveNoLimit(t *testing.T) {
	w := fullResolve
	w.cases = []resolveCase{{game: "holdem-limit-12", buckets: 5, stack: 20}}
	w.trained.iterations, w.iterations = 50_000, 6
	value := map[string]float64{}
	if err := w.run(t.Context(), func(r Row) error {
		_, how, _ := strings.Cut(r.Case, "river ")
		value[how] = r.Value
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	t.Log(value)
	for _, r := range resolvers {
		if x, ok := value["solved "+r.name]; !ok || (x <= value["as trained"]) != r.safe {
			t.Errorf("solved %s: %g mb, and %g as trained", r.name, x, value["as trained"])
		}
	}
}
