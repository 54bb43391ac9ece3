package nash

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// MaxStrategies is how many strategies a player may have.
const MaxStrategies = 64

// A Game has the payoffs of two players: A of the one who chooses a row and B of
// the one who chooses a column, both row by row.
type Game struct {
	Title      string
	Players    [2]string
	Strategies [2][]string // names, or nil
	Rows, Cols int
	A, B       []*big.Rat
}

// NewGame makes a game of matrices of whole numbers, given by rows.
func NewGame(title string, a, b [][]int64) (*Game, error) {
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
	return g, g.check()
}

// check returns an error for a game that cannot be solved.
func (g *Game) check() error {
	switch {
	case g.Rows < 1 || g.Cols < 1:
		return errors.New("a player without strategies")
	case g.Rows > MaxStrategies || g.Cols > MaxStrategies:
		return fmt.Errorf("%d by %d strategies, at most %d a player can be solved", g.Rows, g.Cols, MaxStrategies)
	case len(g.A) != g.Rows*g.Cols || len(g.B) != g.Rows*g.Cols:
		return fmt.Errorf("%d and %d payoffs for %d by %d strategies", len(g.A), len(g.B), g.Rows, g.Cols)
	}
	return nil
}

// positive is a matrix of payoffs as positive integers: multiplied and shifted,
// which changes no equilibrium.
type positive struct {
	rows, cols int
	at         []*big.Int // row by row
}

// newPositive brings payoffs to a common denominator and shifts them so that the
// least is 1. Integers are only shifted.
func newPositive(rows, cols int, payoffs []*big.Rat) positive {
	p := positive{rows, cols, make([]*big.Int, len(payoffs))}
	common := big.NewInt(1)
	for _, x := range payoffs {
		if x.IsInt() {
			continue
		}
		gcd := new(big.Int).GCD(nil, nil, common, x.Denom())
		common.Mul(common, new(big.Int).Quo(x.Denom(), gcd))
	}
	var least *big.Int
	for i, x := range payoffs {
		p.at[i] = new(big.Int).Mul(x.Num(), common)
		if !x.IsInt() {
			p.at[i].Quo(p.at[i], x.Denom())
		}
		if least == nil || p.at[i].Cmp(least) < 0 {
			least = p.at[i]
		}
	}
	shift := new(big.Int).Sub(big.NewInt(1), least)
	for _, x := range p.at {
		x.Add(x, shift)
	}
	return p
}

// transposed exchanges rows and columns.
func (p positive) transposed() positive {
	t := positive{p.cols, p.rows, make([]*big.Int, len(p.at))}
	for i := range p.rows {
		for j := range p.cols {
			t.at[j*t.cols+i] = p.at[i*p.cols+j]
		}
	}
	return t
}

// floats returns the payoffs divided by the largest.
func (p positive) floats() []float64 {
	largest := p.at[0]
	for _, x := range p.at {
		if x.Cmp(largest) > 0 {
			largest = x
		}
	}
	out := make([]float64, len(p.at))
	if largest.BitLen() <= 53 { // exact as floats, and so is rounding their quotient
		for i, x := range p.at {
			out[i] = float64(x.Int64()) / float64(largest.Int64())
		}
		return out
	}
	for i, x := range p.at {
		out[i], _ = new(big.Rat).SetFrac(x, largest).Float64()
	}
	return out
}

// Names returns strategies of player 0 or 1 in words: by their names, or by their
// numbers counted from 1.
func (g *Game) Names(player int, strategies []int) string {
	words := make([]string, len(strategies))
	for i, s := range strategies {
		words[i] = fmt.Sprint(s + 1)
		if names := g.Strategies[player]; names != nil {
			words[i] = names[s]
		}
	}
	return strings.Join(words, " ")
}
