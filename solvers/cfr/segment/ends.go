package segment

import "gamebots/solvers/internal/vectors"

// Ends values the ends of hands in a part for a player, on one board after another, a tile of
// lanes at a time.
type Ends struct {
	part    *Part
	pays    []float32
	columns int // the opponent's columns

	x    []vectors.Tile // the opponent's reach at an end, by place in the order
	sums vectors.Sums   // sums of x
}

// NewEnds returns the ends of a part for a player, on boards that leave at most n hands of a deck.
func NewEnds(p *Part, player, hands, deck int, twoCards bool) *Ends {
	return &Ends{
		part: p, pays: p.Programs[player].Pays, columns: p.Columns[1-player],
		x: make([]vectors.Tile, hands), sums: vectors.NewSums(deck+1, twoCards),
	}
}

// Play is how the opponent plays a part on a board. Order has its hands, see package vectors, and
// where there are showdowns Down has them from the best rank to the worst, those of a rank as in
// Order.
type Play struct {
	Order, Down []uint64
	// Reach is that of its hands at the start, by hand, and lane of the round; the strategy is by
	// bucket, column and lane. Both start at a tile's first lane, and have these widths.
	Reach, Strategy   []float32
	ReachWidth, Width int
}

// Value values an end in the tile from a lane on. Function to returns the tiles, by place in the
// order, for the values of the end's fold and of its showdown.
func (s *Ends) Value(e *End, p *Play, lane int, to func(number uint32) []vectors.Tile) {
	x := s.x[:len(p.Order)]
	vectors.Follow(x, p.Order, p.Reach, p.ReachWidth, p.Strategy, p.Width, s.columns, e.Path)
	s.sums.Clear()
	if e.Showdown != None {
		s.sums.Below(to(e.Showdown), p.Order, x)
	} else {
		s.sums.Add(p.Order, x)
	}
	if e.Fold != None {
		s.sums.Value(to(e.Fold), p.Order, x, s.paysOf(e.Fold, lane), vectors.Set)
	}
	if e.Showdown != None {
		s.sums.Clear()
		s.sums.Showdown(to(e.Showdown), p.Down, x, s.paysOf(e.Showdown, lane))
	}
}

func (s *Ends) paysOf(number uint32, lane int) *vectors.Tile {
	return (*vectors.Tile)(s.pays[int(number)*s.part.Width+lane:])
}
