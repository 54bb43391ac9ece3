package resolve

import (
	"context"
	"slices"

	"gamebots/solvers/resolve/spot"
)

// wholeFlops are the menus of flops that a device solves to the end of the hand, the richest first. Of a pot
// of 600 chips with 19,700 behind and all hands, they have 8.4e9, 4.1e9, 1.5e9, 7.2e8, 3.1e8 and 1.9e8 entries.
var wholeFlops = []spot.Menu{
	menu("50,100,a", "flop: 100,a; turn: 100,a; river: 100,a", 3),
	menu("50,100,a", "flop: 100,a; turn: a; river: a", 3),
	menu("flop: 50,100,a; turn: 100,a; river: 100,a", "flop: 100,a; turn: a; river: a", 3),
	menu("flop: 50,100,a; turn: 75; river: 75", "flop: 100,a", 3),
	menu("flop: 50,100,a; turn: 75; river: 75", "flop: a", 2),
	menu("flop: 100,a; turn: 75; river: 75", "flop: a", 2),
}

const (
	// flopEntries bounds the trees of flops where no time does, and what is solved must not depend on
	// the device.
	flopEntries = 500_000_000
	// flopIterations are how many a whole flop should have: best responses win 1.5% of the pot then.
	flopIterations = 100
	// wholeLeast are how many it needs at least: best responses win 5% of the pot then.
	wholeLeast = 50
	// flopRunouts is on how many turns and rivers the blueprint is valued for offers.
	flopRunouts = 588
	// offerTime is the part of the time that this may take.
	offerTime = 0.2
)

// chooseWhole reports whether a flop is solved to the end of the hand, and takes the first menu for which the
// device has memory and time. The opponent is offered what its hands win if both play the blueprint from
// the flop on.
func (r *round) chooseWhole(ctx context.Context) (whole bool, err error) {
	d := r.options.Device
	if d == nil || ctx.Err() != nil {
		//lint:ignore nilerr what is solved next is told of the interruption
		return false, nil
	}
	if err := r.offerAsPlayed(ctx); err != nil {
		return false, err
	}
	if _, timed := ctx.Deadline(); !timed {
		if err := d.weigh(ctx, r.options.Threads); err != nil {
			return false, err
		}
	}
	menus := r.withBets(wholeFlops)
	sizes, looking, err := entries(&r.spot, menus, r.options.Threads)
	if err != nil {
		return false, err
	}
	for _, iterations := range []uint64{min(flopIterations, r.options.Iterations), wholeLeast} {
		most, k := d.flopLimit(ctx, iterations, 2*looking)
		fits := func(n int64) bool { return n > 0 && float64(n) <= most }
		if i := slices.IndexFunc(sizes, fits); i >= 0 {
			r.spot.Menu, r.menus, r.kind = menus[i], menus[i+1:], k
			return true, nil
		}
	}
	r.spot.Offer = nil
	return false, nil
}

// withBets returns menus in which the opponent may also make the bets of the options in the round, and then
// the menus without.
func (r *round) withBets(menus []spot.Menu) (all []spot.Menu) {
	opponent, street := 1-r.own, r.index-Flop
	if r.options.Bets == nil {
		return menus
	}
	for _, m := range menus {
		m.Bets[opponent][street] = slices.Concat(m.Bets[opponent][street], r.options.Bets)
		m.Raises[opponent][street] = slices.Concat(m.Raises[opponent][street], r.options.Bets)
		all = append(all, m)
	}
	return append(all, menus...)
}

// offerAsPlayed offers the opponent what its hands win if both play the blueprint, from where the hand is most
// probably mapped to. It offers nothing where the blueprint has lost the hand.
func (r *round) offerAsPlayed(ctx context.Context) error {
	if r.mapped == nil || r.continuation == nil {
		return nil
	}
	ctx, cancel := part(ctx, offerTime)
	defer cancel()
	o := &spot.Offer{Player: 1 - r.own, Known: blueprintFraction}
	var err error
	o.Values, err = r.spot.Continued(ctx, r.continuation, r.continues(), o.Player, flopRunouts, r.options.Threads)
	r.spot.Offer = o
	return err
}

// continues returns where the blueprint has a flop that is mapped.
func (r *round) continues() spot.Start {
	return spot.Start{Given: r.own, Out: r.players[0], Segment: r.blueprint.Index.Tree.SegmentOf(r.mapped.Node),
		Stake: int(r.mapped.Hand().MaxSpent())}
}

// nestedMenu returns the menu of a solution that is nested in another one: that of the round, or a smaller
// one with the same flop if there is too little time.
func (r *round) nestedMenu(ctx context.Context, next *spot.Spot) (spot.Menu, error) {
	if _, timed := ctx.Deadline(); !r.whole || !timed {
		return next.Menu, nil
	}
	menus := []spot.Menu{next.Menu}
	for _, m := range r.menus {
		if sameFlop(&m, &next.Menu) {
			menus = append(menus, m)
		}
	}
	sizes, looking, err := entries(next, menus, r.options.Threads)
	if err != nil {
		return next.Menu, err
	}
	most := r.options.Device.limit(ctx, r.kind, min(flopIterations, r.options.Iterations), 2*looking)
	for i, n := range sizes {
		if float64(n) <= most {
			return menus[i], nil
		}
	}
	return menus[len(menus)-1], nil
}

// sameFlop reports whether two menus have the same bets and raises on the flop, so that decisions of a
// solution for one of them may be locked in one for the other.
func sameFlop(a, b *spot.Menu) bool {
	for p := range a.Bets {
		if !slices.Equal(a.Bets[p][0], b.Bets[p][0]) || !slices.Equal(a.Raises[p][0], b.Raises[p][0]) {
			return false
		}
	}
	return a.RaiseCap == b.RaiseCap
}
