package pcs

import (
	"math"
	"testing"

	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// Until the last batch that is allowed, rounding hardly changes the average of a constant strategy. With
// sixteen times as many it does.
func TestMaxSteps(t *testing.T) {
	probabilities := []float32{0.017, 0.283, 0.7}
	rows := Rows{program: &segment.Program{Decisions: []segment.Decision{{Actions: 3}}}, columns: 3, width: tileLanes}
	rows.Regrets, rows.Sums = make([]float32, 3*tileLanes), make([]float32, 3*tileLanes)
	rows.Strategy = make([]float32, 3*tileLanes)
	sigma, gains := make([]vectors.Tile, 3), make([]vectors.Tile, 4)
	for l := range tileLanes {
		for a, p := range probabilities {
			sigma[a][l] = p
		}
		gains[3][l] = 1 // reach
	}
	method := Method{Batch: 1, Plus: true}
	step := func(k uint64) { rows.Change(0, sigma, [][]vectors.Tile{gains}, method.update(k)) }
	off := func() (most float64) {
		total := 0.0
		for a := range probabilities {
			total += float64(rows.Sums[a*tileLanes])
		}
		for a, p := range probabilities {
			most = max(most, math.Abs(float64(rows.Sums[a*tileLanes])/total-float64(p)))
		}
		return most
	}
	for k := range uint64(MaxSteps) {
		step(k + 1)
	}
	if x := off(); !(x < 0.0013) {
		t.Errorf("after %d batches a probability is off by %v", MaxSteps, x)
	}
	const far = 16 * MaxSteps
	for a, p := range probabilities { // the exact sums, which nothing is added to
		rows.Sums[a*tileLanes] = p * far * far / 2
	}
	before := rows.Sums[0]
	if step(far); rows.Sums[0] != before {
		t.Errorf("after %d batches a sum still grows from %v to %v", far, before, rows.Sums[0])
	}
}
