package game

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Read parses the text of a file: Gambit's .nfg in its payoff or outcome form, with two
// players, or lrsnash's input. A byte order mark is skipped. Errors are of type
// [*SyntaxError].
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

// ReadNormalForm is Read for any number of players up to [MaxPlayers].
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
func begin(file string, text []byte) (s *scanner, isNFG bool, err error) {
	s, err = newScanner(file, strings.TrimPrefix(string(text), "\ufeff"))
	return s, err == nil && s.next.is("NFG"), err
}

// limits are the largest numbers of players, and of strategies of each.
type limits struct{ players, strategies int }

// readNFG parses the strategic game format of Gambit's manual.
func readNFG(s *scanner, most limits) (*NormalForm, error) {
	if err := s.want("NFG", "a game begins with NFG"); err != nil {
		return nil, err
	}
	if err := s.want("1", "version 1 is needed"); err != nil {
		return nil, err
	}
	if t, err := s.take(); err != nil {
		return nil, err
	} else if !t.is("R") && !t.is("D") {
		return nil, s.errorAt(t, "R or D is needed, for rational or decimal payoffs, not %v", t)
	}
	f := &NormalForm{}
	var err error
	if f.Title, err = s.quoted("a title"); err == nil {
		err = f.readPlayers(s, most.players)
	}
	if err == nil {
		err = f.readSizes(s, most.strategies)
	}
	if err == nil && s.next.quoted { // a comment
		err = s.advance()
	}
	if err != nil {
		return nil, err
	}
	f.Payoffs = make([][]*big.Rat, len(f.Players))
	if s.next.is("{") {
		err = f.readOutcomes(s)
	} else {
		err = f.readPayoffs(s)
	}
	if err == nil && !s.next.end() {
		err = s.errorAt(s.next, "%v after the last payoff", s.next)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (f *NormalForm) readPlayers(s *scanner, most int) error {
	if err := s.want("{", "players in braces are needed"); err != nil {
		return err
	}
	for !s.next.is("}") {
		t := s.next
		name, err := s.quoted("a player's name")
		switch {
		case err != nil:
			return err
		case len(f.Players) == 2 && most == 2:
			return s.errorAt(t, "a third player; a game of two is needed")
		case len(f.Players) == most:
			return s.errorAt(t, "more than %d players", most)
		}
		f.Players = append(f.Players, name)
	}
	switch len(f.Players) {
	case 0:
		return s.errorAt(s.next, "no players, at least two are needed")
	case 1:
		return s.errorAt(s.next, "1 player, at least two are needed")
	}
	return s.advance()
}

// readSizes parses the numbers of strategies, or their names.
func (f *NormalForm) readSizes(s *scanner, most int) error {
	if err := s.want("{", "numbers or names of strategies in braces are needed"); err != nil {
		return err
	}
	f.Sizes, f.Strategies = make([]int, len(f.Players)), make([][]string, len(f.Players))
	cells := 1
	for p := range f.Players {
		at := s.next
		var n int
		if at.is("{") {
			if err := s.advance(); err != nil {
				return err
			}
			for !s.next.is("}") {
				name, err := s.quoted("a strategy's name")
				if err != nil {
					return err
				}
				if n++; n <= most {
					f.Strategies[p] = append(f.Strategies[p], name)
				}
			}
		} else if k, err := strconv.ParseUint(at.text, 10, 31); err != nil || at.quoted {
			return s.errorAt(at, "the number of strategies of player %d is needed, not %v", p+1, at)
		} else {
			n = int(k)
		}
		switch {
		case n < 1 || n > most:
			return s.errorAt(at, "player %d has %d strategies, 1 to %d can be", p+1, n, most)
		case cells > MaxCells/n:
			return s.errorAt(at, "more than %d combinations of strategies", MaxCells)
		}
		cells *= n
		f.Sizes[p] = n
		if err := s.advance(); err != nil {
			return err
		}
	}
	return s.want("}", "strategies of all players end with a brace")
}

// readPayoffs parses the payoffs of all players in each cell.
func (f *NormalForm) readPayoffs(s *scanner) error {
	for range f.Cells() {
		for p := range f.Payoffs {
			x, err := s.number(fmt.Sprintf("a payoff of player %d", p+1))
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
func (f *NormalForm) readOutcomes(s *scanner) error {
	if err := s.advance(); err != nil {
		return err
	}
	nothing := make([]*big.Rat, len(f.Players))
	for p := range nothing {
		nothing[p] = new(big.Rat)
	}
	outcomes := [][]*big.Rat{nothing}
	for !s.next.is("}") {
		if err := s.want("{", "an outcome in braces is needed"); err != nil {
			return err
		}
		if _, err := s.quoted("an outcome's name"); err != nil {
			return err
		}
		o := make([]*big.Rat, len(f.Players))
		for p := range o {
			var err error
			if o[p], err = s.number(fmt.Sprintf("a payoff of player %d", p+1)); err != nil {
				return err
			}
			if s.next.is(",") {
				if err := s.advance(); err != nil {
					return err
				}
			}
		}
		if err := s.want("}", fmt.Sprintf("an outcome of %d players ends with a brace", len(o))); err != nil {
			return err
		}
		outcomes = append(outcomes, o)
	}
	if err := s.advance(); err != nil {
		return err
	}
	for range f.Cells() {
		t, err := s.take()
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(t.text, 10, 31)
		if err != nil || t.quoted || int(n) >= len(outcomes) {
			return s.errorAt(t, "a number of an outcome, 0 to %d, is needed, not %v", len(outcomes)-1, t)
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
	fmt.Fprintf(&out, "NFG 1 R %s { ", quote(f.Title))
	for _, name := range f.Players {
		out.WriteString(quote(name) + " ")
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
			out.WriteString(quote(name) + " ")
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

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
