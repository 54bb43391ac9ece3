package game

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"

	"gamebots/solvers/nash/internal/syntax"
)

// Read parses the text of a file: Gambit's .nfg in its payoff or outcome form, or
// lrsnash's input. A byte order mark is skipped. A game of one player gets a second
// one, "nobody", who has one strategy and wins nothing. Errors are of type
// [*syntax.Error].
func Read(file string, text []byte) (*Game, error) { return read(file, text, MaxStrategies) }

// ReadLarge is Read for .nfg with players of more than [MaxStrategies] strategies, and up to [MaxCells]
// combinations of them.
func ReadLarge(file string, text []byte) (*Game, error) { return read(file, text, MaxCells) }

// read reads a game with at most some strategies of a player in .nfg.
func read(file string, text []byte, most int) (*Game, error) {
	s, err := syntax.New(file, string(text))
	switch {
	case err != nil:
		return nil, err
	case !s.Next.Is("NFG"):
		return readLRS(s)
	}
	return readNFG(s, most)
}

// An nfg is a game of one player or two as a file has it: payoffs are by player and cell, with the strategy of the
// first player varying fastest.
type nfg struct {
	players    []string
	strategies [][]string // names by player, nil for numbers
	sizes      []int      // numbers of strategies
	payoffs    [][]*big.Rat
}

// cells returns the number of cells.
func (f *nfg) cells() int {
	n := 1
	for _, k := range f.sizes {
		n *= k
	}
	return n
}

// game returns the game of two players.
func (f *nfg) game(title string) *Game {
	if len(f.players) == 1 {
		f.players, f.strategies, f.sizes = append(f.players, "nobody"), append(f.strategies, nil), append(f.sizes, 1)
		nothing := make([]*big.Rat, f.sizes[0])
		for i := range nothing {
			nothing[i] = new(big.Rat)
		}
		f.payoffs = append(f.payoffs, nothing)
	}
	g := &Game{Title: title, Players: [2]string(f.players), Strategies: [2][]string(f.strategies), Rows: f.sizes[0],
		Cols: f.sizes[1]}
	for i := range g.Rows {
		for j := range g.Cols {
			cell := j*g.Rows + i
			g.A, g.B = append(g.A, f.payoffs[0][cell]), append(g.B, f.payoffs[1][cell])
		}
	}
	return g
}

// readNFG parses the strategic game format of Gambit's manual.
func readNFG(s *syntax.Scanner, most int) (*Game, error) {
	if err := s.Want("NFG", "a game begins with NFG"); err != nil {
		return nil, err
	}
	if err := s.Want("1", "version 1 is needed"); err != nil {
		return nil, err
	}
	if t, err := s.Take(); err != nil {
		return nil, err
	} else if !t.Is("R") && !t.Is("D") {
		return nil, s.ErrorAt(t, "R or D is needed, for rational or decimal payoffs, not %v", t)
	}
	f := &nfg{}
	title, err := s.Quoted("a title")
	if err == nil {
		err = f.readPlayers(s)
	}
	if err == nil {
		err = f.readSizes(s, most)
	}
	if err == nil && s.Next.Quoted { // a comment
		err = s.Advance()
	}
	if err != nil {
		return nil, err
	}
	f.payoffs = make([][]*big.Rat, len(f.players))
	if s.Next.Is("{") {
		err = f.readOutcomes(s)
	} else {
		err = f.readPayoffs(s)
	}
	if err == nil && !s.Next.End() {
		err = s.ErrorAt(s.Next, "%v after the last payoff", s.Next)
	}
	if err != nil {
		return nil, err
	}
	return f.game(title), nil
}

func (f *nfg) readPlayers(s *syntax.Scanner) error {
	if err := s.Want("{", "players in braces are needed"); err != nil {
		return err
	}
	for !s.Next.Is("}") {
		t := s.Next
		name, err := s.Quoted("a player's name")
		switch {
		case err != nil:
			return err
		case len(f.players) == 2:
			return s.ErrorAt(t, "a third player: %v", ErrPlayers)
		}
		f.players = append(f.players, name)
	}
	if len(f.players) == 0 {
		return s.ErrorAt(s.Next, "no players")
	}
	return s.Advance()
}

// readSizes parses the numbers of strategies, or their names.
func (f *nfg) readSizes(s *syntax.Scanner, most int) error {
	if err := s.Want("{", "numbers or names of strategies in braces are needed"); err != nil {
		return err
	}
	f.sizes, f.strategies = make([]int, len(f.players)), make([][]string, len(f.players))
	cells := 1
	for p := range f.players {
		at := s.Next
		var n int
		if at.Is("{") {
			if err := s.Advance(); err != nil {
				return err
			}
			for !s.Next.Is("}") {
				name, err := s.Quoted("a strategy's name")
				if err != nil {
					return err
				}
				if n++; n <= most {
					f.strategies[p] = append(f.strategies[p], name)
				}
			}
		} else if k, err := strconv.ParseUint(at.Text, 10, 31); err != nil || at.Quoted {
			return s.ErrorAt(at, "the number of strategies of player %d is needed, not %v", p+1, at)
		} else {
			n = int(k)
		}
		switch {
		case n < 1 || n > most:
			return s.ErrorAt(at, "player %d has %d strategies, 1 to %d can be", p+1, n, most)
		case cells > MaxCells/n:
			return s.ErrorAt(at, "more than %d combinations of strategies", MaxCells)
		}
		cells *= n
		f.sizes[p] = n
		if err := s.Advance(); err != nil {
			return err
		}
	}
	return s.Want("}", "strategies of all players end with a brace")
}

// readPayoffs parses the payoffs of all players in each cell.
func (f *nfg) readPayoffs(s *syntax.Scanner) error {
	for range f.cells() {
		for p := range f.payoffs {
			x, err := s.Number(fmt.Sprintf("a payoff of player %d", p+1))
			if err != nil {
				return err
			}
			f.payoffs[p] = append(f.payoffs[p], x)
		}
	}
	return nil
}

// readOutcomes parses a list of outcomes, and then the number of an outcome for each
// cell. Outcome 0 pays nothing.
func (f *nfg) readOutcomes(s *syntax.Scanner) error {
	if err := s.Advance(); err != nil {
		return err
	}
	nothing := make([]*big.Rat, len(f.players))
	for p := range nothing {
		nothing[p] = new(big.Rat)
	}
	outcomes := [][]*big.Rat{nothing}
	for !s.Next.Is("}") {
		if err := s.Want("{", "an outcome in braces is needed"); err != nil {
			return err
		}
		if _, err := s.Quoted("an outcome's name"); err != nil {
			return err
		}
		o := make([]*big.Rat, len(f.players))
		for p := range o {
			var err error
			if o[p], err = s.Number(fmt.Sprintf("a payoff of player %d", p+1)); err != nil {
				return err
			}
			if s.Next.Is(",") {
				if err := s.Advance(); err != nil {
					return err
				}
			}
		}
		if err := s.Want("}", fmt.Sprintf("an outcome of %d players ends with a brace", len(o))); err != nil {
			return err
		}
		outcomes = append(outcomes, o)
	}
	if err := s.Advance(); err != nil {
		return err
	}
	for range f.cells() {
		t, err := s.Take()
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(t.Text, 10, 31)
		if err != nil || t.Quoted || int(n) >= len(outcomes) {
			return s.ErrorAt(t, "a number of an outcome, 0 to %d, is needed, not %v", len(outcomes)-1, t)
		}
		for p, x := range outcomes[n] {
			f.payoffs[p] = append(f.payoffs[p], x)
		}
	}
	return nil
}

// NFG returns the game in Gambit's payoff form.
func (g *Game) NFG() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "NFG 1 R %s { %s %s } { ", syntax.Quote(g.Title), syntax.Quote(g.Players[0]),
		syntax.Quote(g.Players[1]))
	if g.Strategies[0] == nil || g.Strategies[1] == nil {
		fmt.Fprintf(&out, "%d %d ", g.Rows, g.Cols)
	} else {
		for _, all := range g.Strategies {
			out.WriteString("{ ")
			for _, name := range all {
				out.WriteString(syntax.Quote(name) + " ")
			}
			out.WriteString("} ")
		}
	}
	out.WriteString("}\n\n")
	sep := ""
	for j := range g.Cols {
		for i := range g.Rows {
			fmt.Fprintf(&out, "%s%s %s", sep, g.A[i*g.Cols+j].RatString(), g.B[i*g.Cols+j].RatString())
			sep = " "
		}
	}
	out.WriteByte('\n')
	return out.Bytes()
}
