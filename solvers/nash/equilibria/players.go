package equilibria

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
)

// pure are the pure equilibria of a game.
type pure struct {
	game  *game.NormalForm
	cells []int
}

func (a pure) WriteText(w io.Writer) error {
	var out strings.Builder
	for i, c := range a.cells {
		fmt.Fprintf(&out, "pure equilibrium %d: %s, payoffs %s\n",
			i+1, a.game.CellName(c), strings.Join(a.game.CellPayoffs(c), " "))
	}
	fmt.Fprintf(&out, "%s, exactly\n", usererr.Counted(len(a.cells), "pure equilibrium", "pure equilibria"))
	_, err := io.WriteString(w, out.String())
	return err
}

func (a pure) WriteJSON(w io.Writer) error {
	type cell struct {
		Profile []int    `json:"profile"` // strategies, from 0
		Payoffs []string `json:"payoffs"`
	}
	all := []cell{}
	for _, c := range a.cells {
		all = append(all, cell{a.game.Profile(c), a.game.CellPayoffs(c)})
	}
	return json.NewEncoder(w).Encode(struct {
		Pure  []cell `json:"pure"`
		Count int    `json:"count"`
	}{all, len(all)})
}

// players are certified equilibria of several players.
type players struct {
	game     *game.NormalForm
	result   *multiplayer.Result
	complete bool
	others   string // what is known about those that are not in the result
}

func (a players) WriteText(w io.Writer) error {
	var out strings.Builder
	for i := range a.result.Equilibria {
		e := &a.result.Equilibria[i]
		fmt.Fprintf(&out, "equilibrium %d: payoffs %s", i+1, floats(e.Payoffs))
		if e.Radius > 0 {
			fmt.Fprintf(&out, ", probabilities within %.1g", e.Radius)
		}
		out.WriteByte('\n')
		for p, x := range e.Strategies {
			fmt.Fprintf(&out, "  player %d: %s (%s)\n", p+1, names(a.game, p, e.Supports()[p]), floats(x))
		}
	}
	fmt.Fprintf(&out, "%s of %d players, certified; %s\n",
		usererr.Counted(len(a.result.Equilibria), "equilibrium", "equilibria"), len(a.game.Players), a.others)
	_, err := io.WriteString(w, out.String())
	return err
}

// floats lists numbers.
func floats(x []float64) string {
	words := make([]string, len(x))
	for i, v := range x {
		words[i] = fmt.Sprintf("%.10g", v)
	}
	return strings.Join(words, ", ")
}

func (a players) WriteJSON(w io.Writer) error {
	type equilibrium struct {
		Strategies [][]float64 `json:"strategies"` // probabilities of each player
		Payoffs    []float64   `json:"payoffs"`
		Radius     float64     `json:"radius"`
	}
	all := []equilibrium{}
	for _, e := range a.result.Equilibria {
		all = append(all, equilibrium{e.Strategies, e.Payoffs, e.Radius})
	}
	return json.NewEncoder(w).Encode(struct {
		Players    []string      `json:"players"`
		Equilibria []equilibrium `json:"equilibria"`
		Count      int           `json:"count"`
		Complete   bool          `json:"complete"`
		Undecided  int           `json:"undecided"`
		Boxes      int           `json:"boxes"`
	}{a.game.Players, all, len(all), a.complete, a.result.Undecided, a.result.Boxes})
}
