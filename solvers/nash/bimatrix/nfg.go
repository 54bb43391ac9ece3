package bimatrix

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
)

// Read parses the text of a file: Gambit's .nfg in its payoff or outcome form, or
// lrsnash's input. A byte order mark is skipped. A game of one player gets a second
// one, "nobody", who has one strategy and wins nothing. Errors are of type
// [*SyntaxError].
func Read(file string, text []byte) (*Game, error) { return read(file, text, MaxStrategies) }

// ReadLarge is Read for .nfg with players of more than [MaxStrategies] strategies, and up to [MaxCells]
// combinations of them.
func ReadLarge(file string, text []byte) (*Game, error) { return read(file, text, MaxCells) }

// read reads a game with at most some strategies of a player in .nfg.
func read(file string, text []byte, most int) (*Game, error) {
	s, err := NewScanner(file, string(text))
	switch {
	case err != nil:
		return nil, err
	case !s.Next.Is("NFG"):
		return readLRS(s)
	}
	return readNFG(s, most)
}

// readNFG parses the strategic game format of Gambit's manual.
func readNFG(s *Scanner, most int) (*Game, error) {
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
	g := &Game{Players: [2]string{"", "nobody"}, Rows: 1, Cols: 1}
	var players int
	var err error
	if g.Title, err = s.Quoted("a title"); err == nil {
		players, err = g.readPlayers(s)
	}
	if err == nil {
		err = g.readSizes(s, players, most)
	}
	if err == nil && s.Next.Quoted { // a comment
		err = s.Advance()
	}
	if err != nil {
		return nil, err
	}
	read := readPayoffs
	if s.Next.Is("{") {
		read = readOutcomes
	}
	cells, err := read(s, players, g.Rows*g.Cols)
	if err == nil && !s.Next.End() {
		err = s.ErrorAt(s.Next, "%v after the last payoff", s.Next)
	}
	if err != nil {
		return nil, err
	}
	for i := range g.Rows {
		for j := range g.Cols {
			payoffs := append(cells[j*g.Rows+i], new(big.Rat)) // nobody wins nothing
			g.A, g.B = append(g.A, payoffs[0]), append(g.B, payoffs[1])
		}
	}
	return g, nil
}

// readPlayers parses the names of one player or two, and returns their number.
func (g *Game) readPlayers(s *Scanner) (players int, err error) {
	if err := s.Want("{", "players in braces are needed"); err != nil {
		return 0, err
	}
	for ; !s.Next.Is("}"); players++ {
		t := s.Next
		name, err := s.Quoted("a player's name")
		switch {
		case err != nil:
			return 0, err
		case players == 2:
			return 0, s.ErrorAt(t, "a third player: %v", ErrPlayers)
		}
		g.Players[players] = name
	}
	if players == 0 {
		return 0, s.ErrorAt(s.Next, "no players")
	}
	return players, s.Advance()
}

// readSizes parses the numbers of strategies, or their names.
func (g *Game) readSizes(s *Scanner, players, most int) error {
	if err := s.Want("{", "numbers or names of strategies in braces are needed"); err != nil {
		return err
	}
	for p, size := range []*int{&g.Rows, &g.Cols}[:players] {
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
					g.Strategies[p] = append(g.Strategies[p], name)
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
		case g.Rows > MaxCells/n:
			return s.ErrorAt(at, "more than %d combinations of strategies", MaxCells)
		}
		*size = n
		if err := s.Advance(); err != nil {
			return err
		}
	}
	return s.Want("}", "strategies of all players end with a brace")
}

// readPayoffs parses the payoffs of all players in each cell, with the strategy of the first player varying fastest.
func readPayoffs(s *Scanner, players, cells int) (all [][]*big.Rat, err error) {
	for range cells {
		payoffs := make([]*big.Rat, players)
		for p := range payoffs {
			if payoffs[p], err = s.Number(fmt.Sprintf("a payoff of player %d", p+1)); err != nil {
				return nil, err
			}
		}
		all = append(all, payoffs)
	}
	return all, nil
}

// readOutcomes parses a list of outcomes, and then the number of an outcome for each
// cell. Outcome 0 pays nothing.
func readOutcomes(s *Scanner, players, cells int) (all [][]*big.Rat, err error) {
	if err := s.Advance(); err != nil {
		return nil, err
	}
	outcomes := [][]*big.Rat{{new(big.Rat), new(big.Rat)}}
	for !s.Next.Is("}") {
		if err := s.Want("{", "an outcome in braces is needed"); err != nil {
			return nil, err
		}
		if _, err := s.Quoted("an outcome's name"); err != nil {
			return nil, err
		}
		o := make([]*big.Rat, players)
		for p := range o {
			if o[p], err = s.Number(fmt.Sprintf("a payoff of player %d", p+1)); err != nil {
				return nil, err
			}
			if s.Next.Is(",") {
				if err := s.Advance(); err != nil {
					return nil, err
				}
			}
		}
		if err := s.Want("}", fmt.Sprintf("an outcome of %d players ends with a brace", players)); err != nil {
			return nil, err
		}
		outcomes = append(outcomes, o)
	}
	if err := s.Advance(); err != nil {
		return nil, err
	}
	for range cells {
		t, err := s.Take()
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseUint(t.Text, 10, 31)
		if err != nil || t.Quoted || int(n) >= len(outcomes) {
			return nil, s.ErrorAt(t, "a number of an outcome, 0 to %d, is needed, not %v", len(outcomes)-1, t)
		}
		all = append(all, outcomes[n])
	}
	return all, nil
}

// NFG returns the game in Gambit's payoff form.
func (g *Game) NFG() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "NFG 1 R %s { %s %s } { ", Quote(g.Title), Quote(g.Players[0]),
		Quote(g.Players[1]))
	if g.Strategies[0] == nil || g.Strategies[1] == nil {
		fmt.Fprintf(&out, "%d %d ", g.Rows, g.Cols)
	} else {
		for _, all := range g.Strategies {
			out.WriteString("{ ")
			for _, name := range all {
				out.WriteString(Quote(name) + " ")
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
