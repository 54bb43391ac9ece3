//go:build !amd64

package spot

func (t *tiles) ascend(groups []group, own *hands, other []hole, worse, notBetter *tileRow) {
	t.ascendGo(groups, own, other, worse, notBetter)
}

func (t *tiles) add(holes []hole) { t.addGo(holes, 0) }

func (t *tiles) total(own *hands, pays *tileRow, add bool) { t.totalGo(own, pays, add) }

func transposeIn(rows []tileRow, from *[lanes]*float32, width, used int) {
	transposeInGo(rows, from, width, used)
}

func transposeOut(rows []tileRow, to *[lanes]*float32, width, used int) {
	transposeOutGo(rows, to, width, used)
}

func unpack(to []float32, from []int16, scales []float32, actions, width int) {
	unpackGo(to, from, scales, actions, width)
}

func pack(to []int16, scales, from []float32, actions, width int) {
	packGo(to, scales, from, actions, width)
}
