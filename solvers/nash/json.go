package nash

import (
	"encoding/json"
	"io"
	"math/big"

	"gamebots/solvers/nash/extreme"
)

// resultJSON is a result as --json prints it. Fractions are texts in lowest terms.
type resultJSON struct {
	Equilibria []equilibriumJSON `json:"equilibria"`
	Count      int               `json:"count"`
	IndexSum   *int              `json:"index_sum"` // null in degenerate games
	Verified   bool              `json:"verified"`
	Degenerate bool              `json:"degenerate"`
	Complete   bool              `json:"complete"` // false where the search was stopped
	Subsets    []subsetJSON      `json:"nash_subsets,omitempty"`
	Components int               `json:"components,omitempty"`
	Stats      Stats             `json:"stats"`
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

// Fractions returns numbers as texts in lowest terms.
func Fractions(x []*big.Rat) []string {
	out := make([]string, len(x))
	for i, p := range x {
		out[i] = p.RatString()
	}
	return out
}

// WriteJSON writes a result as one JSON object and a line feed.
func (r *Result) WriteJSON(w io.Writer) error {
	out := resultJSON{Equilibria: []equilibriumJSON{}, Count: len(r.Equilibria), Verified: r.Verified, Degenerate: r.Degenerate,
		Complete: r.Complete, Stats: r.Stats, SecondOrder: r.SecondOrder}
	for _, e := range r.Equilibria {
		j := equilibriumJSON{X: Fractions(e.X), Y: Fractions(e.Y), Payoffs: Fractions(e.Payoffs[:])}
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
			out.Subsets = append(out.Subsets, subsetJSON{FirstWith(structure, 0, s.X), FirstWith(structure, 1, s.Y)})
		}
	}
	return json.NewEncoder(w).Encode(out)
}

// FirstWith returns the first equilibria, counted from 0, that have strategies of
// a player by their numbers.
func FirstWith(structure extreme.Structure, player int, numbers []int) []int {
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
