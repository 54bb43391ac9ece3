package hexnet

import "gamebots/solvers/hexnet/internal/gemm"

// matrices are the weights of a network, packed for products. Biases stay where they are.
type matrices struct {
	parameters           []float32
	stem                 linear
	blocks               []blockMatrices
	cells, hidden, board linear
}

// A linear is a layer with its packed weights.
type linear struct {
	layer
	*gemm.Matrix
	back *gemm.Matrix // leads gradients from outputs to inputs; nil where none are needed
}

type blockMatrices struct{ conv1, pool, conv2 linear }

// newMatrices returns room for the weights of a network, to learn or only to evaluate.
func newMatrices(c Config, learn bool) *matrices {
	empty := func(l layer) linear {
		x := linear{layer: l, Matrix: gemm.NewMatrix(l.taps, l.in, l.out)}
		if learn && l.weights > 0 { // the stem's inputs need no gradient
			x.back = x.NewTransposed()
		}
		return x
	}
	l := c.layers()
	m := &matrices{stem: empty(l.stem), cells: empty(l.cells), hidden: empty(l.hidden), board: empty(l.board)}
	for _, b := range l.blocks {
		m.blocks = append(m.blocks, blockMatrices{empty(b.conv1), empty(b.pool), empty(b.conv2)})
	}
	return m
}

// set takes the weights from parameters.
func (m *matrices) set(parameters []float32) {
	m.parameters = parameters
	for _, l := range m.all() {
		weights := parameters[l.weights:][:l.numWeights()]
		l.Set(weights)
		if l.back != nil {
			l.back.SetTransposed(weights, opposite[:l.taps])
		}
	}
}

// all returns the layers in the order of their parameters.
func (m *matrices) all() []linear {
	all := []linear{m.stem}
	for _, b := range m.blocks {
		all = append(all, b.conv1)
		if b.pool.out > 0 {
			all = append(all, b.pool)
		}
		all = append(all, b.conv2)
	}
	return append(all, m.cells, m.hidden, m.board)
}

// biases returns the biases of a layer.
func (m *matrices) biases(l linear) []float32 { return m.parameters[l.bias:][:l.out] }

// apply sets the rows of to to a layer of gathered rows of x.
func (m *matrices) apply(l linear, to, x []float32, rows []int32) {
	fill(to, m.biases(l), len(rows)/l.taps, gemm.Columns(l.out))
	l.AddProduct(to, x, rows)
}

// fill sets n rows to a row.
func fill(to, row []float32, n, columns int) {
	for i := range n {
		clear(to[i*columns+copy(to[i*columns:], row) : (i+1)*columns])
	}
}
