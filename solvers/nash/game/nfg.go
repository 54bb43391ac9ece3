package game

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"gamebots/solvers/nash/internal/syntax"
)

// Read parses the text of a file: Gambit's .nfg in its payoff or outcome form, with two
// players, or lrsnash's input. A byte order mark is skipped. Errors are of type
// [*syntax.Error].
func Read(file string, text []byte) (*Game, error) {
	s, isNFG, err := begin(file, text)
	switch {
	case err != nil:
		return nil, err
	case !isNFG:
		return readLRS(s)
	}
	f, err := readNFG(s, limits{players: 2, strategies: MaxStrategies})
	if err != nil {
		return nil, err
	}
	return f.Bimatrix(), nil
}

// ReadNormalForm is Read for any number of players up to [MaxPlayers]. One player gets a second one,
// see [NormalForm.Complete].
func ReadNormalForm(file string, text []byte) (*NormalForm, error) {
	s, isNFG, err := begin(file, text)
	switch {
	case err != nil:
		return nil, err
	case isNFG:
		return readNFG(s, limits{players: MaxPlayers, strategies: MaxCells})
	}
	g, err := readLRS(s)
	if err != nil {
		return nil, err
	}
	return g.NormalForm(), nil
}

// begin returns a scanner of a text and whether it is in Gambit's format.
func begin(file string, text []byte) (s *syntax.Scanner, isNFG bool, err error) {
	s, err = syntax.New(file, string(text))
	return s, err == nil && s.Next.Is("NFG"), err
}

// limits are the largest numbers of players, and of strategies of each.
type limits struct{ players, strategies int }

// readNFG parses the strategic game format of Gambit's manual.
func readNFG(s *syntax.Scanner, most limits) (*NormalForm, error) {
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
	f := &NormalForm{}
	var err error
	if f.Title, err = s.Quoted("a title"); err == nil {
		err = f.readPlayers(s, most.players)
	}
	if err == nil {
		err = f.readSizes(s, most.strategies)
	}
	if err == nil && s.Next.Quoted { // a comment
		err = s.Advance()
	}
	if err != nil {
		return nil, err
	}
	f.Payoffs = make([][]*big.Rat, len(f.Players))
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
	f.Complete()
	return f, nil
}

func (f *NormalForm) readPlayers(s *syntax.Scanner, most int) error {
	if err := s.Want("{", "players in braces are needed"); err != nil {
		return err
	}
	for !s.Next.Is("}") {
		t := s.Next
		name, err := s.Quoted("a player's name")
		switch {
		case err != nil:
			return err
		case len(f.Players) == 2 && most == 2:
			return s.ErrorAt(t, "a third player; a game of two is needed")
		case len(f.Players) == most:
			return s.ErrorAt(t, "more than %d players", most)
		}
		f.Players = append(f.Players, name)
	}
	if len(f.Players) == 0 {
		return s.ErrorAt(s.Next, "no players")
	}
	return s.Advance()
}

// readSizes parses the numbers of strategies, or their names.
func (f *NormalForm) readSizes(s *syntax.Scanner, most int) error {
	if err := s.Want("{", "numbers or names of strategies in braces are needed"); err != nil {
		return err
	}
	f.Sizes, f.Strategies = make([]int, len(f.Players)), make([][]string, len(f.Players))
	cells := 1
	for p := range f.Players {
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
					f.Strategies[p] = append(f.Strategies[p], name)
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
		f.Sizes[p] = n
		if err := s.Advance(); err != nil {
			return err
		}
	}
	return s.Want("}", "strategies of all players end with a brace")
}

// readPayoffs parses the payoffs of all players in each cell.
func (f *NormalForm) readPayoffs(s *syntax.Scanner) error {
	for range f.Cells() {
		for p := range f.Payoffs {
			x, err := s.Number(fmt.Sprintf("a payoff of player %d", p+1))
			if err != nil {
				return err
			}
			f.Payoffs[p] = append(f.Payoffs[p], x)
		}
	}
	return nil
}

// readOutcomes parses a list of outcomes, and then the number of an outcome for each
// cell. Outcome 0 pays nothing.
func (f *NormalForm) readOutcomes(s *syntax.Scanner) error {
	if err := s.Advance(); err != nil {
		return err
	}
	nothing := make([]*big.Rat, len(f.Players))
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
		o := make([]*big.Rat, len(f.Players))
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
	for range f.Cells() {
		t, err := s.Take()
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(t.Text, 10, 31)
		if err != nil || t.Quoted || int(n) >= len(outcomes) {
			return s.ErrorAt(t, "a number of an outcome, 0 to %d, is needed, not %v", len(outcomes)-1, t)
		}
		for p, x := range outcomes[n] {
			f.Payoffs[p] = append(f.Payoffs[p], x)
		}
	}
	return nil
}

// NFG returns the game in Gambit's payoff form.
func (g *Game) NFG() []byte { return g.NormalForm().NFG() }

// NFG returns the game in Gambit's payoff form.
func (f *NormalForm) NFG() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "NFG 1 R %s { ", syntax.Quote(f.Title))
	for _, name := range f.Players {
		out.WriteString(syntax.Quote(name) + " ")
	}
	out.WriteString("} { ")
	named := !slices.ContainsFunc(f.Strategies, func(names []string) bool { return names == nil })
	for p, n := range f.Sizes {
		if !named {
			fmt.Fprintf(&out, "%d ", n)
			continue
		}
		out.WriteString("{ ")
		for _, name := range f.Strategies[p] {
			out.WriteString(syntax.Quote(name) + " ")
		}
		out.WriteString("} ")
	}
	out.WriteString("}\n\n")
	sep := ""
	for cell := range f.Cells() {
		for p := range f.Players {
			out.WriteString(sep + f.Payoffs[p][cell].RatString())
			sep = " "
		}
	}
	out.WriteByte('\n')
	return out.Bytes()
}
