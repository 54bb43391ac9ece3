package cfrbr

import (
	"gamebots/acpc/card"
	"gamebots/cudalib/cfrbrgpu"
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/tiles"
	"gamebots/solvers/policy"
)

// Game is a game laid out for training. It does not change after it is made and may be
// shared.
type Game struct {
	*pcs.Game
	layout *pcsgpu.Game
	last   int // the last round
	// trunk numbers the opponent's hands in the rounds of the trunk.
	trunk []*abstraction.SuitIndex
	cards []card.Card
	hole  []card.Set
	entry []uint64 // what each set of hole cards has in the entry of a board's order
	// hands is how many hands a unit leaves, rivers how many boards of the last round follow,
	// each of which leaves layout.Hands.
	hands, rivers int
	// scale makes the mean of the values of the last round of their sum over boards.
	scale float32
}

// New lays out a game. The error is a [*segment.GameError] for games without limit
// betting for two, and for those of one round.
func New(x *policy.Index) (*Game, error) {
	rules := x.Tree.Game
	if err := segment.CheckLimit(x.Tree); err != nil {
		return nil, err
	}
	layout, err := pcs.New(x, 1)
	if err != nil {
		return nil, err
	}
	if rules.NumRounds < 2 {
		return nil, &segment.GameError{Game: rules.Name, Reason: "it has one betting round"}
	}
	for i := range layout.Layout().Parts {
		for p := range 2 {
			if len(layout.Layout().Parts[i].Programs[p].Decisions) > cfrbrgpu.MaxDecisions {
				return nil, &segment.GameError{Game: rules.Name, Reason: "its betting rounds have too many actions"}
			}
		}
	}
	g := &Game{Game: layout, layout: layout.Layout(), last: rules.NumRounds - 1, cards: rules.Deck()}
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
		g.entry = append(g.entry, uint64(p[0])<<tiles.HandBits|uint64(p[1])<<tiles.SecondBit)
	}
	left, dealt := len(g.cards)-rules.BoardCards(g.last-1), int(rules.NumBoardCards[g.last])
	g.hands, g.rivers = card.Combinations(left, rules.NumHoleCards), card.Combinations(left, dealt)
	g.scale = 1 / float32(card.Combinations(left-2*rules.NumHoleCards, dealt))
	return g, nil
}

// trunkEntries returns the number of entries of the opponent of a player in a round of the
// trunk: by hand, column and lane.
func (g *Game) trunkEntries(player, r int) int {
	return g.trunk[r].Size() * g.layout.Parts[r].Columns[1-player] * g.layout.Parts[r].Lanes
}

// Bytes returns the memory that the training takes.
func (g *Game) Bytes() (bytes int64) {
	for p := range 2 {
		for r := range g.layout.Parts {
			bytes += 3 * 4 * int64(g.layout.Entries(r, p)) // regrets, sums and strategies
		}
		for r := range g.trunk {
			bytes += 4 * int64(g.trunkEntries(p, r))
		}
	}
	return bytes + g.choiceBytes()
}

// choiceBytes returns the memory of the opponent's actions on all boards of the last round.
func (g *Game) choiceBytes() int64 {
	round := &g.layout.Parts[g.last]
	decisions := max(len(round.Programs[0].Decisions), len(round.Programs[1].Decisions))
	return int64(g.rivers * g.layout.Hands * decisions * round.Width)
}
