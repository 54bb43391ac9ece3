package abstraction

import (
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/hand"
)

func game(players, suits, ranks, hole int, board ...uint8) *acpc.Game {
	g := &acpc.Game{NumPlayers: players, NumRounds: len(board), NumSuits: suits, NumRanks: ranks, NumHoleCards: hole}
	copy(g.NumBoardCards[:], board)
	return g
}

var (
	kuhn   = game(2, 1, 3, 1, 0)
	kuhn3p = game(3, 1, 4, 1, 0)
	leduc  = game(2, 2, 3, 1, 0, 1)
	holdem = game(2, 4, 13, 2, 0, 3, 1, 1)
)

func rhodeIsland() *acpc.Game {
	g := game(2, 4, 13, 1, 0, 1, 1)
	g.HandRanking = hand.ThreeCard
	return g
}

func TestCount(t *testing.T) {
	for _, test := range []struct {
		name            string
		game            *acpc.Game
		kind            Kind
		buckets, boards []float64
	}{
		{"hold'em", holdem, Lossless, []float64{169, 1286792, 55190538, 2428287420},
			[]float64{1, 1755, 63193, 2554656}},
		{"hold'em, unordered river", game(2, 4, 13, 2, 5), Lossless, []float64{123156254}, []float64{134459}},
		{"20 cards", game(2, 4, 5, 2, 0, 3, 1, 1), Lossless, []float64{25, 7760, 104750, 1398100},
			[]float64{1, 95, 1145, 15120}},
		{"leduc", leduc, Lossless, []float64{3, 9}, []float64{1, 3}},
		{"leduc, none", leduc, None, []float64{6, 30}, []float64{1, 6}},
		{"rhode island", rhodeIsland(), Lossless, []float64{13, 325, 9997}, []float64{1, 13, 325}},
		{"hold'em flop, none", game(2, 4, 13, 2, 3), None, []float64{25989600}, []float64{22100}},
	} {
		buckets, boards := Count(test.game, test.kind)
		for r := range test.buckets {
			if buckets[r] != test.buckets[r] || boards[r] != test.boards[r] {
				t.Errorf("%s, round %d: %v buckets, %v boards; want %v, %v",
					test.name, r, buckets[r], boards[r], test.buckets[r], test.boards[r])
			}
		}
	}
}

// Every bucket but padding has a deal, which falls into it.
func TestDealOfBucket(t *testing.T) {
	for _, c := range []*Cards{New(kuhn, Lossless), New(leduc, Lossless), New(leduc, None),
		New(rhodeIsland(), Lossless)} {
		for r := range c.Rounds {
			dealt := 0
			for b := range c.NumBuckets(r) {
				d, ok := c.Deal(r, b)
				if !ok {
					continue
				}
				dealt++
				if got := c.Bucket(r, d); got != b {
					t.Fatalf("%v cards, round %d: the deal of bucket %d is in %d", c.Kind, r+1, b, got)
				}
			}
			if dealt != c.Rounds[r].Buckets {
				t.Errorf("%v cards, round %d: deals of %d buckets, not %d", c.Kind, r+1, dealt, c.Rounds[r].Buckets)
			}
		}
	}
}

var listed = []struct {
	name string
	game *acpc.Game
}{
	{"kuhn", kuhn}, {"kuhn-3p", kuhn3p}, {"leduc", leduc}, {"rhode island", rhodeIsland()},
	{"20 cards", game(2, 4, 5, 2, 0, 3, 1)}, {"board first", game(3, 4, 4, 1, 2, 0, 1)},
	{"three hole cards", game(2, 3, 4, 3, 0, 2)}, {"board at once", game(2, 4, 5, 2, 5)},
}

// TestCardsMatchCount compares the enumeration with Burnside's lemma.
func TestCardsMatchCount(t *testing.T) {
	for _, test := range listed {
		for _, kind := range []Kind{Lossless, None} {
			if kind == None && test.game.BoardCards(test.game.NumRounds-1) > 2 {
				continue // large, and no symmetry to go wrong
			}
			c := New(test.game, kind)
			buckets, boards := Count(test.game, kind)
			for r, round := range c.Rounds {
				if float64(round.Buckets) != buckets[r] || float64(len(round.Boards)) != boards[r] {
					t.Errorf("%s %v round %d: %d buckets, %d boards; want %v, %v",
						test.name, kind, r, round.Buckets, len(round.Boards), buckets[r], boards[r])
				}
			}
		}
	}
}

// TestWeights checks that values are averaged: a value of one for every hand
// and board is, summed up over the rounds, one for each hand that the other
// players can hold, and the mean over the first round is one.
func TestWeights(t *testing.T) {
	for _, test := range listed {
		c := New(test.game, Lossless)
		last := &c.Rounds[len(c.Rounds)-1]
		values := make([]float64, last.Stride)
		for i := range values {
			values[i] = 1
		}
		for r := len(c.Rounds) - 1; r > 0; r-- {
			up := make([]float64, c.Rounds[r-1].Stride)
			for i, w := range c.Rounds[r].Weight {
				up[c.Rounds[r].Up[i]] += w * values[i]
			}
			values = up
			// The boards that a player's own cards leave are more than those
			// that all players' cards leave.
			g := test.game
			left := g.NumSuits*g.NumRanks - g.BoardCards(r-1)
			k := int(g.NumBoardCards[r])
			want := float64(card.Combinations(left-g.NumHoleCards, k)) /
				float64(card.Combinations(left-g.NumHoleCards*g.NumPlayers, k))
			for h, v := range values {
				if c.Rounds[r-1].Size[h] > 0 && math.Abs(v-want) > 1e-12 {
					t.Fatalf("%s round %d bucket %d: sum of weights %v, want %v", test.name, r-1, h, v, want)
				}
				if c.Rounds[r-1].Size[h] > 0 {
					values[h] = 1
				}
			}
		}
	}
}

// TestBucket checks that every deal finds its bucket, that sizes are the
// numbers of combinations, and that a bucket refines its parent.
func TestBucket(t *testing.T) {
	for _, test := range listed[:6] {
		c := New(test.game, Lossless)
		for r := range c.Rounds {
			round := &c.Rounds[r]
			for i := range round.Boards {
				b := &round.Boards[i]
				seen := make([]float64, b.Num)
				d := Deal{Board: b.Cards}
				card.Subsets(c.rest(d.cards()), c.Game.NumHoleCards, func(s card.Set) {
					d.Hole = s
					h := c.Bucket(r, d)
					if h < int(b.First) || h >= int(b.First+b.Num) {
						t.Fatalf("%s round %d: deal %v in bucket %d, not on its board", test.name, r, d, h)
					}
					seen[h-int(b.First)]++
					if r > 0 {
						before := d
						before.Board[r] = 0
						if up := c.Bucket(r-1, before); up != int(round.Up[h]) {
							t.Fatalf("%s round %d: bucket %d refines %d, want %d", test.name, r, h, round.Up[h], up)
						}
					}
				})
				for k, n := range seen {
					if n != round.Size[int(b.First)+k] {
						t.Fatalf("%s round %d: bucket %d has size %v, want %v", test.name, r, int(b.First)+k,
							round.Size[int(b.First)+k], n)
					}
				}
			}
		}
	}
}

// The cards of one board are those of the whole game on it, and the weights of all hands on
// it add up to one.
func TestNewOnBoard(t *testing.T) {
	g := game(2, 4, 3, 2, 5)
	all := New(g, None)
	whole := &all.Rounds[0]
	for i := range whole.Boards {
		b := &whole.Boards[i]
		part := NewOnBoard(g, b.Cards[0])
		one := &part.Rounds[0]
		if len(one.Boards) != 1 || one.Boards[0].Cards != b.Cards ||
			!slices.Equal(one.Hole[:b.Num], whole.Hole[b.First:b.First+b.Num]) ||
			!slices.Equal(one.Rank[:b.Num], whole.Rank[b.First:b.First+b.Num]) {
			t.Fatalf("board %v: %v, want %v", b.Cards[0], one.Hole, whole.Hole[b.First:b.First+b.Num])
		}
		others, sum := float64(card.Combinations(12-5-2, 2)), 0.0
		for _, w := range one.Weight {
			sum += w * others
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("board %v: weights add up to %g", b.Cards[0], sum)
		}
	}
}
