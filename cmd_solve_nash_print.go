package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"

	"gamebots/solvers/nash"
	"gamebots/solvers/nash/extreme"
	"gamebots/solvers/nash/game"
)

// nashJSON is a result as --json prints it. Fractions are texts in lowest terms.
type nashJSON struct {
	Equilibria []equilibriumJSON `json:"equilibria"`
	Count      int               `json:"count"`
	IndexSum   *int              `json:"index_sum"` // null in degenerate games
	Verified   bool              `json:"verified"`
	Degenerate bool              `json:"degenerate"`
	Complete   bool              `json:"complete"` // false where the search was stopped
	Subsets    []subsetJSON      `json:"nash_subsets,omitempty"`
	Components int               `json:"components,omitempty"`
	Stats      nash.Stats        `json:"stats"`
	// SecondOrder says that a second order of branching found the same.
	SecondOrder bool `json:"second_order,omitempty"`
}

type equilibriumJSON struct {
	X       []string `json:"x"`
	Y       []string `json:"y"`
	Payoffs []string `json:"payoffs"`
	Index   *int     `json:"index"` // null where it is degenerate
}

// subsetJSON is a maximal Nash subset: the equilibria whose x and whose y it
// mixes, by their places in the list, one for each different x and y.
type subsetJSON struct {
	X []int `json:"x"`
	Y []int `json:"y"`
}

func fractions(x []*big.Rat) []string {
	out := make([]string, len(x))
	for i, p := range x {
		out[i] = p.RatString()
	}
	return out
}

func printNashJSON(w io.Writer, _ *game.Game, r *nash.Result) error {
	out := nashJSON{Equilibria: []equilibriumJSON{}, Count: len(r.Equilibria), Verified: r.Verified, Degenerate: r.Degenerate,
		Complete: r.Complete, Stats: r.Stats, SecondOrder: r.SecondOrder}
	for _, e := range r.Equilibria {
		j := equilibriumJSON{X: fractions(e.X), Y: fractions(e.Y), Payoffs: fractions(e.Payoffs[:])}
		if e.Index != 0 {
			j.Index = &e.Index
		}
		out.Equilibria = append(out.Equilibria, j)
	}
	if !r.Degenerate {
		out.IndexSum = &r.IndexSum
	} else {
		structure := r.Structure()
		out.Components = structure.Components
		for _, s := range structure.Subsets {
			out.Subsets = append(out.Subsets, subsetJSON{firstWith(structure, 0, s.X), firstWith(structure, 1, s.Y)})
		}
	}
	return json.NewEncoder(w).Encode(out)
}

// firstWith returns the first equilibria, counted from 0, that have strategies of
// a player by their numbers.
func firstWith(structure extreme.Structure, player int, numbers []int) []int {
	var out []int
	for _, n := range numbers {
		for i, pair := range structure.Numbers {
			if pair[player] == n {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

func printNash(w io.Writer, g *game.Game, r *nash.Result) error {
	var out strings.Builder
	for i := range r.Equilibria {
		e := &r.Equilibria[i]
		rows, cols := e.Supports()
		index := "degenerate"
		if e.Index != 0 {
			index = fmt.Sprintf("index %+d", e.Index)
		}
		fmt.Fprintf(&out, "equilibrium %d: rows %s, columns %s, payoffs %s and %s, %s\n", i+1,
			g.Names(0, rows), g.Names(1, cols), e.Payoffs[0].RatString(), e.Payoffs[1].RatString(), index)
		fmt.Fprintf(&out, "  x = (%s)\n  y = (%s)\n", strings.Join(fractions(e.X), ", "), strings.Join(fractions(e.Y), ", "))
	}
	structure := extreme.Structure{}
	if r.Degenerate {
		structure = r.Structure()
		for i, s := range structure.Subsets {
			fmt.Fprintf(&out, "maximal Nash subset %d: each mixture of the x of %s with each of the y of %s\n",
				i+1, numbered(firstWith(structure, 0, s.X)), numbered(firstWith(structure, 1, s.Y)))
		}
	}
	out.WriteString(verdict(r, structure) + "\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// numbered lists numbers counted from 1.
func numbered(all []int) string {
	words := make([]string, len(all))
	for i, n := range all {
		words[i] = fmt.Sprint(n + 1)
	}
	return strings.Join(words, ", ")
}

// counted is a number of things, which are called so if it is one, and else so.
func counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprint(n, " ", many)
}

// verdict says what is known of the result as a whole.
func verdict(r *nash.Result, structure extreme.Structure) string {
	n, kind := len(r.Equilibria), ""
	if r.Degenerate {
		kind = "extreme "
	}
	text, verified := counted(n, kind+"equilibrium", kind+"equilibria"), ", each verified exactly"
	if n == 1 {
		verified = ", verified exactly"
	}
	switch {
	case r.Problem == nash.Stopped && n > 0:
		text += verified + "; " + r.Problem
	case !r.Verified:
		return text + ", not verified: " + r.Problem
	case r.Degenerate:
		text += fmt.Sprintf(" in %s and %s of a degenerate game%s", counted(len(structure.Subsets), "maximal Nash subset", "maximal Nash subsets"),
			counted(structure.Components, "component", "components"), verified)
	case n == 1:
		text += fmt.Sprintf("%s; the number is odd and the index is %+d", verified, r.IndexSum)
	default:
		text += fmt.Sprintf("%s; their number is odd and their indices add up to %+d", verified, r.IndexSum)
	}
	if r.SecondOrder {
		text += "; a second order of branching finds the same"
	}
	if r.Degenerate {
		return text // of a search in integers
	}
	if r.Stats.Ambiguous > 0 || r.Stats.Rejected > 0 {
		return text + fmt.Sprintf("; %s within rounding errors, which left nothing out, and %s refuted exactly",
			counted(int(r.Stats.Ambiguous), "decision was", "decisions were"), counted(int(r.Stats.Rejected), "candidate was", "candidates were"))
	}
	return text + "; no decision was within rounding errors"
}
