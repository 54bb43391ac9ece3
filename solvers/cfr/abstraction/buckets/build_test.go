package buckets

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// game returns a game with some cards, by its numbers of suits, ranks and hole cards, and
// the board cards that each round deals.
func game(suits, ranks, hole int, board ...uint8) *acpc.Game {
	g := &acpc.Game{Name: "test", NumPlayers: 2, NumRounds: len(board), NumSuits: suits, NumRanks: ranks,
		NumHoleCards: hole}
	copy(g.NumBoardCards[:], board)
	return g
}

// tens is hold'em with the cards from the ten up.
var tens = game(4, 5, 2, 0, 3, 1, 1)

// coarse is a recipe for tens.
var coarse = Recipe{Name: "coarse", Seed: 1, Restarts: 2, Iterations: 10, Bins: 10, Clusters: 3, Rounds: []Round{
	{Feature: Hands}, {Feature: Histogram, Buckets: 12}, {Feature: Histogram, Buckets: 15},
	{Feature: OCHS, Buckets: 20},
}}

func build(t *testing.T, g *acpc.Game, r Recipe, o Options) *Table {
	t.Helper()
	table, err := Build(t.Context(), g, r, o)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// dealt returns a random deal of a game up to a round.
func dealt(random *rand.Rand, g *acpc.Game, round int) abstraction.Deal {
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

// all returns the bucket of every hand of a round.
func (x *round) all() (list []uint32) {
	for i := range x.index.Size() {
		list = append(list, x.bucket.at(i))
	}
	return list
}

// equal reports whether tables have the same buckets for all hands.
func equal(a, b *Table) bool {
	for r := range a.rounds {
		if a.rounds[r].bucket != nil && !slices.Equal(a.rounds[r].all(), b.rounds[r].all()) {
			return false
		}
	}
	return a.digest == b.digest
}

// The features of the table's hands, which are computed all at once, are those of each
// hand on its own, so that buckets that are looked up are those that are computed.
func TestBucketsWithoutTable(t *testing.T) {
	for name, g := range map[string]*acpc.Game{"tens": tens, "one card": game(4, 4, 1, 0, 2, 1),
		"two suits": game(2, 6, 2, 1, 2)} {
		r := coarse
		r.Rounds = slices.Clone(coarse.Rounds[:g.NumRounds-1])
		r.Rounds = append(r.Rounds, coarse.Rounds[3])
		table := build(t, g, r, Options{})
		computed := *table
		computed.rounds = slices.Clone(table.rounds)
		for i := range computed.rounds {
			computed.rounds[i].bucket = nil
		}
		random := rand.New(rand.NewPCG(1, 1))
		met := map[[2]int]bool{}
		for i := range 2000 {
			round := i % g.NumRounds
			d := dealt(random, g, round)
			got, want := computed.Bucket(round, d), table.Bucket(round, d)
			if got != want || got < 0 || got >= table.NumBuckets(round) {
				t.Fatalf("%s: bucket %d of %v in round %d, in the table %d", name, got, d, round, want)
			}
			met[[2]int{round, got}] = true
		}
		if len(met) < 30 {
			t.Errorf("%s: only %d buckets are met", name, len(met))
		}
	}
}

// The threads of a build do not change its buckets, and a seed does.
func TestBuildIsReproducible(t *testing.T) {
	r := coarse
	r.Sample = 3000
	one := build(t, tens, r, Options{Threads: 1})
	if three := build(t, tens, r, Options{Threads: 3}); !equal(one, three) {
		t.Error("three threads make other buckets")
	}
	r.Seed++
	if other := build(t, tens, r, Options{Threads: 3}); equal(one, other) || one.Name() == other.Name() {
		t.Error("another seed makes the same buckets")
	}
}

// Buckets ascend from weak hands to strong ones.
func TestBucketsAscend(t *testing.T) {
	table := build(t, tens, coarse, Options{})
	strength := func(round, bucket int) (sum float64) {
		values := table.Centre(round, bucket)
		for i, v := range values {
			if coarse.Rounds[round].Feature == Histogram {
				v *= float64(i)
			}
			sum += v
		}
		return sum
	}
	for round := 1; round < 4; round++ {
		for b := 1; b < table.NumBuckets(round); b++ {
			if strength(round, b) < strength(round, b-1) {
				t.Errorf("round %d: bucket %d is weaker than the one before", round, b)
			}
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	for want, change := range map[string]func(*Recipe){
		"it has 3 rounds":                  func(r *Recipe) { r.Rounds = r.Rounds[:3] },
		"a sample of 1 hands is too small": func(r *Recipe) { r.Sample = 1 },
		"round 2: 1 bins":                  func(r *Recipe) { r.Bins = 1 },
		"round 4: 0 clusters":              func(r *Recipe) { r.Clusters = 0 },
		"round 3: 0 buckets":               func(r *Recipe) { r.Rounds[2].Buckets = 0 },
		"round 3: ochs compares":           func(r *Recipe) { r.Rounds[2].Feature = OCHS },
		"round 1: unknown feature":         func(r *Recipe) { r.Rounds[0].Feature = Given },
		"round 4: 72000000 buckets":        func(r *Recipe) { r.PerfectRecall = true; r.Rounds[3].Buckets = 16000 },
	} {
		r := coarse
		r.Rounds = slices.Clone(coarse.Rounds)
		change(&r)
		_, err := Build(t.Context(), tens, r, Options{})
		if e := (*RecipeError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	three := game(4, 13, 3, 0, 3)
	if _, err := Build(t.Context(), three, Recipe{Rounds: coarse.Rounds[:2]}, Options{}); err == nil ||
		!strings.Contains(err.Error(), "3 hole cards") {
		t.Errorf("three hole cards: %v", err)
	}
}
