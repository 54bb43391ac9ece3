package bestresponse

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/tiles"
)

// round is what a responder needs of one betting round. Its segments are lanes: all have
// the same nodes and differ in their pots and in the opponent's probabilities, so that one
// operation does the same in all of them. Segments that the opponent never plays to have
// no lane: all values there are 0.
type round struct {
	segments []int32 // by lane
	width    int     // the lanes, padded to whole tiles
	// parent is, by lane, the lane of the round before that it follows, and path the
	// opponent's actions there, as columns of its table.
	parent []int32
	path   [][]uint32
	// table has the opponent's probabilities by bucket, column and lane. A column is an
	// action of the opponent in a segment.
	columns int
	table   []float32
	ops     []op
	// pays are the chips that the responder wins, by lane: of a showdown if its hand is
	// the better one, of a fold in any case.
	pays [][]float32
	// next is, by deal of a segment and lane, the lane of the next round, or -1.
	next [][]int32
	// slots is how many vectors of values an evaluation keeps.
	slots int
}

// opKind is what an operation computes.
type opKind uint32

const (
	opFold     opKind = iota // a fold of either player
	opShowdown               // a showdown
	opCall                   // the better one of folding and a showdown
	opDeal                   // the value of the next round
	opJoin                   // the values of another slot
)

// op computes a vector of values, by hand and lane, and stores it in a slot, or joins it
// with what is there. Path has the columns of the opponent's actions since the start of the
// round. Arg is the pay of a terminal node, a deal, or the other slot; Fold the pay of
// folding in an opCall.
type op struct {
	kind opKind
	mode tiles.Mode
	slot uint32
	path []uint32
	arg  uint32
	fold uint32
}

// newRounds returns the rounds for a responder, in their order.
func newRounds(s *Strategy, responder int) []*round {
	rounds := make([]*round, s.Tree.Game.NumRounds)
	for r := range rounds {
		rounds[r] = &round{}
	}
	rounds[0].segments, rounds[0].parent, rounds[0].path = []int32{0}, []int32{0}, [][]uint32{nil}
	for r := range rounds {
		var next *round
		if r+1 < len(rounds) {
			next = rounds[r+1]
		}
		b := &roundBuilder{round: rounds[r], strategy: s, responder: responder, next: next}
		b.build(r)
	}
	return rounds
}

type roundBuilder struct {
	*round
	strategy  *Strategy
	responder int
	next      *round // nil after the last
	first     betting.Segment
	// By node of the first segment: the column of the opponent's first action, the opponent's
	// actions before it, and the number of a deal.
	column map[int32]uint32
	paths  map[int32][]uint32
	deals  map[int32]uint32
}

func (b *roundBuilder) build(r int) {
	tree := b.strategy.Tree
	b.width = (len(b.segments) + tiles.Lanes - 1) / tiles.Lanes * tiles.Lanes
	for _, s := range tree.Segments { // of any lane: all have the same shape
		if s.Round == r {
			b.first = s
			break
		}
	}
	b.column, b.paths, b.deals = map[int32]uint32{}, map[int32][]uint32{b.first.First: nil}, map[int32]uint32{}
	var deals []int32
	for i := b.first.First; i < b.first.Last; i++ {
		n := &tree.Nodes[i]
		if n.Kind == betting.Deal {
			b.deals[i] = uint32(len(deals))
			deals = append(deals, i)
		}
		if n.Kind != betting.Decision {
			continue
		}
		if int(n.Actor) != b.responder {
			b.column[i] = uint32(b.columns)
			b.columns += int(n.NumActions)
		}
		for a := range int32(n.NumActions) {
			path := b.paths[i]
			if int(n.Actor) != b.responder {
				path = append(path[:len(path):len(path)], b.column[i]+uint32(a))
			}
			b.paths[n.First+a] = path
		}
	}
	b.fill(r)
	b.visit(b.first.First, 0)
	for _, deal := range deals {
		b.deal(deal)
	}
}

// fill writes the table.
func (b *roundBuilder) fill(r int) {
	tree := b.strategy.Tree
	b.table = make([]float32, b.strategy.Buckets.NumBuckets(r)*b.columns*b.width)
	for lane, segment := range b.segments {
		for node, column := range b.column {
			real := tree.Segments[segment].First + node - b.first.First
			for a := range int(tree.Nodes[real].NumActions) {
				for bucket, p := range b.strategy.of(real, a) {
					b.table[(bucket*b.columns+int(column)+a)*b.width+lane] = p
				}
			}
		}
	}
}

// deal adds the lanes of the next round that follow a deal of each segment.
func (b *roundBuilder) deal(node int32) {
	tree := b.strategy.Tree
	next := make([]int32, b.width)
	for lane := range next {
		next[lane] = -1
		if lane < len(b.segments) && b.played(b.paths[node], lane) {
			next[lane] = int32(len(b.next.segments))
			real := tree.Segments[b.segments[lane]].First + node - b.first.First
			b.next.segments = append(b.next.segments, tree.Nodes[real].First)
			b.next.parent = append(b.next.parent, int32(lane))
			b.next.path = append(b.next.path, b.paths[node])
		}
	}
	b.round.next = append(b.round.next, next)
}

// played reports whether the opponent takes every action of a path in some bucket.
func (b *roundBuilder) played(path []uint32, lane int) bool {
	for _, column := range path {
		some := false
		for at := int(column)*b.width + lane; at < len(b.table); at += b.columns * b.width {
			some = some || b.table[at] > 0
		}
		if !some {
			return false
		}
	}
	return true
}

// visit adds the operations that leave the value of a decision in a slot. Decisions after
// it come first, so that a chain of raises needs one slot.
func (b *roundBuilder) visit(node int32, slot uint32) {
	tree := b.strategy.Tree
	n := &tree.Nodes[node]
	b.slots = max(b.slots, int(slot)+1)
	join, mode := tiles.Sum, tiles.Set
	if int(n.Actor) == b.responder {
		join = tiles.Max
	}
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		if tree.Nodes[child].Kind != betting.Decision {
			continue
		}
		if mode == tiles.Set {
			b.visit(child, slot)
		} else {
			b.visit(child, slot+1)
			b.ops = append(b.ops, op{kind: opJoin, mode: mode, slot: slot, arg: slot + 1})
		}
		mode = join
	}
	fold := int32(-1) // the responder's, until its call is found
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		c := &tree.Nodes[child]
		x := op{mode: mode, slot: slot, path: b.paths[child]}
		switch {
		case c.Kind == betting.Decision:
			continue
		case c.Kind == betting.Deal:
			x.kind, x.arg = opDeal, b.deals[child]
		case tree.Terminals[c.First].Showdown() && fold >= 0:
			x.kind, x.arg, x.fold = opCall, b.pay(child), b.ops[fold].arg
			x.mode = b.ops[fold].mode
			b.ops = append(b.ops[:fold], x)
			continue
		case tree.Terminals[c.First].Showdown():
			x.kind, x.arg = opShowdown, b.pay(child)
		default:
			x.kind, x.arg = opFold, b.pay(child)
			if join == tiles.Max {
				fold = int32(len(b.ops))
			}
		}
		b.ops = append(b.ops, x)
		mode = join
	}
}

// pay returns the index of the pays of a terminal node.
func (b *roundBuilder) pay(node int32) uint32 {
	tree := b.strategy.Tree
	pays := make([]float32, b.width)
	for lane, segment := range b.segments {
		pot := &tree.Terminals[tree.Nodes[tree.Segments[segment].First+node-b.first.First].First]
		var ranks [acpc.MaxPlayers]int
		ranks[b.responder] = 1
		pays[lane] = float32(pot.Value(b.responder, &ranks))
	}
	b.pays = append(b.pays, pays)
	return uint32(len(b.pays) - 1)
}
