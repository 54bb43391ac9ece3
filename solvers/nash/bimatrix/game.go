package bimatrix

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"gamebots/internal/usererr"
)

// Bounds of games.
const (
	MaxStrategies = 64      // strategies of a player in a game that package nash solves
	MaxCells      = 1 << 18 // combinations of strategies, in any game
	// MaxBytes exceeds the size of the file of any game that can be solved.
	MaxBytes = 16 << 20
)

// ErrTooLarge is returned for a game of two players that cannot be solved by package nash.
var ErrTooLarge = fmt.Errorf("at most %d strategies a player can be solved", MaxStrategies)

// ErrPlayers is returned for a game of more than two players.
var ErrPlayers = errors.New(
	"games of more than two players went with 0.3.0 (the last commit with them is 5b68c516)")

// A Game has the payoffs of the row player, A, and of the column player, B, both row by
// row.
type Game struct {
	Title      string
	Warning    *Warning // the first one of a file, or nil
	Players    [2]string
	Strategies [2][]string // names, or nil
	Rows, Cols int
	A, B       []*big.Rat
}

// A Warning is a place of a file that was not read as it is written.
type Warning struct {
	File      string
	Line, Col int // from 1
	Text      string
}

func (w *Warning) String() string { return fmt.Sprintf("%s:%d:%d: %s", w.File, w.Line, w.Col, w.Text) }

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

// AllNames returns the names of the strategies of player 0 or 1, as [usererr.Names] has them.
func (g *Game) AllNames(player int) []string {
	return usererr.Names(g.Strategies[player], [2]int{g.Rows, g.Cols}[player])
}

// Names returns the names of strategies of player 0 or 1, separated by spaces.
func (g *Game) Names(player int, strategies []int) string {
	all, words := g.AllNames(player), make([]string, len(strategies))
	for i, s := range strategies {
		words[i] = all[s]
	}
	return strings.Join(words, " ")
}

// Symmetric reports whether each player gets in a cell what the other gets if they change places.
func (g *Game) Symmetric() bool {
	if g.Rows != g.Cols {
		return false
	}
	for i := range g.Rows {
		for j := range g.Cols {
			if g.A[i*g.Cols+j].Cmp(g.B[j*g.Cols+i]) != 0 {
				return false
			}
		}
	}
	return true
}

// ConstantSum reports whether the payoffs of both players add up to the same number in each cell.
func (g *Game) ConstantSum() bool {
	constant, sum := new(big.Rat).Add(g.A[0], g.B[0]), new(big.Rat)
	for c := range g.A {
		if sum.Add(g.A[c], g.B[c]).Cmp(constant) != 0 {
			return false
		}
	}
	return true
}

// BestReplies reports of each cell, row by row, whether the strategy of player 0 or 1 is a best reply to that of the
// other.
func (g *Game) BestReplies(player int) []bool {
	best := make([]bool, g.Rows*g.Cols)
	payoffs, own, other, ownStep, otherStep := g.A, g.Rows, g.Cols, g.Cols, 1
	if player == 1 {
		payoffs, own, other, ownStep, otherStep = g.B, g.Cols, g.Rows, 1, g.Cols
	}
	for first := 0; first < other*otherStep; first += otherStep {
		most := payoffs[first]
		for s := range own {
			if x := payoffs[first+s*ownStep]; x.Cmp(most) > 0 {
				most = x
			}
		}
		for s := range own {
			cell := first + s*ownStep
			best[cell] = payoffs[cell].Cmp(most) == 0
		}
	}
	return best
}

// TiedReplies reports whether a player has two best replies to a pure strategy of the other. The game is degenerate
// then.
func (g *Game) TiedReplies() bool {
	for player, others := range [2]int{g.Cols, g.Rows} {
		count := 0
		for _, best := range g.BestReplies(player) {
			if best {
				count++
			}
		}
		if count > others {
			return true
		}
	}
	return false
}
