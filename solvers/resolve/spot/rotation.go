package spot

import (
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot/internal/layout"
)

const (
	// rotated is the number of iterations in rotation, of which most solutions need no more.
	rotated = 200
	// fine is the exploitability, as a part of the pot, under which rotation needs more work than passes of all rivers.
	fine = 5e-3
)

// A rotation says which rivers the passes of an iteration visit. In rotation a pass visits a part of them, which counts
// for all, and improves what comes before the river, a hundredth of the work, with each part. So the same work leads to
// half of the exploitability, until what the other rivers would have said is all that is missing.
//
// A river is visited once in each iteration, in rotation or not: all iterations take the same work.
type rotation struct {
	algorithm cfr.Algorithm
	rotated   uint64 // the first so many iterations are in rotation
}

// parts returns how many passes for each player an iteration has.
func (r *rotation) parts(iteration uint64) int {
	if iteration < r.rotated {
		return layout.Parts
	}
	return 1
}

// improve returns a pass of an iteration for a player.
func (r *rotation) improve(iteration uint64, pass, player int) layout.Pass {
	p := layout.Pass{Purpose: layout.Improve, Player: player, Rotates: iteration < r.rotated}
	number := iteration // counts the visits before the river
	if p.Rotates {
		number = layout.Parts*iteration + uint64(pass)
		// The parts go back and forth, so that each is not always visited after the same one.
		if p.Part = pass; iteration%2 == 1 {
			p.Part = layout.Parts - 1 - pass
		}
	}
	for k := range p.Visits {
		v := &p.Visits[k]
		if v.Number = number; k == layout.River {
			v.Number = iteration
		}
		d := r.algorithm.Discounts(v.Number + 1)
		if k < layout.River && iteration > 0 && iteration == r.rotated {
			// From now on one visit does what so many did.
			d.Positive, d.Negative, d.Average = d.Positive/layout.Parts, d.Negative/layout.Parts, d.Average/layout.Parts
		}
		v.Discounts = d.Single()
	}
	return p
}
