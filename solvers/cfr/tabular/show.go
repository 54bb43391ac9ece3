package tabular

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gamebots/solvers/nash/extensive"
)

// A Row is what a profile does with an action of an information set.
type Row struct {
	Player string  `json:"player"`
	Set    string  `json:"set"`
	Reach  float64 `json:"reach"` // the probability of the player's own actions that lead there
	Action string  `json:"action"`
	// Probabilities are those of the profiles that are shown.
	Probabilities []float64 `json:"probabilities"`
	// Value is what the player wins by the action if all play the first profile before and after it, nil where the
	// others do not come.
	Value *float64 `json:"value"`
}

// Rows returns what profiles of a game do, by player, information set and action. Reach and values are those of the
// first.
func Rows(q *extensive.Sequences, profiles ...extensive.Profile) []Row {
	l := newLayout(q)
	f := newForm(l)
	sigma, reach := l.sigma(profiles[0]), make([]float64, l.entries())
	for p := range l.players {
		f.reach(p, sigma, reach)
	}
	// By information set: the probability that chance and the others lead there.
	others := make([]float64, len(q.Game.Sets))
	walk(q.Game, func(i int, chance, _ float64, _ []float64) {
		set := q.Game.Nodes[i].Set
		if set == extensive.None || q.Game.Sets[set].Player == extensive.Chance {
			return
		}
		for p := range l.players {
			if p != q.Game.Sets[set].Player {
				chance *= reach[l.offset[p]+int(q.Of[p][i])]
			}
		}
		others[set] += chance
	})
	var rows []Row
	for p := range l.players {
		value := make([]float64, q.Count[p])
		f.value(p, reach, value)
		for _, s := range slices.Backward(l.sets[p]) {
			for a, x := range sigma[s.first:s.end] {
				value[s.parent] += x * value[s.sequence+a]
			}
		}
		for _, s := range l.sets[p] {
			for a, name := range q.Game.ActionNames(s.set) {
				r := Row{Player: q.Game.PlayerName(p), Set: q.Game.SetName(s.set),
					Reach: reach[l.offset[p]+s.parent], Action: name}
				for _, profile := range profiles {
					x, _ := profile[s.set][a].Float64()
					r.Probabilities = append(r.Probabilities, x)
				}
				if others[s.set] > 0 {
					x := value[s.sequence+a] / others[s.set]
					r.Value = &x
				}
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// WriteRows writes rows in a format: text, csv or json, which has an object a line.
func WriteRows(w io.Writer, rows []Row, format string) error {
	const digits = 6
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', digits, 64) }
	title := []string{"player", "set", "reach", "action", "probability", "value"}
	if len(rows) > 0 && len(rows[0].Probabilities) == 2 {
		title = slices.Insert(title, 5, "second")
	}
	var write func(cells []string) error
	var end func() error
	switch format {
	case "json":
		lines := json.NewEncoder(w)
		for _, r := range rows {
			if err := lines.Encode(r); err != nil {
				return err
			}
		}
		return nil
	case "csv":
		out := csv.NewWriter(w)
		write, end = out.Write, func() error { out.Flush(); return out.Error() }
	default:
		out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		write = func(cells []string) error {
			_, err := fmt.Fprintln(out, strings.Join(cells, "\t"))
			return err
		}
		end = out.Flush
	}
	if err := write(title); err != nil {
		return err
	}
	for _, r := range rows {
		line := []string{r.Player, r.Set, number(r.Reach), r.Action}
		for _, x := range r.Probabilities {
			line = append(line, number(x))
		}
		value := ""
		if r.Value != nil {
			value = number(*r.Value)
		}
		if err := write(append(line, value)); err != nil {
			return err
		}
	}
	return end()
}
