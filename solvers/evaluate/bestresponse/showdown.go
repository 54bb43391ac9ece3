package bestresponse

import (
	"gamebots/solvers/evaluate/bestresponse/internal/layout"
	"gamebots/solvers/internal/tiles"
)

// showdowns values the last round on one board after another, a tile of lanes at a time.
// Sums are in 32 bits, in the order of the hands' ranks. The GPU's kernel, boards.cu of
// cudalib/brgpu, does the same operations in the same order.
type showdowns struct {
	*part
	width  int          // the lanes of the round
	x      []tiles.Tile // reach by position in the order
	total  tiles.Sums   // sums over all hands
	ranked tiles.Sums   // sums over the worse hands, less those over the better ones
	slots  [][]tiles.Tile
}

func newShowdowns(p *part, d *deck, width int) *showdowns {
	s := &showdowns{part: p, width: width, x: make([]tiles.Tile, len(d.holes))}
	for _, to := range []*tiles.Sums{&s.total, &s.ranked} {
		*to = tiles.NewSums(len(d.cards), d.game.NumHoleCards == 2)
	}
	for range p.Slots {
		s.slots = append(s.slots, make([]tiles.Tile, len(d.holes)))
	}
	return s
}

// value returns the values of a tile of the part from a lane on, by position in a board's order.
// Reach is by hand and lane of the round.
func (s *showdowns) value(order []uint64, reach []float32, lane int) []tiles.Tile {
	x := s.x[:len(order)]
	for i := range s.Ops {
		o := &s.Ops[i]
		to := s.slots[o.Slot][:len(order)]
		if o.Kind == layout.Join {
			tiles.Join(to, s.slots[o.Arg], o.Mode)
			continue
		}
		table := s.Table
		if len(o.Path) > 0 { // where nobody decides there is none
			table = table[lane:]
		}
		tiles.Follow(x, order, reach[s.start(o.Way)+lane:], s.width, table, s.Width, len(s.columns), o.Path)
		s.total.Clear()
		s.total.Add(order, x)
		if o.Kind == layout.Fold {
			s.total.Value(to, order, x, (*tiles.Tile)(s.Pays(o.Arg)[lane:]), o.Mode)
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
func (s *showdowns) rank(to []tiles.Tile, order []uint64, x []tiles.Tile, lane int, o *layout.Op) {
	s.ranked.Negate(&s.total)
	for len(order) > 0 {
		ties := tiles.Ties(order[0])
		s.ranked.Add(order[:ties], x[:ties])
		s.ranked.Value(to[:ties], order[:ties], nil, (*tiles.Tile)(s.Pays(o.Arg)[lane:]), o.Mode)
		if o.Kind == layout.Call {
			s.total.Value(to[:ties], order[:ties], x[:ties], (*tiles.Tile)(s.Pays(o.Fold)[lane:]), tiles.Max)
		}
		s.ranked.Add(order[:ties], x[:ties])
		to, order, x = to[ties:], order[ties:], x[ties:]
	}
}
