package judge

import (
	"fmt"
	"io"

	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/nash/extensive"
)

// ExtensiveValues are what the players of an extensive game win if an agent plays for all of them, and what each could
// gain by a best response.
type ExtensiveValues struct {
	Game     string    `json:"game"`
	Players  []string  `json:"players"`
	Values   []float64 `json:"values"`
	Gains    []float64 `json:"gains"`
	NashConv float64   `json:"nash_conv"`
	// Exploitability is NashConv by player.
	Exploitability float64 `json:"exploitability"`
}

// Profile evaluates a profile of an extensive game exactly.
func Profile(g *extensive.Game, s extensive.Profile) (*ExtensiveValues, error) {
	sequences, err := g.Sequences()
	if err != nil {
		return nil, err
	}
	v := &ExtensiveValues{Game: g.Title}
	v.Values, v.Gains = tabular.Evaluate(sequences, s)
	for p, gain := range v.Gains {
		v.Players = append(v.Players, g.PlayerName(p))
		v.NashConv += gain
	}
	v.Exploitability = v.NashConv / float64(len(v.Gains))
	return v, nil
}

// WriteText writes the values for people.
func (v *ExtensiveValues) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s\nvalue         best response gains  player\n", v.Game)
	for p, name := range v.Players {
		fmt.Fprintf(w, "%-12.6g  %-19.6g  %s\n", v.Values[p], v.Gains[p], name)
	}
	_, err := fmt.Fprintf(w, "exploitability  %.7g\n", v.Exploitability)
	return err
}
