package cfr

import (
	"math"
	"path/filepath"
	"testing"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// The information sets of a strategy are those of its game, each once, and the
// probabilities in each add up to 1.
func TestAllInfoSets(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "kuhn-3p"} {
		l := prepared(t, pokertest.Game(t, name), abstraction.Lossless)
		trainer := NewTrainer(l, Algorithms[0], 1)
		for range 20 {
			trainer.Step()
		}
		file := filepath.Join(t.TempDir(), "a.strategy")
		if err := trainer.Save(file, strategy.Meta{}); err != nil {
			t.Fatal(err)
		}
		p, err := policy.Open(file, 1<<30, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		type key struct {
			node   int32
			bucket int
		}
		seen := make(map[key]bool)
		for set, err := range p.All() {
			if err != nil {
				t.Fatal(err)
			}
			seen[key{set.Node, set.Bucket}] = true
			s, err := l.Tree.Game.ParseBetting(set.Betting)
			if err != nil || l.Tree.Find(&s) != set.Node {
				t.Fatalf("%s: betting %q is node %d, not %d, %v", name, set.Betting, l.Tree.Find(&s), set.Node, err)
			}
			if got := p.Buckets.Bucket(s.Round(), set.Deal); got != set.Bucket {
				t.Errorf("%s: deal %v is in bucket %d, not %d", name, set.Deal, got, set.Bucket)
			}
			sum, i := 0.0, 0
			for a := range (betting.Actions{}).Legal(&s) {
				if set.Choices[i].Action != a {
					t.Fatalf("%s, %q: choice %d is %v, not %v", name, set.Betting, i, set.Choices[i].Action, a)
				}
				sum += float64(set.Choices[i].Probability)
				i++
			}
			if i != len(set.Choices) || math.Abs(sum-1) > 1e-6 {
				t.Errorf("%s, %q, bucket %d: %v", name, set.Betting, set.Bucket, set.Choices)
			}
		}
		if len(seen) != l.InfoSets() {
			t.Errorf("%s: %d information sets, not %d", name, len(seen), l.InfoSets())
		}
		for range p.All() { // may be left
			break
		}
	}
}
