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
	game, err := configs.Game("holdem-limit-20")
	if err != nil {
		return err
	}
	game.Name += ", one raise a round" // so that exact best responses take seconds
	for r := range game.NumRounds {
		game.MaxRaises[r] = 1
	}
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, n := range w.buckets {
		clustered := filepath.Join(folder, fmt.Sprintf("%d.buckets", n))
		table, err := buckets.Build(ctx, game, buckets.Recipe{Seed: 1, Iterations: 50, Sample: 500_000, Bins: 50, Clusters: 8, Rounds: []buckets.Round{
			{Feature: buckets.Hands}, {Feature: buckets.Histogram, Buckets: n}, {Feature: buckets.Histogram, Buckets: n}, {Feature: buckets.OCHS, Buckets: n},
		}}, buckets.Options{Threads: runtime.NumCPU()})
		if err != nil {
			return err
		}
		if err := table.Write(clustered); err != nil {
			return err
		}
		for _, cards := range []struct{ name, abstraction string }{{"percentiles", fmt.Sprintf("quick(%d,%d,%d)", n, n, n)}, {"k-means", clustered}} {
			x, err := w.exploitability(ctx, game, cards.abstraction, filepath.Join(folder, "trained.strategy"))
			if err != nil {
				return err
			}
			r := Row{Case: fmt.Sprintf("%s, %d buckets, %s", game.Name, n, cards.name), Threads: 1,
				Metric: "exploitability", Value: 1000 / float64(game.MaxBlind()) * x, Unit: "mb a hand"}
			if err := emit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// exploitability trains a strategy by external sampling, and returns its exploitability in
// chips a hand.
func (w bucketsWork) exploitability(ctx context.Context, game *acpc.Game, cards, file string) (float64, error) {
	t, err := train.Open(train.Spec{GameSpec: cfr.GameSpec{Game: game, Cards: cards}, Seed: 1}, train.Options{})
	if err != nil {
		return 0, err
	}
	for t.Iterations() < w.iterations {
		t.Step()
		if err := context.Cause(ctx); err != nil {
			return 0, err
		}
	}
	if err := t.Save(file, strategy.Meta{}); err != nil {
		return 0, err
	}
	policy, err := cfr.OpenPolicy(file, memory.Available(), nil)
	if err != nil {
		return 0, err
	}
	defer policy.Close()
	s, err := bestresponse.Read(policy, nil)
	if err != nil {
		return 0, err
	}
	best, err := bestresponse.New(s).Exact(ctx, runtime.NumCPU())
	return (best[0] + best[1]) / 2, err
}
