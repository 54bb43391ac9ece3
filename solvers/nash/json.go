package nash

import "gamebots/solvers/nash/internal/extreme"

// resultJSON is what [Found] and [PureEquilibria] are in JSON. Where a key does not apply it is left out.
type resultJSON struct {
	Players    []string          `json:"players"`
	Equilibria []equilibriumJSON `json:"equilibria"`
	Count      int               `json:"count"`    // number of Equilibria
	Complete   bool              `json:"complete"` // false if there may be others of those asked for
	// Degenerate is null if it is not known.
	Degenerate Degeneracy `json:"degenerate"`
	*matricesJSON
}

// equilibriumJSON is an equilibrium.
type equilibriumJSON struct {
	Strategies [][]string `json:"strategies"` // probabilities of each player, as fractions
	Payoffs    []string   `json:"payoffs"`
	Index      *int       `json:"index,omitempty"`
}

// matricesJSON is what only a search for all equilibria says.
type matricesJSON struct {
	IndexSum *int `json:"index_sum"` // null in degenerate games, and if there may be others
	Verified bool `json:"verified"`
	// Subsets mix strategies by the places in the list of the first equilibria with them.
	Subsets     []extreme.Subset `json:"nash_subsets,omitempty"`
	Components  int              `json:"components,omitempty"`
	SecondOrder bool             `json:"second_order,omitempty"` // a second order of branching found the same
	Stats       Stats            `json:"stats"`
}

// counted returns the result with the number of its equilibria, which are a list in JSON even if there are none.
func (r resultJSON) counted() any {
	r.Count, r.Equilibria = len(r.Equilibria), append([]equilibriumJSON{}, r.Equilibria...)
	return r
}
