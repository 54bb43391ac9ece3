package main

import (
	"encoding/json"
	"fmt"
	"io"

	"gamebots/acpc"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/train"
)

// trained is the result of training, as --json prints it. Values that could not be
// computed are null.
type trained struct {
	Game           string          `json:"game"`
	Algorithm      string          `json:"algorithm"`
	Abstraction    string          `json:"abstraction"`
	Actions        string          `json:"actions,omitempty"`
	InfoSets       int             `json:"information_sets"`
	Iterations     uint64          `json:"iterations"`
	Seconds        float64         `json:"seconds"`
	Values         []float64       `json:"values"`
	Exploitability *float64        `json:"exploitability"`
	Real           bool            `json:"real,omitempty"`      // that in the game itself
	NashConv       *float64        `json:"nash_conv,omitempty"` // instead, for more than two players
	Unit           string          `json:"unit"`
	File           string          `json:"file"`  // "" if there was no room for it
	Bytes          int64           `json:"bytes"` // of regrets and strategies
	AverageUtility []float64       `json:"average_utility,omitempty"`
	Response       *train.Response `json:"response,omitempty"`
}

func (t trained) print(w io.Writer, g *acpc.Game, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(t)
	}
	fmt.Fprintf(w, "%s: %d iterations of %s in %.3g s (%.3g a second)\n", t.Game, t.Iterations, t.Algorithm, t.Seconds, float64(t.Iterations)/t.Seconds)
	fmt.Fprintf(w, "tables          %s, %d information sets\n", memory.Bytes(t.Bytes), t.InfoSets)
	if t.AverageUtility != nil {
		fmt.Fprintf(w, "average utility %s\n", figures.ChipList(t.AverageUtility))
	}
	switch {
	case t.Exploitability != nil && t.Real:
		fmt.Fprintf(w, "exploitability  %s in the game itself\n", figures.Chips(*t.Exploitability, g))
	case t.Exploitability != nil:
		fmt.Fprintf(w, "value           %s\nexploitability  %s\n", figures.ChipList(t.Values), figures.Chips(*t.Exploitability, g)+figures.Abstractly(t.Actions))
	}
	if r := t.Response; r != nil {
		what, n := "exploitability", 1.0
		if g.NumPlayers > 2 {
			what, n = "NashConv      ", float64(g.NumPlayers)
		}
		fmt.Fprintf(w, "%s  %s in the abstract game: won by a response learned in %d iterations\n",
			what, figures.Usual(g).AtLeast(n*r.Value, n*r.Interval), r.Iterations)
	}
	if t.NashConv != nil {
		fmt.Fprintf(w, "values          %s\nNashConv        %s\n", figures.ChipList(t.Values), figures.Chips(*t.NashConv, g)+figures.Abstractly(t.Actions))
	}
	if t.File == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "written to      %s\n", t.File)
	return err
}
