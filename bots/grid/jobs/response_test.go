package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gamebots/acpc"
	"gamebots/bots/grid"
	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// The buckets that a strategy's file leaves out are computed before it is answered, until the
// job ends.
func TestResponseFillsBuckets(t *testing.T) {
	g, err := acpc.ParseGame("sixteen", `GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 2 1
raiseSize = 2 4
firstPlayer = 2 1
maxRaises = 1 1
numSuits = 4
numRanks = 4
numHoleCards = 2
numBoardCards = 0 2
END GAMEDEF
`)
	if err != nil {
		t.Fatal(err)
	}
	table, err := cluster.Build(t.Context(), g, buckets.Recipe{
		Iterations: 5, Bins: 10,
		Rounds: []buckets.Round{{Feature: buckets.Hands}, {Feature: buckets.Histogram, Buckets: 5}},
	}, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	cards, file := filepath.Join(folder, "five.buckets"), filepath.Join(folder, "five.strategy")
	if err := table.Write(cards); err != nil {
		t.Fatal(err)
	}
	trained, err := train.Open(train.Spec{GameSpec: policy.GameSpec{Game: g, Cards: cards}}, train.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trained.Step()
	if err := trained.Save(file, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	s := RealStrategy{}
	if s.File, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	if r, err := s.response(t.Context()); err != nil || r.Parts() == 0 {
		t.Errorf("no response is prepared: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.response(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the job: %v", err)
	}
}

// A worker opens a strategy that lacks the last rounds, which a player may solve in play, and
// refuses it where none is solved.
func TestCutStrategy(t *testing.T) {
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	trained, err := train.Open(train.Spec{GameSpec: policy.GameSpec{Game: g, Cards: "lossless"}}, train.Options{})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	whole, first := filepath.Join(folder, "whole.strategy"), filepath.Join(folder, "first.strategy")
	if err := trained.Save(whole, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	strat, err := policy.Open(whole, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer strat.Close()
	if err := strat.SaveRounded(t.Context(), first, 8, 1); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	rounds := 0
	if err := withPolicy(file, func(p *policy.Policy) error { rounds = p.Rounds(); return nil }); err != nil ||
		rounds != 1 {
		t.Errorf("%d rounds, error %v", rounds, err)
	}
	if _, err := newEvaluators(file); !errors.As(err, new(*policy.CutError)) {
		t.Errorf("evaluation: error %v", err)
	}
	real := RealStrategy{File: file}
	if _, err := real.response(t.Context()); !errors.As(err, new(*policy.CutError)) {
		t.Errorf("best response: error %v", err)
	}
	job := grid.Job{Spec: []byte("[0,1]"), Shared: mustMarshal(LBRMatch{File: file, Menu: "fc"})}
	if _, err := LBRJob()(t.Context(), job); !errors.As(err, new(*policy.CutError)) {
		t.Errorf("local best response: error %v", err)
	}
}
