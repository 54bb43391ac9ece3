package bench

import (
	"strings"
	"testing"
)

// In a small game, rivers that are solved safely, as in play, are harder to exploit than those of the
// strategy that they replace.
func TestResolve(t *testing.T) {
	w := fullResolve
	w.cases = w.cases[:1]
	w.trained, w.iterations = 50_000, 6
	value := map[string]float64{}
	if err := w.run(t.Context(), func(r Row) {
		_, how, _ := strings.Cut(r.Case, "buckets, ")
		value[how] = r.Value
	}); err != nil {
		t.Fatal(err)
	}
	t.Log(value)
	for _, r := range resolvers {
		how := "rivers solved " + r.name
		if x, ok := value[how]; r.safe && (!ok || x >= value["as trained"]) {
			t.Errorf("%s: %g mb, %g as trained", how, x, value["as trained"])
		}
	}
}
