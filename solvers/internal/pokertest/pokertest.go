// Package pokertest has the games that the tests of package cfr and of the packages below it
// share.
package pokertest

import (
	"fmt"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction"
)

// Game returns a game that comes with the program. The caller may change it.
func Game(t testing.TB, name string) *acpc.Game {
	t.Helper()
	g, err := configs.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Holdem returns limit hold'em with a smaller deck. Board has the numbers of cards that the
// rounds after the first deal.
func Holdem(t testing.TB, suits, ranks int, board ...uint8) *acpc.Game {
	t.Helper()
	return smaller(Game(t, "holdem-limit-2p"), suits, ranks, board)
}

// NoLimit returns no-limit hold'em with a smaller deck, and stacks of some big blinds.
func NoLimit(t testing.TB, blinds int32, suits, ranks int, board ...uint8) *acpc.Game {
	t.Helper()
	g := smaller(Game(t, "holdem-nolimit-2p"), suits, ranks, board)
	g.Name = "no-limit " + g.Name
	g.Stack[0], g.Stack[1] = blinds*g.MaxBlind(), blinds*g.MaxBlind()
	return g
}

func smaller(g *acpc.Game, suits, ranks int, board []uint8) *acpc.Game {
	g.Name, g.NumSuits, g.NumRanks, g.NumRounds = fmt.Sprintf("hold'em %d×%d, boards %v", suits, ranks, board),
		suits, ranks, 1+len(board)
	g.NumBoardCards = [acpc.MaxRounds]uint8{}
	copy(g.NumBoardCards[1:], board)
	return g
}

// TwoCards returns a game of two hole cards, four suits and flushes.
func TwoCards() *acpc.Game {
	g := &acpc.Game{
		Name: "two cards", NumPlayers: 2, NumRounds: 2, NumSuits: 4, NumRanks: 5, NumHoleCards: 2,
		RaiseSize: [4]int32{2, 4}, MaxRaises: [4]uint8{1, 1}, NumBoardCards: [4]uint8{0, 3},
	}
	for p := range g.NumPlayers {
		g.Stack[p] = 7
		g.Blind[p] = int32(1 + p)
	}
	return g
}

// SmallNoLimit returns a game with all-in showdowns before the last round, unequal stacks and
// board cards in every round.
func SmallNoLimit() *acpc.Game {
	g := &acpc.Game{
		Name: "small no-limit", Betting: acpc.NoLimit, NumPlayers: 2, NumRounds: 3, NumSuits: 2, NumRanks: 5,
		NumHoleCards: 1, MaxRaises: [4]uint8{2, 1, 1}, NumBoardCards: [4]uint8{1, 0, 2},
	}
	for p := range g.NumPlayers {
		g.Stack[p] = int32(5 + p)
		g.Blind[p] = int32(1 + p)
	}
	return g
}

// Hashed is a card abstraction with some numbers of buckets by round, into which hands are put
// regardless of their strength.
type Hashed []int

func (n Hashed) Name() string             { return "hashed" }
func (n Hashed) NumBuckets(round int) int { return n[round] }

func (n Hashed) Bucket(round int, d abstraction.Deal) int {
	x := rng.Mix(uint64(d.Hole))
	for _, cards := range d.Board {
		x = rng.Mix(x ^ uint64(cards))
	}
	return int(x % uint64(n[round]))
}
