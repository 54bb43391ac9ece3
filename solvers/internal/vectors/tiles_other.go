//go:build !amd64

package vectors

func Follow(x []Tile, order []uint64, reach []float32, reachWidth int, table []float32, width, columns int,
	path []uint32) {
	followGo(x, order, reach, reachWidth, table, width, columns, path)
}

func (s *Sums) Add(order []uint64, x []Tile) { s.addGo(order, x) }

func (s *Sums) Value(to []Tile, order []uint64, own []Tile, pays *Tile, mode Mode) {
	s.valueGo(to, order, own, pays, mode)
}

func (s *Sums) sweep(to []Tile, order []uint64, x []Tile, pays *Tile) { s.sweepGo(to, order, x, pays) }

func Join(to, values []Tile, mode Mode) { joinGo(to, values, mode) }

func Decide(mean *Tile, values []Tile, actions [][]uint32, sigma, gains []Tile) {
	decideGo(mean, values, actions, sigma, gains)
}
