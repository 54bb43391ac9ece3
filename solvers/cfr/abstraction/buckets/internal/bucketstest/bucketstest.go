// Package bucketstest has games, recipes and tables for the tests of package buckets and those below it.
package bucketstest

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
)

// Game returns a game with some cards, by its numbers of suits, ranks and hole cards, and
// the board cards that each round deals.
func Game(suits, ranks, hole int, board ...uint8) *acpc.Game {
	g := &acpc.Game{Name: "test", NumPlayers: 2, NumRounds: len(board), NumSuits: suits, NumRanks: ranks,
		NumHoleCards: hole}
	copy(g.NumBoardCards[:], board)
	return g
}

// Tens is hold'em with the cards from the ten up, and Coarse a recipe for it.
var (
	Tens   = Game(4, 5, 2, 0, 3, 1, 1)
	Coarse = buckets.Recipe{
		Name: "coarse", Seed: 1, Restarts: 2, Iterations: 10, Bins: 10, Clusters: 3, Rounds: []buckets.Round{
			{Feature: buckets.Hands}, {Feature: buckets.Histogram, Buckets: 12},
			{Feature: buckets.Histogram, Buckets: 15}, {Feature: buckets.OCHS, Buckets: 20},
		},
	}
)

// Small is hold'em with twelve cards and two rounds, and SmallRecipe a recipe for it.
var (
	Small       = Game(3, 4, 2, 0, 2)
	SmallRecipe = buckets.Recipe{Name: "small", Seed: 1, Iterations: 5, Bins: 6, Clusters: 2, Rounds: []buckets.Round{
		{Feature: buckets.Histogram, Buckets: 4}, {Feature: buckets.OCHS, Buckets: 5},
	}}
)

// Build makes a table.
func Build(t testing.TB, g *acpc.Game, r buckets.Recipe, o cluster.Options) *buckets.Table {
	t.Helper()
	table, err := cluster.Build(t.Context(), g, r, o)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Dealt returns a random deal of a game up to a round.
func Dealt(random *rand.Rand, g *acpc.Game, round int) abstraction.Deal {
	deck := g.Deck()
	random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	d := abstraction.Deal{Hole: card.SetOf(deck[:g.NumHoleCards]...)}
	at := g.NumHoleCards
	for r := range round + 1 {
		k := int(g.NumBoardCards[r])
		d.Board[r] = card.SetOf(deck[at : at+k]...)
		at += k
	}
	return d
}

// Equal reports whether tables have the same buckets for all hands, and the same reports.
func Equal(t testing.TB, a, b *buckets.Table) bool {
	t.Helper()
	return a.Digest() == b.Digest() && bytes.Equal(File(t, a), File(t, b))
}

// File returns the file of a table.
func File(t testing.TB, table *buckets.Table) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.buckets")
	if err := table.Write(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
