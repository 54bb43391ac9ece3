package bestresponse

import (
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/evaluate/bestresponse/internal/layout"
	"gamebots/solvers/internal/tiles"
)

// rounder values a betting round before the last, from the values of the next round. Sums
// are in 64 bits, in the order of the hands' numbers.
type rounder struct {
	*round
	*deck
	by    []float64   // reach by card and lane
	all   []float64   // reach of all hands by lane
	slots [][]float64 // vectors by hand and lane
	x     []float32
	// decisions, if not nil, decide for the responder.
	decisions *decisions
}

func newRounder(r *round, d *deck) *rounder {
	b := &rounder{round: r, deck: d, by: make([]float64, len(d.cards)*r.Width), all: make([]float64, r.Width),
		x: make([]float32, r.Width)}
	for range r.Slots {
		b.slots = append(b.slots, make([]float64, len(d.holes)*r.Width))
	}
	return b
}

// value returns the values of a board's hands by hand and lane. Reach is that at the start
// of the round, and after the sum of the next round's values over all boards, by hand and
// by lane of that round, which scale makes a mean. The result is valid until the next call.
func (b *rounder) value(hands, bucket []uint32, reach []float32, after []float64, next int, scale float64) []float64 {
	for i := range b.Ops {
		o := &b.Ops[i]
		switch o.Kind {
		case layout.Join:
			for _, h := range hands {
				b.join(o, h, b.slots[o.Arg][int(h)*b.Width:][:b.Width])
			}
		case layout.Deal:
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

func (b *rounder) fold(o *layout.Op, hands, bucket []uint32, reach []float32) {
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
func (b *rounder) reached(o *layout.Op, h uint32, bucket []uint32, reach []float32) []float32 {
	copy(b.x, reach[int(h)*b.Width:])
	b.follow(b.x, bucket[h], o.Path)
	return b.x
}

// follow multiplies the reach of a hand in all lanes by the opponent's probabilities.
func (r *round) follow(x []float32, bucket uint32, path []uint32) {
	for _, column := range path {
		for l, p := range r.Table[(int(bucket)*r.columns+int(column))*r.Width:][:r.Width] {
			x[l] *= p
		}
	}
}

func (b *rounder) join(o *layout.Op, h uint32, value []float64) {
	to := b.slots[o.Slot][int(h)*b.Width:][:b.Width]
	switch {
	case o.Mode == tiles.Set:
		copy(to, value)
	case o.Mode == tiles.Max && b.decisions != nil:
		b.decisions.join(to, value)
	case o.Mode == tiles.Max:
		for l, v := range value {
			if v > to[l] {
				to[l] = v
			}
		}
	case o.Mode == tiles.Sum:
		for l, v := range value {
			to[l] += v
		}
	}
}

// descend returns the reach at the start of the next round, by hand and lane.
func descend(r, next *round, bucket []uint32, reach []float32) []float32 {
	out := make([]float32, len(bucket)*next.Width)
	for h := range bucket {
		row := r.Table[int(bucket[h])*r.columns*r.Width:]
		segment.Follow(&r.Part, r.Opponent, row, reach[h*r.Width:], out[h*next.Width:])
	}
	return out
}

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
