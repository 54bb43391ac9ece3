package extreme

import (
	"context"
	"slices"

	"gamebots/solvers/nash/labels"
	"gamebots/solvers/nash/verify"
)

// maxChecked is the largest number of a player's strategies for which all vertices
// are checked for degeneracy.
const maxChecked = 14

// IsDegenerate reports whether some mixed strategy has more best replies than
// strategies in its support: whether a vertex of either polytope has more labels than
// dimensions. Floats choose the vertices to look at and integers decide. Games with
// more than 14 strategies of a player are not checked and false.
func IsDegenerate(ctx context.Context, v *verify.Verifier) bool {
	if max(v.A.Rows, v.A.Cols) > maxChecked {
		return false
	}
	return hasDegenerateVertex(ctx, v.BT) || hasDegenerateVertex(ctx, v.A)
}

// hasDegenerateVertex looks at the vertices of {z >= 0, m z <= 1}.
func hasDegenerateVertex(ctx context.Context, m verify.Matrix) bool {
	for rows, cols := range labels.NearTies(ctx, m) {
		switch m.Indifference(rows, cols) {
		case verify.Degenerate:
			return true
		case verify.Singular: // there is no vertex where floats see one
			return newDictionary(m, 0, m.Cols).degenerate(ctx)
		}
	}
	return false
}

// IsDegenerateExactly decides the same in integers only, given the extreme equilibria
// of the game. For games with more than 14 strategies of a player it decides by
// these equilibria alone.
func IsDegenerateExactly(ctx context.Context, v *verify.Verifier, extreme []verify.Equilibrium) bool {
	if slices.ContainsFunc(extreme, func(e verify.Equilibrium) bool { return e.Index == 0 }) {
		return true
	}
	return max(v.A.Rows, v.A.Cols) <= maxChecked &&
		(newDictionary(v.BT, 0, v.BT.Cols).degenerate(ctx) || newDictionary(v.A, 0, v.A.Cols).degenerate(ctx))
}
