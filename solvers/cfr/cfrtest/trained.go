// Package cfrtest trains strategies for tests.
package cfrtest

import (
	"path/filepath"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Trained returns a strategy of a game, of a shipped name or a file, after some iterations with lossless cards. Actions
// are those of a no-limit game, or "all". The strategy's file is closed when the test ends.
func Trained(t testing.TB, game, actions string, algorithm cfr.Algorithm, iterations int) *policy.Policy {
	t.Helper()
	g, err := configs.Game(game)
	if err != nil {
		t.Fatal(err)
	}
	known, err := betting.ParseActions(actions)
	if err != nil {
		t.Fatal(err)
	}
	if g.Betting == acpc.Limit {
		known = betting.Actions{}
	}
	layout, err := publictree.Prepare(g, known, abstraction.Lossless, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	trainer := cfr.NewTrainer(layout, algorithm, 1)
	for range iterations {
		trainer.Step()
	}
	file := filepath.Join(t.TempDir(), g.Name+".strategy")
	if err := trainer.Save(file, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(file, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}
