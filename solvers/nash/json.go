package nash

import (
	"encoding/json"
	"io"

	"gamebots/solvers/nash/game"
)

// resultJSON is a result as WriteJSON writes it. Fractions are texts in lowest terms.
type resultJSON struct {
	Equilibria []equilibriumJSON `json:"equilibria"`
	Count      int               `json:"count"`
	IndexSum   *int              `json:"index_sum"` // null in degenerate games, and if there may be others
	Verified   bool              `json:"verified"`
	Degeneracy Degeneracy        `json:"degenerate"` // null if it was not tested
	Complete   bool              `json:"complete"`   // false if there may be others
	Subsets    []subsetJSON      `json:"nash_subsets,omitempty"`
	Components int               `json:"components,omitempty"`
	Stats      Stats             `json:"stats"`
	// SecondOrder reports whether a second order of branching found the same.
	SecondOrder bool `json:"second_order,omitempty"`
}

type equilibriumJSON struct {
	X       []string `json:"x"`
	Y       []string `json:"y"`
	Payoffs []string `json:"payoffs"`
	Index   *int     `json:"index"` // null where it is degenerate
}

// subsetJSON is a maximal Nash subset: for each different x and y that it mixes, the
// place in the list of the first equilibrium with it.
type subsetJSON struct {
	X []int `json:"x"`
	Y []int `json:"y"`
}

// WriteJSON writes the result as one JSON object and a line feed.
func (r *Result) WriteJSON(w io.Writer) error {
	out := resultJSON{Equilibria: []equilibriumJSON{}, Count: len(r.Equilibria), Verified: r.Verified,
		Degeneracy: r.Degeneracy,
		Complete:   r.Complete, Stats: r.Stats, SecondOrder: r.SecondOrder}
	for _, e := range r.Equilibria {
		j := equilibriumJSON{X: game.Fractions(e.X), Y: game.Fractions(e.Y), Payoffs: game.Fractions(e.Payoffs[:])}
		if e.Index != 0 {
			j.Index = &e.Index
		}
		out.Equilibria = append(out.Equilibria, j)
	}
	switch {
	case r.Degeneracy != Degenerate && r.Complete:
		out.IndexSum = &r.IndexSum
	case r.Degeneracy == Degenerate && r.Stats.Method != LemkeHowson:
		structure := r.Structure()
		out.Components = structure.Components
		for _, s := range structure.Subsets {
			out.Subsets = append(out.Subsets, subsetJSON{structure.First(0, s.X), structure.First(1, s.Y)})
		}
	}
	return json.NewEncoder(w).Encode(out)
}
