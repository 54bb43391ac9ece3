package extensive

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"gamebots/solvers/nash/bimatrix"
)

// EFG returns the game in Gambit's .efg format, as [Game.WriteEFG] writes it.
func (g *Game) EFG() []byte {
	var text bytes.Buffer
	_ = g.WriteEFG(&text) // a buffer takes all
	return text.Bytes()
}

// WriteEFG writes the game in Gambit's .efg format. Information sets, by player, and outcomes
// are numbered in the order in which they appear, and described where they do first.
func (g *Game) WriteEFG(to io.Writer) error {
	out := bufio.NewWriterSize(to, 1<<16)
	fmt.Fprintf(out, "EFG 2 R %s {", bimatrix.Quote(g.Title))
	for _, name := range g.Players {
		out.WriteString(" " + bimatrix.Quote(name))
	}
	fmt.Fprintf(out, " }\n%s\n\n", bimatrix.Quote(g.Comment))
	w := writer{out: out, game: g, described: make([]bool, len(g.Sets)), outcomes: make([]int, len(g.Outcomes))}
	for i := range g.Nodes {
		w.node(&g.Nodes[i])
	}
	return out.Flush()
}

// A writer describes information sets and outcomes where they appear first.
type writer struct {
	out         *bufio.Writer
	game        *Game
	described   []bool // whether each set has been described
	outcomes    []int  // their numbers, 0 for those that were not written yet
	lastOutcome int
}

func (w *writer) node(n *Node) {
	if n.Set == None {
		w.out.WriteString("t " + bimatrix.Quote(n.Name))
	} else if s := &w.game.Sets[n.Set]; s.Player == Chance {
		w.out.WriteString("c " + bimatrix.Quote(n.Name))
		w.set(n.Set)
	} else {
		fmt.Fprintf(w.out, "p %s %d", bimatrix.Quote(n.Name), s.Player+1)
		w.set(n.Set)
	}
	w.outcome(n.Outcome)
	w.out.WriteByte('\n')
}

func (w *writer) set(i int) {
	s := &w.game.Sets[i]
	fmt.Fprintf(w.out, " %d", s.Number)
	if w.described[i] {
		return
	}
	w.described[i] = true
	fmt.Fprintf(w.out, " %s {", bimatrix.Quote(s.Name))
	for a, name := range s.Actions {
		w.out.WriteString(" " + bimatrix.Quote(name))
		if s.Player == Chance {
			w.out.WriteString(" " + s.Probabilities[a].RatString())
		}
	}
	w.out.WriteString(" }")
}

func (w *writer) outcome(i int) {
	switch {
	case i == None:
		w.out.WriteString(" 0")
		return
	case w.outcomes[i] > 0:
		fmt.Fprintf(w.out, " %d", w.outcomes[i])
		return
	}
	w.lastOutcome++
	w.outcomes[i] = w.lastOutcome
	o := &w.game.Outcomes[i]
	payoffs := make([]string, len(o.Payoffs))
	for p, x := range o.Payoffs {
		payoffs[p] = x.RatString()
	}
	fmt.Fprintf(w.out, " %d %s { %s }", w.lastOutcome, bimatrix.Quote(o.Name), strings.Join(payoffs, ", "))
}
