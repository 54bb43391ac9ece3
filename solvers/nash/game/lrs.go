package game

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"strconv"

	"gamebots/solvers/nash/internal/syntax"
)

// readLRS parses lrsnash's input: the numbers of rows and columns, then the matrices of
// the row player and of the column player. Lines need not be rows, but if the number of
// payoffs is wrong, the error is about the first line that is not one.
func readLRS(s *syntax.Scanner) (*Game, error) {
	start := *s
	g, err := readLines(s)
	if err == nil {
		return g, nil
	}
	rest := start
	if free, freeErr := readPayoffList(&start); freeErr == nil {
		return free, nil
	}
	if wrong := firstWrong(&rest); wrong != nil && !samePlace(wrong, err) {
		return nil, wrong
	}
	return nil, err
}

// firstWrong returns the error of the first word that is no number.
func firstWrong(s *syntax.Scanner) error {
	for !s.Next.End() {
		if _, err := s.Number("a payoff"); err != nil {
			return err
		}
	}
	return nil
}

// samePlace reports whether two errors are about the same word.
func samePlace(a, b error) bool {
	var x, y *syntax.Error
	return errors.As(a, &x) && errors.As(b, &y) && x.Line == y.Line && x.Col == y.Col
}

// readPayoffList parses a game whose lines need not be rows.
func readPayoffList(s *syntax.Scanner) (*Game, error) {
	g, err := readLRSSizes(s)
	if err != nil {
		return nil, err
	}
	for p, payoffs := range []*[]*big.Rat{&g.A, &g.B} {
		for range g.Rows * g.Cols {
			x, err := s.Number(fmt.Sprintf("a payoff of player %d", p+1))
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

// readLRSSizes parses the numbers of rows and columns.
func readLRSSizes(s *syntax.Scanner) (*Game, error) {
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
	return g, nil
}

// readLines parses a game of one line per row.
func readLines(s *syntax.Scanner) (*Game, error) {
	g, err := readLRSSizes(s)
	if err != nil {
		return nil, err
	}
	for p, payoffs := range []*[]*big.Rat{&g.A, &g.B} {
		for i := range g.Rows {
			what := fmt.Sprintf("row %d of player %d's payoffs", i+1, p+1)
			line := s.Next.Line
			for j := range g.Cols {
				switch at := s.Next; {
				case at.End() && j == 0:
					return nil, s.ErrorAt(at, "%s is missing", what)
				case at.End() || at.Line != line:
					return nil, s.ErrorAt(at, "%s, in line %d, ends after %d of %d numbers", what, line, j, g.Cols)
				}
				x, err := s.Number(what)
				if err != nil {
					return nil, err
				}
				*payoffs = append(*payoffs, x)
			}
			if s.Next.Line == line && !s.Next.End() {
				return nil, s.ErrorAt(s.Next, "%s has more than %d numbers", what, g.Cols)
			}
		}
	}
	if !s.Next.End() {
		return nil, s.ErrorAt(s.Next, "%v after the last row", s.Next)
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
