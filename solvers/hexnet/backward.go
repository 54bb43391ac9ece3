package hexnet

// A gradientPass is a pass that computes gradients, too.
type gradientPass struct {
	*pass
	gradient []float32 // gradient of the parameters, to which backward adds

	// The gradients of activations: of cells, then a row of zeros.
	dh, dt, dx []float32
	// The gradients of a board's or a cell's outputs, hidden units and pooled channels.
	dLogits, dOutputs, dUnits, dPooled, dShift []float32

	probabilities, target []float32 // one for each cell of a board
}

// newGradientPass returns a pass for groups of boards of a shape.
func newGradientPass(m *matrices, s *Shape, boards int) *gradientPass {
	p := newPass(m, s, boards, true)
	like := func(x []float32) []float32 { return make([]float32, len(x)) }
	return &gradientPass{
		pass: p, dh: like(p.h), dt: like(p.h), dx: like(p.h),
		dLogits: like(p.logits), dOutputs: like(p.outputs), dUnits: like(p.units), dPooled: like(p.pooled),
		dShift:        make([]float32, boards*m.stem.out),
		probabilities: make([]float32, s.Cells), target: make([]float32, s.Cells),
	}
}

// backward adds the gradient of the parameters for the boards of the last forward, from those
// of the outputs.
func (g *gradientPass) backward(boards int) {
	rows, channels := boards*g.shape.Cells, g.stem.out
	near, each, eachBoard := g.near[:rows*taps], g.each[:rows], g.each[:boards]
	dh, dt, dx := g.dh[:rows*channels], g.dt[:rows*channels], g.dx[:rows*channels]

	g.learn(g.board, g.units, g.dOutputs, eachBoard)
	g.lead(g.board, g.dUnits, g.dOutputs, eachBoard)
	mask(g.dUnits[:boards*hidden], g.units)
	g.learn(g.hidden, g.pooled, g.dUnits, eachBoard)
	g.lead(g.hidden, g.dPooled, g.dUnits, eachBoard)
	g.learn(g.cells, g.f, g.dLogits, each)
	g.lead(g.cells, dh, g.dLogits, each)
	g.unpool(dh, g.dPooled, g.f, g.pooled, boards)
	mask(dh, g.f)

	for i := len(g.kept) - 1; i >= 0; i-- {
		a, b := &g.kept[i], &g.blocks[i]
		g.learn(b.conv2, a.middle, g.dh, near)
		g.lead(b.conv2, dt, g.dh, near)
		mask(dt, a.middle)
		if b.pool.out > 0 {
			for board := range boards {
				sum := g.dShift[board*channels:][:channels]
				clear(sum)
				addRows(sum, dt[board*g.shape.Cells*channels:], g.shape.Cells, channels)
			}
			g.addGradient(b.pool, a.pooled, g.dShift, eachBoard)
			g.lead(b.pool, g.dPooled, g.dShift, eachBoard)
			clear(dx)
			g.unpool(dx, g.dPooled, a.before, a.pooled, boards)
			mask(dx, a.before)
			add(dt, dx)
		}
		g.learn(b.conv1, a.in, g.dt, near)
		g.lead(b.conv1, dx, g.dt, near)
		mask(dx, a.in)
		add(dh, dx)
	}
	g.learn(g.stem, g.planes, g.dh, near)
}

// learn adds the gradients of a layer's weights and biases: x has its inputs and d the
// gradients of its outputs.
func (g *gradientPass) learn(l linear, x, d []float32, rows []int32) {
	g.addGradient(l, x, d, rows)
	addRows(g.gradient[l.bias:][:l.out], d, len(rows)/l.taps, panelColumns(l.out))
}

// addGradient adds the gradient of a layer's weights.
func (g *gradientPass) addGradient(l linear, x, d []float32, rows []int32) {
	l.AddGradient(g.gradient[l.weights:][:l.numWeights()], x, d, rows)
}

// lead sets dx to the gradient of a layer's inputs, given that of its outputs. A cell is the
// neighbour of its neighbours, so the rows are those of the layer.
func (g *gradientPass) lead(l linear, dx, d []float32, rows []int32) {
	clear(dx[:len(rows)/l.taps*l.in])
	l.back.AddProduct(dx, d, rows)
}

// unpool adds the gradient of pooled channels to that of the rows x that they were pooled
// from. Of several maxima, the first has the gradient.
func (g *gradientPass) unpool(dx, dPooled, x, pooled []float32, boards int) {
	cells, channels := g.shape.Cells, g.stem.out
	share := make([]float32, channels)
	for board := range boards {
		dMean, dScaled, dMost := g.pooledOf(dPooled, board)
		_, _, most := g.pooledOf(pooled, board)
		for c := range share {
			share[c] = (dMean[c] + float32(g.shape.scale()*dScaled[c])) / float32(cells)
		}
		first, end := board*cells*channels, (board+1)*cells*channels
		addRow(dx[first:end], share)
		for c := range most {
			at := first + c
			for x[at] != most[c] && at+channels < end {
				at += channels
			}
			dx[at] += dMost[c]
		}
	}
}

// addRows adds the beginnings of n rows of x to a row.
func addRows(to, x []float32, n, columns int) {
	for row := range n {
		add(to, x[row*columns:])
	}
}
