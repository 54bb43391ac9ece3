package pcs

import (
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/bestresponse"
	"gamebots/solvers/cfr/betting"
)

// Game is a game laid out for training. It does not change after it is made and may be
// shared.
type Game struct {
	*cfr.Index
	layout pcsgpu.Game // of arrays, for the CPU too
	rounds []roundNodes
	cards  []card.Card
	// See Holes.
	hole []card.Set
	pair [][2]uint8
}

// roundNodes is where the lanes and the columns of a round are in the betting tree.
type roundNodes struct {
	lanes   []betting.Segment
	columns [2][]place // by player: of each decision, in the order of its columns
}

// place is a decision: its node in the first segment, counted from the root, and its first
// column.
type place struct{ node, column int32 }

// New lays out a game for batches of a number of boards. The error is a
// [*bestresponse.GameError] for games without limit betting for two, or with more actions in
// a round than arrays have room for.
func New(x *cfr.Index, boards int) (*Game, error) {
	if err := bestresponse.Check(x.Tree); err != nil {
		return nil, err
	}
	rules := x.Tree.Game
	g := &Game{Index: x, cards: rules.Deck()}
	g.layout = pcsgpu.Game{Boards: boards, Deck: len(g.cards), TwoCards: rules.NumHoleCards == 2}
	card.Subsets(g.cards, rules.NumHoleCards, func(hole card.Set) {
		g.hole = append(g.hole, hole)
		first := slices.IndexFunc(g.cards, hole.Has)
		second := len(g.cards) // where hands have one card
		if rest := hole &^ g.cards[first].Bit(); rest != 0 {
			second = slices.IndexFunc(g.cards, rest.Has)
		}
		g.pair = append(g.pair, [2]uint8{uint8(first), uint8(second)})
	})
	g.layout.Hands = card.Combinations(len(g.cards)-rules.BoardCards(rules.NumRounds-1), rules.NumHoleCards)
	if len(g.cards) >= 1<<cardBits || len(g.hole) >= 1<<pcsgpu.HandBits {
		return nil, &bestresponse.GameError{Game: rules.Name, Reason: fmt.Sprintf("a deck of %d cards is too large", len(g.cards))}
	}
	for r := range rules.NumRounds {
		b := newRoundBuilder(x, r)
		if err := b.build(); err != nil {
			return nil, err
		}
		g.layout.Rounds, g.rounds = append(g.layout.Rounds, b.to), append(g.rounds, b.places)
	}
	for r := range g.layout.Rounds[1:] {
		g.link(r)
	}
	return g, nil
}

// link sets from which lanes those of the round after r follow.
func (g *Game) link(r int) {
	before, after := &g.layout.Rounds[r], &g.layout.Rounds[r+1]
	after.From = make([]uint32, after.Width)
	for lane := range after.From {
		after.From[lane] = pcsgpu.None
	}
	for i, next := range before.Next {
		if next != pcsgpu.None {
			after.From[next] = uint32(i%before.Width) | uint32(i/before.Width)<<16
		}
	}
}

// Bytes returns the memory that the training takes, on the device where it trains.
func (g *Game) Bytes() int64 { return g.layout.Bytes() }

// Layout returns how rounds, segments and actions are laid out in tables. It is not to be
// changed.
func (g *Game) Layout() *pcsgpu.Game { return &g.layout }

// Holes returns all sets of hole cards and the positions of their cards in the deck. The
// second is the number of cards in the deck where hands have one.
func (g *Game) Holes() (hole []card.Set, pair [][2]uint8) { return g.hole, g.pair }

// Rules returns the game's rules.
func (g *Game) Rules() *acpc.Game { return g.Tree.Game }
