package equilibria

import (
	"encoding/json"
	"io"
	"math"
	"math/big"
	"strconv"

	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
)

// resultJSON is what all answers write as JSON. Where a key does not apply it is left out.
type resultJSON struct {
	Players    []string          `json:"players"`
	Equilibria []equilibriumJSON `json:"equilibria"`
	Continua   []continuumJSON   `json:"continua,omitempty"`
	Count      int               `json:"count"`    // number of Equilibria
	Complete   bool              `json:"complete"` // false if there may be others of those asked for
	// Degenerate is null if it is not known.
	Degenerate nash.Degeneracy `json:"degenerate"`
	*matricesJSON
	*divisionJSON
}

// equilibriumJSON is an equilibrium. Without radius and regret it is exact.
type equilibriumJSON struct {
	Strategies [][]string `json:"strategies"` // probabilities of each player: fractions, or decimals
	Payoffs    []string   `json:"payoffs"`
	Index      *int       `json:"index,omitempty"`
	Radius     float64    `json:"radius,omitempty"`   // how far the probabilities may be off
	Regret     float64    `json:"regret,omitempty"`   // what a player may gain by another strategy
	Continua   []int      `json:"continua,omitempty"` // continua that it is in, from 0
}

// continuumJSON is a [multiplayer.Continuum].
type continuumJSON struct {
	Parameters []string   `json:"parameters"`
	Conditions []string   `json:"conditions"`
	Strategies [][]string `json:"strategies"`
}

// matricesJSON is what only a search of two players says.
type matricesJSON struct {
	IndexSum    *int         `json:"index_sum"` // null in degenerate games, and if there may be others
	Verified    bool         `json:"verified"`
	Subsets     []subsetJSON `json:"nash_subsets,omitempty"`
	Components  int          `json:"components,omitempty"`
	SecondOrder bool         `json:"second_order,omitempty"` // a second order of branching found the same
	Stats       nash.Stats   `json:"stats"`
}

// subsetJSON is a maximal Nash subset: for each different strategy of both players that it
// mixes, the place in the list of the first equilibrium with it.
type subsetJSON struct {
	X []int `json:"x"`
	Y []int `json:"y"`
}

// divisionJSON is what only a search by subdivision says.
type divisionJSON struct {
	Undecided int `json:"undecided"`
	Boxes     int `json:"boxes"`
}

// write writes an object and a line feed.
func (r *resultJSON) write(w io.Writer) error {
	if r.Equilibria == nil {
		r.Equilibria = []equilibriumJSON{}
	}
	r.Count = len(r.Equilibria)
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return out.Encode(r)
}

// fractions returns an exact equilibrium.
func fractions(payoffs []*big.Rat, strategies ...[]*big.Rat) equilibriumJSON {
	e := equilibriumJSON{Payoffs: game.Fractions(payoffs)}
	for _, x := range strategies {
		e.Strategies = append(e.Strategies, game.Fractions(x))
	}
	return e
}

// certified returns an equilibrium of several players.
func certified(g *game.NormalForm, e *multiplayer.Equilibrium) equilibriumJSON {
	if e.Exact != nil && e.Regret == nil {
		payoffs, _ := multiplayer.Payoffs(g, e.Exact)
		return fractions(payoffs, e.Exact...)
	}
	out := equilibriumJSON{Payoffs: shortest(e.Payoffs), Radius: e.Radius}
	if e.Regret != nil {
		near, _ := e.Regret.Float64()
		out.Regret, out.Strategies = math.Nextafter(near, math.Inf(1)), decimals(e)
		return out
	}
	for _, x := range e.Strategies {
		out.Strategies = append(out.Strategies, shortest(x))
	}
	return out
}

// decimals returns the probabilities of an approximate equilibrium, as they are.
func decimals(e *multiplayer.Equilibrium) [][]string {
	all := make([][]string, len(e.Exact))
	for p, x := range e.Exact {
		for _, q := range x {
			if digits, exact := q.FloatPrec(); exact {
				all[p] = append(all[p], q.FloatString(digits))
			} else {
				all[p] = append(all[p], q.RatString())
			}
		}
	}
	return all
}

// shortest returns numbers with as many digits as tell them from other floats.
func shortest(x []float64) []string {
	var out []string
	for _, v := range x {
		out = append(out, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return out
}
