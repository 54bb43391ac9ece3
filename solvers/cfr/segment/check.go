package segment

import (
	"fmt"

	"gamebots/acpc"
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
