package bestresponse

import (
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// value returns the values of a board's hands in a round before the last, by hand and lane. Reach is
// that at the start of the round, and after the sum of the next round's values over all boards, by
// hand and by lane of that round, which scale makes a mean. Decisions, if not nil, are the
// responder's; otherwise they are the best.
func (r *round) value(d *deck, hands, bucket []uint32, reach []float32, after []float64, next *round, scale float64,
	decisions *decisions) []float64 {
	values := make([]float64, len(d.holes)*r.width)
	for _, p := range r.parts {
		b := newRounder(p, d, r.width)
		b.decisions = decisions
		of := b.value(hands, bucket, reach, after, next.width, scale)
		for _, h := range hands {
			copy(values[int(h)*r.width+p.First:][:p.Width], of[int(h)*p.Width:])
		}
	}
	return values
}

// rounder values a part of a betting round before the last, from the values of the next round. Sums
// are in 64 bits, in the order of the hands' numbers.
type rounder struct {
	*part
	*deck
	width int         // the lanes of the round
	by    []float64   // reach by card and lane
	all   []float64   // reach of all hands by lane
	slots [][]float64 // vectors by hand and lane
	x     []float32
	// decisions, if not nil, decide for the responder.
	decisions *decisions
}

func newRounder(p *part, d *deck, width int) *rounder {
	b := &rounder{part: p, deck: d, width: width, by: make([]float64, len(d.cards)*p.Width),
		all: make([]float64, p.Width), x: make([]float32, p.Width)}
	for range p.Slots {
		b.slots = append(b.slots, make([]float64, len(d.holes)*p.Width))
	}
	return b
}

// value returns the values by hand and lane of the part. The arguments are those of [round.value].
func (b *rounder) value(hands, bucket []uint32, reach []float32, after []float64, next int, scale float64) []float64 {
	for i := range b.Ops {
		o := &b.Ops[i]
		switch o.Kind {
		case Join:
			for _, h := range hands {
				b.join(o, h, b.times(b.slots[o.Arg][int(h)*b.Width:][:b.Width], bucket[h], o.Path))
			}
		case Deal:
			value := make([]float64, b.Width)
			for _, h := range hands {
				for l, to := range b.Next[int(o.Arg)*b.Width:][:b.Width] {
					value[l] = 0
					if to != segment.None {
						value[l] = after[int(h)*next+int(to)] * scale
					}
				}
				b.join(o, h, value)
			}
		default: // a fold
			b.fold(o, hands, bucket, reach)
		}
	}
	return b.slots[0]
}

func (b *rounder) fold(o *Op, hands, bucket []uint32, reach []float32) {
	clear(b.by)
	clear(b.all)
	for _, h := range hands {
		pair := b.pair[h]
		first, second := b.by[int(pair[0])*b.Width:][:b.Width], b.by[int(pair[1])*b.Width:][:b.Width]
		for l, x := range b.reached(o, h, bucket, reach) {
			b.all[l] += float64(x)
			first[l] += float64(x)
			if pair[0] != pair[1] {
				second[l] += float64(x)
			}
		}
	}
	value, pays := make([]float64, b.Width), b.Pays(o.Arg)
	for _, h := range hands {
		pair := b.pair[h]
		first, second := b.by[int(pair[0])*b.Width:][:b.Width], b.by[int(pair[1])*b.Width:][:b.Width]
		for l, x := range b.reached(o, h, bucket, reach) {
			sum := b.all[l] - first[l]
			if pair[0] != pair[1] {
				sum = sum - second[l] + float64(x)
			}
			value[l] = sum * float64(pays[l])
		}
		b.join(o, h, value)
	}
}

// reached returns the reach of a hand after an operation's path.
func (b *rounder) reached(o *Op, h uint32, bucket []uint32, reach []float32) []float32 {
	copy(b.x, reach[int(h)*b.width+b.start(o.Way):])
	b.follow(b.x, bucket[h], o.Path)
	return b.x
}

// times multiplies values of a hand by the responder's probabilities on a path, and returns them.
func (b *rounder) times(values []float64, bucket uint32, path []uint32) []float64 {
	for _, column := range path {
		for l, y := range b.probabilities(bucket, column) {
			values[l] *= float64(y)
		}
	}
	return values
}

// probabilities returns those of a column in a bucket, by lane.
func (p *part) probabilities(bucket, column uint32) []float32 {
	return p.Table[(int(bucket)*len(p.columns)+int(column))*p.Width:][:p.Width]
}

// follow multiplies the reach of a hand in all lanes by the opponent's probabilities.
func (p *part) follow(x []float32, bucket uint32, path []uint32) {
	for _, column := range path {
		for l, y := range p.probabilities(bucket, column) {
			x[l] *= y
		}
	}
}

func (b *rounder) join(o *Op, h uint32, value []float64) {
	to := b.slots[o.Slot][int(h)*b.Width:][:b.Width]
	switch {
	case o.Mode == vectors.Set:
		copy(to, value)
	case o.Mode == vectors.Max && b.decisions != nil:
		b.decisions.join(to, value)
	case o.Mode == vectors.Max:
		for l, v := range value {
			if v > to[l] {
				to[l] = v
			}
		}
	case o.Mode == vectors.Sum:
		for l, v := range value {
			to[l] += v
		}
	}
}

// descend returns the reach at the start of the next round, by hand and lane.
func descend(r, next *round, bucket []uint32, reach []float32) []float32 {
	out := make([]float32, len(bucket)*next.width)
	for _, p := range r.parts {
		x := make([]float32, p.Width)
		for deal, ways := range p.After {
			to, behind := p.Next[deal*p.Width:][:p.Lanes], p.Behind[deal*p.Width:]
			for way, w := range ways {
				for h := range bucket {
					copy(x, reach[h*r.width+p.start(w):])
					p.follow(x, bucket[h], w.Path)
					for lane, first := range to {
						if first != segment.None {
							out[h*next.width+int(first)+way*int(behind[lane])] = x[lane]
						}
					}
				}
			}
		}
	}
	return out
}

// start returns the first lane in which the reach of a way starts.
func (p *part) start(w Way) int { return p.First + int(w.Before)*p.Width }

// mean makes the values of joined hands equal to their mean.
func mean(values []float64, width int, classes [][]int32) {
	for _, class := range classes {
		for l := range width {
			sum := 0.0
			for _, h := range class {
				sum += values[int(h)*width+l]
			}
			sum /= float64(len(class))
			for _, h := range class {
				values[int(h)*width+l] = sum
			}
		}
	}
}

// showdowns values the last round on one board after another, a tile of lanes at a time.
// Sums are in 32 bits, in the order of the hands' ranks. The GPU's kernel, boards.cu of
// cudalib/brgpu, does the same operations in the same order.
type showdowns struct {
	*part
	width  int            // the lanes of the round
	x      []vectors.Tile // reach by position in the order
	total  vectors.Sums   // sums over all hands
	ranked vectors.Sums   // sums over the worse hands, less those over the better ones
	slots  [][]vectors.Tile
}

func newShowdowns(p *part, d *deck, width int) *showdowns {
	s := &showdowns{part: p, width: width, x: make([]vectors.Tile, len(d.holes))}
	for _, to := range []*vectors.Sums{&s.total, &s.ranked} {
		*to = vectors.NewSums(len(d.cards), d.game.NumHoleCards == 2)
	}
	for range p.Slots {
		s.slots = append(s.slots, make([]vectors.Tile, len(d.holes)))
	}
	return s
}

// value returns the values of a tile of the part from a lane on, by position in a board's order.
// Reach is by hand and lane of the round.
func (s *showdowns) value(order []uint64, reach []float32, lane int) []vectors.Tile {
	x := s.x[:len(order)]
	for i := range s.Ops {
		o := &s.Ops[i]
		to := s.slots[o.Slot][:len(order)]
		if o.Kind == Join {
			from := s.slots[o.Arg][:len(order)]
			for _, column := range o.Path {
				for k, entry := range order {
					own := s.probabilities(uint32(entry>>vectors.BucketBit), column)[lane:]
					for l := range from[k] {
						from[k][l] *= own[l]
					}
				}
			}
			vectors.Join(to, from, o.Mode)
			continue
		}
		table := s.Table
		if len(o.Path) > 0 { // where nobody decides there is none
			table = table[lane:]
		}
		vectors.Follow(x, order, reach[s.start(o.Way)+lane:], s.width, table, s.Width, len(s.columns), o.Path)
		s.total.Clear()
		s.total.Add(order, x)
		if o.Kind == Fold {
			s.total.Value(to, order, x, (*vectors.Tile)(s.Pays(o.Arg)[lane:]), o.Mode)
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
func (s *showdowns) rank(to []vectors.Tile, order []uint64, x []vectors.Tile, lane int, o *Op) {
	s.ranked.Negate(&s.total)
	for len(order) > 0 {
		ties := vectors.Ties(order[0])
		s.ranked.Add(order[:ties], x[:ties])
		s.ranked.Value(to[:ties], order[:ties], nil, (*vectors.Tile)(s.Pays(o.Arg)[lane:]), o.Mode)
		if o.Kind == Call {
			s.total.Value(to[:ties], order[:ties], x[:ties], (*vectors.Tile)(s.Pays(o.Fold)[lane:]), vectors.Max)
		}
		s.ranked.Add(order[:ties], x[:ties])
		to, order, x = to[ties:], order[ties:], x[ties:]
	}
}
