package game

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"strconv"
)

// readLRS parses lrsnash's input: the numbers of rows and columns, then the matrices of
// the row player and of the column player. Lines need not be rows, but if the number of
// payoffs is wrong, the error is about the first line that is not one.
func readLRS(s *scanner) (*Game, error) {
	start := *s
	g, err := readLines(s)
	if err != nil {
		if free, freeErr := readPayoffList(&start); freeErr == nil {
			return free, nil
		}
	}
	return g, err
}

// readPayoffList parses a game whose lines need not be rows.
func readPayoffList(s *scanner) (*Game, error) {
	g, err := readLRSSizes(s)
	if err != nil {
		return nil, err
	}
	for p, payoffs := range []*[]*big.Rat{&g.A, &g.B} {
		for range g.Rows * g.Cols {
			x, err := s.number(fmt.Sprintf("a payoff of player %d", p+1))
			if err != nil {
				return nil, err
			}
			*payoffs = append(*payoffs, x)
		}
	}
	if !s.next.end() {
		return nil, s.errorAt(s.next, "%v after the last payoff", s.next)
	}
	return g, nil
}

// readLRSSizes parses the numbers of rows and columns.
func readLRSSizes(s *scanner) (*Game, error) {
	g := &Game{Players: [2]string{"Player 1", "Player 2"}}
	for p, n := range []*int{&g.Rows, &g.Cols} {
		t, err := s.take()
		if err != nil {
			return nil, err
		}
		k, err := strconv.ParseUint(t.text, 10, 31)
		switch {
		case t.quoted || err != nil && !errors.Is(err, strconv.ErrRange):
			return nil, s.errorAt(t, "a game begins with NFG, or with two numbers of strategies, not with %v", t)
		case k < 1 || k > MaxStrategies:
			return nil, s.errorAt(t, "player %d has %s strategies, 1 to %d can be", p+1, t.text, MaxStrategies)
		}
		*n = int(k)
	}
	return g, nil
}

// readLines parses a game of one line per row.
func readLines(s *scanner) (*Game, error) {
	g, err := readLRSSizes(s)
	if err != nil {
		return nil, err
	}
	for p, payoffs := range []*[]*big.Rat{&g.A, &g.B} {
		for i := range g.Rows {
			what := fmt.Sprintf("row %d of player %d's payoffs", i+1, p+1)
			line := s.next.line
			for j := range g.Cols {
				switch at := s.next; {
				case at.end() && j == 0:
					return nil, s.errorAt(at, "%s is missing", what)
				case at.end() || at.line != line:
					return nil, s.errorAt(at, "%s, in line %d, ends after %d of %d numbers", what, line, j, g.Cols)
				}
				x, err := s.number(what)
				if err != nil {
					return nil, err
				}
				*payoffs = append(*payoffs, x)
			}
			if s.next.line == line && !s.next.end() {
				return nil, s.errorAt(s.next, "%s has more than %d numbers", what, g.Cols)
			}
		}
	}
	if !s.next.end() {
		return nil, s.errorAt(s.next, "%v after the last row", s.next)
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
