package extreme

import (
	"context"
	"errors"

	"gamebots/solvers/nash/labels"
	"gamebots/solvers/nash/verify"
)

// ErrUndecided is returned by IsDegenerate for payoffs that floats cannot tell apart, in
// games too large for a test in integers only.
var ErrUndecided = errors.New("payoffs are too close together to tell whether the game is degenerate")

// maxExact is the largest number of a player's strategies for a test in integers only.
const maxExact = 14

// IsDegenerate reports whether some mixed strategy has more best replies than
// strategies in its support: whether a vertex of either polytope has more labels than
// dimensions. Floats choose the points to look at and integers decide. The error is
// that of ctx, or ErrUndecided.
func IsDegenerate(ctx context.Context, v *verify.Verifier, threads int) (bool, error) {
	for _, m := range []verify.Matrix{v.BT, v.A} {
		degenerate, err := labels.FindTie(ctx, m, threads, func(zeros labels.Set) bool { return hasPoint(m, zeros) })
		if errors.Is(err, labels.ErrTooClose) {
			if max(m.Rows, m.Cols) > maxExact {
				return false, ErrUndecided
			}
			degenerate, err = newDictionary(m, 0, m.Cols).degenerate(ctx), ctx.Err()
		}
		if degenerate || err != nil {
			return degenerate, err
		}
	}
	return false, nil
}

// hasPoint reports whether all of some variables are 0 at a point of {z >= 0, m z <= 1}.
func hasPoint(m verify.Matrix, zeros labels.Set) bool {
	d := newDictionary(m, 0, m.Cols)
	for v := range uint8(m.Rows + m.Cols) {
		if zeros.Has(v) && !d.force(v) {
			return false
		}
	}
	return true
}
