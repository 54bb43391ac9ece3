package hexnet

// panelWidth is the number of columns of a panel. Rows of results have a multiple of it.
const panelWidth = 16

// panelColumns returns the number of columns that results of out columns have.
func panelColumns(out int) int { return (out + panelWidth - 1) / panelWidth * panelWidth }

// A matrix has a matrix of In rows and Out columns for each of some taps, in panels of
// panelWidth columns. panelColumns after the last are zero.
type matrix struct {
	Taps, In, Out int
	panels        []float32 // [panel][tap][row][panelWidth]
}

// newMatrix returns a matrix of zeros.
func newMatrix(taps, in, out int) *matrix {
	return &matrix{Taps: taps, In: in, Out: out, panels: make([]float32, taps*in*panelColumns(out))}
}

// Set copies weights in the order [tap][row][column].
func (m *matrix) Set(weights []float32) {
	for i := range m.Taps * m.In {
		for column, w := range weights[i*m.Out:][:m.Out] {
			m.panels[(column/panelWidth*m.Taps*m.In+i)*panelWidth+column%panelWidth] = w
		}
	}
}

// NewTransposed returns room for the transposed matrices of m, for rows as they are results
// of m.
func (m *matrix) NewTransposed() *matrix { return newMatrix(m.Taps, panelColumns(m.Out), m.In) }

// SetTransposed makes m, of NewTransposed, the transposed matrices of weights in the order
// [tap][column][row], with that of tap from[t] at tap t.
func (m *matrix) SetTransposed(weights []float32, from []int) {
	rows := len(weights) / m.Taps / m.Out // the others stay zero
	for tap, source := range from {
		for column := range m.Out {
			for row, w := range weights[(source*m.Out+column)*rows:][:rows] {
				m.panels[((column/panelWidth*m.Taps+tap)*m.In+row)*panelWidth+column%panelWidth] = w
			}
		}
	}
}

// AddProduct adds to each row of to the sum over the taps of a row of x times the tap's
// matrix. The row of x is at rows[Taps·row + tap]; rows of x have In columns, rows of to
// panelColumns(Out).
func (m *matrix) AddProduct(to, x []float32, rows []int32) {
	n, columns := len(rows)/m.Taps, panelColumns(m.Out)
	if n == 0 {
		return
	}
	for first := 0; first < columns; first += panelWidth {
		panel := m.panels[first*m.Taps*m.In:][:m.Taps*m.In*panelWidth]
		addProduct(to[first:], x, rows, panel, n, m.Taps, m.In, columns)
	}
}

// AddGradient adds to gradient, in the order [tap][row][column], the gradient of the
// matrices: the products of rows of x, which AddProduct multiplied, and of d, the gradient of
// its results. In must be a multiple of gradientRows.
func (m *matrix) AddGradient(gradient, x, d []float32, rows []int32) {
	columns := panelColumns(m.Out)
	if columns == m.Out {
		addGradients(gradient, x, d, rows, m.Taps, m.In, columns)
		return
	}
	padded := make([]float32, m.Taps*m.In*columns)
	addGradients(padded, x, d, rows, m.Taps, m.In, columns)
	for i := range m.Taps * m.In {
		for column, v := range padded[i*columns:][:m.Out] {
			gradient[i*m.Out+column] += v
		}
	}
}

// gradientRows is the number of rows of a gradient that are summed at a time.
const gradientRows = 4

func addGradients(gradient, x, d []float32, rows []int32, taps, in, columns int) {
	n := len(rows) / taps
	if n == 0 {
		return
	}
	for first := 0; first < columns; first += panelWidth {
		for tap := range taps {
			for row := 0; row < in; row += gradientRows {
				addGradient(gradient[(tap*in+row)*columns+first:], x[row:], d[first:], rows[tap:], n, taps, in, columns)
			}
		}
	}
}
