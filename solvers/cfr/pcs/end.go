package pcs

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/internal/tiles"
)

// Ends values the ends of hands in a part for a player, on one board after another, a tile of
// lanes at a time.
type Ends struct {
	part    *pcsgpu.Part
	pays    []float32
	columns int // of the opponent

	x      []tiles.Tile // the opponent's reach at an end, by place in the order
	sums   tiles.Sums   // of it, over all hands
	ranked tiles.Sums   // over the worse hands, less that over the better ones
}

// NewEnds returns the ends of a part on boards that leave a number of hands.
func NewEnds(g *pcsgpu.Game, part, player, hands int) *Ends {
	p := &g.Parts[part]
	return &Ends{
		part: p, pays: p.Programs[player].Pays, columns: p.Columns[1-player],
		x: make([]tiles.Tile, hands), sums: tiles.NewSums(g.Deck+1, g.TwoCards), ranked: tiles.NewSums(g.Deck+1, g.TwoCards),
	}
}

// Play is how the opponent plays a part on a board. Order has its hands, see package tiles.
type Play struct {
	Order []uint64
	// Reach is that of its hands at the start, by hand, and lane of the round; the strategy is by
	// bucket, column and lane. Both start at a tile's first lane, and have these widths.
	Reach, Strategy   []float32
	ReachWidth, Width int
}

// Value values an end in the tile from a lane on. The values of a fold, and of a showdown, are
// written to what to returns for their numbers, by place in the order.
func (s *Ends) Value(e *pcsgpu.End, p *Play, lane int, to func(number uint32) []tiles.Tile) {
	x := s.x[:len(p.Order)]
	tiles.Follow(x, p.Order, p.Reach, p.ReachWidth, p.Strategy, p.Width, s.columns, e.Path[:e.Length])
	s.sums.Clear()
	s.sums.Add(p.Order, x)
	if e.Fold != pcsgpu.None {
		s.sums.Value(to(e.Fold), p.Order, x, s.paysOf(e.Fold, lane), tiles.Set)
	}
	if e.Showdown != pcsgpu.None {
		s.showdown(to(e.Showdown), p.Order, x, s.paysOf(e.Showdown, lane))
	}
}

func (s *Ends) paysOf(number uint32, lane int) *tiles.Tile {
	return (*tiles.Tile)(s.pays[int(number)*s.part.Width+lane:])
}

// showdown values a showdown. The reach of the hands of a rank is added twice, once before
// their values are computed, so that worse and better hands have the signs of their showdowns,
// and hands of the same rank have none.
func (s *Ends) showdown(to []tiles.Tile, order []uint64, x []tiles.Tile, pays *tiles.Tile) {
	s.ranked.Negate(&s.sums)
	for len(order) > 0 {
		ties := tiles.Ties(order[0])
		s.ranked.Add(order[:ties], x[:ties])
		s.ranked.Value(to[:ties], order[:ties], nil, pays, tiles.Set)
		s.ranked.Add(order[:ties], x[:ties])
		to, order, x = to[ties:], order[ties:], x[ties:]
	}
}
