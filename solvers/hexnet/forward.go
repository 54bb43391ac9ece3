package hexnet

import (
	"slices"
)

// A pass computes a network for a group of boards, and keeps the activations that the
// backward pass needs. Rows are cells of all boards, with a row of zeros after the last.
type pass struct {
	*matrices
	shape  *Shape
	boards int     // number of boards of the largest group
	near   []int32 // the gathered rows of convolutions, for the largest group
	each   []int32 // the row itself

	planes []float32
	h      []float32
	kept   []activations // activations of each block
	f      []float32
	logits []float32 // the outputs of cells
	// Of each board: the pooled f, the hidden units, and the outputs.
	pooled, units, outputs []float32
}

// activations are what a block keeps.
type activations struct {
	in     []float32 // relu(h)
	middle []float32 // relu(t)
	before []float32 // relu(t) before pooling adds to it
	pooled []float32 // before, pooled on each board
}

// newPass returns a pass for groups of boards of a shape. To keep the activations of all
// blocks takes more memory.
func newPass(m *matrices, s *Shape, boards int, keep bool) *pass {
	channels, rows := m.stem.out, boards*s.Cells
	activation := func() []float32 { return make([]float32, (rows+1)*channels) }
	p := &pass{
		matrices: m, shape: s, boards: boards, near: s.rows(boards),
		planes: make([]float32, (rows+1)*Planes), h: activation(), f: activation(),
		pooled: make([]float32, boards*pools*channels), units: make([]float32, boards*hidden),
		outputs: make([]float32, boards*panelWidth),
		logits:  make([]float32, rows*panelWidth),
	}
	for row := range int32(rows) {
		p.each = append(p.each, row)
	}
	for i := range m.blocks {
		if i >= 2 && !keep {
			p.kept = append(p.kept, p.kept[i-2])
			continue
		}
		a := activations{in: activation(), middle: activation()}
		if m.blocks[i].pool.out > 0 {
			a.before, a.pooled = activation(), make([]float32, len(p.pooled))
		}
		p.kept = append(p.kept, a)
	}
	return p
}

// forward computes the outputs for some boards.
func (p *pass) forward(planes []uint8) {
	rows := len(planes) / Planes
	boards, channels := rows/p.shape.Cells, p.stem.out
	near, each := p.near[:rows*taps], p.each[:rows]
	for i, v := range planes {
		p.planes[i] = float32(v) * (1. / Unit)
	}
	p.apply(p.stem, p.h, p.planes, near)
	used := rows * channels
	for i, b := range p.blocks {
		a := &p.kept[i]
		relu(a.in[:used], p.h)
		t := a.middle
		p.apply(b.conv1, t, a.in, near)
		if b.pool.out > 0 {
			relu(a.before[:used], t)
			p.pool(a.pooled, a.before, boards)
			shift := make([]float32, boards*channels)
			b.pool.AddProduct(shift, a.pooled, p.each[:boards])
			for board := range boards {
				addRow(t[board*p.shape.Cells*channels:][:p.shape.Cells*channels], shift[board*channels:][:channels])
			}
		}
		relu(t[:used], t)
		addRow(p.h[:used], p.biases(b.conv2))
		b.conv2.AddProduct(p.h, t, near)
	}
	relu(p.f[:used], p.h)
	p.apply(p.cells, p.logits, p.f, each)
	p.pool(p.pooled, p.f, boards)
	p.apply(p.hidden, p.units, p.pooled, p.each[:boards])
	relu(p.units[:boards*hidden], p.units)
	p.apply(p.board, p.outputs, p.units, p.each[:boards])
}

// pool pools the channels of each board.
func (p *pass) pool(to, x []float32, boards int) {
	cells, channels := p.shape.Cells, p.stem.out
	for board := range boards {
		mean, scaled, most := p.pooledOf(to, board)
		rows := x[board*cells*channels:][:cells*channels]
		copy(mean, rows)
		copy(most, rows)
		for row := channels; row < len(rows); row += channels {
			add(mean, rows[row:])
			raise(most, rows[row:])
		}
		for c := range mean {
			mean[c] /= float32(cells)
			scaled[c] = mean[c] * p.shape.scale()
		}
	}
}

// pooledOf returns the three parts of a board's pooled channels.
func (p *pass) pooledOf(x []float32, board int) (mean, scaled, most []float32) {
	channels := p.stem.out
	x = x[board*pools*channels:]
	return x[:channels], x[channels:][:channels], x[2*channels:][:channels]
}

// read copies the outputs of the boards that forward has computed to o, from a board on.
func (p *pass) read(o *Outputs, first, boards int) {
	cells := p.shape.Cells
	for i := range boards * cells {
		x := p.logits[i*panelWidth:]
		at := first*cells + i
		o.Policy[at], o.Reply[at], o.Own[at], o.Other[at] = x[0], x[1], x[2], x[3]
	}
	for board := range boards {
		o.setBoard(first+board, p.outputs[board*panelWidth:])
	}
}

// addRow adds a row to each row of to.
func addRow(to, row []float32) {
	for part := range slices.Chunk(to, len(row)) {
		add(part, row)
	}
}

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
	*matrix
	back *matrix // leads gradients from outputs to inputs; nil where none are needed
}

type blockMatrices struct{ conv1, pool, conv2 linear }

// newMatrices returns room for the weights of a network, to learn or only to evaluate.
func newMatrices(c Config, learn bool) *matrices {
	empty := func(l layer) linear {
		x := linear{layer: l, matrix: newMatrix(l.taps, l.in, l.out)}
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
	fill(to, m.biases(l), len(rows)/l.taps, panelColumns(l.out))
	l.AddProduct(to, x, rows)
}

// fill sets n rows to a row.
func fill(to, row []float32, n, columns int) {
	for i := range n {
		clear(to[i*columns+copy(to[i*columns:], row) : (i+1)*columns])
	}
}
