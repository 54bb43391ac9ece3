package game

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Read parses the text of a file: Gambit's .nfg in its payoff or outcome form, or
// lrsnash's input. A byte order mark is skipped. Errors are of type [*SyntaxError].
func Read(file string, text []byte) (*Game, error) {
	s, err := newScanner(file, strings.TrimPrefix(string(text), "\ufeff"))
	if err != nil {
		return nil, err
	}
	if s.next.is("NFG") {
		return readNFG(s)
	}
	return readLRS(s)
}

// readNFG parses the strategic game format of Gambit's manual.
func readNFG(s *scanner) (*Game, error) {
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
	g := &Game{}
	var err error
	if g.Title, err = s.quoted("a title"); err == nil {
		err = g.readPlayers(s)
	}
	if err == nil {
		err = g.readSizes(s)
	}
	if err == nil && s.next.quoted { // a comment
		err = s.advance()
	}
	if err != nil {
		return nil, err
	}
	g.A, g.B = make([]*big.Rat, g.Rows*g.Cols), make([]*big.Rat, g.Rows*g.Cols)
	if s.next.is("{") {
		err = g.readOutcomes(s)
	} else {
		err = g.eachCell(func(cell int) (err error) {
			if g.A[cell], err = s.number("a payoff of player 1"); err == nil {
				g.B[cell], err = s.number("a payoff of player 2")
			}
			return err
		})
	}
	if err == nil && !s.next.end() {
		err = s.errorAt(s.next, "%v after the last payoff", s.next)
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// eachCell calls f with the cells in the order of the format, column by column.
func (g *Game) eachCell(f func(cell int) error) error {
	for j := range g.Cols {
		for i := range g.Rows {
			if err := f(i*g.Cols + j); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *Game) readPlayers(s *scanner) error {
	if err := s.want("{", "players in braces are needed"); err != nil {
		return err
	}
	n := 0
	for ; !s.next.is("}"); n++ {
		t := s.next
		name, err := s.quoted("a player's name")
		if err != nil {
			return err
		}
		if n >= len(g.Players) {
			return s.errorAt(t, "a third player; only games of two can be solved")
		}
		g.Players[n] = name
	}
	if n < len(g.Players) {
		return s.errorAt(s.next, "%d player, two are needed", n)
	}
	return s.advance()
}

// readSizes parses the numbers of strategies, or their names.
func (g *Game) readSizes(s *scanner) error {
	if err := s.want("{", "numbers or names of strategies in braces are needed"); err != nil {
		return err
	}
	for p := range 2 {
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
				if n++; n <= MaxStrategies {
					g.Strategies[p] = append(g.Strategies[p], name)
				}
			}
		} else if k, err := strconv.ParseUint(at.text, 10, 31); err != nil || at.quoted {
			return s.errorAt(at, "the number of strategies of player %d is needed, not %v", p+1, at)
		} else {
			n = int(k)
		}
		if n < 1 || n > MaxStrategies {
			return s.errorAt(at, "player %d has %d strategies, 1 to %d can be", p+1, n, MaxStrategies)
		}
		if p == 0 {
			g.Rows = n
		} else {
			g.Cols = n
		}
		if err := s.advance(); err != nil {
			return err
		}
	}
	return s.want("}", "strategies of two players end with a brace")
}

// readOutcomes parses a list of outcomes, and then the number of an outcome for each
// cell. Outcome 0 pays nothing.
func (g *Game) readOutcomes(s *scanner) error {
	if err := s.advance(); err != nil {
		return err
	}
	outcomes := [][2]*big.Rat{{new(big.Rat), new(big.Rat)}}
	for !s.next.is("}") {
		if err := s.want("{", "an outcome in braces is needed"); err != nil {
			return err
		}
		if _, err := s.quoted("an outcome's name"); err != nil {
			return err
		}
		var o [2]*big.Rat
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
		if err := s.want("}", "an outcome of two players ends with a brace"); err != nil {
			return err
		}
		outcomes = append(outcomes, o)
	}
	if err := s.advance(); err != nil {
		return err
	}
	return g.eachCell(func(cell int) error {
		t, err := s.take()
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(t.text, 10, 31)
		if err != nil || t.quoted || int(n) >= len(outcomes) {
			return s.errorAt(t, "a number of an outcome, 0 to %d, is needed, not %v", len(outcomes)-1, t)
		}
		g.A[cell], g.B[cell] = outcomes[n][0], outcomes[n][1]
		return nil
	})
}

// NFG returns the game in Gambit's payoff form.
func (g *Game) NFG() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "NFG 1 R %s { %s %s } ", quote(g.Title), quote(g.Players[0]), quote(g.Players[1]))
	if g.Strategies[0] != nil && g.Strategies[1] != nil {
		out.WriteString("{ ")
		for _, names := range g.Strategies {
			out.WriteString("{ ")
			for _, name := range names {
				out.WriteString(quote(name) + " ")
			}
			out.WriteString("} ")
		}
		out.WriteString("}\n\n")
	} else {
		fmt.Fprintf(&out, "{ %d %d }\n\n", g.Rows, g.Cols)
	}
	sep := ""
	_ = g.eachCell(func(cell int) error {
		fmt.Fprintf(&out, "%s%s %s", sep, g.A[cell].RatString(), g.B[cell].RatString())
		sep = " "
		return nil
	})
	out.WriteByte('\n')
	return out.Bytes()
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
