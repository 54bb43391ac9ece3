package tabular

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"
)

// poker returns a shipped game as an extensive game, and laid out for package publictree.
func poker(t *testing.T, name string) (*extensive.Sequences, *publictree.Layout) {
	t.Helper()
	rules, err := configs.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := OfPoker(rules, betting.Actions{}, abstraction.Lossless)
	if err != nil {
		t.Fatal(err)
	}
	q, err := g.Sequences()
	if err != nil {
		t.Fatal(err)
	}
	layout, err := publictree.Prepare(rules, betting.Actions{}, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return q, layout
}

// exploitability returns the average gain of a player by deviating.
func exploitability(t *testing.T, q *extensive.Sequences, s extensive.Profile) float64 {
	t.Helper()
	sum := 0.0
	_, gains := Evaluate(q, s)
	for _, x := range gains {
		sum += x
	}
	return sum / float64(len(gains))
}

func trained(t *testing.T, q *extensive.Sequences, algorithm string, iterations int) *Trainer {
	t.Helper()
	trainer, err := New(q, algorithm, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range iterations {
		trainer.Step()
	}
	return trainer
}

// The trainers of package cfr, which treat all hands at once and in 32 bits, play the same.
func TestVectorForm(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "kuhn-3p"} {
		q, layout := poker(t, name)
		for _, a := range cfr.Algorithms {
			if name == "kuhn" && a.WeighsPredictions() {
				continue // predictions that cancel are 1e-9 in 32 bits, and then decide
			}
			single := cfr.NewTrainer(layout, a, 1)
			for range 5 {
				single.Step()
			}
			e := publictree.NewEvaluator(layout, 1)
			want := exploitability(t, q, trained(t, q, a.Name, 5).Profile())
			if got := e.Evaluate(single.Weights()).Exploitability(); math.Abs(got-want) > 1e-4*want {
				t.Errorf("%s by %s: exploitability %v, in vector form %v", name, a.Name, want, got)
			}
		}
	}
}

// All algorithms come close to the value that the sequence form gives, those that sample
// with any seed.
func TestConvergence(t *testing.T) {
	q, _ := poker(t, "kuhn")
	exact, err := sequence.Solve(t.Context(), q.Game, sequence.Subgames)
	if err != nil {
		t.Fatal(err)
	}
	value, _ := exact.Payoffs[0].Float64()
	for _, algorithm := range Algorithms() {
		iterations, most := 300, 0.01
		if algorithm == External {
			iterations, most = 30_000, 0.02
		}
		s := trained(t, q, algorithm, iterations).Profile()
		got, _ := q.Game.Values(s)[0][0].Float64()
		if x := exploitability(t, q, s); x > most || math.Abs(got-value) > 2*most {
			t.Errorf("%s: exploitability %v, a value of %v, want %v", algorithm, x, got, value)
		}
	}
}

// The same seed gives the same strategy, another one another.
func TestSeed(t *testing.T) {
	q, _ := poker(t, "kuhn")
	run := func(seed uint64) string {
		trainer, err := New(q, External, seed)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			trainer.Step()
		}
		return fmt.Sprint(trainer.Profile())
	}
	if first := run(1); first != run(1) || first == run(2) {
		t.Error("the seed does not decide")
	}
	for _, text := range []string{"cfr-br", "dcfr(1.5,0,2", "dcfr(1.5,0,2))", "pcfr+(3", "cfr+)", "cfr("} {
		if _, err := New(q, text, 1); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// Weights that overflowed say nothing.
func TestOverflow(t *testing.T) {
	q, _ := poker(t, "kuhn")
	trainer := trained(t, q, External, 1)
	first := trainer.sets[0][0]
	trainer.sum[first.first] = math.Inf(1)
	if s := trainer.Profile()[first.set]; s[0].RatString() != "1/2" {
		t.Errorf("weights that overflowed give probability %v", s[0])
	}
}

// Payoffs with which sums of regrets would overflow are refused.
func TestLargePayoffs(t *testing.T) {
	for _, payoff := range []string{"1e99", "1e101", "1000000000e300"} {
		g, err := extensive.Read("", fmt.Appendf(nil,
			`EFG 2 R "" { "1" "2" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 -%[1]s } t "" 2 "" { 0 0 }`, payoff))
		if err != nil {
			t.Fatal(err)
		}
		q, err := g.Sequences()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(q, Algorithms()[0], 1); (err == nil) != (payoff == "1e99") {
			t.Errorf("%s: %v", payoff, err)
		}
	}
}

// A training that is written and read goes on with the same bits.
func TestState(t *testing.T) {
	q, _ := poker(t, "leduc")
	for _, algorithm := range []string{"dcfr(1,0,3)", "pdcfr+", External} {
		whole, half := trained(t, q, algorithm, 20), trained(t, q, algorithm, 7)
		var state bytes.Buffer
		if err := half.WriteState(&state); err != nil {
			t.Fatal(err)
		}
		half = trained(t, q, algorithm, 0)
		if err := half.ReadState(&state); err != nil || state.Len() > 0 || half.Iterations() != 7 {
			t.Fatalf("%s: %d iterations: %v", algorithm, half.Iterations(), err)
		}
		for half.Iterations() < 20 {
			half.Step()
		}
		if !slices.Equal(whole.sum, half.sum) || !slices.Equal(whole.regret, half.regret) {
			t.Errorf("%s goes on with other bits", algorithm)
		}
		want, _ := whole.EvaluateCurrent()
		if got, _ := half.EvaluateCurrent(); !slices.Equal(got, want) {
			t.Errorf("%s: the current strategies win %v, want %v", algorithm, got, want)
		}
	}
}

// Evaluate computes what the definition says in fractions.
func TestEvaluate(t *testing.T) {
	for name, iterations := range map[string]int{"kuhn": 50, "kuhn-3p": 7, "leduc": 3} {
		q, _ := poker(t, name)
		trainer := trained(t, q, "dcfr", iterations)
		profile := trainer.Profile()
		exact, err := q.Gains(t.Context(), profile, false)
		if err != nil {
			t.Fatal(err)
		}
		values, gains := trainer.Evaluate()
		if v, g := Evaluate(q, profile); fmt.Sprintf("%.12f %.12f", v, g) != fmt.Sprintf("%.12f %.12f", values, gains) {
			t.Errorf("%s: the profile wins %v and %v, the trainer's %v and %v", name, v, g, values, gains)
		}
		for p, all := range q.Game.Values(profile) {
			value, _ := all[0].Float64()
			gain, _ := exact[p].Float64()
			if math.Abs(values[p]-value) > 1e-12 || math.Abs(gains[p]-gain) > 1e-12 || gain == 0 {
				t.Errorf("%s, player %d: %v and a gain of %v, in fractions %v and %v", name, p+1, values[p], gains[p],
					value, gain)
			}
		}
	}
}
