package labels

import (
	"context"
	"slices"
)

// maxPath ends a path of Lemke and Howson that may be going round in circles.
const maxPath = 1 << 20

// LemkeHowson follows the path of Lemke and Howson (1964) on which a label is missing,
// in floats, and returns the supports of the equilibrium where it ends. In degenerate
// games it may lead astray or nowhere; then ok is false or the supports are of none.
func (s *Space) LemkeHowson(ctx context.Context, label int) (rows, cols, pivots uint64, ok bool) {
	var pair [2]*tableau
	for side, root := range s.root {
		pair[side] = newTableau(root.rows, root.cols, root.probe)
		pair[side].copyFrom(root)
	}
	side := SideP
	if label >= s.rows {
		side = SideQ
	}
	for enter := uint8(label); pivots < maxPath && ctx.Err() == nil; side = 1 - side {
		t := pair[side]
		c := slices.Index(t.colVar, enter)
		leave := -1
		for r := range t.rows {
			x := t.row(r)[first+c]
			if x > pivotFloor && (leave < 0 || t.row(r)[constant]*t.row(leave)[first+c] < t.row(leave)[constant]*x) {
				leave = r
			}
		}
		if leave < 0 {
			return 0, 0, pivots, false
		}
		enter = t.rowVar[leave]
		t.pivot(leave, c)
		if pivots++; int(enter) == label {
			var inQ Set
			for _, v := range pair[SideQ].colVar {
				inQ.Add(v)
			}
			rows, cols = s.supports(inQ)
			return rows, cols, pivots, true
		}
	}
	return 0, 0, pivots, false
}
