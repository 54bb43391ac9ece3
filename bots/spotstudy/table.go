package spotstudy

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"gamebots/bots/grid/jobs"
)

// Table prints results of boards as they come, a line for each point, and their weighted mean.
type Table struct {
	Out  io.Writer
	JSON bool // lines of JSON instead of CSV
	Pot  int
	// Worst is the board so far that is solved least well, and its exploitability in percent of the pot.
	Worst struct {
		Cards          string
		Exploitability float64
	}

	begun bool
	sums  []jobs.BoardPoint // sums by point, times the weights
	mass  []float64         // weights by point
	// exploitability and weight are sums over the boards.
	exploitability, weight float64
}

// Add prints the result of a board. Means are of the boards on which the players come to a point.
func (t *Table) Add(b Board, r *jobs.BoardResult) error {
	if t.sums == nil {
		t.sums, t.mass = make([]jobs.BoardPoint, len(r.Points)), make([]float64, len(r.Points))
	}
	exploitability := 100 * r.Exploitability / float64(t.Pot)
	t.exploitability += b.Weight * exploitability
	t.weight += b.Weight
	if worst := &t.Worst; exploitability >= worst.Exploitability {
		worst.Cards, worst.Exploitability = b.Cards, exploitability
	}
	for i, p := range r.Points {
		weight, sum := b.Weight*p.Reached, &t.sums[i]
		t.mass[i] += weight
		sum.Line, sum.Actions = p.Line, p.Actions
		for q := range 2 {
			sum.Values[q] += weight * p.Values[q]
			sum.Equities[q] += weight * p.Equities[q]
		}
		if sum.Frequencies == nil {
			sum.Frequencies = make([]float64, len(p.Frequencies))
		}
		for a, x := range p.Frequencies {
			sum.Frequencies[a] += weight * x
		}
		if err := t.print(b.Cards, b.Weight, exploitability, p); err != nil {
			return err
		}
	}
	return nil
}

// Mean prints the means of the boards so far.
func (t *Table) Mean() error {
	for i, p := range t.sums {
		if t.mass[i] == 0 {
			continue
		}
		mean := jobs.BoardPoint{Line: p.Line, Reached: t.mass[i] / t.weight, Actions: p.Actions}
		for q := range 2 {
			mean.Values[q], mean.Equities[q] = p.Values[q]/t.mass[i], p.Equities[q]/t.mass[i]
		}
		for _, x := range p.Frequencies {
			mean.Frequencies = append(mean.Frequencies, x/t.mass[i])
		}
		if err := t.print("mean", t.mass[i], t.exploitability/t.weight, mean); err != nil {
			return err
		}
	}
	return nil
}

// row is a line of JSON.
type row struct {
	Board          string  `json:"board"` // or "mean"
	Weight         float64 `json:"weight"`
	Exploitability float64 `json:"exploitability"` // percent of the pot
	jobs.BoardPoint
}

func (t *Table) print(board string, weight, exploitability float64, p jobs.BoardPoint) error {
	if t.JSON {
		return json.NewEncoder(t.Out).Encode(row{board, weight, exploitability, p})
	}
	number := func(x float64, digits int) string {
		unit := math.Pow10(digits)
		return strconv.FormatFloat(math.Round(x*unit)/unit+0, 'f', digits, 64) // no sign before a zero
	}
	cells := []string{
		board, p.Line, number(weight, 4), number(exploitability, 3), number(p.Values[0], 2), number(p.Values[1], 2),
		number(100*p.Equities[0], 2), number(100*p.Equities[1], 2),
	}
	var actions []string
	for a, x := range p.Frequencies {
		actions = append(actions, p.Actions[a]+" "+number(100*x, 2))
	}
	cells = append(cells, strings.Join(actions, " "))
	out := csv.NewWriter(t.Out)
	if !t.begun {
		out.Write([]string{
			"board", "line", "weight", "exploitability", "value_oop", "value_ip", "equity_oop", "equity_ip", "actions",
		})
	}
	t.begun = true
	out.Write(cells)
	out.Flush()
	return out.Error()
}
