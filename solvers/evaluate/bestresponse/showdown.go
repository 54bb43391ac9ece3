package bestresponse

import (
	"gamebots/solvers/internal/kernels"
)

// showdowns values the last round on one board after another, a tile of lanes at a time.
// Sums are in 32 bits, in the order of the hands' ranks. The GPU's kernel, boards.cu of
// cudalib/brgpu, does the same operations in the same order.
type showdowns struct {
	*part
	width  int            // the lanes of the round
	x      []kernels.Tile // reach by position in the order
	total  kernels.Sums   // sums over all hands
	ranked kernels.Sums   // sums over the worse hands, less those over the better ones
	slots  [][]kernels.Tile
}

func newShowdowns(p *part, d *deck, width int) *showdowns {
	s := &showdowns{part: p, width: width, x: make([]kernels.Tile, len(d.holes))}
	for _, to := range []*kernels.Sums{&s.total, &s.ranked} {
		*to = kernels.NewSums(len(d.cards), d.game.NumHoleCards == 2)
	}
	for range p.Slots {
		s.slots = append(s.slots, make([]kernels.Tile, len(d.holes)))
	}
	return s
}

// value returns the values of a tile of the part from a lane on, by position in a board's order.
// Reach is by hand and lane of the round.
func (s *showdowns) value(order []uint64, reach []float32, lane int) []kernels.Tile {
	x := s.x[:len(order)]
	for i := range s.Ops {
		o := &s.Ops[i]
		to := s.slots[o.Slot][:len(order)]
		if o.Kind == Join {
			kernels.Join(to, s.slots[o.Arg], o.Mode)
			continue
		}
		table := s.Table
		if len(o.Path) > 0 { // where nobody decides there is none
			table = table[lane:]
		}
		kernels.Follow(x, order, reach[s.start(o.Way)+lane:], s.width, table, s.Width, len(s.columns), o.Path)
		s.total.Clear()
		s.total.Add(order, x)
		if o.Kind == Fold {
			s.total.Value(to, order, x, (*kernels.Tile)(s.Pays(o.Arg)[lane:]), o.Mode)
			continue
		}
		s.rank(to, order, x, lane, o)
	}
	return s.slots[0]
}

// rank stores the values of a showdown, or of the better one of folding and a showdown. The
// reach of the hands of a rank is added twice, once before their values are computed, so
// that worse and better hands have the signs of their showdowns, and hands of the same rank
// have none.
func (s *showdowns) rank(to []kernels.Tile, order []uint64, x []kernels.Tile, lane int, o *Op) {
	s.ranked.Negate(&s.total)
	for len(order) > 0 {
		ties := kernels.Ties(order[0])
		s.ranked.Add(order[:ties], x[:ties])
		s.ranked.Value(to[:ties], order[:ties], nil, (*kernels.Tile)(s.Pays(o.Arg)[lane:]), o.Mode)
		if o.Kind == Call {
			s.total.Value(to[:ties], order[:ties], x[:ties], (*kernels.Tile)(s.Pays(o.Fold)[lane:]), kernels.Max)
		}
		s.ranked.Add(order[:ties], x[:ties])
		to, order, x = to[ties:], order[ties:], x[ties:]
	}
}
