//go:build !amd64

package layout

func (t *Tiles) ascend(groups []Group, own *Hands, other []Hole, worse, notBetter *tileRow) {
	t.ascendGo(groups, own, other, worse, notBetter)
}

func (t *Tiles) add(holes []Hole) { t.addGo(holes, 0) }

func (t *Tiles) total(own *Hands, pays *tileRow, add bool) { t.totalGo(own, pays, add) }

func transposeIn(rows []tileRow, from *[Lanes]*float32, width, used int) {
	transposeInGo(rows, from, width, used)
}

func transposeOut(rows []tileRow, to *[Lanes]*float32, width, used int) {
	transposeOutGo(rows, to, width, used)
}

func unpack(to []float32, from []int16, scales []float32, actions, width int) {
	unpackGo(to, from, scales, actions, width)
}

func pack(to []int16, scales, from []float32, actions, width int, threshold uint32) {
	packGo(to, scales, from, actions, width, threshold)
}
