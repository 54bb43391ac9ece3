package bimatrix

import (
	"math/big"

	"gamebots/hexproto/matrix"
)

// Repeated starts a match of a game that is given as the text of a file that Read
// reads.
func Repeated(text string, rounds int) (*matrix.Match, error) {
	g, err := Read("game", []byte(text))
	if err != nil {
		return nil, err
	}
	return matrix.New(g.Strategies, [2][]*big.Rat{g.A, g.B}, g.Rows, g.Cols, rounds)
}

// OfMatch returns the game that a match repeats.
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
