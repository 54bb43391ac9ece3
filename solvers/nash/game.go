package nash

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
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
// which changes no equilibrium. Those that fit in a word are in small, row by row,
// or else small is nil.
type positive struct {
	rows, cols int
	small      []uint64
	largest    uint64 // of small
	least      int64  // of the payoffs that small is of, which are integers
	large      func() []*big.Int
}

// newPositive brings payoffs to a common denominator and shifts them so that the
// least is 1. Integers are only shifted.
func newPositive(rows, cols int, payoffs []*big.Rat) positive {
	p := positive{rows: rows, cols: cols}
	if !p.setSmall(payoffs) {
		all := shiftedIntegers(payoffs)
		p.large = func() []*big.Int { return all }
	}
	return p
}

// setSmall takes over payoffs if they fit.
func (p *positive) setSmall(payoffs []*big.Rat) bool {
	most := int64(math.MinInt64)
	p.least = math.MaxInt64
	for _, x := range payoffs {
		if !x.IsInt() || !x.Num().IsInt64() {
			return false
		}
		n := x.Num().Int64()
		p.least, most = min(p.least, n), max(most, n)
	}
	if uint64(most)-uint64(p.least) >= 1<<62 {
		return false
	}
	p.largest = uint64(most) - uint64(p.least) + 1
	p.small = make([]uint64, len(payoffs))
	for i, x := range payoffs {
		p.small[i] = uint64(x.Num().Int64()) - uint64(p.least) + 1
	}
	p.setLarge()
	return true
}

func (p *positive) setLarge() {
	small := p.small
	p.large = sync.OnceValue(func() []*big.Int {
		all := make([]*big.Int, len(small))
		for i, x := range small {
			all[i] = new(big.Int).SetUint64(x)
		}
		return all
	})
}

// at returns the payoffs, row by row. They are made when that is first called.
func (p positive) at() []*big.Int { return p.large() }

func shiftedIntegers(payoffs []*big.Rat) []*big.Int {
	all, common := make([]*big.Int, len(payoffs)), big.NewInt(1)
	for _, x := range payoffs {
		if x.IsInt() {
			continue
		}
		gcd := new(big.Int).GCD(nil, nil, common, x.Denom())
		common.Mul(common, new(big.Int).Quo(x.Denom(), gcd))
	}
	var least *big.Int
	for i, x := range payoffs {
		all[i] = new(big.Int).Mul(x.Num(), common)
		if !x.IsInt() {
			all[i].Quo(all[i], x.Denom())
		}
		if least == nil || all[i].Cmp(least) < 0 {
			least = all[i]
		}
	}
	shift := new(big.Int).Sub(big.NewInt(1), least)
	for _, x := range all {
		x.Add(x, shift)
	}
	return all
}

// transposed exchanges rows and columns.
func (p positive) transposed() positive {
	t := positive{rows: p.cols, cols: p.rows, largest: p.largest, least: p.least}
	if p.small != nil {
		t.small = transposed(p.small, p.rows, p.cols)
		t.setLarge()
		return t
	}
	all := transposed(p.at(), p.rows, p.cols)
	t.large = func() []*big.Int { return all }
	return t
}

func transposed[T any](m []T, rows, cols int) []T {
	t := make([]T, len(m))
	for i := range rows {
		for j := range cols {
			t[j*rows+i] = m[i*cols+j]
		}
	}
	return t
}

// floats returns the payoffs divided by the largest.
func (p positive) floats() []float64 {
	out := make([]float64, p.rows*p.cols)
	if p.small != nil && p.largest < 1<<53 { // exact as floats, and so is rounding their quotient
		for i, x := range p.small {
			out[i] = float64(x) / float64(p.largest)
		}
		return out
	}
	all := p.at()
	largest := slices.MaxFunc(all, (*big.Int).Cmp)
	for i, x := range all {
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
