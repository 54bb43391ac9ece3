package hexnet_test

import (
	"math"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexnet"
)

// naive computes a network for one board from the equations, with its own walk over the
// parameters.
type naive struct {
	config     hexnet.Config
	grid       *havannah.Grid
	parameters []float64
}

type naiveOutputs struct {
	cells [][]float64
	board []float64
}

func widen(x []float32) []float64 {
	wide := make([]float64, len(x))
	for i, v := range x {
		wide[i] = float64(v)
	}
	return wide
}

// take returns the next n parameters.
func (n *naive) take(count int) []float64 {
	taken := n.parameters[:count]
	n.parameters = n.parameters[count:]
	return taken
}

// conv applies the next convolution.
func (n *naive) conv(x [][]float64, out int) [][]float64 {
	in := len(x[0])
	weights := n.take(7 * in * out)
	bias := n.take(out)
	to := make([][]float64, len(x))
	for cell := range to {
		to[cell] = append([]float64(nil), bias...)
		for tap := range 7 {
			from := cell
			if tap > 0 {
				if from = n.grid.Near(cell, tap-1); from == n.grid.NumCells {
					continue
				}
			}
			for i, v := range x[from] {
				for o := range out {
					to[cell][o] += v * weights[(tap*in+i)*out+o]
				}
			}
		}
	}
	return to
}

// linear applies the next linear map, with or without biases.
func (n *naive) linear(x []float64, out int, biased bool) []float64 {
	weights := n.take(len(x) * out)
	to := make([]float64, out)
	if biased {
		copy(to, n.take(out))
	}
	for i, v := range x {
		for o := range to {
			to[o] += v * weights[i*out+o]
		}
	}
	return to
}

func (n *naive) pool(x [][]float64) []float64 {
	channels := len(x[0])
	pooled := make([]float64, 3*channels)
	for c := range channels {
		most := math.Inf(-1)
		for _, row := range x {
			pooled[c] += row[c] / float64(len(x))
			most = max(most, row[c])
		}
		pooled[channels+c] = pooled[c] * float64(n.grid.Side-6) / 4
		pooled[2*channels+c] = most
	}
	return pooled
}

func positive(x [][]float64) [][]float64 {
	to := make([][]float64, len(x))
	for i, row := range x {
		for _, v := range row {
			to[i] = append(to[i], max(v, 0))
		}
	}
	return to
}

func addNaive(to [][]float64, by func(cell int) []float64) {
	for cell, row := range to {
		for i, v := range by(cell) {
			row[i] += v
		}
	}
}

func (n naive) forward(planes []uint8) (o naiveOutputs) {
	x := make([][]float64, n.grid.NumCells)
	for i, v := range planes {
		x[i/hexnet.Planes] = append(x[i/hexnet.Planes], float64(v)/8)
	}
	channels := n.config.Channels
	h := n.conv(x, channels)
	for block := range n.config.Blocks {
		t := n.conv(positive(h), channels)
		if block%2 == 1 {
			shift := n.linear(n.pool(positive(t)), channels, false)
			addNaive(t, func(int) []float64 { return shift })
		}
		change := n.conv(positive(t), channels)
		addNaive(h, func(cell int) []float64 { return change[cell] })
	}
	f := positive(h)
	cellHead := n.parameters
	for _, row := range f {
		n.parameters = cellHead
		o.cells = append(o.cells, n.linear(row, 4, true))
	}
	units := n.linear(n.pool(f), 64, true)
	o.board = n.linear(positive([][]float64{units})[0], 4, true)
	if len(n.parameters) > 0 {
		panic("there are more parameters")
	}
	return o
}
