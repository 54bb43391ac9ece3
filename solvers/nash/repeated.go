package nash

import (
	"fmt"
	"math/big"
	"strings"

	"gamebots/hexproto/matrix"
)

// Repeated starts a match of a game: one with a name of [matrix.Games], or one
// whose text is that of a file that Read reads.
func Repeated(game string, rounds int) (*matrix.Match, error) {
	if m, found, err := matrix.Named(game, rounds); found {
		return m, err
	}
	if !strings.ContainsAny(game, " \n") {
		return nil, fmt.Errorf("game: %q is none of %s, and no text of a game", game, strings.Join(matrix.Games(), ", "))
	}
	g, err := Read("game", []byte(game))
	if err != nil {
		return nil, err
	}
	return matrix.New(g.Strategies, [2][]*big.Rat{g.A, g.B}, g.Rows, g.Cols, rounds)
}

// OfMatch is the game that a match repeats.
func OfMatch(m *matrix.Match) *Game {
	g := &Game{Players: [2]string{"Player 1", "Player 2"}, Strategies: [2][]string{m.Names(0), m.Names(1)},
		Rows: len(m.Names(0)), Cols: len(m.Names(1))}
	for i := range g.Rows {
		for j := range g.Cols {
			g.A, g.B = append(g.A, m.Payoff(0, i, j)), append(g.B, m.Payoff(1, i, j))
		}
	}
	return g
}
