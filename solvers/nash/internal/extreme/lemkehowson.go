package extreme

import (
	"context"
	"slices"

	"gamebots/solvers/nash/labels"
	"gamebots/solvers/nash/verify"
)

// LemkeHowson follows the path of Lemke and Howson (1964) on which a label is missing,
// from the origin to an equilibrium, and returns that and the number of pivots. Ties
// are broken lexicographically, so that it ends in degenerate games too. The error is
// that of ctx.
func LemkeHowson(ctx context.Context, v *verify.Verifier, label int) (verify.Equilibrium, uint64, error) {
	rows, cols := v.A.Rows, v.A.Cols
	pair := [2]*dictionary{labels.SideP: newDictionary(v.BT, 0, rows), labels.SideQ: newDictionary(v.A, rows, 0)}
	moved := [2][]uint8{slices.Clone(pair[0].rowVar), slices.Clone(pair[1].rowVar)}
	side := labels.SideP
	if label >= rows {
		side = labels.SideQ
	}
	enter := uint8(label)
	for pivots := uint64(1); ; pivots++ {
		if ctx.Err() != nil {
			return verify.Equilibrium{}, pivots, ctx.Err()
		}
		d := pair[side]
		c := slices.Index(d.colVar, enter)
		r := d.leavingPerturbed(c, moved[side])
		enter = d.rowVar[r]
		d.pivot(r, c)
		if int(enter) == label {
			e := verify.Equilibrium{X: pair[labels.SideP].vertex(0, rows), Y: pair[labels.SideQ].vertex(rows, cols)}
			v.SetIndex(&e)
			return e, pivots, nil
		}
		side = 1 - side
	}
}
