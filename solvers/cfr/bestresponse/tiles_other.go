//go:build !amd64

package bestresponse

func follow(x []tile, order []uint64, reach, table []float32, width, columns int, path []uint32) {
	followGo(x, order, reach, table, width, columns, path)
}

func (s *sums) add(order []uint64, x []tile) { s.addGo(order, x) }

func (s *sums) value(to []tile, order []uint64, own []tile, pays *tile, mode opMode) {
	s.valueGo(to, order, own, pays, mode)
}

func join(to, values []tile, mode opMode) { joinGo(to, values, mode) }

// portably runs f with the portable loops.
func portably(f func()) { f() }
