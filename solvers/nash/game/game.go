package game

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"gamebots/internal/names"
)

// MaxStrategies is the largest number of strategies of a player.
const MaxStrategies = 64

// ErrTooLarge is returned for a game of two players that cannot be solved by package nash.
var ErrTooLarge = fmt.Errorf("at most %d strategies a player can be solved", MaxStrategies)

// A Game has the payoffs of the row player, A, and of the column player, B, both row by
// row.
type Game struct {
	Title      string
	Players    [2]string
	Strategies [2][]string // names, or nil
	Rows, Cols int
	A, B       []*big.Rat
}

// New makes a game of matrices of whole numbers, given by rows.
func New(title string, a, b [][]int64) (*Game, error) {
	g := &Game{Title: title, Players: [2]string{"Player 1", "Player 2"}, Rows: len(a)}
	if len(a) == 0 || len(a) != len(b) {
		return nil, fmt.Errorf("%d rows of one player's payoffs and %d of the other's", len(a), len(b))
	}
	g.Cols = len(a[0])
	for i := range a {
		if len(a[i]) != g.Cols || len(b[i]) != g.Cols {
			return nil, fmt.Errorf("row %d has %d and %d payoffs, not %d", i+1, len(a[i]), len(b[i]), g.Cols)
		}
		for j := range a[i] {
			g.A, g.B = append(g.A, big.NewRat(a[i][j], 1)), append(g.B, big.NewRat(b[i][j], 1))
		}
	}
	return g, g.Check()
}

// Check returns an error for a game that cannot be solved.
func (g *Game) Check() error {
	switch {
	case g.Rows < 1 || g.Cols < 1:
		return errors.New("a player without strategies")
	case g.Rows > MaxStrategies || g.Cols > MaxStrategies:
		return fmt.Errorf("%d by %d strategies: %w", g.Rows, g.Cols, ErrTooLarge)
	case len(g.A) != g.Rows*g.Cols || len(g.B) != g.Rows*g.Cols:
		return fmt.Errorf("%d and %d payoffs for %d by %d strategies", len(g.A), len(g.B), g.Rows, g.Cols)
	}
	return nil
}

// Names returns the names of strategies of player 0 or 1, separated by spaces, as [names.All] has
// them.
func (g *Game) Names(player int, strategies []int) string {
	all, words := names.All(g.Strategies[player], [2]int{g.Rows, g.Cols}[player]), make([]string, len(strategies))
	for i, s := range strategies {
		words[i] = all[s]
	}
	return strings.Join(words, " ")
}
