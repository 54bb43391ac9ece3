package bimatrix

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"strconv"
)

// readLRS parses lrsnash's input: the numbers of rows and columns, then the matrices of
// the row player and of the column player. Lines need not be rows.
func readLRS(s *Scanner) (*Game, error) {
	g := &Game{Players: [2]string{"Player 1", "Player 2"}}
	for p, n := range []*int{&g.Rows, &g.Cols} {
		t, err := s.Take()
		if err != nil {
			return nil, err
		}
		k, err := strconv.ParseUint(t.Text, 10, 31)
		switch {
		case t.Quoted || err != nil && !errors.Is(err, strconv.ErrRange):
			return nil, s.ErrorAt(t, "a game begins with NFG, or with two numbers of strategies, not with %v", t)
		case k < 1 || k > MaxStrategies:
			return nil, s.ErrorAt(t, "player %d has %s strategies, 1 to %d can be", p+1, t.Text, MaxStrategies)
		}
		*n = int(k)
	}
	for p, payoffs := range []*[]*big.Rat{&g.A, &g.B} {
		for i := range g.Rows * g.Cols {
			x, err := s.Number(fmt.Sprintf("payoff %d in row %d of player %d", i%g.Cols+1, i/g.Cols+1, p+1))
			if err != nil {
				return nil, err
			}
			*payoffs = append(*payoffs, x)
		}
	}
	if !s.Next.End() {
		return nil, s.ErrorAt(s.Next, "%v after the last payoff", s.Next)
	}
	return g, nil
}

// LRS returns the game as input of lrsnash.
func (g *Game) LRS() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%d %d\n", g.Rows, g.Cols)
	for _, payoffs := range [][]*big.Rat{g.A, g.B} {
		out.WriteByte('\n')
		for i, x := range payoffs {
			sep := " "
			if (i+1)%g.Cols == 0 {
				sep = "\n"
			}
			out.WriteString(x.RatString() + sep)
		}
	}
	return out.Bytes()
}
