package mccfr

import (
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// rulesOf returns a game that comes with the program.
func rulesOf(t testing.TB, name string) *acpc.Game {
	t.Helper()
	_, text, err := configs.GameText(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := acpc.ParseGame(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// gameOf lays out a game, with its shipped rules and all of its actions.
func gameOf(t testing.TB, name string, buckets func(*acpc.Game) cfr.Buckets) *Game {
	t.Helper()
	rules := rulesOf(t, name)
	g, err := NewGame(rules, betting.Actions{}, buckets(rules))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func lossless(g *acpc.Game) cfr.Buckets { return abstraction.New(g, abstraction.Lossless) }

func sets(g *acpc.Game) cfr.Buckets { return abstraction.NewSets(g) }

// few is sets of cards, joined at random into a few buckets.
type few struct {
	*abstraction.Sets
	buckets int
}

func (f few) NumBuckets(int) int { return f.buckets }

func (f few) Bucket(round int, d abstraction.Deal) int {
	return f.Sets.Bucket(round, d) * 7919 % f.buckets
}

func fewBuckets(g *acpc.Game) cfr.Buckets { return few{abstraction.NewSets(g), 5} }

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

// small lists games of all kinds that are quick to train.
func small(t testing.TB) []*Game {
	games := []*Game{gameOf(t, "kuhn", lossless), gameOf(t, "kuhn-3p", lossless), gameOf(t, "leduc", lossless)}
	rules := allIn()
	g, err := NewGame(rules, betting.Actions{}, sets(rules))
	if err != nil {
		t.Fatal(err)
	}
	return append(games, g)
}

// evaluatorOf returns what judges strategies of a game with lossless cards.
func evaluatorOf(g *Game) *cfr.Evaluator {
	return cfr.NewEvaluator(cfr.NewLayout(betting.NewTree(g.Rules, g.Shape), g.Buckets.(*abstraction.Cards)), 1)
}
