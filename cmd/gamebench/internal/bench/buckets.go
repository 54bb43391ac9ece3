package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// bucketsWork is the work of bench buckets: to train with card abstractions, and to answer the
// strategies exactly.
type bucketsWork struct {
	cards      []bucketsCards
	iterations uint64
}

// bucketsCards are numbers of buckets by round, the first aside, where all hands are apart.
type bucketsCards struct {
	buckets [3]int
	kind    string
}

// The kinds of buckets.
const (
	percentiles   = "percentiles" // percentiles of strength
	clustered     = "k-means"
	perfectRecall = "k-means, perfect recall"
)

var fullBuckets = bucketsWork{iterations: 1_000_000, cards: []bucketsCards{
	{[3]int{10, 10, 10}, percentiles}, {[3]int{10, 10, 10}, clustered},
	{[3]int{30, 30, 30}, percentiles}, {[3]int{30, 30, 30}, clustered},
	{[3]int{100, 100, 100}, percentiles}, {[3]int{100, 100, 100}, clustered},
	{[3]int{50, 100, 200}, clustered}, {[3]int{50, 100, 200}, perfectRecall},
	{[3]int{200, 50, 50}, clustered}, {[3]int{50, 200, 50}, clustered}, {[3]int{50, 50, 200}, clustered},
}}

// run emits the exploitability of the strategies in the game itself.
func (w bucketsWork) run(ctx context.Context, emit func(Row)) error {
	game, err := oneRaise("holdem-limit-20")
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "trained.strategy")
	for _, c := range w.cards {
		cards, err := c.open(ctx, game, folder)
		if err != nil {
			return err
		}
		if err := w.train(ctx, policy.GameSpec{Game: game, Cards: cards}, file); err != nil {
			return err
		}
		r, err := exploitabilityRow(ctx, file)
		if err != nil {
			return err
		}
		r.Case = fmt.Sprintf("%s, %s, %s", game.Name, c.size(), c.kind)
		emit(r)
	}
	return nil
}

// size describes the numbers of buckets.
func (c bucketsCards) size() string {
	if b := c.buckets; b[0] != b[1] || b[1] != b[2] {
		return fmt.Sprintf("%d/%d/%d buckets", b[0], b[1], b[2])
	}
	return fmt.Sprintf("%d buckets", c.buckets[0])
}

// open returns the name of a card abstraction. Those of k-means are made in a folder.
func (c bucketsCards) open(ctx context.Context, game *acpc.Game, folder string) (name string, err error) {
	if c.kind == percentiles {
		return fmt.Sprintf("quick(%d,%d,%d)", c.buckets[0], c.buckets[1], c.buckets[2]), nil
	}
	r := buckets.Recipe{Seed: 1, Iterations: 50, Sample: 500_000, Bins: 50, Clusters: 8,
		PerfectRecall: c.kind == perfectRecall}
	r.Rounds = []buckets.Round{{Feature: buckets.Hands}, {Feature: buckets.Histogram}, {Feature: buckets.Histogram},
		{Feature: buckets.OCHS}}
	for i, n := range c.buckets {
		r.Rounds[i+1].Buckets = n
	}
	if r.PerfectRecall { // a recipe has the buckets of a round alone
		before, err := abstraction.NewSuitIndex(game.NumSuits, game.NumRanks, game.NumHoleCards, 0)
		if err != nil {
			return "", err
		}
		for i, n := 0, before.Size(); i < len(c.buckets); i, n = i+1, c.buckets[i] {
			r.Rounds[i+1].Buckets = c.buckets[i] / n
		}
	}
	table, err := cluster.Build(ctx, game, r, cluster.Options{Threads: runtime.NumCPU()})
	if err != nil {
		return "", err
	}
	name = filepath.Join(folder, "clustered.buckets")
	return name, table.Write(name)
}

// train trains a strategy by external sampling.
func (w bucketsWork) train(ctx context.Context, game policy.GameSpec, file string) error {
	return trainTo(ctx, train.Spec{GameSpec: game, Seed: 1}, w.iterations, file)
}

// trainTo trains a strategy in n iterations.
func trainTo(ctx context.Context, s train.Spec, iterations uint64, file string) error {
	t, err := train.Open(s, train.Options{Threads: runtime.NumCPU()})
	if err != nil {
		return err
	}
	for t.Iterations() < iterations {
		t.Step()
		if err := context.Cause(ctx); err != nil {
			return err
		}
	}
	return t.Save(file, strategy.Meta{})
}

// exploitabilityRow returns a row with the exact exploitability of a strategy in the game
// itself.
func exploitabilityRow(ctx context.Context, file string) (Row, error) {
	p, err := policy.Open(file, memory.Available(), nil)
	if err != nil {
		return Row{}, err
	}
	defer p.Close()
	s, err := bestresponse.Read(p, nil)
	if err != nil {
		return Row{}, err
	}
	best, err := bestresponse.New(s).Exact(ctx, runtime.NumCPU())
	mb := 1000 / float64(p.Tree.Game.MaxBlind())
	return Row{Threads: 1, Metric: "exploitability", Value: mb * (best[0] + best[1]) / 2, Unit: "mb a hand"}, err
}
