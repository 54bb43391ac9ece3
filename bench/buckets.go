package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/bestresponse"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/strategy"
)

// bucketsWork is the work of bench buckets: to train with numbers of buckets a round, the
// first aside, that are percentiles of strength, and that k-means makes.
type bucketsWork struct {
	buckets    []int
	iterations uint64
}

var fullBuckets = bucketsWork{buckets: []int{10, 30, 100}, iterations: 1_000_000}

// run emits the exploitability of the strategies in the game itself.
func (w bucketsWork) run(ctx context.Context, emit func(Row) error) error {
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
	for _, n := range w.buckets {
		clustered, err := clusterHands(ctx, game, n, folder)
		if err != nil {
			return err
		}
		for _, cards := range []struct{ name, abstraction string }{{"percentiles", fmt.Sprintf("quick(%d,%d,%d)", n, n, n)}, {"k-means", clustered}} {
			if err := w.train(ctx, game, cards.abstraction, file); err != nil {
				return err
			}
			r, err := exploitabilityRow(ctx, file)
			if err != nil {
				return err
			}
			r.Case = fmt.Sprintf("%s, %d buckets, %s", game.Name, n, cards.name)
			if err := emit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// oneRaise returns a game of hold'em with one raise a round, so that exact best responses
// take seconds.
func oneRaise(name string) (*acpc.Game, error) {
	game, err := configs.Game(name)
	if err != nil {
		return nil, err
	}
	game.Name += ", one raise a round"
	for r := range game.NumRounds {
		game.MaxRaises[r] = 1
	}
	return game, nil
}

// clusterHands makes so many buckets a round by k-means, and returns their file.
func clusterHands(ctx context.Context, game *acpc.Game, n int, folder string) (file string, err error) {
	table, err := buckets.Build(ctx, game, buckets.Recipe{Seed: 1, Iterations: 50, Sample: 500_000, Bins: 50, Clusters: 8, Rounds: []buckets.Round{
		{Feature: buckets.Hands}, {Feature: buckets.Histogram, Buckets: n}, {Feature: buckets.Histogram, Buckets: n}, {Feature: buckets.OCHS, Buckets: n},
	}}, buckets.Options{Threads: runtime.NumCPU()})
	if err != nil {
		return "", err
	}
	file = filepath.Join(folder, fmt.Sprintf("%d.buckets", n))
	return file, table.Write(file)
}

// train trains a strategy by external sampling.
func (w bucketsWork) train(ctx context.Context, game *acpc.Game, cards, file string) error {
	t, err := train.Open(train.Spec{GameSpec: cfr.GameSpec{Game: game, Cards: cards}, Seed: 1}, train.Options{})
	if err != nil {
		return err
	}
	for t.Iterations() < w.iterations {
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
	policy, err := cfr.OpenPolicy(file, memory.Available(), nil)
	if err != nil {
		return Row{}, err
	}
	defer policy.Close()
	s, err := bestresponse.Read(policy, nil)
	if err != nil {
		return Row{}, err
	}
	best, err := bestresponse.New(s).Exact(ctx, runtime.NumCPU())
	mb := 1000 / float64(policy.Tree.Game.MaxBlind())
	return Row{Threads: 1, Metric: "exploitability", Value: mb * (best[0] + best[1]) / 2, Unit: "mb a hand"}, err
}
