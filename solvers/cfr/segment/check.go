package segment

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
)

// GameError is the error for a game that is not valued board by board.
type GameError struct{ Game, Reason string }

func (e *GameError) Error() string {
	return fmt.Sprintf("%s cannot be valued board by board: %s", e.Game, e.Reason)
}

// CheckRules returns a [*GameError] unless a game is one of two players with one or two hole
// cards each, and new board cards in every round but the first.
func CheckRules(g *acpc.Game) error {
	refuse := func(reason string) error { return &GameError{g.Name, reason} }
	switch {
	case g.NumPlayers != 2:
		return refuse(fmt.Sprintf("it has %d players, not two", g.NumPlayers))
	case g.NumHoleCards < 1 || g.NumHoleCards > 2:
		return refuse(fmt.Sprintf("it has %d hole cards, not one or two", g.NumHoleCards))
	case g.NumBoardCards[0] > 0:
		return refuse("its first round has board cards")
	}
	for r := 1; r < g.NumRounds; r++ {
		if g.NumBoardCards[r] == 0 {
			return refuse("a later round has no new board cards")
		}
	}
	return nil
}

// CheckLimit returns a [*GameError] unless [CheckRules] allows a tree's game, all legal raises are
// in the tree, and all segments of a round are one part: a limit game without stacks.
func CheckLimit(t *betting.Tree) error {
	g := t.Game
	refuse := func(reason string) error { return &GameError{g.Name, reason} }
	if err := CheckRules(g); err != nil {
		return err
	}
	if !t.Shape.Betting.All() {
		return refuse(fmt.Sprintf("the strategy knows only the raises %s", t.Shape.Betting))
	}
	first := 0
	for _, n := range t.Shape.Segments[:g.NumRounds] {
		groups := shaper{tree: t}.groups(t.Segments[first:][:n])
		if len(groups) != 1 || len(groups[0]) < n {
			return refuse("its betting rounds differ, as in a no-limit game")
		}
		first += n
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Kind != betting.Terminal {
			continue
		}
		if pot := &t.Terminals[n.First]; pot.Showdown() &&
			(int(n.Round) < g.NumRounds-1 || pot.Spent[0] != pot.Spent[1]) {
			return refuse("players can be all-in before the end")
		}
	}
	return nil
}
