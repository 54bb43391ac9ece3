package cfrbr

import (
	"slices"

	"gamebots/acpc/card"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
	"gamebots/solvers/policy"
)

// Game is a game laid out for training. It does not change after it is made and may be
// shared.
type Game struct {
	*pcs.Game
	layout *pcsgpu.Game
	last   int // the last round
	// players are those that learn.
	players []int
	// trunk numbers the opponent's hands in the rounds of the trunk.
	trunk []*abstraction.SuitIndex
	parts [][]int // the parts of each round
	cards []card.Card
	hole  []card.Set
	entry []uint64 // what each set of hole cards has in the entry of a board's order
	// hands is how many hands a unit leaves, rivers how many boards of the last round follow,
	// each of which leaves layout.Hands.
	hands, rivers int
	// scale makes the mean of the values of the last round of their sum over boards.
	scale float32
}

// New lays out a game. The error is a [*segment.GameError] for games that package pcs refuses, and for
// those of one round.
func New(x *policy.Index) (*Game, error) { return newGame(x, 0, 1) }

// NewFor is New for a training in which only one player learns, as a half of a [pcs.Pair] of two betting
// trees.
func NewFor(x *policy.Index, player int) (*Game, error) { return newGame(x, player) }

func newGame(x *policy.Index, players ...int) (*Game, error) {
	rules := x.Tree.Game
	layout, err := pcs.NewWithRunouts(x, [2]bool{slices.Contains(players, 0), slices.Contains(players, 1)})
	if err != nil {
		return nil, err
	}
	if rules.NumRounds < 2 {
		return nil, &segment.GameError{Game: rules.Name, Reason: "it has one betting round"}
	}
	g := &Game{Game: layout, layout: layout.Layout(), players: players, last: rules.NumRounds - 1,
		cards: rules.Deck(), parts: make([][]int, rules.NumRounds)}
	for i := range g.layout.Parts {
		r := g.layout.Parts[i].Round
		g.parts[r] = append(g.parts[r], i)
	}
	for r := range g.last - 1 {
		index, err := abstraction.NewSuitIndex(rules.NumSuits, rules.NumRanks, rules.NumHoleCards, rules.BoardCards(r))
		if err != nil {
			return nil, &segment.GameError{Game: rules.Name, Reason: err.Error()}
		}
		g.trunk = append(g.trunk, index)
	}
	hole, pair := layout.Holes()
	g.hole = hole
	for _, p := range pair {
		g.entry = append(g.entry, uint64(p[0])<<vectors.HandBits|uint64(p[1])<<vectors.SecondBit)
	}
	left, dealt := len(g.cards)-rules.BoardCards(g.last-1), int(rules.NumBoardCards[g.last])
	g.hands, g.rivers = card.Combinations(left, rules.NumHoleCards), card.Combinations(left, dealt)
	g.scale = 1 / float32(card.Combinations(left-2*rules.NumHoleCards, dealt))
	return g, nil
}

// trunkParts returns how many parts the rounds of the trunk have. They are the first ones.
func (g *Game) trunkParts() (n int) {
	for r := range g.trunk {
		n += len(g.parts[r])
	}
	return n
}

// trunkEntries returns the number of entries of the opponent of a player in a part of the trunk: by
// hand, column and lane.
func (g *Game) trunkEntries(player, part int) int {
	p := &g.layout.Parts[part]
	return g.trunk[p.Round].Size() * p.Columns[1-player] * p.Lanes
}

// Bytes returns the memory that the training takes.
func (g *Game) Bytes() (bytes int64) {
	for _, p := range g.players {
		for i := range g.layout.Parts {
			bytes += 3 * 4 * int64(g.layout.Entries(i, p)) // regrets, sums and strategies
		}
		for i := range g.trunkParts() {
			bytes += 4 * int64(g.trunkEntries(p, i))
		}
	}
	return bytes + g.choiceBytes()
}

// choiceBytes returns the memory of the opponent's actions on all boards of the last round.
func (g *Game) choiceBytes() int64 {
	choices := 0 // a hand
	for _, i := range g.parts[g.last] {
		p := &g.layout.Parts[i]
		choices += p.Width * max(len(p.Programs[0].Decisions), len(p.Programs[1].Decisions))
	}
	return int64(g.rivers * g.layout.Hands * choices)
}
