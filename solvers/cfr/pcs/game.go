package pcs

import (
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/policy"
)

// Game is a game laid out for training. It does not change after it is made and may be
// shared.
type Game struct {
	*policy.Index
	cards   [2]policy.Buckets // the cards of each player
	indexed [2]bool           // whether the index is that of a player's information sets
	trained [2]bool           // whether a player learns, and has tables
	layout  pcsgpu.Game       // layout of arrays, for the CPU, too
	nodes   []segment.Nodes   // the nodes of each part
	deck    []card.Card
	// See Holes.
	hole []card.Set
	pair [][2]uint8
}

// New lays out a game for batches of boards. The error is a
// [*segment.GameError] for games of more players, for trees that forget betting, and for
// those with more actions in a round than arrays have room for.
func New(x *policy.Index, boards int) (*Game, error) {
	return newGame(x, [2]policy.Buckets{x.Buckets, x.Buckets}, [2]bool{true, true}, boards, false)
}

// NewWithRunouts is New for tables of a training that values all boards after an all-in, see
// [segment.New], and in which these players learn.
func NewWithRunouts(x *policy.Index, trained [2]bool) (*Game, error) {
	g, err := newGame(x, [2]policy.Buckets{x.Buckets, x.Buckets}, [2]bool{true, true}, 1, true)
	if err == nil {
		g.trained = trained
	}
	return g, err
}

// NewAgainst is New for a player whose opponent has another card abstraction. Of the results, the
// opponent's are in the state of a training only.
func NewAgainst(x *policy.Index, player int, opponent policy.Buckets, boards int) (*Game, error) {
	cards, indexed := [2]policy.Buckets{opponent, opponent}, [2]bool{}
	cards[player], indexed[player] = x.Buckets, true
	return newGame(x, cards, indexed, boards, false)
}

func newGame(
	x *policy.Index, cards [2]policy.Buckets, indexed [2]bool, boards int, runouts bool,
) (*Game, error) {
	rules := x.Tree.Game
	if err := segment.CheckRules(rules); err != nil {
		return nil, err
	}
	if x.Tree.Shape.Betting.IsForgetful() {
		return nil, &segment.GameError{Game: rules.Name, Reason: "the strategy forgets betting"}
	}
	g := &Game{Index: x, cards: cards, indexed: indexed, trained: [2]bool{true, true}, deck: rules.Deck()}
	g.layout = pcsgpu.Game{Boards: boards, Deck: len(g.deck), Apart: !g.sameCards(), TwoCards: rules.NumHoleCards == 2}
	card.Subsets(g.deck, rules.NumHoleCards, func(hole card.Set) {
		g.hole = append(g.hole, hole)
		first := slices.IndexFunc(g.deck, hole.Has)
		second := len(g.deck) // where hands have one card
		if rest := hole &^ g.deck[first].Bit(); rest != 0 {
			second = slices.IndexFunc(g.deck, rest.Has)
		}
		g.pair = append(g.pair, [2]uint8{uint8(first), uint8(second)})
	})
	g.layout.Hands = card.Combinations(len(g.deck)-rules.BoardCards(rules.NumRounds-1), rules.NumHoleCards)
	if len(g.deck) >= 1<<cardBits || len(g.hole) >= 1<<pcsgpu.HandBits {
		return nil, &segment.GameError{Game: rules.Name,
			Reason: fmt.Sprintf("a deck of %d cards is too large", len(g.deck))}
	}
	parts, nodes, err := segment.All(x.Tree, runouts)
	if err != nil {
		return nil, err
	}
	g.layout.Parts, g.nodes, g.layout.Widths = parts, nodes, make([]int, rules.NumRounds)
	for _, p := range parts {
		g.layout.Widths[p.Round] += p.Width
	}
	for r := range rules.NumRounds {
		g.layout.Buckets = append(g.layout.Buckets, [2]int{cards[0].NumBuckets(r), cards[1].NumBuckets(r)})
	}
	return g, nil
}

// sameCards reports whether both players have the card abstraction of the index.
func (g *Game) sameCards() bool { return g.indexed == [2]bool{true, true} }

// Bytes returns the memory that training by batches of boards takes, on the device
// where it trains.
func (g *Game) Bytes(boards int) int64 {
	layout := g.layout
	layout.Boards = boards
	return layout.Bytes()
}

// Layout returns how parts, segments and actions are laid out in tables. It is not to be
// changed.
func (g *Game) Layout() *pcsgpu.Game { return &g.layout }

// Holes returns all sets of hole cards and the positions of their cards in the deck. The
// second is the number of cards in the deck where hands have one.
func (g *Game) Holes() (hole []card.Set, pair [][2]uint8) { return g.hole, g.pair }

// Rules returns the game's rules.
func (g *Game) Rules() *acpc.Game { return g.Tree.Game }
