package boardwise

import (
	"fmt"

	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/segment"
)

// Game is a game laid out by boards. It does not change after it is made and may be shared.
type Game struct {
	Tree  *betting.Tree
	Cards *abstraction.Cards

	rounds []*round
	boards []*boards // the boards of each round
}

// New lays out a game. The error is a [*segment.GameError] for games that have no limit
// betting for two.
func New(tree *betting.Tree, cards *abstraction.Cards) (*Game, error) {
	if err := segment.CheckLimit(tree); err != nil {
		return nil, err
	}
	parts, nodes, err := segment.All(tree, false)
	if err != nil {
		return nil, err
	}
	g := &Game{Tree: tree, Cards: cards}
	for r := range parts {
		var before *boards
		if r > 0 {
			before = g.boards[r-1]
		}
		g.boards = append(g.boards, newBoards(cards, r, before))
		round, fits := newRound(&parts[r], nodes[r], g.boards[r].numSums)
		if !fits {
			return nil, &segment.GameError{Game: tree.Game.Name,
				Reason: "its betting rounds have unusual sequences of actions"}
		}
		g.rounds = append(g.rounds, round)
	}
	return g, nil
}

// last is the number of the last round.
func (g *Game) last() int { return len(g.rounds) - 1 }

// entries returns the number of entries of a player's decisions in a round, with padding.
func (g *Game) entries(r, player int) int {
	return g.boards[r].rows * g.rounds[r].Width * g.rounds[r].Columns[player]
}

// InfoSets returns the number of information sets.
func (g *Game) InfoSets() (n float64) {
	for r, b := range g.boards {
		n += float64(g.Tree.Shape.Decisions[r]) * float64(b.rows)
	}
	return n
}

// Bytes returns the memory that a trainer takes, on the device where it trains.
func (g *Game) Bytes(a cfr.Algorithm) (bytes int64) {
	entry := int64(4)
	if a.Quantized {
		entry = 2
	}
	for r, b := range g.boards {
		for p := range 2 {
			bytes += 2 * entry * int64(g.entries(r, p))
		}
		bytes += 4 * int64(b.rows*g.rounds[r].Width) // values
		if r > 0 {                                   // the reach of both players, and means
			bytes += 3 * 4 * int64(g.boards[r-1].rows*g.rounds[r].Width)
		}
		bytes += 4 * int64(len(b.hands)+len(b.lists)+8*b.rows)
	}
	return bytes
}

// Supports returns an error unless trainers have an algorithm. Entries of 16 bits have no
// sign.
func Supports(a cfr.Algorithm) error {
	switch {
	case a.Predictive || a.BestResponse:
		return fmt.Errorf("%v does not train board by board", a)
	case a.Quantized && !a.Plus:
		return fmt.Errorf("%v has regrets below zero, which do not fit into 16 bits board by board", a)
	}
	return nil
}
