package nash

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/internal/extreme"
)

// Found is what a search has found.
type Found struct {
	Game      *bimatrix.Game
	Result    *Result
	Structure extreme.Structure // empty unless all equilibria of a degenerate game were found
}

// JSON returns the result for JSON.
func (a *Found) JSON() any {
	r := a.Result
	more := &matricesJSON{Verified: r.Verified, Subsets: a.Structure.Subsets, Components: a.Structure.Components,
		SecondOrder: r.SecondOrder, Stats: r.Stats}
	if r.Degeneracy != Degenerate && r.Complete {
		more.IndexSum = &r.IndexSum
	}
	out := resultJSON{Players: a.Game.Players[:], Complete: r.Complete, Degenerate: r.Degeneracy, matricesJSON: more}
	for _, e := range r.Equilibria {
		written := equilibriumJSON{Payoffs: bimatrix.Fractions(e.Payoffs[:]),
			Strategies: [][]string{bimatrix.Fractions(e.X), bimatrix.Fractions(e.Y)}}
		if e.Index != 0 {
			written.Index = &e.Index
		}
		out.Equilibria = append(out.Equilibria, written)
	}
	return out.counted()
}

// WriteText writes equilibria, maximal Nash subsets and the verdict.
func (a *Found) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	g, r := a.Game, a.Result
	for i := range r.Equilibria {
		e := &r.Equilibria[i]
		rows, cols := e.Supports()
		index := "degenerate"
		if e.Index != 0 {
			index = fmt.Sprintf("index %+d", e.Index)
		}
		fmt.Fprintf(out, "equilibrium %d: rows %s, columns %s, payoffs %s and %s, %s\n", i+1,
			g.Names(0, rows), g.Names(1, cols), e.Payoffs[0].RatString(), e.Payoffs[1].RatString(), index)
		fmt.Fprintf(out, "  x = (%s)\n  y = (%s)\n",
			strings.Join(bimatrix.Fractions(e.X), ", "), strings.Join(bimatrix.Fractions(e.Y), ", "))
	}
	for i, s := range a.Structure.Subsets {
		fmt.Fprintf(out, "maximal Nash subset %d: each mixture of the x of %s with each of the y of %s\n",
			i+1, numbered(s.X), numbered(s.Y))
	}
	fmt.Fprintln(out, verdict(r, a.Structure))
	return out.Flush()
}

// numbered lists numbers counted from 1.
func numbered(all []int) string {
	words := make([]string, len(all))
	for i, n := range all {
		words[i] = fmt.Sprint(n + 1)
	}
	return strings.Join(words, ", ")
}

// verdict summarises a result in one line.
func verdict(r *Result, structure extreme.Structure) string {
	n, kind, degenerate := len(r.Equilibria), "", r.Degeneracy == Degenerate
	if degenerate {
		kind = "extreme "
	}
	text, verified := usererr.Counted(n, kind+"equilibrium", kind+"equilibria"), ", each verified exactly"
	if len(structure.Subsets) > 0 {
		text += fmt.Sprintf(" in %s and %s",
			usererr.Counted(len(structure.Subsets), "maximal Nash subset", "maximal Nash subsets"),
			usererr.Counted(structure.Components, "component", "components"))
	}
	text += map[Degeneracy]string{
		Degenerate: " of a degenerate game", Nondegenerate: " of a nondegenerate game",
		NotTested: " of a game that was not tested for degeneracy",
	}[r.Degeneracy]
	switch n {
	case 0:
		verified = ""
	case 1:
		verified = ", verified exactly"
	}
	switch {
	case r.Stats.Method == LemkeHowson && r.Verified:
		return text + verified + "; there may be others"
	case !r.Verified:
		return text + ", not verified: " + r.Problem
	case !r.Complete:
		text += verified + "; the search was stopped"
	case degenerate:
		text += verified
	case n == 1:
		text += fmt.Sprintf("%s; the number is odd and the index is %+d", verified, r.IndexSum)
	default:
		text += fmt.Sprintf("%s; their number is odd and their indices add up to %+d", verified, r.IndexSum)
	}
	if r.SecondOrder {
		text += "; a second order of branching finds the same"
	}
	if degenerate {
		return text // integers have no rounding errors
	}
	if r.Stats.Ambiguous > 0 || r.Stats.Rejected > 0 {
		return text + fmt.Sprintf("; %s within rounding errors, which left nothing out, and %s refuted exactly",
			usererr.Counted(int(r.Stats.Ambiguous), "decision was", "decisions were"),
			usererr.Counted(int(r.Stats.Rejected), "candidate was", "candidates were"))
	}
	return text + "; no decision was within rounding errors"
}
