// Package mccfrtest has the games, and the checks of trainers, that the tests of
// package mccfr and of the packages below it share.
package mccfrtest

import (
	"bytes"
	"io"
	"math"
	"path/filepath"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// NewGame is that of package mccfr, whose tests import this package.
type NewGame[G any] func(rules *acpc.Game, actions betting.Actions, buckets policy.Buckets) (G, error)

// Game lays out a game that comes with the program, with all of its actions.
func Game[G any](t testing.TB, lay NewGame[G], name string, buckets func(*acpc.Game) policy.Buckets) G {
	t.Helper()
	return GameOf(t, lay, pokertest.Game(t, name), betting.Actions{}, buckets)
}

// Games lays out games that come with the program.
func Games[G any](
	t testing.TB, lay NewGame[G], buckets func(*acpc.Game) policy.Buckets, names ...string,
) (games []G) {
	t.Helper()
	for _, name := range names {
		games = append(games, Game(t, lay, name, buckets))
	}
	return games
}

// GameOf lays out a game.
func GameOf[G any](
	t testing.TB, lay NewGame[G], rules *acpc.Game, actions betting.Actions, buckets func(*acpc.Game) policy.Buckets,
) G {
	t.Helper()
	g, err := lay(rules, actions, buckets(rules))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Lossless is the card abstraction without loss.
func Lossless(g *acpc.Game) policy.Buckets { return abstraction.New(g, abstraction.Lossless) }

// Boardless is the card abstraction of Reis (2015).
func Boardless(g *acpc.Game) policy.Buckets { return abstraction.NewBoardless(g) }

// Few is the boardless abstraction with its buckets joined at random into a few.
type Few struct {
	*abstraction.Boardless
	Buckets int
}

// NumBuckets returns the number of buckets.
func (f Few) NumBuckets(int) int { return f.Buckets }

// Bucket returns the bucket of a deal.
func (f Few) Bucket(round int, d abstraction.Deal) int {
	return f.Boardless.Bucket(round, d) * 7919 % f.Buckets
}

// FewBuckets is Few with five buckets.
func FewBuckets(g *acpc.Game) policy.Buckets { return Few{abstraction.NewBoardless(g), 5} }

// allIn is a game of three players with different stacks, so with side pots, of
// two rounds.
func allIn() *acpc.Game {
	g := &acpc.Game{
		Name: "all-in", Betting: acpc.NoLimit, NumPlayers: 3, NumRounds: 2, NumSuits: 2, NumRanks: 4,
		NumHoleCards: 1, MaxRaises: [4]uint8{2, 1}, NumBoardCards: [4]uint8{0, 1},
	}
	for p := range g.NumPlayers {
		g.Stack[p], g.Blind[p] = int32(2+p), 1
	}
	return g
}

// Small lists games of all kinds that are quick to train.
func Small[G any](t testing.TB, lay NewGame[G]) []G {
	t.Helper()
	return append(Games(t, lay, Lossless, "kuhn", "kuhn-3p", "leduc"),
		GameOf(t, lay, allIn(), betting.Actions{}, Boardless))
}

// Evaluator returns the exact evaluator of a game with lossless cards.
func Evaluator(rules *acpc.Game, actions betting.Actions, buckets policy.Buckets) *publictree.Evaluator {
	shape := actions.Remembering().ShapeOf(rules, betting.MaxNodes)
	return publictree.NewEvaluator(publictree.NewLayout(betting.NewTree(rules, shape), buckets.(*abstraction.Cards)), 1)
}

// Resume copies a state from one trainer to another.
func Resume(t testing.TB, from interface{ WriteState(io.Writer) error }, to interface{ ReadState(io.Reader) error }) {
	t.Helper()
	var state bytes.Buffer
	if err := from.WriteState(&state); err != nil {
		t.Fatal(err)
	}
	if err := to.ReadState(&state); err != nil {
		t.Fatal(err)
	}
	if state.Len() > 0 {
		t.Errorf("%d bytes of the state were not read", state.Len())
	}
}

// Trainer trains a strategy and saves it.
type Trainer interface {
	Step()
	Save(path string, m strategy.Meta) error
	Weights() []float32
}

// Save trains a little with a trainer whose seed is 5, saves the strategy, and reads
// it back as a player does.
func Save(t *testing.T, e *publictree.Evaluator, trainer Trainer) {
	t.Helper()
	for range 200 {
		trainer.Step()
	}
	path := filepath.Join(t.TempDir(), "test.strategy")
	if err := trainer.Save(path, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Open(path, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	full, err := p.Full(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	weights, err := full.Weights()
	if err != nil {
		t.Fatal(err)
	}
	got, want := e.Evaluate(weights).Exploitability(), e.Evaluate(trainer.Weights()).Exploitability()
	if math.Abs(got-want) > 1e-3*want {
		t.Errorf("%s: exploitability %v in the file, want %v", p.Meta().Algorithm, got, want)
	}
	if m := p.Meta(); m.Seed != 5 || m.Iterations == 0 || m.Algorithm == "" {
		t.Errorf("the file says %+v", m)
	}
}
